/** The webhooks of UniFi's Alarm Manager: Network and Protect (REWRITES.md §8). */
import type { Millis } from "../../../util/clock.ts";
import { field, lineAt, listAt, object, objectAt, objectsAt, proseAt, scalarAt, type Fields } from "../../fields.ts";
import { isObject } from "../../../util/json.ts";
import * as looks from "../../looks.ts";
import { firing, inWords, joined, resolved, type Look } from "../../looks.ts";
import type { Source } from "../../tool.ts";
import { instant } from "../../times.ts";
import { present, type Told } from "../../told.ts";
import { link } from "../../urls.ts";

export const unifi: Source<"unifi"> = {
  name: "unifi",
  title: "UniFi",
  fits: (payload) => isProtect(payload) || isNetwork(payload) || isOldNetwork(payload),
  tell(payload, { now }) {
    if (isProtect(payload)) return tellProtect(payload, now);
    return isNetwork(payload) ? tellNetwork(payload, now) : tellOldNetwork(payload);
  },
};

const isProtect = (payload: Fields): boolean =>
  Object.hasOwn(payload, "timestamp") && Array.isArray(field(objectAt(payload, "alarm"), "triggers"));

const isNetwork = (payload: Fields): boolean =>
  typeof field(payload, "name") === "string" &&
  isObject(field(payload, "parameters")) &&
  (Object.hasOwn(payload, "alarm_id") || Object.hasOwn(objectAt(payload, "parameters"), "UNIFIhost"));

const isOldNetwork = (payload: Fields): boolean => {
  const event = object(listAt(payload, "events")[0]);
  return (scalarAt(event, "id") ?? "").startsWith("event.") && Object.hasOwn(event, "alert_key");
};

const MAX_TRIGGERS = 5;
/** Sounds through which nobody should sleep. */
const ALARMING = new Set(["audio_alarm_smoke", "audio_alarm_glass_break"]);

function tellProtect(payload: Fields, now: Millis): Told {
  const alarm = objectAt(payload, "alarm");
  const triggers = objectsAt(alarm, "triggers", MAX_TRIGGERS);
  const keys = [...new Set(triggers.map((trigger) => lineAt(trigger, "key")).filter((key) => key !== undefined))];
  const who = triggers.map((trigger) => lineAt(objectAt(trigger, "group"), "name") ?? lineAt(trigger, "value"));
  const devices = new Set(
    triggers.map((trigger) => lineAt(trigger, "device")).filter((device) => device !== undefined),
  );
  const name = lineAt(alarm, "name");
  return {
    ...(keys.some((key) => ALARMING.has(key)) ? looks.TROUBLE : looks.NOTICE),
    title: joined([joined(keys.map(inWords), ", "), name], ": ") ?? "UniFi Protect alarm",
    lines: [joined(who, ", "), joined(["UniFi Protect", ...devices])],
    tags: ["unifi", "protect", ...keys],
    url: link(scalarAt(alarm, "eventLocalLink")),
    at: instant(field(triggers[0] ?? {}, "timestamp"), now) ?? instant(field(payload, "timestamp"), now),
    data: present({ app: "protect", alarm: name, triggers: keys, devices: [...devices] }),
  };
}

/** States whose end is reported too, by what they are about. */
const STATES = new Map<string, { of: "wan" | "device"; isOver: boolean }>([
  ["Internet Down", { of: "wan", isOver: false }],
  ["Internet Restored", { of: "wan", isOver: true }],
  ["Device Offline", { of: "device", isOver: false }],
  ["Device Reconnected", { of: "device", isOver: true }],
  ["UPS Battery Power In Use", { of: "device", isOver: false }],
  ["UPS AC Power Restored", { of: "device", isOver: true }],
]);

const ID = { wan: "UNIFIwanId", device: "UNIFIdeviceMac" } as const;
/** What owners do themselves is not a danger, whatever severity UniFi gives it. */
const HOUSEKEEPING = new Set(["Audit", "Software Updates"]);

/** As in CEF: 0–3 low, 4–6 medium, 7–8 high, 9–10 very high. What was blocked can wait until tomorrow. */
function lookOf(severity: number, category: string | undefined, name: string): Look {
  if (severity >= 7) return /\bblocked\b/i.test(name) ? looks.WARNING : looks.TROUBLE;
  if (severity >= 4) return HOUSEKEEPING.has(category ?? "") ? looks.NOTICE : looks.WARNING;
  return looks.QUIET;
}

function tellNetwork(payload: Fields, now: Millis): Told {
  const parameters = objectAt(payload, "parameters");
  const name = lineAt(payload, "name") ?? "UniFi Network";
  const [host, category] = [lineAt(parameters, "UNIFIhost"), lineAt(parameters, "UNIFIcategory")];
  const state = STATES.get(name);
  const id = state && lineAt(parameters, ID[state.of]);
  const look = lookOf(Number(scalarAt(payload, "severity") ?? NaN), category, name);
  const [down, connected] = [lineAt(parameters, "UNIFIreportedDuration"), lineAt(parameters, "UNIFIduration")];
  return {
    ...(state === undefined ? look : state.isOver ? resolved(looks.GOOD) : firing(look)),
    title: joined([name, whoIn(parameters)], ": "),
    lines: [
      proseAt(payload, "message"),
      down && `Was down for ${down}`,
      connected && `Was connected for ${connected}`,
      joined([lineAt(parameters, "UNIFIipsSignature"), lineAt(parameters, "UNIFIpolicyName")]),
      joined([host, category]),
    ],
    tags: ["unifi", "network", host],
    key: id === undefined ? undefined : `unifi:${host ?? ""}:${state?.of ?? ""}:${id}`,
    url: link(scalarAt(parameters, "UNIFIreference")),
    at: instant(field(parameters, "UNIFIutcTime"), now),
    data: present({
      app: "network",
      event: name,
      class: lineAt(payload, "deviceEventClassId", "device_event_class_id"),
      category,
      host,
      device: lineAt(parameters, "UNIFIdeviceName"),
      client: lineAt(parameters, "UNIFIclientAlias", "UNIFIclientHostname"),
    }),
  };
}

// prettier-ignore
const WHO = ["UNIFIadmin", "UNIFIclientAlias", "UNIFIclientHostname", "UNIFIsrcClientAlias", "src", "UNIFIdeviceName", "UNIFIhost"];

function whoIn(parameters: Fields): string | undefined {
  const [wan, isp] = [lineAt(parameters, "UNIFIwanId"), lineAt(parameters, "UNIFIwanIsp")];
  return wan === undefined ? lineAt(parameters, ...WHO) : joined([wan, isp && `(${isp})`], " ");
}

/** Network 9.3 says only what kind of thing happened. */
function tellOldNetwork(payload: Fields): Told {
  const events = objectsAt(payload, "events", MAX_TRIGGERS);
  const [first = {}] = events;
  const name = (lineAt(first, "id") ?? "").replace(/^event\./, "");
  return {
    ...(name.startsWith("client_") ? looks.QUIET : looks.WARNING),
    title: `UniFi: ${inWords(name).toLowerCase()}`,
    lines: [
      ...events.map((event) => inWords(lineAt(event, "alert_key") ?? "")),
      "UniFi Network says no more about it.",
    ],
    tags: ["unifi", "network"],
    data: present({ app: "network", event: name, alert: lineAt(first, "alert_key") }),
  };
}
