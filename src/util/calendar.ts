/** Days of the calendar in a time zone: 23 to 25 hours when the clock is changed. Pure but for the server's own zone. */
import { DAY, type Millis } from "./clock.ts";

export interface Day {
  /** Days since 1970-01-01: the number of a date is the same in every zone. */
  day: number;
  /** The first instant of the day. */
  from: Millis;
  /** The first instant of the next day. */
  to: Millis;
}

/** The number of the day in UTC: good enough where one day more or less does not matter. */
export const utcDay = (at: Millis): number => Math.floor(at / DAY);

/** The server's own zone: `TZ`, else the machine's. `Intl.DateTimeFormat` would load 10 ms of data when it is first used (measured). */
export const serverZone = (): string => Temporal.Now.timeZoneId();

/** Whether the runtime does not know `TZ` and took UTC, `zone`, instead. It knows no POSIX rules (`CET-1CEST`) and no paths. */
export const isUnknownZone = (tz: string | undefined, zone: string): boolean =>
  tz !== undefined &&
  tz !== "" &&
  zone === "UTC" &&
  !/^:?(Etc\/)?(UTC|UCT|GMT|Universal|Zulu|Greenwich)[+-]?0?$/i.test(tz);

/** The latest days of each zone: to find one takes 10 µs, and every ping needs one. There are some 600 zones. */
const known = new Map<string, Day[]>();
const KNOWN = 4;

/** The day that an instant is in. `zone`: one that the runtime knows. */
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

/** The day in the server's zone, whose name is asked for once: that takes 10 µs too. */
export const dayHere = (at: Millis): Day => dayIn((own ??= serverZone()), at);

/** The day with this number in the server's zone. Noon in UTC is within a day of it in every zone. */
export function numberedHere(day: number): Day {
  const near = dayHere(day * DAY + DAY / 2);
  return near.day < day ? dayHere(near.to) : near.day > day ? dayHere(near.from - 1) : near;
}
