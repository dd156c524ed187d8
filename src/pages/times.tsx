/** @jsxImportSource #jsx */
/** Times of pages. The server writes UTC; the script writes them again in the reader's zone. */
import { rfc3339, type Millis } from "../util/clock.ts";
import type { Safe } from "./jsx/jsx-runtime.ts";
import { texts } from "./texts.ts";

// made at first use: the formatters' tables take some of the start's time
let formats: { day: Intl.DateTimeFormat; exact: Intl.DateTimeFormat; clock: Intl.DateTimeFormat } | undefined;
const inUtc = () =>
  (formats ??= {
    day: new Intl.DateTimeFormat(texts.locale, { timeZone: "UTC", weekday: "long", day: "numeric", month: "long" }),
    clock: new Intl.DateTimeFormat(texts.locale, { timeZone: "UTC", hour: "2-digit", minute: "2-digit" }),
    exact: new Intl.DateTimeFormat(texts.locale, { timeZone: "UTC", dateStyle: "full", timeStyle: "long" }),
  });

/** `Saturday 21 November`. */
export const dayWords = (at: Millis): string => inUtc().day.format(at);

/** The clock time, with the exact one in `datetime` and `title`. `dated`: also the day. */
export const Time = ({ at, dated }: { at: Millis; dated?: boolean }): Safe => (
  <time datetime={rfc3339(at)} title={inUtc().exact.format(at)} data-dated={dated}>
    {dated === true && `${dayWords(at)}, `}
    {inUtc().clock.format(at)}
  </time>
);
