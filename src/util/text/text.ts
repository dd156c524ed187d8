/** Makes people's text fit to be shown: removes controls, and cuts what is too long between two graphemes. */
import { characters } from "../schema.ts";

/** C0 and C1 controls but newline and tab: they move cursors, ring bells and hide text (OPERATIONS.md §6). */
const CONTROL = /[\0-\x08\x0b-\x1f\x7f-\x9f]/;
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f-\x9f]+/g;
/** Embeddings, overrides and isolates: in one line of text they can only make it look like another (UTR 36 §2.10). */
const BIDI = /[\u202a-\u202e\u2066-\u2069]+/g;
const BREAKS = /[\n\t]+/g;
const NOT_PLAIN = /[\0-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;

/** ECMA-48: control sequences, strings up to their terminator, other escapes. */
const ANSI = /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/]*[0-~]/g;

/** The text without the sequences that colour it or move the cursor of a terminal. */
export const withoutAnsi = (text: string): string =>
  text.includes("\x1b") || text.includes("\x9b") ? text.replace(ANSI, "") : text;

/** The text without controls; newline and tab stay. */
export const withoutControls = (text: string): string => (CONTROL.test(text) ? text.replace(CONTROLS, "") : text);

const BLANK = /^[\s\p{Cf}\p{Cc}]*$/u;

/** Whether there is nothing to see: only white space, and characters that join or direct letters. */
export const isBlank = (text: string): boolean => BLANK.test(text);

/** A title, tag or label: one line, without controls and bidi overrides. */
export const oneLine = (text: string): string =>
  NOT_PLAIN.test(text) ? withoutControls(text).replace(BREAKS, " ").replace(BIDI, "") : text;

/** How far around the cut a grapheme cluster is looked for, in UTF-16 units; a longer one is cut through. */
const WINDOW = 256;
/** Made when the first long text comes: its tables take 1.4 MB, also of an idle server (measured). */
let graphemes: Intl.Segmenter | undefined;

/** The last place up to `at` (in UTF-16 units) that is between two graphemes. */
export function graphemeEnd(text: string, at: number): number {
  const from = Math.max(0, at - WINDOW);
  graphemes ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const cluster = graphemes.segment(text.slice(from, at + WINDOW)).containing(at - from);
  return cluster === undefined || cluster.index === 0 ? at : from + cluster.index;
}

/** At most `max` characters (code points), cut between two graphemes; `…` counts. */
export function cut(text: string, max: number): string {
  if (text.length <= max || characters(text) <= max) return text;
  let end = 0;
  for (let n = 1; n < max; n++) end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  return `${text.slice(0, graphemeEnd(text, end)).trimEnd()}…`;
}
