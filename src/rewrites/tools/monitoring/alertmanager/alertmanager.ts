/** Prometheus Alertmanager's webhook, version 4, and Grafana's (REWRITES.md §3). */
import { optionalRfc3339, type Millis } from "../../../../util/clock.ts";
import { entriesOf, field, lineAt, objectAt, scalar, scalarAt } from "../../../fields.ts";
import * as looks from "../../../looks.ts";
import { testNotice, type Look } from "../../../looks.ts";
import type { Source } from "../../../tool.ts";
import { brief, cut } from "../../../text.ts";
import { present, sha, type Told } from "../../../told.ts";
import { link } from "../../../urls.ts";
import { endOf, readGroup, severityWord, startOf, type Alert, type Group } from "./group.ts";
import { labelData, MAX_LABELS } from "./labels.ts";
import { linksOf } from "./links.ts";
import { wordsOfMany, wordsOfOne } from "./alert-text.ts";

export const alertmanager: Source<"alertmanager"> = {
  name: "alertmanager",
  title: "Alertmanager",
  setup: {
    place: { en: "A receiver in its configuration file", de: "Ein Receiver der Konfigurationsdatei" },
    manual: { page: "alertmanager", topic: "alerts" },
    withKey: (url, key) => [
      {
        label: "alertmanager.yml",
        value: [
          "receivers:",
          "  - name: peal",
          "    webhook_configs:",
          `      - url: '${url}'`,
          "        http_config:",
          "          authorization:",
          `            credentials: '${key}'`,
        ].join("\n"),
      },
    ],
  },
  fits: (payload) => Array.isArray(field(payload, "alerts")),
  tell(payload, { now }) {
    const group = readGroup(payload, now);
    if (group === undefined) return undefined;
    const told: Told = {
      ...(group.isOne ? wordsOfOne(group) : wordsOfMany(group)),
      ...urgencyOf(group),
      status: group.isOver ? "resolved" : "firing",
      ...linksOf(group),
      tags: tagsOf(group),
      key: keyOf(group),
      at:
        newest(group.firing, (alert) => startOf(group, alert)) ??
        newest(group.resolved, (alert) => endOf(group, alert)),
      data: dataOf(group),
    };
    return { ...told, ...testOf(group), ...watchdog(group) };
  },
};

function urgencyOf({ firing, resolved, isOver }: Group): Look {
  const [worst] = firing;
  if (worst !== undefined || !isOver) return worst?.severity ?? looks.WARNING;
  return resolved.some(({ severity }) => severity.rank >= 4) ? looks.GOOD : looks.DONE;
}

const TAGGED = "cluster env environment site namespace job service team grafana_folder".split(" ");

function tagsOf({ isGrafana, isOne, first, labels: common }: Group): (string | undefined)[] {
  const labels = isOne ? first.labels : common;
  const tagged = TAGGED.map((name) => ({ name, value: lineAt(labels, name) }));
  return [
    isGrafana ? "grafana" : "alertmanager",
    severityWord(labels),
    ...tagged.map(({ name, value }) => (value === undefined ? undefined : `${name}:${value}`)),
  ];
}

/** The same for every message of a group, also for those of the other half of a highly available pair. */
function keyOf(group: Group): string | undefined {
  const named = scalarAt(group.fields, "groupKey") ?? groupLabels(group) ?? fingerprints(group);
  return named === undefined ? undefined : `alertmanager:${sha(32, named)}`;
}

function groupLabels({ fields }: Group): string | undefined {
  const labels = entriesOf(objectAt(fields, "groupLabels"), MAX_LABELS).map(([name, value]) => [name, scalar(value)]);
  return labels.length === 0 ? undefined : JSON.stringify(labels.sort());
}

function fingerprints({ firing, resolved }: Group): string | undefined {
  const sent = [...firing, ...resolved].map((alert) => scalarAt(alert.fields, "fingerprint"));
  const found = sent.filter((fingerprint) => fingerprint !== undefined);
  return found.length === 0 ? undefined : found.sort().join(",");
}

function newest(alerts: Alert[], timeOf: (alert: Alert) => Millis | undefined): Millis | undefined {
  const times = alerts.map(timeOf).filter((at) => at !== undefined);
  return times.length === 0 ? undefined : times.reduce((a, b) => Math.max(a, b));
}

const MAX_GROUP_KEY = 300;
const MAX_ALERTS_TOLD = 10;

function dataOf(group: Group): Told["data"] {
  const { fields, isGrafana, firing, resolved, truncated, labels: common } = group;
  return {
    source: isGrafana ? "grafana" : "alertmanager",
    receiver: receiverOf(fields),
    status: firing.length > 0 ? "firing" : "resolved",
    firing: firing.length,
    resolved: resolved.length,
    truncated: truncated > 0 ? truncated : undefined,
    reason: brief(lineAt(fields, "notification_reason")),
    group_key: cut(lineAt(fields, "groupKey") ?? "", MAX_GROUP_KEY),
    common_labels: present(labelData(common, 20)),
    external_url: link(scalarAt(fields, "externalURL")),
    alerts: [...firing, ...resolved].slice(0, MAX_ALERTS_TOLD).map((alert) =>
      present({
        status: alert.isResolved ? "resolved" : "firing",
        fingerprint: lineAt(alert.fields, "fingerprint"),
        labels: labelData(alert.labels, 8, common),
        starts_at: optionalRfc3339(startOf(group, alert)),
        ends_at: alert.isResolved ? optionalRfc3339(endOf(group, alert)) : undefined,
      }),
    ),
  };
}

/** Alertmanager sends the name as a regular expression that matches it. */
const receiverOf = (fields: Group["fields"]): string | undefined =>
  brief(lineAt(fields, "receiver")?.replace(/\\([\\.+*?()|[\]{}^$])/g, "$1"));

/** The message of Grafana's button that tests a contact point. */
function testOf({ isOne, first, fields }: Group): Partial<Told> | undefined {
  if (!isOne || first.name !== "TestAlert" || lineAt(first.labels, "instance") !== "Grafana") return undefined;
  const { title, lines } = testNotice("grafana", "Grafana", receiverOf(fields) ?? "Grafana");
  return { ...looks.NOTICE, title, lines, status: undefined, key: undefined };
}

const WATCHDOGS = new Set(["watchdog", "deadmanswitch", "deadmansswitch", "alwaysfiring"]);

/** An alert that fires as long as alerting works: only its end is bad news. */
function watchdog({ names, firing }: Group): Partial<Told> | undefined {
  const [name = "", second] = names;
  if (second !== undefined || !WATCHDOGS.has(name.replace(/[-_ ]/g, "").toLowerCase())) return undefined;
  if (firing.length === 0)
    return {
      ...looks.BROKEN,
      title: `${name} stopped`,
      lines: ["Prometheus no longer sends its always-firing alert: alerts may not reach you."],
    };
  return {
    ...looks.resolved(looks.QUIET),
    title: `${name}: alerting works`,
    lines: ["Always-firing test alert received. Send it to a peal check (/v1/ping/…) instead of a topic."],
  };
}
