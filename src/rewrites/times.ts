/** Times as tools write them and durations as people read them (REWRITES.md §1). */
import { parseTime } from "../util/time.ts";
import { DAY, type Millis } from "../util/clock.ts";
import { scalar } from "./fields.ts";

/** An earlier time means none: Go writes 0001-01-01 for that. */
const EARLIEST = Date.UTC(2000);
/** A longer text is not a time. */
const MAX_CHARACTERS = 64;

/** RFC 3339, `YYYY-MM-DD HH:MM:SS` in UTC or epoch milliseconds; undefined also for a time that cannot be meant. */
export function instant(value: unknown, now: Millis): Millis | undefined {
  const text = scalar(value) ?? "";
  if (text.length > MAX_CHARACTERS) return undefined;
  const at = /^\d+$/.test(text) ? Number(text) : (parseTime(text) ?? parseTime(`${text}Z`));
  return at !== undefined && at >= EARLIEST && at <= now + DAY ? at : undefined;
}

/** The same for seconds since 1970. */
export const instantOfSeconds = (value: unknown, now: Millis): Millis | undefined =>
  instant(Math.round(Number(scalar(value)) * 1000), now);

/** The time between two; undefined if one is not known or they are the wrong way round. */
export const span = (from: Millis | undefined, to: Millis | undefined): number | undefined =>
  from === undefined || to === undefined || to < from ? undefined : to - from;

/** The units of days, hours, minutes and seconds. */
export type Units = readonly [days: string, hours: string, minutes: string, seconds: string];
const UNITS: Units = ["d", "h", "min", "s"];

/** `1 h 34 min`: the largest unit, and the next if it is not 0. `units`: how many, from the largest on. */
export function duration(ms: number, [d, h, min, s]: Units = UNITS, units = 2): string {
  if (ms < 1000) return `under 1 ${s}`;
  const seconds = Math.round(ms / 1000);
  const counts: [number, string][] = [
    [Math.floor(seconds / 86_400), d],
    [Math.floor(seconds / 3600) % 24, h],
    [Math.floor(seconds / 60) % 60, min],
    [seconds % 60, s],
  ];
  const largest = counts.findIndex(([n]) => n > 0);
  const said = counts.slice(largest, largest + units).filter(([n]) => n > 0);
  return said.map(([n, unit]) => `${n} ${unit}`).join(" ");
}

/** `1 d 2 h 30 min`: to the second, so that `parseDuration` returns what it was made from. */
export const wholeDuration = (ms: number): string => duration(ms, UNITS, UNITS.length);

/** `{words} 1 h 34 min`, if there is a duration. */
export const lasting = (words: string, ms: number | undefined): string | undefined =>
  ms === undefined ? undefined : `${words} ${duration(ms)}`;
