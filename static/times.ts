/** Times in the reader's zone, and durations that go on. */
import { words } from "./words.ts";

const language = document.documentElement.lang;
/** The reader's own variant of the page's language: 14:06 or 2:06 PM. */
const locale = navigator.languages.find((one) => one.startsWith(language)) ?? words.locale;
const clock = new Intl.DateTimeFormat(locale, { timeStyle: "short" });
const exact = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "long" });
const weekday = new Intl.DateTimeFormat(locale, { weekday: "short", hour: "2-digit", minute: "2-digit" });
const dayName = dayOf({ weekday: "long", day: "numeric", month: "long" });
const dated: Format = { format: (at) => `${dayName.format(at)}, ${clock.format(at)}` };
const short = dayOf({ day: "numeric", month: "short" });

const MINUTE_MS = 60_000;
/** As long as a weekday names one day: on the seventh it would be today's. */
const NAMED_MS = 6 * 1_440 * MINUTE_MS;

interface Format {
  format(at: Date): string;
}

/** With the year where it is not this one. */
function dayOf(options: Intl.DateTimeFormatOptions): Format {
  const near = new Intl.DateTimeFormat(locale, options);
  let far: Intl.DateTimeFormat | undefined;
  return {
    format: (at) => {
      if (at.getFullYear() === new Date().getFullYear()) return near.format(at);
      return (far ??= new Intl.DateTimeFormat(locale, { ...options, year: "numeric" })).format(at);
    },
  };
}

/** The clock time of today, else with its date. */
export const moment = (at: Date): string => (dayKey(at) === dayKey(new Date()) ? clock : dated).format(at);

/** The text with the time where it has `{}`. */
export function timed(text: string, at: Date): (string | Node)[] {
  const time = document.createElement("time");
  time.dateTime = at.toISOString();
  time.textContent = moment(at);
  time.title = exact.format(at);
  const [before = "", after = ""] = text.split("{}");
  return [before, time, after];
}

/** Writes every time below `root` in the reader's zone, and how long something has been firing. */
export function localize(root: ParentNode): void {
  for (const time of root.querySelectorAll("time")) {
    const at = new Date(time.dateTime);
    const { dataset } = time;
    time.textContent = (
      dataset["brief"] !== undefined ? briefly(at) : dataset["dated"] === undefined ? clock : dated
    ).format(at);
    time.title = exact.format(at);
  }
  tick(root);
}

const briefly = (at: Date): Format =>
  dayKey(at) === dayKey(new Date()) ? clock : Math.abs(Date.now() - at.getTime()) < NAMED_MS ? weekday : short;

/** Brings the durations below `root` up to now. */
export function tick(root: ParentNode): void {
  for (const span of root.querySelectorAll<HTMLElement>("[data-since]")) {
    const time = span.querySelector("time");
    const since = span.dataset["at"] ?? time?.dateTime ?? "";
    span.dataset["at"] = since;
    span.title = exact.format(new Date(since));
    span.textContent = (span.dataset["since"] ?? "").replace("{}", duration(Date.now() - Date.parse(since)));
  }
}

/** As the server says them (src/rewrites/times.ts), but for seconds: nobody counts those. */
function duration(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / MINUTE_MS));
  const [d, h, min] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60];
  const parts = d > 0 ? { d, h } : { h, min };
  const said = Object.entries(parts).flatMap(([unit, n]) => (n > 0 ? [`${n}\u00a0${unit}`] : []));
  return said.join(" ") || "0\u00a0min";
}

/** Same for times of one day of the reader's. */
export const dayKey = (at: Date): string => at.toDateString();

/** `Today` and the date, or the date alone. */
export function dayHeading(at: Date): HTMLElement {
  const heading = document.createElement("h2");
  heading.className = "day";
  const yesterday = new Date();
  yesterday.setDate(yesterday.getDate() - 1);
  const word =
    dayKey(at) === dayKey(new Date()) ? words.today : dayKey(at) === dayKey(yesterday) ? words.yesterday : undefined;
  if (word === undefined) {
    heading.textContent = dayName.format(at);
    return heading;
  }
  const date = document.createElement("span");
  date.textContent = dayName.format(at);
  heading.append(word, " ", date);
  return heading;
}
