/**
 * Future times in English, as ntfy takes them for a delay: `tomorrow, 10am`, `8:30am`, `monday at 18:00` (docs/publish.md). Pure.
 * Source: https://docs.ntfy.sh/publish/#scheduled-delivery and ntfy 2.27, util/time.go.
 */
import type { Millis } from "../../util/clock.ts";
import { parseDuration } from "../../util/time.ts";

const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
/** Hours of the day. */
const PARTS = new Map([
  ["morning", 8],
  ["noon", 12],
  ["afternoon", 15],
  ["evening", 18],
  ["tonight", 23],
]);

const FILLERS = /,|\b(?:at|on|in|the|this|next)\b/g;
const DAY = /\b(?:(today)|(tomorrow)|(sun|mon|tue|wed|thu|fri|sat)(?:day|sday|nesday|rsday|urday)?)\b/;
const TIME =
  /\b(?:(\d{1,2})(?::(\d\d))? ?([ap])\.?m\b\.?|([01]?\d|2[0-3]):(\d\d)\b|(morning|noon|afternoon|evening|tonight)\b)/;

/**
 * The instant that is meant; undefined if it is not such a text. A time without a day is the next one there is, a day without a
 * time has the time of `now`. `zone`: one that the runtime knows.
 */
export function englishTime(text: string, now: Millis, zone: string): Millis | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const words = text.toLowerCase().replace(FILLERS, " ");
  const seconds = parseDuration(words.trim());
  if (seconds !== undefined) return now + seconds * 1000;
  const day = DAY.exec(words);
  const time = TIME.exec(words);
  if ((day ?? time) === null || words.replace(DAY, "").replace(TIME, "").trim() !== "") return undefined;
  const clock = time === null ? undefined : clockOf(time);
  if (time !== null && clock === undefined) return undefined;
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone);
  const at = (days: number): Millis => {
    const then = today.add({ days });
    return (clock === undefined ? then : then.with({ ...clock, second: 0, millisecond: 0 }, { offset: "ignore" }))
      .epochMilliseconds;
  };
  if (day?.[2] !== undefined) return at(1);
  if (day?.[3] !== undefined) return at(daysUntil(day[3], today.toString()));
  return at(0) > now || day !== null ? at(0) : at(1);
}
const MAX_LENGTH = 60;

/** Undefined if no clock shows it. */
function clockOf(time: RegExpExecArray): { hour: number; minute: number } | undefined {
  const [, hour, minute = "0", half, hour24, minute24, part] = time;
  if (part !== undefined) return { hour: PARTS.get(part) ?? 0, minute: 0 };
  if (hour24 !== undefined) return { hour: Number(hour24), minute: Number(minute24) };
  const given = Number(hour);
  if (given < 1 || given > 12 || Number(minute) > 59) return undefined;
  return { hour: (given % 12) + (half === "p" ? 12 : 0), minute: Number(minute) };
}

/** 1 to 7. `today`: it begins with the date. */
function daysUntil(weekday: string, today: string): number {
  const now = new Date(`${today.slice(0, 10)}T00:00:00Z`).getUTCDay();
  return ((WEEKDAYS.indexOf(weekday) - now + 6) % 7) + 1;
}
