/** @jsxImportSource #jsx */
/** Times of pages, in the reader's language and zone; the script writes them again in the reader's own variant of it. */
import { DAY, HOUR, MINUTE, rfc3339, type Millis } from "../../util/clock.ts";
import type { Safe } from "../jsx/jsx-runtime.ts";
import type { View } from "../view.ts";

type Reader = Pick<View, "locale" | "zone" | "now">;
/** A reader with the texts that times need. */
type Told = Reader & { texts: { live: Pick<View["texts"]["live"], "ago" | "justNow"> } };
/** With the year, and without it. */
interface Day {
  near: Intl.DateTimeFormat;
  far: Intl.DateTimeFormat;
}
interface Formats {
  day: Day;
  moment: Day;
  /** The day alone, with a short month. */
  short: Day;
  clock: Intl.DateTimeFormat;
  exact: Intl.DateTimeFormat;
  date: Intl.DateTimeFormat;
  weekday: Intl.DateTimeFormat;
  year: Intl.DateTimeFormat;
  name: Intl.DateTimeFormat;
}

/** By language and zone; the oldest is dropped first: a formatter has tables of some KB. */
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
    moment: dayOf({ day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" }),
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

/** Whether it is in another year than the reader's: without the year it would look like this one's. */
const isFar = (reader: Reader, at: Millis): boolean =>
  dateOf(reader, at).slice(0, 4) !== dateOf(reader, reader.now).slice(0, 4);

const dayIn = (reader: Reader, at: Millis, which: "day" | "moment" | "short"): string =>
  formatsFor(reader)[which][isFar(reader, at) ? "far" : "near"].format(at);

/** `Saturday 21 November`, `Samstag, 21. November`; of another year `Friday 21 November 2025`. */
export const dayWords = (reader: Reader, at: Millis): string => dayIn(reader, at, "day");

/** `21 November 2026`, `21. November 2026`: if the year matters and the hour does not. */
export const yearWords = (reader: Omit<Reader, "now">, at: Millis): string => formatsFor(reader).year.format(at);

/** `2026-11-21`: the same for times of one day of the reader's. */
export const dateOf = (reader: Omit<Reader, "now">, at: Millis): string => formatsFor(reader).date.format(at);

/** The day before, in the same form. */
export const dayBefore = (date: string): string => rfc3339(Date.parse(date) - DAY).slice(0, date.length);

/** `14:06`, where no element is allowed. */
export const clockWords = (reader: Omit<Reader, "now">, at: Millis): string => formatsFor(reader).clock.format(at);

/** `Sat`, for the marks on the axis of a week. */
export const weekdayWords = (reader: Omit<Reader, "now">, at: Millis): string => formatsFor(reader).name.format(at);

/** `21 Nov`, where there is little room. */
export const shortDayWords = (reader: Reader, at: Millis): string => dayIn(reader, at, "short");

/** Up to here a time is relative, or only the clock's: both name one moment, across midnight too. */
const NEAR_MS = 12 * HOUR;
/** A weekday names its day: on the seventh it would be today's. */
const NAMED_MS = 6 * DAY;

/**
 * How a time is said up to 12 h away, and beyond that. `log`: `20 min ago`, then the clock's time below the heading of its day;
 * `ago`: `20 min ago`, then `Fri 16:12`, then `3 Nov, 16:12`; `brief`: the same with the clock's time in the place of `20 min
 * ago`, for "since" and "until" and for what is to come; `dated`: always the day and the time, where rows are compared; `clock`:
 * the clock's time alone, on an axis of one day.
 */
type Saying = "log" | "ago" | "brief" | "dated" | "clock";

/** In words; `static/times.ts` writes the same. */
function timeWords(view: Told, at: Millis, saying: Saying): string {
  const { clock, weekday } = formatsFor(view);
  if (saying === "dated") return momentWords(view, at);
  if (saying === "clock") return clock.format(at);
  const away = view.now - at;
  const isNear = Math.abs(away) <= NEAR_MS;
  if (isNear && saying !== "brief" && away > -MINUTE) return agoWords(view, away);
  if (isNear || saying === "log") return clock.format(at);
  return Math.abs(away) < NAMED_MS ? weekday.format(at) : dayIn(view, at, "moment");
}

/** `20 min ago`. A clock that is a few seconds ahead makes nothing of the future. */
function agoWords({ texts: { live } }: Told, ms: number): string {
  const minutes = Math.floor(ms / MINUTE);
  if (minutes < 1) return live.justNow;
  return live.ago.replace("{}", minutes < 60 ? `${minutes}\u00a0min` : `${Math.floor(minutes / 60)}\u00a0h`);
}

/** In words, with the exact time in `datetime` and `title`. */
const Said = ({ view, at, saying }: { view: Told; at: Millis; saying: Saying }): Safe => (
  <time datetime={rfc3339(at)} title={formatsFor(view).exact.format(at)} data-as={saying !== "log" && saying}>
    {timeWords(view, at, saying)}
  </time>
);

interface TimeProps {
  view: Told;
  at: Millis;
}
/** Below a heading that names the day (`log`); `dated`: with the day itself. */
export const Time = ({ view, at, dated = false }: TimeProps & { dated?: boolean }): Safe => (
  <Said view={view} at={at} saying={dated ? "dated" : "log"} />
);

/** `14:00`, on an axis of one day. */
export const ClockTime = (props: TimeProps): Safe => <Said {...props} saying="clock" />;

/** A time in the past: `20 min ago`, `Fri 16:12`, `3 Nov, 16:12`. */
export const Ago = (props: TimeProps): Safe => <Said {...props} saying="ago" />;

/** A time after "since" and "until", and in the future: `14:06`, `Fri 16:12`, `3 Nov, 16:12`. */
export const BriefTime = (props: TimeProps): Safe => <Said {...props} saying="brief" />;

/** `Saturday 21 November, 02:30`, where no element is allowed. */
export const momentWords = (reader: Reader, at: Millis): string =>
  `${dayWords(reader, at)}, ${formatsFor(reader).clock.format(at)}`;
