/** Times and durations as people write them. */
import type { Millis } from "./clock.ts";

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(\.\d+)?(?:[Zz]|([+-])(\d\d):(\d\d))$/;
const YEAR_0 = Date.parse("0000-01-01T00:00:00Z");
const YEAR_10000 = Date.parse("+010000-01-01T00:00:00Z");

/** The instant of an RFC 3339 time; undefined if it is not one. A leap second counts as the second after it. */
export function parseTime(text: string): Millis | undefined {
  const match = RFC3339.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const [offsetHours, offsetMinutes] = [Number(match[9] ?? 0), Number(match[10] ?? 0)];
  if (month < 1 || month > 12 || day < 1 || (day > 28 && day > daysIn(year, month))) return undefined;
  if (hour > 23 || minute > 59 || second > 60 || offsetHours > 23 || offsetMinutes > 59) return undefined;
  const fraction = Math.floor(Number(match[7] ?? 0) * 1000);
  const offset = (match[8] === "-" ? -1 : 1) * (offsetHours * 60 + offsetMinutes) * 60_000;
  const at = new Date(0).setUTCFullYear(year, month - 1, day) + ((hour * 60 + minute) * 60 + second) * 1000 + fraction;
  return at - offset >= YEAR_0 && at - offset < YEAR_10000 ? at - offset : undefined;
}

const daysIn = (year: number, month: number) => new Date(new Date(0).setUTCFullYear(year, month, 0)).getUTCDate();

const UNITS = new Map([
  ["s", 1],
  ["sec", 1],
  ["second", 1],
  ["m", 60],
  ["min", 60],
  ["minute", 60],
  ["h", 3600],
  ["hr", 3600],
  ["hour", 3600],
  ["d", 86_400],
  ["day", 86_400],
  ["w", 604_800],
  ["week", 604_800],
]);
const PART = /\s*(\d{1,9})\s*([a-z]+)/iy;

/** The seconds of `30m`, `1h30m`, `2 days`; undefined if it is not a duration. */
export function parseDuration(text: string): number | undefined {
  let seconds = 0;
  let end = 0;
  for (PART.lastIndex = 0; end < text.length; end = PART.lastIndex) {
    const [whole, count, unit = ""] = PART.exec(text) ?? [];
    if (whole === undefined) return undefined;
    const factor = UNITS.get(unit.toLowerCase()) ?? UNITS.get(unit.toLowerCase().replace(/s$/, ""));
    if (factor === undefined) return undefined;
    seconds += Number(count) * factor;
  }
  return end === 0 ? undefined : seconds;
}

/** The instant of an RFC 3339 time, or of a duration from `now`; undefined if it is neither, or after the year 9999. */
export function parseMoment(text: string, now: Millis): Millis | undefined {
  const seconds = parseDuration(text);
  const at = seconds === undefined ? parseTime(text) : now + seconds * 1000;
  return at === undefined || at >= YEAR_10000 ? undefined : at;
}
