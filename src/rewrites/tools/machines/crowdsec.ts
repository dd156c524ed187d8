/** The HTTP plugin of CrowdSec, whose template is the list of alerts as JSON (REWRITES.md §8). */
import { field, hasOne, lineAt, listAt, object, objectAt, postedList, type Fields } from "../../fields.ts";
import { isObject } from "../../../util/json.ts";
import * as looks from "../../looks.ts";
import { counted, items, joined, testNotice } from "../../looks.ts";
import type { Source } from "../../tool.ts";
import { instant } from "../../times.ts";
import { present, type Told } from "../../told.ts";
import { link } from "../../urls.ts";

export const crowdsec: Source<"crowdsec"> = {
  name: "crowdsec",
  title: "CrowdSec",
  fits: (payload) => isAlert(alertsIn(payload)[0] ?? {}),
  tell(payload, { now }) {
    const alerts = alertsIn(payload);
    const [first = {}] = alerts;
    if (lineAt(first, "scenario") === "test alert")
      return testNotice("crowdsec", "CrowdSec", lineAt(first, "machine_id"));
    return { ...(alerts.length === 1 ? tellOne(first) : tellAll(alerts)), at: instant(field(first, "stop_at"), now) };
  },
};

const MAX_ALERTS = 1_000;

/** A single alert may come without a list. */
const alertsIn = (payload: Fields): Fields[] =>
  Object.hasOwn(payload, "") ? postedList(payload).slice(0, MAX_ALERTS).map(object) : [payload];

const isAlert = (value: Fields): boolean =>
  typeof field(value, "scenario") === "string" &&
  isObject(field(value, "source")) &&
  hasOne(value, "decisions", "events_count");

/** `banned`, `captcha`, or nothing if CrowdSec only reports. */
const VERBS = new Map([
  ["ban", "banned"],
  ["captcha", "gets a captcha"],
]);

interface Decision {
  /** What CrowdSec does to the source. */
  does: string | undefined;
  type: string | undefined;
  duration: string | undefined;
}

function decisionOf(alert: Fields): Decision {
  const decision = object(listAt(alert, "decisions")[0]);
  const type = lineAt(decision, "type");
  return { type, does: type && (VERBS.get(type) ?? type), duration: lineAt(decision, "duration") };
}

const sourceOf = (alert: Fields): string => lineAt(objectAt(alert, "source"), "value", "ip", "range") ?? "a source";
const scenarioOf = (alert: Fields): string => (lineAt(alert, "scenario") ?? "").replace(/^crowdsecurity\//, "");
const isSimulated = (alert: Fields): boolean => field(alert, "simulated") === true;

function tellOne(alert: Fields): Told {
  const { type, does, duration } = decisionOf(alert);
  const source = objectAt(alert, "source");
  const [ip, country, network] = [lineAt(source, "ip"), lineAt(source, "cn"), lineAt(source, "as_name")];
  const events = lineAt(alert, "events_count");
  return {
    ...(isSimulated(alert) ? looks.QUIET : looks.WARNING),
    title: `${sourceOf(alert)} ${does ?? "reported"}${isSimulated(alert) ? " (simulated)" : ""}: ${scenarioOf(alert)}`,
    lines: [
      duration && `For ${duration}`,
      joined([country, network]),
      joined([events && counted(Number(events), "event"), lineAt(alert, "machine_id")]),
    ],
    tags: ["crowdsec", type, country],
    url: ip === undefined ? undefined : link(`https://app.crowdsec.net/cti/${encodeURIComponent(ip)}`),
    data: present({
      scenario: lineAt(alert, "scenario"),
      value: lineAt(source, "value"),
      scope: lineAt(source, "scope"),
      country,
      decision: type,
      duration,
    }),
  };
}

const MAX_ITEMS = 10;

function tellAll(alerts: readonly Fields[]): Told {
  const banned = alerts.filter((alert) => decisionOf(alert).type === "ban").length;
  return {
    ...(alerts.every(isSimulated) ? looks.QUIET : looks.WARNING),
    title: joined([counted(alerts.length, "alert"), banned > 0 ? `${banned} banned` : undefined], ", "),
    lines: items(alerts, MAX_ITEMS, (each) => {
      const { does } = decisionOf(object(each));
      return joined([joined([sourceOf(object(each)), does], " "), scenarioOf(object(each))], ": ");
    }),
    tags: ["crowdsec"],
    data: { alerts_count: alerts.length, banned },
  };
}
