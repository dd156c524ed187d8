/** Cron schedules as Debian's cron runs them (cron(8), crontab(5); CHECKINS.md §6). */
import { DAY, HOUR, type Millis, MINUTE } from "../../util/clock.ts";
import { nearest } from "../../util/text/nearest.ts";

/** A parsed schedule, which always has a next run. */
export interface Cron {
  kind: "cron";
  /** Ascending, like the hours. */
  minutes: readonly number[];
  hours: readonly number[];
  /** Days of the month. */
  days: readonly number[];
  /** 1 is January. */
  months: readonly number[];
  /** 0 is Sunday. */
  weekdays: readonly number[];
  /** A field of days starts with `*`, so a day has to match both fields; otherwise one is enough. */
  needsBothDays: boolean;
  /** Neither minute nor hour starts with `*`: a run that the clock skips is made up for, and one that it repeats happens once. */
  isFixed: boolean;
}

/** The reason why a text is refused, for its author. */
export interface Refused {
  kind: "refused";
  message: string;
}

/** Parses five fields or a nickname, as a crontab has them. */
export function parseCron(text: string): Cron | Refused {
  const expression = text.trim();
  const fields = (NICKNAMES.get(expression.toLowerCase()) ?? expression).split(/[ \t]+/);
  if (fields.length !== FIELDS.length) return refused(notFive(expression, fields.length));

  const lists: number[][] = [];
  for (const [index, field] of FIELDS.entries()) {
    const list = parseField(fields[index] ?? "", field);
    if ("kind" in list) return list;
    lists.push(list);
  }
  const [minutes = [], hours = [], days = [], months = [], weekdays = []] = lists;
  const [isMinuteStar, isHourStar, isDayStar, , isWeekdayStar] = fields.map((field) => field.startsWith("*"));
  const needsBothDays = isDayStar === true || isWeekdayStar === true;
  // no other schedule is impossible: within 40 years a date falls on each weekday
  if (needsBothDays && !months.some((month) => days.some((day) => day <= longest(month))))
    return refused(`never runs: month ${fields[3] ?? ""} has no day ${fields[2] ?? ""}`);
  return {
    kind: "cron",
    minutes,
    hours,
    days,
    months,
    weekdays: weekdays.map((weekday) => weekday % 7),
    needsBothDays,
    isFixed: isMinuteStar === false && isHourStar === false,
  };
}

/** The name of a time zone in the letter case of the tz database. An offset is refused: it would be wrong for half the year. */
export function parseZone(text: string): string | Refused {
  const zone = knownZone(text);
  if (zone !== undefined) return zone;
  const meant = nearestZone(text.trim().replaceAll(" ", "_").toLowerCase());
  const hint = meant === undefined ? ", for example Europe/Berlin" : `; did you mean ${meant}?`;
  return refused(`must be the name of a time zone${hint}`);
}

/**
 * The first run after an instant, in a zone that `parseZone` returned. A fixed schedule runs as soon as the clock
 * reaches its time: at the end of a skipped hour, and only the first time in a repeated one. Others run whenever the
 * clock shows their time.
 */
export function nextRun(cron: Cron, after: Millis, zone: string): Millis {
  let clock = clockAt(after, zone);
  let match = firstMatch(cron, 1 + (cron.isFixed ? latestShown(clock) : shown(clock)));
  for (;;) {
    const change = clock.getTimeZoneTransition("next");
    const run = match - shown(clock) + clock.epochMilliseconds;
    if (change === null || run < change.epochMilliseconds) return Math.max(run, clock.epochMilliseconds);
    if (!cron.isFixed) match = firstMatch(cron, shown(change));
    clock = change;
  }
}

const NICKNAMES = new Map([
  ["@hourly", "0 * * * *"],
  ["@daily", "0 0 * * *"],
  ["@midnight", "0 0 * * *"],
  ["@weekly", "0 0 * * 0"],
  ["@monthly", "0 0 1 * *"],
  ["@yearly", "0 0 1 1 *"],
  ["@annually", "0 0 1 1 *"],
]);

interface Field {
  name: string;
  low: number;
  high: number;
  /** The names of its values, from `low` on. */
  names: readonly string[];
}

const FIELDS: readonly Field[] = [
  { name: "minute", low: 0, high: 59, names: [] },
  { name: "hour", low: 0, high: 23, names: [] },
  { name: "day of month", low: 1, high: 31, names: [] },
  { name: "month", low: 1, high: 12, names: "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split(" ") },
  { name: "day of week", low: 0, high: 7, names: "SUN MON TUE WED THU FRI SAT".split(" ") },
];

function knownZone(text: string): string | undefined {
  if (!/^[A-Za-z]/.test(text)) return undefined; // Temporal accepts offsets and times as well
  try {
    return clockAt(0, text).timeZoneId;
  } catch {
    return undefined;
  }
}

/** Finds a zone by its city or by a few wrong letters, among those that begin alike: all would take 20 ms. */
function nearestZone(text: string): string | undefined {
  const zones = Intl.supportedValuesOf("timeZone");
  const alike = zones.filter((zone) => zone.toLowerCase().startsWith(text.slice(0, 2)));
  return zones.find((zone) => zone.toLowerCase().endsWith(`/${text}`)) ?? nearest(text, alike);
}

const refused = (message: string): Refused => ({ kind: "refused", message });

function notFive(expression: string, count: number): string {
  const known = [...NICKNAMES.keys()];
  if (expression.startsWith("@"))
    return `${expression} is not known; did you mean ${nearest(expression, known) ?? known.join(", ")}?`;
  return `must have five fields (${FIELDS.map(({ name }) => name).join(", ")}), not ${count}`;
}

/** Parses the values of a list, ascending. */
function parseField(text: string, field: Field): number[] | Refused {
  const values = new Set<number>();
  for (const part of text.split(",")) {
    const range = parseRange(part, field);
    if ("kind" in range) return range;
    for (let value = range.from; value <= range.to; value += range.step) values.add(value);
  }
  return [...values].sort((a, b) => a - b);
}

/** Parses `*`, `2` and `2-8`, each with an optional `/step`; `2/step` goes on to the highest value. */
function parseRange(part: string, field: Field): { from: number; to: number; step: number } | Refused {
  const [whole, first, last, step = "1"] = /^(?:\*|(\w+)(?:-(\w+))?)(?:\/(\d{1,3}))?$/.exec(part) ?? [];
  if (whole === undefined)
    return refused(`${field.name}: "${part}" is not a value, range (1-5), step (*/5) or list (1,5)`);
  const from = first === undefined ? field.low : parseValue(first, field);
  if (typeof from !== "number") return from;
  const highest = first === undefined || part.includes("/") ? field.high : from;
  const to = last === undefined ? highest : parseValue(last, field);
  if (typeof to !== "number") return to;
  if (to < from) {
    const around = `${first ?? from}-${field.high},${field.low}-${last ?? to}`;
    return refused(`${field.name}: ${part} ends before it begins; write ${around}`);
  }
  if (Number(step) === 0) return refused(`${field.name}: ${part} has a step of 0`);
  return { from, to, step: Number(step) };
}

function parseValue(text: string, { name, low, high, names }: Field): number | Refused {
  const named = names.indexOf(text.toUpperCase());
  if (named >= 0) return low + named;
  if (/^\d+$/.test(text)) {
    const value = Number(text);
    return value >= low && value <= high ? value : refused(`${name}: ${text} is not between ${low} and ${high}`);
  }
  return refused(`${name}: ${text} is not a number${names.length === 0 ? "" : ` and none of ${names.join(", ")}`}`);
}

/** The number of days of a month in a leap year. */
const longest = (month: number) => new Date(Date.UTC(2024, month, 0)).getUTCDate();

const clockAt = (at: Millis, zone: string) => Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);

/** The local time, as the epoch milliseconds at which UTC shows the same. */
const shown = (clock: Temporal.ZonedDateTime) => clock.epochMilliseconds + clock.offsetNanoseconds / 1e6;

/** The latest local time so far, which is ahead of the clock while it repeats an hour. */
function latestShown(clock: Temporal.ZonedDateTime): number {
  const change = clockAt(clock.epochMilliseconds + 1, clock.timeZoneId).getTimeZoneTransition("previous");
  if (change === null) return shown(clock);
  return Math.max(shown(clock), shown(clockAt(change.epochMilliseconds - 1, clock.timeZoneId)));
}

/** The first time of the schedule at or after `from`, in a local time without gaps. */
function firstMatch(cron: Cron, from: number): number {
  let day = Math.floor(from / DAY) * DAY;
  for (;;) {
    const date = new Date(day);
    if (!cron.months.includes(date.getUTCMonth() + 1)) {
      day = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
      continue;
    }
    const time = isRunDay(cron, date) ? firstTime(cron, from - day) : undefined;
    if (time !== undefined) return day + time;
    day += DAY;
  }
}

function isRunDay({ days, weekdays, needsBothDays }: Cron, date: Date): boolean {
  const isDay = days.includes(date.getUTCDate());
  const isWeekday = weekdays.includes(date.getUTCDay());
  return needsBothDays ? isDay && isWeekday : isDay || isWeekday;
}

/** The first run of a day at or after `from`, in ms after midnight; undefined if there is none. */
function firstTime({ hours, minutes }: Cron, from: number): number | undefined {
  for (const hour of hours)
    for (const minute of minutes) if (hour * HOUR + minute * MINUTE >= from) return hour * HOUR + minute * MINUTE;
  return undefined;
}
