/** @jsxImportSource #jsx */
/** Times of pages, in the reader's language and zone; the script writes them again in the reader's own variant of it. */
import { rfc3339, type Millis } from "../util/clock.ts";
import type { Safe } from "./jsx/jsx-runtime.ts";
import type { View } from "./view.ts";

type Reader = Pick<View, "texts" | "zone">;
interface Formats {
  day: Intl.DateTimeFormat;
  clock: Intl.DateTimeFormat;
  exact: Intl.DateTimeFormat;
  date: Intl.DateTimeFormat;
  weekday: Intl.DateTimeFormat;
  short: Intl.DateTimeFormat;
  year: Intl.DateTimeFormat;
}

/** Of the readers of late: a formatter has tables of some KB. */
const made = new Map<string, Formats>();
const MAX_MADE = 32;

function formatsFor({ texts: { locale }, zone: timeZone }: Reader): Formats {
  const key = `${locale} ${timeZone}`;
  const before = made.get(key);
  if (before !== undefined) return before;
  const [oldest] = made.keys();
  if (made.size >= MAX_MADE && oldest !== undefined) made.delete(oldest);
  const formats = {
    day: new Intl.DateTimeFormat(locale, { timeZone, weekday: "long", day: "numeric", month: "long" }),
    clock: new Intl.DateTimeFormat(locale, { timeZone, hour: "2-digit", minute: "2-digit" }),
    exact: new Intl.DateTimeFormat(locale, { timeZone, dateStyle: "full", timeStyle: "long" }),
    weekday: new Intl.DateTimeFormat(locale, { timeZone, weekday: "short", hour: "2-digit", minute: "2-digit" }),
    short: new Intl.DateTimeFormat(locale, { timeZone, day: "numeric", month: "short" }),
    year: new Intl.DateTimeFormat(locale, { timeZone, day: "numeric", month: "long", year: "numeric" }),
    date: new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" }),
  };
  made.set(key, formats);
  return formats;
}

/** `Saturday 21 November`, `Samstag, 21. November`. */
export const dayWords = (reader: Reader, at: Millis): string => formatsFor(reader).day.format(at);

/** `21 November 2026`, `21. November 2026`: where the year counts and the hour does not. */
export const yearWords = (reader: Reader, at: Millis): string => formatsFor(reader).year.format(at);

/** `2026-11-21`: the same for times of one day of the reader's. */
export const dateOf = (reader: Reader, at: Millis): string => formatsFor(reader).date.format(at);

/** The day before, in the same form. */
export const dayBefore = (date: string): string => rfc3339(Date.parse(date) - DAY_MS).slice(0, date.length);
const DAY_MS = 86_400_000;

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

const WEEK_MS = 6 * 86_400_000;

/** `14:06` today, `Fri 16:12` within a week, else `3 Nov`: for a column of times. */
export const BriefTime = ({ view, at, now }: { view: Reader; at: Millis; now: Millis }): Safe => {
  const { clock, weekday, short, exact } = formatsFor(view);
  const isToday = dateOf(view, at) === dateOf(view, now);
  const format = isToday ? clock : Math.abs(now - at) < WEEK_MS ? weekday : short;
  return (
    <time datetime={rfc3339(at)} title={exact.format(at)} data-brief>
      {format.format(at)}
    </time>
  );
};
