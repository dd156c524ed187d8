/** Payloads of many small parts: every list and map in which a mapper could spend too long. */
import type { RewriteName } from "../../src/rewrites/rewrite.ts";
import { alert, beat, github, komodo, slack } from "./bodies.ts";

const times = (n: number, make: (i: number) => unknown): unknown[] => Array.from({ length: n }, (_, i) => make(i));
const fields = (n: number, value: unknown): Record<string, unknown> =>
  Object.fromEntries(times(n, (i) => [`k${i}`, value]) as [string, unknown][]);
function nested(depth: number): unknown {
  return depth === 0 ? [] : { a: nested(depth - 1), b: [nested(0)] };
}

function nestedIn(name: string, depth: number): unknown[] {
  return depth === 0 ? [{ text: "t" }] : [{ [name]: nestedIn(name, depth - 1) }];
}

/** Many small parts instead of a large one: enough of them to make about `size` bytes. */
export const CROWDS: [RewriteName, what: string, (size: number) => unknown][] = [
  ["alertmanager", "empty alerts", (size) => ({ alerts: times(size / 3, () => ({})) })],
  ["alertmanager", "alerts that are none", (size) => ({ alerts: times(size / 2, () => 1) })],
  [
    "alertmanager",
    "short alerts",
    (size) => ({
      alerts: times(size / 200, (i) => ({
        status: i % 2 === 0 ? "firing" : "resolved",
        labels: { alertname: `n${i}`, instance: `h${i}:9100`, severity: "page" },
        startsAt: "2026-11-20T19:00:45.340846365Z",
        endsAt: "2026-11-20T19:20:45.340846365Z",
        fingerprint: `${i}`,
      })),
    }),
  ],
  [
    "alertmanager",
    "alerts of many labels",
    (size) => ({ alerts: times(size / 1000, () => ({ labels: fields(100, "v") })), commonLabels: fields(10, "w") }),
  ],
  ["alertmanager", "labels", (size) => alert({ labels: fields(size / 10, "v") })],
  ["alertmanager", "common labels", (size) => ({ alerts: [{}, {}], commonLabels: fields(size / 10, "v") })],
  ["alertmanager", "group labels", (size) => ({ alerts: [{}, {}], groupLabels: fields(size / 10, "v") })],
  ["alertmanager", "values", (size) => alert({ values: fields(size / 10, 1) })],
  [
    "crowdsec",
    "alerts",
    (size) => times(size / 60, (i) => ({ scenario: `s${i}`, source: { value: "v" }, decisions: [] })),
  ],
  ["wud", "containers", (size) => times(size / 60, (i) => ({ watcher: "w", name: `n${i}`, updateKind: {} }))],
  [
    "servarr",
    "episodes",
    (size) => ({ eventType: "Grab", series: { title: "s" }, episodes: times(size / 3, () => ({})) }),
  ],
  [
    "servarr",
    "reasons",
    (size) => ({
      eventType: "ManualInteractionRequired",
      series: {},
      downloadStatusMessages: times(size / 4, () => 1),
    }),
  ],
  [
    "seerr",
    "extras",
    (size) => ({ notification_type: "MEDIA_PENDING", subject: "s", extra: times(size / 3, () => ({})) }),
  ],
  [
    "frigate",
    "objects",
    (size) => ({ before: {}, after: { camera: "c", data: { objects: times(size / 4, () => "o") } } }),
  ],
  ["unifi", "triggers", (size) => ({ timestamp: 1, alarm: { triggers: times(size / 3, () => ({})) } })],
  ["unifi", "events", (size) => ({ events: times(size / 60, () => ({ id: "event.x", alert_key: "K" })) })],
  [
    "watchtower",
    "failures",
    (size) => ({ host: "h", title: "t", entries: [], report: { failed: times(size / 3, () => ({})) } }),
  ],
  ["watchtower", "entries", (size) => ({ host: "h", title: "t", report: null, entries: times(size / 3, () => ({})) })],
  ["truenas", "alerts", (size) => ({ text: `TrueNAS @ h \n\nNew alerts:\n\n${"  * a\n".repeat(size / 6)}` })],
  [
    "truenas",
    "one long alert",
    (size) => ({ text: `TrueNAS @ h \n\nNew alerts:\n\n  * a\n${"b\n".repeat(size / 2)}` }),
  ],
  [
    "proxmox",
    "errors",
    (size) => ({ severity: "error", title: "t", fields: {}, message: `Logs\n====\n${"ERROR\n".repeat(size / 6)}` }),
  ],
  [
    "authentik",
    "facts",
    (size) => ({ severity: "alert", user_username: "u", body: `a: {${"'b': 'c', ".repeat(size / 10)}` }),
  ],
  ["uptimekuma", "tags", (size) => beat({}, { tags: times(size / 20, (i) => ({ name: `n${i}`, value: "v" })) })],
  ["komodo", "images", (size) => komodo("StackAutoUpdated", { images: times(size / 4, () => "i") })],
  ["komodo", "traces", (size) => komodo("SwarmUnhealthy", { err: { error: "e", trace: times(size / 4, () => "t") } })],
  ["komodo", "fields", (size) => komodo("Unknown", fields(size / 10, "v"))],
  ["komodo", "a long list", (size) => komodo("Unknown", { list: times(size / 2, () => 1) })],
  [
    "slack",
    "attachments",
    (size) => ({
      attachments: times(size / 60, (i) => ({ color: "good", title: `t${i}`, text: "<https://h.example|x>" })),
    }),
  ],
  [
    "slack",
    "blocks",
    (size) => ({ blocks: times(size / 60, () => ({ type: "section", fields: times(9, () => ({ text: "*a*\nb" })) })) }),
  ],
  ["slack", "fields", (size) => slack({ fields: times(size / 30, (i) => ({ title: `n${i}`, value: "v" })) })],
  [
    "slack",
    "depth",
    (size) => ({ blocks: times(size / 800, () => ({ type: "rich_text", elements: nestedIn("elements", 60) })) }),
  ],
  [
    "discord",
    "embeds",
    (size) => ({ embeds: times(size / 40, (i) => ({ title: `t${i}`, fields: [{ name: "n", value: "v" }] })) }),
  ],
  [
    "discord",
    "components",
    (size) => ({ components: times(size / 40, () => ({ components: [{ type: 10, content: "c" }] })) }),
  ],
  [
    "teams",
    "elements",
    (size) => ({ type: "AdaptiveCard", body: times(size / 40, () => ({ items: [{ text: "t" }] })) }),
  ],
  [
    "teams",
    "depth",
    (size) => ({ type: "AdaptiveCard", body: times(size / 800, () => ({ items: nestedIn("items", 60) })) }),
  ],
  ["github", "commits", (size) => github({ ref: "refs/heads/m", commits: times(size / 30, () => ({ message: "m" })) })],
  [
    "gitlab",
    "builds",
    (size) => ({
      object_kind: "pipeline",
      project: {},
      builds: times(size / 40, () => ({ name: "n", status: "failed" })),
    }),
  ],
  [
    "gatus",
    "conditions",
    (size) => ({
      endpoint_name: "n",
      endpoint_url: "",
      resolved: false,
      condition_results: times(size / 40, () => ({ condition: "c", success: false })),
    }),
  ],
  [
    "gatus",
    "elements",
    (size) => ({
      type: "message",
      attachments: times(size / 90, () => ({
        content: { body: [{ items: [{ items: [{ text: "An alert for *" }] }] }] },
      })),
    }),
  ],
  ["zabbix", "fields", (size) => ({ HTTPProxy: "", Subject: "s", Message: "m", ...fields(size / 10, "v") })],
  ["beszel", "fields", (size) => ({ text: "t", ...fields(size / 10, "v") })],
  ["komodo", "depth", (size) => komodo("Unknown", { deep: times(size / 800, () => nested(60)) })],
];
