/** UptimeRobot's webhook: its variables as JSON, by their own names or in snake case (REWRITES.md §8). */
import type { Level, Priority, Status } from "../../../drafts/draft.ts";
import { lineAt, scalar, field, type Fields } from "../../fields.ts";
import type { Source } from "../../tool.ts";
import { brief } from "../../text.ts";
import { instantOfSeconds, lasting } from "../../times.ts";
import { sha } from "../../told.ts";
import { link } from "../../urls.ts";

export const uptimerobot: Source<"uptimerobot"> = {
  name: "uptimerobot",
  title: "UptimeRobot",
  fits: (payload) =>
    has(payload, "monitorFriendlyName") && (has(payload, "alertType") || has(payload, "alertTypeFriendlyName")),
  tell(payload, { now }) {
    const name = at(payload, "monitorFriendlyName") ?? "Monitor";
    const type = (at(payload, "alertType") ?? at(payload, "alertTypeFriendlyName") ?? "").toLowerCase();
    const word = at(payload, "alertTypeFriendlyName");
    const state = STATES.get(type) ?? {
      says: word === undefined ? "" : `: ${word}`,
      level: "info",
      priority: "normal",
    };
    const [address, id] = [at(payload, "monitorURL"), at(payload, "monitorID")];
    const seconds = Number(at(payload, "alertDuration"));
    const length = at(payload, "alertFriendlyDuration") ?? (seconds > 0 && seconds < 1e9 ? seconds * 1000 : undefined);
    const who = id ?? sha(16, `${name}\n${address ?? ""}`);
    return {
      title: `${name}${state.says}`,
      lines: [
        state.status !== "resolved"
          ? undefined
          : typeof length === "string"
            ? `Was down for ${length}`
            : lasting("Was down for", length),
        at(payload, "alertDetails"),
        ...(state.expires === true ? expiries(payload) : []),
        address,
      ],
      level: state.level,
      priority: state.priority,
      status: state.status,
      tags: ["uptimerobot"],
      url: link(scalar(field(payload, "dashboardUrl"))) ?? link(scalar(raw(payload, "monitorURL"))),
      key:
        state.status === undefined
          ? state.expires === true
            ? `uptimerobot:${who}:expiry`
            : undefined
          : `uptimerobot:${who}`,
      at: instantOfSeconds(raw(payload, "alertDateTime"), now),
      data: { source: "uptimerobot", monitor: brief(name), id: brief(id), type: brief(word ?? type) },
    };
  },
};

interface State {
  says: string;
  level: Level;
  priority: Priority;
  status?: Status;
  expires?: true;
}

const DOWN: State = { says: " is down", level: "error", priority: "high", status: "firing" };
const UP: State = { says: " is up again", level: "success", priority: "normal", status: "resolved" };
const EXPIRES: State = { says: ": certificate or domain expires", level: "warning", priority: "normal", expires: true };
const STATES = new Map<string, State>([
  ["1", DOWN],
  ["down", DOWN],
  ["2", UP],
  ["up", UP],
  ["3", EXPIRES],
]);

const snake = (name: string) => name.replace(/[A-Z]+/g, (capitals) => `_${capitals.toLowerCase()}`);
const has = (payload: Fields, name: string) => Object.hasOwn(payload, name) || Object.hasOwn(payload, snake(name));
const raw = (payload: Fields, name: string) => field(payload, name) ?? field(payload, snake(name));

/** A variable that an alert does not have is sent as it was written: `*sslExpiryDate*`. */
function at(payload: Fields, name: string): string | undefined {
  const text = lineAt(payload, name, snake(name));
  return text === undefined || /^\*\w+\*$/.test(text) ? undefined : text;
}

function expiries(payload: Fields): (string | undefined)[] {
  const [date, days, domain] = [
    at(payload, "sslExpiryDate"),
    at(payload, "sslExpiryDaysLeft"),
    at(payload, "domainExpireDate"),
  ];
  return [
    date === undefined ? undefined : `Certificate: ${date}${days === undefined ? "" : ` (${days} days left)`}`,
    domain === undefined ? undefined : `Domain: ${domain}`,
  ];
}
