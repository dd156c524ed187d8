/** Times and texts in the alerts of checks (CHECKINS.md §7). */
import { graphemeEnd } from "../../util/text/text.ts";
import { line, prose } from "../../rewrites/text.ts";
import { duration } from "../../rewrites/times.ts";
import { type Millis, MINUTE } from "../../util/clock.ts";
import { characters } from "../../util/schema.ts";
import type { CheckSettings, Gap } from "../check.ts";

/** The number of characters that an alert shows of the end of a job's output. */
const MAX_TAIL = 500;

/** Nobody who reads an alert may be able to ping. Job output shows commands, and those contain the URL. */
const PING_URL = /((?:v1\\?\/ping|api\\?\/push)\\?\/)[^\s/\\?#"'<>]+/gi;
const PING_KEY = /\bpk_\w+/gi;
/** A token or the secret end of a topic key: a word of 26 characters of their alphabet, also after `\n` and `%2F`. */
const TOKEN = /(?<=\\[nrt]|%[\da-f]{2}|(?<![\da-z]))[\da-hjkmnp-tv-z]{26}(?![\da-z])/g;

const withoutTokens = (text: string): string =>
  text.replace(PING_URL, "$1…").replace(PING_KEY, "pk_…").replace(TOKEN, "…");

export const nameOf = ({ name }: CheckSettings): string => withoutTokens(line(name)) || "A check";

/** The end of a job's output, at most 500 characters; undefined if there is nothing to see. */
export function tailOf(output: string | undefined): string | undefined {
  const text = withoutTokens(prose(output ?? ""));
  if (characters(text) <= MAX_TAIL) return text || undefined;
  let from = text.length;
  for (let n = 1; n < MAX_TAIL; n++) from -= (text.codePointAt(from - 2) ?? 0) > 0xffff ? 2 : 1;
  while (graphemeEnd(text, from) !== from) from++;
  return `…${text.slice(from).trimStart()}`;
}

/** When the alert is sent, and the server's zone, for checks that do not set one. */
export interface Telling {
  now: Millis;
  zone: string;
}

/** The time zone of the owner's clock. */
export const zoneOf = ({ schedule }: CheckSettings, { zone }: Telling): string =>
  schedule.kind === "cron" ? schedule.timezone : zone;

/** `02:30`, or on another day than today `Fri 20 Nov 02:30`. If `within` is less than a minute, `02:30:00`. */
export function timeIn(zone: string, at: Millis, now: Millis, within = MINUTE): string {
  const [local, today] = [shown(zone, at), shown(zone, now)];
  const time = local.slice(17, within < MINUTE ? 25 : 22);
  if (local.slice(0, 16) === today.slice(0, 16)) return time;
  const year = local.slice(12, 16) === today.slice(12, 16) ? "" : ` ${local.slice(12, 16)}`;
  return `${local.slice(0, 3)} ${Number(local.slice(5, 7))} ${local.slice(8, 11)}${year} ${time}`;
}

/** In UTC no clock time is shown: nobody's clock shows it, and beside the reader's own time it would look like a wrong one. */
const UTC = /^(?:Etc\/)?(?:UTC|UCT|Zulu|Universal|Greenwich|GMT(?:[+-]?0)?)$/;
export const hasClock = (zone: string): boolean => !UTC.test(zone);

/** `02:30 (Europe/Berlin)`; undefined in UTC, where texts have durations. `within`: as in `timeIn`. */
export const clockIn = (zone: string, at: Millis, now: Millis, within?: number): string | undefined =>
  hasClock(zone) ? `${timeIn(zone, at, now, within)} (${zone})` : undefined;

/** `02:50–03:31 (Europe/Berlin)`; in UTC `for 41 min`. */
export const gapIn = (zone: string, { from, to }: Gap, now: Millis): string =>
  hasClock(zone)
    ? `${timeIn(zone, from, now)}–${timeIn(zone, to, now)} (${zone})`
    : `for ${duration(Math.max(0, to - from))}`;

/** The time in the zone, in the form of `toUTCString`: `Fri, 20 Nov 2026 02:30:00 GMT`. */
function shown(zone: string, at: Millis): string {
  if (zone === "UTC") return new Date(at).toUTCString();
  const { offsetNanoseconds } = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
  return new Date(at + offsetNanoseconds / 1e6).toUTCString();
}
