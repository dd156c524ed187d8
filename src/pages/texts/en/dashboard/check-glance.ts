import { number } from "../numbers.ts";

const kind = {
  ok: "up",
  part: "down for part of the day",
  missed: "down, no success",
  paused: "paused or snoozed",
  none: "no data",
};

/** What a glance at a check shows: its place in the list, its days, its uptime. `{}` in a text stands for a time. */
export const glance = {
  find: "Find checks",
  noneFound: (q: string) => `No checks match “${q}”`,
  checks: (n: number) => `${number(n)} ${n === 1 ? "check" : "checks"}, sort by`,
  sorts: { need: "urgency", name: "name", success: "oldest success" },
  paused: (by: string | undefined) => (by === undefined ? "Paused {}, no alerts." : `Paused by ${by} {}, no alerts.`),
  lastOk: "Last success {}.",
  said: (line: string) => `: “${line}”`,
  /** Over the strips of a list. */
  axis: "A slot a day, {} to today",
  uptime: "Uptime",
  kind,
  /** Never rounded up. */
  percent: (part: number) => `${number(Math.floor(part * 1000) / 10)}\u00a0%`,
  unknown: "–",
  /** For a picture of them. */
  days: (name: string, n: number, counts: Readonly<Record<keyof typeof kind, number>>) => {
    const parts = [
      counts.ok === 0 ? "" : `${number(counts.ok)} ${kind.ok}`,
      counts.part === 0 ? "" : `${number(counts.part)} ${kind.part}`,
      counts.missed === 0 ? "" : `${number(counts.missed)} ${kind.missed}`,
      counts.paused === 0 ? "" : `${number(counts.paused)} ${kind.paused}`,
      counts.none === 0 ? "" : `${number(counts.none)} ${kind.none}`,
    ].filter((part) => part !== "");
    return `Last ${number(n)} days of ${name}: ${parts.join(", ")}`;
  },
  title: (n: number) => `Last ${number(n)} days`,
  calendar: "{} to today: a column a week, Monday on top.",
  dayIs: (day: string, is: string) => `${day}: ${is}`,
  downFor: (is: string, lasted: string) => `${is}, ${lasted}`,
  span: "{} to {}",
  day: "Day",
  was: "State",
  wasDown: "Down for",
  uptimeOf: (n: number) => `Uptime, ${number(n)} days`,
  without: "Leaves out pauses, snoozes and times when this server was offline.",
  usual: "Usual duration",
  drift: (before: string, change: string) => `${before} in the 30 days before (${change})`,
  change: (part: number) => `${part < 0 ? "−" : "+"}${number(Math.abs(Math.round(part * 100)))}\u00a0%`,
  okOf: (ok: number, all: number) => `${number(ok)} of ${number(all)} ok`,
  ok: "ok",
  ran: "started {}",
  addDevice: "Add a device",
};
