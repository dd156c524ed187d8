/**
 * Zabbix' webhook media types: a script posts their parameters, most of which have the names in Zabbix' own media types
 * (REWRITES.md §8).
 */
import { lineAt, proseAt, scalar, type Fields } from "../../fields.ts";
import * as looks from "../../looks.ts";
import { firing, joined, testNotice } from "../../looks.ts";
import { severityOf } from "../../severity.ts";
import type { Source } from "../../tool.ts";
import { instantOfSeconds } from "../../times.ts";
import { present, sha } from "../../told.ts";
import { link } from "../../urls.ts";

export const zabbix: Source<"zabbix"> = {
  name: "zabbix",
  title: "Zabbix",
  fits(payload) {
    const has = namesOf(payload);
    return SHAPES.some((shape) => shape.every((names) => names.split("|").some((name) => has.has(name))));
  },
  tell(payload, { now }) {
    const values = namesOf(payload);
    const text = (...names: string[]) => shown(values, lineAt, names);
    if (isTest(values)) return { ...testNotice("zabbix", "Zabbix"), lines: ["this notification works."], data: {} };
    const message = shown(values, proseAt, ["message", "alertmessage"]) ?? "";
    const subject = text("subject", "alertsubject");
    const name = text("eventname", "triggername", "trigger", "title") ?? subject?.replace(PREFIX, "") ?? "Problem";
    const host = text("hostname", "host", "hosthost") ?? HOST.exec(message)?.[1];
    const page = text("link", "linktoupstreamdetails");
    const event = text("eventid", "alertuid") ?? EVENT_IN_LINK.exec(page ?? "")?.[1] ?? EVENT.exec(message)?.[1];
    const state = stateOf(text, subject);
    const word = severityWord(text) ?? SEVERITY.exec(message)?.[1]?.trim();
    const about = host === undefined || name.includes(host) ? name : `${host}: ${name}`;
    return {
      title: `${state === "update" ? "Updated: " : state === "resolved" ? "Resolved: " : ""}${about}`,
      lines: [
        state === "update" ? joined([text("eventupdateuser", "user"), text("eventupdateaction")], " ") : undefined,
        text("eventupdatemessage"),
        text("eventopdata", "operationdata", "item"),
        state === "firing" ? shown(values, proseAt, ["triggerdescription"]) : undefined,
        values.has("eventid") || state !== "firing" ? undefined : message.replace(SAID, "").trim(),
        joined([word && `Severity ${word}`, text("hostip")]),
      ],
      ...(state === "firing"
        ? firing(severityOf(word?.toLowerCase()))
        : state === "resolved"
          ? looks.WELL
          : looks.QUIET),
      tags: ["zabbix", word],
      url: link(page ?? pageOf(text)),
      key: state === "update" ? undefined : keyOf(event, text("triggerid"), about),
      at: instantOfSeconds(values.get("eventdatetimetimestamp"), now),
      data: present({ event, host, severity: word, state }),
    };
  },
};

/** One set of names for each: Zabbix' own media types, guides, and the defaults of a new media type. */
const SHAPES = [
  [
    "eventid",
    "triggerid|triggername|eventname",
    "eventvalue|eventstatus|eventseverity|eventnseverity|triggerstatus|severity|status",
  ],
  ["hostname", "trigger", "severity", "status"],
  ["alertuid", "linktoupstreamdetails", "state"],
  ["httpproxy", "subject", "message"],
];
const MAX_FIELDS = 60;

/** The values by name, of which only the letters count: `event_id`, `Event_ID` and `eventid` are one. */
const namesOf = (payload: Fields): ReadonlyMap<string, unknown> =>
  new Map(
    Object.keys(payload)
      .slice(0, MAX_FIELDS)
      .map((name) => [name.slice(0, 40).toLowerCase().replaceAll("_", ""), payload[name]]),
  );

const MACRO = /^(?:\{[$#?]?[A-Z][^\n{}]{0,200}\}|\*UNKNOWN\*)$/;

/** The first that has a value; a macro that Zabbix could not resolve does not count. */
function shown(
  values: ReadonlyMap<string, unknown>,
  read: typeof lineAt,
  names: readonly string[],
): string | undefined {
  for (const name of names) {
    const value = read({ value: values.get(name) }, "value");
    if (value !== undefined && !MACRO.test(value)) return value;
  }
  return undefined;
}

type Text = (...names: string[]) => string | undefined;

const PREFIX = /^(?:Problem|Resolved in [^:]{1,40}|Updated problem in [^:]{1,40}|\[[A-Z]{1,20}\]):? /;
const HOST = /^Host: (.{1,200})$/m;
const SEVERITY = /^Severity: (.{1,40})$/m;
/** Lines of Zabbix' own message that are in the title or below it. */
const SAID = /^(?:Problem name|Host|Severity|Original problem ID): .{0,300}\n?/gm;
const EVENT = /^Original problem ID: (\d{1,20})$/m;
const EVENT_IN_LINK = /[?&]eventid=(\d{1,20})/;

type State = "firing" | "resolved" | "update";
const OVER = new Set(["0", "ok", "resolved"]);

function stateOf(text: Text, subject: string | undefined): State {
  if (text("eventupdatestatus") === "1" || subject?.startsWith("Updated problem") === true) return "update";
  const value = text("eventvalue", "eventstatus", "triggerstatus", "status", "state");
  const isOver = value === undefined ? subject?.startsWith("Resolved") === true : OVER.has(value.toLowerCase());
  return isOver ? "resolved" : "firing";
}

const SEVERITIES = ["Not classified", "Information", "Warning", "Average", "High", "Disaster"];

const severityWord = (text: Text): string | undefined =>
  text("eventseverity", "severity", "triggerseverity") ?? SEVERITIES[Number(text("eventnseverity") ?? -1)];

function pageOf(text: Text): string | undefined {
  const [base, trigger, event] = [text("zabbixurl"), text("triggerid"), text("eventid")];
  if (base === undefined || trigger === undefined || event === undefined) return undefined;
  return `${base.replace(/\/$/, "")}/tr_events.php?triggerid=${encodeURIComponent(trigger)}&eventid=${encodeURIComponent(event)}`;
}

/** A recovery has the event id of its problem. */
function keyOf(event: string | undefined, trigger: string | undefined, about: string): string {
  if (event !== undefined) return `zabbix:${event}`;
  return trigger === undefined ? `zabbix:${sha(16, about)}` : `zabbix:trigger:${trigger}`;
}

/** Macros are not resolved in the test of a media type. */
const isTest = (values: ReadonlyMap<string, unknown>): boolean =>
  ["eventid", "trigger", "alertuid", "message"].some((name) =>
    /^\{(?:EVENT|TRIGGER|ALERT)\.[A-Z]+\}$/.test((scalar(values.get(name)) ?? "").slice(0, 40)),
  );
