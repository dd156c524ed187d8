/** @jsxImportSource #jsx */
/** Times of pages, in the reader's language and zone; the script writes them again in the reader's own variant of it. */
import { rfc3339, type Millis } from "../util/clock.ts";
import type { Safe } from "./jsx/jsx-runtime.ts";
import type { View } from "./view.ts";

type Reader = Pick<View, "locale" | "zone" | "now">;
/** With the year, and without it. */
interface Day {
  near: Intl.DateTimeFormat;
  far: Intl.DateTimeFormat;
}
interface Formats {
  day: Day;
  short: Day;
  clock: Intl.DateTimeFormat;
  exact: Intl.DateTimeFormat;
  date: Intl.DateTimeFormat;
  weekday: Intl.DateTimeFormat;
  year: Intl.DateTimeFormat;
  name: Intl.DateTimeFormat;
}

/** By language and zone, the first made the first to go: a formatter has tables of some KB. */
const made = new Map<string, Formats>();
const MAX_MADE = 32;

function formatsFor({ locale, zone: timeZone }: Omit<Reader, "now">): Formats {
  const key = `${locale} ${timeZone}`;
  const before = made.get(key);
  if (before !== undefined) return before;
  const [oldest] = made.keys();
  if (made.size >= MAX_MADE && oldest !== undefined) made.delete(oldest);
  const dayOf = (options: Intl.DateTimeFormatOptions): Day => ({
    near: new Intl.DateTimeFormat(locale, { timeZone, ...options }),
    far: new Intl.DateTimeFormat(locale, { timeZone, ...options, year: "numeric" }),
  });
  const formats = {
    day: dayOf({ weekday: "long", day: "numeric", month: "long" }),
    short: dayOf({ day: "numeric", month: "short" }),
    clock: new Intl.DateTimeFormat(locale, { timeZone, timeStyle: "short" }),
    exact: new Intl.DateTimeFormat(locale, { timeZone, dateStyle: "full", timeStyle: "long" }),
    weekday: new Intl.DateTimeFormat(locale, { timeZone, weekday: "short", hour: "2-digit", minute: "2-digit" }),
    name: new Intl.DateTimeFormat(locale, { timeZone, weekday: "short" }),
    year: new Intl.DateTimeFormat(locale, { timeZone, day: "numeric", month: "long", year: "numeric" }),
    date: new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" }),
  };
  made.set(key, formats);
  return formats;
}

/** Of another year than the reader's: without it, one would take it for this one's. */
const isFar = (reader: Reader, at: Millis): boolean =>
  dateOf(reader, at).slice(0, 4) !== dateOf(reader, reader.now).slice(0, 4);

const dayIn = (reader: Reader, at: Millis, which: "day" | "short"): string =>
  formatsFor(reader)[which][isFar(reader, at) ? "far" : "near"].format(at);

/** `Saturday 21 November`, `Samstag, 21. November`; of another year `Friday 21 November 2025`. */
export const dayWords = (reader: Reader, at: Millis): string => dayIn(reader, at, "day");

/** `21 November 2026`, `21. November 2026`: where the year counts and the hour does not. */
export const yearWords = (reader: Omit<Reader, "now">, at: Millis): string => formatsFor(reader).year.format(at);

/** `2026-11-21`: the same for times of one day of the reader's. */
export const dateOf = (reader: Omit<Reader, "now">, at: Millis): string => formatsFor(reader).date.format(at);

/** The day before, in the same form. */
export const dayBefore = (date: string): string => rfc3339(Date.parse(date) - DAY_MS).slice(0, date.length);
const DAY_MS = 86_400_000;

/** `14:06`, where no element may stand. */
export const clockWords = (reader: Omit<Reader, "now">, at: Millis): string => formatsFor(reader).clock.format(at);

/** `Sat`, for the marks of an axis of a week. */
export const weekdayWords = (reader: Omit<Reader, "now">, at: Millis): string => formatsFor(reader).name.format(at);

/** `21 Nov`, where there is little room. */
export const shortDayWords = (reader: Reader, at: Millis): string => dayIn(reader, at, "short");

/** The clock time, with the exact one in `datetime` and `title`. `dated`: also the day. */
export const Time = ({ view, at, dated }: { view: Reader; at: Millis; dated?: boolean }): Safe => {
  const { clock, exact } = formatsFor(view);
  return (
    <time datetime={rfc3339(at)} title={exact.format(at)} data-dated={dated}>
      {dated === true && `${dayWords(view, at)}, `}
      {clock.format(at)}
    </time>
  );
};

/** `Saturday 21 November, 02:30`, where no element may stand. */
export const momentWords = (reader: Reader, at: Millis): string =>
  `${dayWords(reader, at)}, ${formatsFor(reader).clock.format(at)}`;

/** A weekday names its day: on the seventh it would be today's. */
export const isNear = ({ now }: Reader, at: Millis): boolean => Math.abs(now - at) < 6 * DAY_MS;

/** `14:06` today, `Fri 16:12` in the days around it, else `3 Nov`, `3 Nov 2025`: for a column of times. */
export const BriefTime = ({ view, at }: { view: Reader; at: Millis }): Safe => {
  const { clock, weekday, exact } = formatsFor(view);
  const isToday = dateOf(view, at) === dateOf(view, view.now);
  return (
    <time datetime={rfc3339(at)} title={exact.format(at)} data-brief>
      {isToday ? clock.format(at) : isNear(view, at) ? weekday.format(at) : dayIn(view, at, "short")}
    </time>
  );
};
