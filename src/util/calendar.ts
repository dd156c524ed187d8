/** Days of the calendar in a time zone. A day has 23 to 25 hours where the clock is changed. Pure, but for the server's own zone. */
import { DAY, type Millis } from "./clock.ts";

export interface Day {
  /** Since 1970: the number of the date, the same in every zone. */
  day: number;
  /** Its first instant. */
  from: Millis;
  /** That of the day after it. */
  to: Millis;
}

/** Number of a day by its date in UTC: near enough where a day more or less does not matter. */
export const utcDay = (at: Millis): number => Math.floor(at / DAY);

/** The server's own: that of `TZ`, else of the machine. */
export const serverZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The days of a zone that were asked for last: to find one takes 10 µs, and every ping asks. There are some 600 zones. */
const known = new Map<string, Day[]>();
const KNOWN = 4;

/** The day in which an instant lies. `zone`: one that the runtime knows. */
export function dayIn(zone: string, at: Millis): Day {
  const days = known.get(zone) ?? [];
  for (const day of days) if (at >= day.from && at < day.to) return day;
  const made = makeDay(zone, at);
  known.set(zone, [made, ...days.slice(0, KNOWN - 1)]);
  return made;
}

function makeDay(zone: string, at: Millis): Day {
  const start = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).startOfDay();
  const { year, month, day, epochMilliseconds: from } = start;
  const to = start.add({ days: 1 }).startOfDay().epochMilliseconds;
  return { day: utcDay(Date.UTC(year, month - 1, day)), from, to };
}

let own: string | undefined;

/** The day in the server's zone, which is asked for once: that takes 10 µs too. */
export const dayHere = (at: Millis): Day => dayIn((own ??= serverZone()), at);

/** The day of a number, in the server's zone: its noon in UTC is within a day of it in every zone. */
export function numberedHere(day: number): Day {
  const near = dayHere(day * DAY + DAY / 2);
  return near.day < day ? dayHere(near.to) : near.day > day ? dayHere(near.from - 1) : near;
}
