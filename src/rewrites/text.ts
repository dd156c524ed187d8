/** Text of other people's tools, made fit to be shown and cut to a length (docs/design/REWRITES.md §1). */
import { graphemeEnd, withoutControls } from "../messages/text.ts";
import { characters } from "../util/schema.ts";
import { masked } from "./urls.ts";

/** In UTF-16 units: nobody reads more, so nothing that follows looks at a longer text. */
const MAX_READ = 70_000;
/** Of `data`, where nobody reads more. */
export const MAX_BRIEF = 200;

/** ECMA-48: control sequences, strings up to their terminator, other escapes. */
const ANSI = /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/]*[0-~]/g;
const BREAKS = /\r\n?|[\u0085\u2028\u2029]/g;
const WHITESPACE = /\s+/g;
/** Soft hyphen, zero-width characters and what turns the direction of text; joiners shape letters and emoji: they stay. */
const HIDDEN = /[\p{Bidi_Control}\u00ad\u180e\u200b\u2060-\u2064\ufeff]+/gu;

/** A word that is shown as it is, as most labels are; `@` and `=` are in what may be secret. */
const PLAIN = /^[!-<>?A-~]*$/;

function fold(text: string): string {
  const readable = text.slice(0, MAX_READ).toWellFormed().replace(ANSI, "").replace(BREAKS, "\n");
  return withoutControls(readable).replace(HIDDEN, "");
}

/** One line with what may be secret in it: to be taken apart, not to be shown. */
export const unmaskedLine = (text: string): string => fold(text).replace(WHITESPACE, " ").trim();

/** One line: one space for any whitespace. */
export const line = (text: string): string =>
  text.length <= MAX_READ && PLAIN.test(text) ? text : masked(unmaskedLine(text)).trim();

/** Several lines, between them at most one that is blank. */
export const prose = (text: string): string =>
  masked(fold(text))
    .replaceAll("\t", " ")
    .split("\n")
    .map((each) => each.trimEnd())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();

/** At most `max` characters (code points), cut between two graphemes; `…` counts. */
export function cut(text: string, max: number): string {
  if (text.length <= max || characters(text) <= max) return text;
  let end = 0;
  for (let n = 1; n < max; n++) end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  return `${text.slice(0, graphemeEnd(text, end)).trimEnd()}…`;
}

/** `MAX_BRIEF` of it. */
export const brief = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : cut(text, MAX_BRIEF);
