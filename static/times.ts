/** Writes times in the reader's zone, and keeps durations up to date. */
import { words } from "./words.ts";

const language = document.documentElement.lang;
/** The reader's own variant of the page's language: 14:06 or 2:06 PM. */
const locale = navigator.languages.find((one) => one.startsWith(language)) ?? words.locale;
const clock = new Intl.DateTimeFormat(locale, { timeStyle: "short" });
const exact = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "long" });
const weekday = new Intl.DateTimeFormat(locale, { weekday: "short", hour: "2-digit", minute: "2-digit" });
const dayName = dayOf({ weekday: "long", day: "numeric", month: "long" });
const far = dayOf({ day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });

const MINUTE_MS = 60_000;
/** Within this distance, a time is written as how long ago it was, or as the clock time alone. */
const NEAR_MS = 720 * MINUTE_MS;
/** Within this distance, the name of a weekday is unambiguous: seven days away it would be today's. */
const NAMED_MS = 6 * 1_440 * MINUTE_MS;

interface Format {
  format(at: Date): string;
}

/** A format that adds the year if it is not the present one. */
function dayOf(options: Intl.DateTimeFormatOptions): Format {
  const near = new Intl.DateTimeFormat(locale, options);
  const far = new Intl.DateTimeFormat(locale, { ...options, year: "numeric" });
  return { format: (at) => (at.getFullYear() === new Date().getFullYear() ? near : far).format(at) };
}

/** Writes a time as `timeWords` of src/pages/elements/times.tsx does. */
function said(at: Date, saying: string | undefined): string {
  if (saying === "dated") return `${dayName.format(at)}, ${clock.format(at)}`;
  if (saying === "clock") return clock.format(at);
  const away = Date.now() - at.getTime();
  const isNear = Math.abs(away) <= NEAR_MS;
  if (isNear && saying !== "brief" && away > -MINUTE_MS) return ago(away);
  if (isNear || !saying) return clock.format(at);
  return (Math.abs(away) < NAMED_MS ? weekday : far).format(at);
}

function ago(ms: number): string {
  const minutes = Math.floor(ms / MINUTE_MS);
  if (minutes < 1) return words.justNow;
  return words.ago.replace("{}", minutes < 60 ? `${minutes}\u00a0min` : `${Math.floor(minutes / 60)}\u00a0h`);
}

/** The text, with the time in place of its `{}`. */
export function timed(text: string, at: Date): (string | Node)[] {
  const time = document.createElement("time");
  time.dateTime = at.toISOString();
  time.dataset["as"] = "brief";
  write(time);
  const [before = "", after = ""] = text.split("{}");
  return [before, time, after];
}

/** Writes a time in the reader's zone, relative to now. */
export function write(time: HTMLTimeElement): void {
  const at = new Date(time.dateTime);
  const text = said(at, time.dataset["as"]);
  if (time.textContent !== text) time.textContent = text;
  time.title = exact.format(at);
}

/** Writes every time below `root`, and how long something has been firing. */
export function localize(root: ParentNode): void {
  for (const time of root.querySelectorAll("time")) write(time);
  tick(root);
}

/** Writes the times of the page, and updates them every minute. */
export function startTimes(): void {
  localize(document);
  setInterval(() => {
    localize(document);
  }, MINUTE_MS);
}

/** Updates the durations below `root`. */
function tick(root: ParentNode): void {
  for (const span of root.querySelectorAll<HTMLElement>("[data-since]")) {
    const time = span.querySelector("time");
    const since = span.dataset["at"] ?? time?.dateTime ?? "";
    span.dataset["at"] = since;
    span.title = exact.format(new Date(since));
    span.textContent = (span.dataset["since"] ?? "").replace("{}", duration(Date.now() - Date.parse(since)));
  }
}

/** Writes a duration as the server does (src/rewrites/times.ts), but without seconds. */
function duration(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / MINUTE_MS));
  const [d, h, min] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24, minutes % 60];
  const parts = d > 0 ? { d, h } : { h, min };
  const said = Object.entries(parts).flatMap(([unit, n]) => (n > 0 ? [`${n}\u00a0${unit}`] : []));
  return said.join(" ") || "0\u00a0min";
}

/** Equal for all times of one day in the reader's zone. */
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
