/** UptimeRobot's webhook: its variables as JSON, by their own names or in snake case (REWRITES.md §8). */
import { field, lineAt, scalar, scalarAt, type Fields } from "../../fields.ts";
import * as looks from "../../looks.ts";
import type { State } from "../../looks.ts";
import type { Source } from "../../tool.ts";
import { instantOfSeconds, lasting } from "../../times.ts";
import { present, sha } from "../../told.ts";
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
    const { says, ...look } = STATES.get(type) ?? { ...looks.NOTICE, says: word === undefined ? "" : `: ${word}` };
    const expires = type === EXPIRY;
    const [address, id] = [at(payload, "monitorURL"), at(payload, "monitorID")];
    const seconds = Number(at(payload, "alertDuration"));
    const length = at(payload, "alertFriendlyDuration") ?? (seconds > 0 && seconds < 1e9 ? seconds * 1000 : undefined);
    const who = id ?? sha(16, `${name}\n${address ?? ""}`);
    return {
      ...look,
      title: `${name}${says}`,
      lines: [
        look.status !== "resolved"
          ? undefined
          : typeof length === "string"
            ? `Was down for ${length}`
            : lasting("Was down for", length),
        at(payload, "alertDetails"),
        ...(expires ? expiries(payload) : []),
        address,
      ],
      tags: ["uptimerobot"],
      url: link(scalarAt(payload, "dashboardUrl")) ?? link(scalar(raw(payload, "monitorURL"))),
      key: look.status ? `uptimerobot:${who}` : expires ? `uptimerobot:${who}:expiry` : undefined,
      at: instantOfSeconds(raw(payload, "alertDateTime"), now),
      data: present({ monitor: name, id, type: word ?? type }),
    };
  },
};

const DOWN: State = { ...looks.BROKEN, says: " is down" };
const UP: State = { ...looks.WELL, says: " is up again" };
const EXPIRY = "3";
const STATES = new Map<string, State>([
  ["1", DOWN],
  ["down", DOWN],
  ["2", UP],
  ["up", UP],
  [EXPIRY, { ...looks.WARNING, says: ": certificate or domain expires" }],
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
