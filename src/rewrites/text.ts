/** Text of other people's tools, made fit to be shown and cut to a length (REWRITES.md §1). */
import { cut, withoutAnsi, withoutControls } from "../util/text/text.ts";
import { masked } from "./urls.ts";

export { cut };

/** How many UTF-16 units of a text are read: more than is ever shown, so that nobody sees half of what would have been masked. */
const MAX_READ = 20_000;
/** The longest text in `data`, where nobody reads more. */
export const MAX_BRIEF = 200;

const BREAKS = /\r\n?|[\u0085\u2028\u2029]/g;
const WHITESPACE = /\s+/g;
/** Soft hyphens, zero-width characters and those that turn the direction of text; joiners shape letters and emoji, and stay. */
const HIDDEN = /[\p{Bidi_Control}\u00ad\u180e\u200b\u2060-\u2064\ufeff]+/gu;

/**
 * Words that are shown as they are, as most labels are: in the letters of Europe and East Asia, with single spaces. `@` and `=`
 * occur in what may be secret.
 */
const PLAIN =
  /^[!-<>?A-~\u00a1-\u00ac\u00ae-\u061b\u061d-\u167f\u3001-\ud7ff]+(?: [!-<>?A-~\u00a1-\u00ac\u00ae-\u061b\u061d-\u167f\u3001-\ud7ff]+)*$/;

/**
 * How many characters of one payload are cleaned, in all its texts together, and what each text counts for besides: some
 * characters cost 0.1 µs each, a text 3 µs (measured), and a payload may hold as many of them as it likes.
 */
const MAX_CLEANED = 65_536;
const EACH = 64;
// beside the functions, not passed to them: a hundred calls in the mappers would hand it on, and reading a payload awaits nothing
let left = Infinity;
/** Lines of this payload that were cleaned: many alerts share names and words. */
const cleaned = new Map<string, string>();

/** Reads a payload: a text that exceeds `MAX_CLEANED`, and all texts after it, read as empty. */
export function withinBudget<T>(read: () => T): T {
  left = MAX_CLEANED;
  try {
    return read();
  } finally {
    left = Infinity;
    cleaned.clear();
  }
}

function fold(text: string): string {
  const read = text.slice(0, MAX_READ);
  left -= read.length + EACH;
  if (left < 0) return ""; // its beginning might end in half a secret
  const readable = withoutAnsi(read.toWellFormed()).replace(BREAKS, "\n");
  return withoutControls(readable).replace(HIDDEN, "");
}

/** One line with anything that may be secret: for parsing, not for showing. */
export const unmaskedLine = (text: string): string => fold(text).replace(WHITESPACE, " ").trim();

/** One line, with one space for any whitespace. */
export function line(text: string): string {
  if (text === "" || (text.length <= MAX_READ && PLAIN.test(text))) return text;
  const known = cleaned.get(text);
  if (known !== undefined || left < 0) return known ?? "";
  const made = masked(unmaskedLine(text)).trim();
  if (left < Infinity) cleaned.set(text, made);
  return made;
}

/** Several lines, with at most one blank line between them. */
export const prose = (text: string): string => tidy(masked(fold(text)));

/** Several lines with anything that may be secret: for parsing, not for showing. */
export const unmaskedProse = (text: string): string => tidy(fold(text));

const tidy = (text: string): string =>
  text
    .replaceAll("\t", " ")
    .split("\n")
    .map((each) => each.trimEnd())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();

/** More JSON in one line cannot be read. */
const MAX_JSON_LINE = 200;

/** Text that is JSON, or nearly: one member a line if it is long. */
export const inLines = (text: string): string =>
  text.length > MAX_JSON_LINE && /^\s*[[{]/.test(text) ? text.replace(/([{[,])\s*(?=["{])/g, "$1\n") : text;

/** At most `MAX_BRIEF` characters of it. */
export const brief = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : cut(text, MAX_BRIEF);
