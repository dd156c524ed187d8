/** Text of people, made fit to be shown: controls leave, what is too long is cut between two graphemes. */
import { MAX_MESSAGE_BYTES } from "./schema.ts";

/** C0 and C1 controls but newline and tab: they move cursors, ring bells and hide text (OPERATIONS.md §6). */
const CONTROL = /[\0-\x08\x0b-\x1f\x7f-\x9f]/;
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f-\x9f]+/g;
/** Embeddings, overrides and isolates: in one line of text they can only make it read as another (UTR 36 §2.10). */
const BIDI = /[\u202a-\u202e\u2066-\u2069]+/g;
const BREAKS = /[\n\t]+/g;
const NOT_PLAIN = /[\0-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;

/** The text without controls; newline and tab stay. */
export const withoutControls = (text: string): string => (CONTROL.test(text) ? text.replace(CONTROLS, "") : text);

/** A title, tag or label: one line, without controls and bidi overrides. */
export const oneLine = (text: string): string =>
  NOT_PLAIN.test(text) ? withoutControls(text).replace(BREAKS, " ").replace(BIDI, "") : text;

/** How far a grapheme cluster is looked for around the cut, in UTF-16 units; a longer one is cut through. */
const WINDOW = 256;
/** Made when the first long text comes: its tables are 1.4 MB of an idle server (measured). */
let graphemes: Intl.Segmenter | undefined;

/** The last place up to `at` (in UTF-16 units) that is between two graphemes. */
export function graphemeEnd(text: string, at: number): number {
  const from = Math.max(0, at - WINDOW);
  graphemes ??= new Intl.Segmenter(undefined, { granularity: "grapheme" });
  const cluster = graphemes.segment(text.slice(from, at + WINDOW)).containing(at - from);
  return cluster === undefined || cluster.index === 0 ? at : from + cluster.index;
}

/** Bytes that are decoded at a time. */
const PIECE = 65_536;

/**
 * The beginning of what these bytes say in UTF-8, cleaned as `withoutControls` does: all of it, or more than a message
 * holds. 1 MiB of what cannot be decoded takes 10 ms, of controls between letters 30 ms (measured): it is read in pieces.
 */
export function beginningOf(bytes: Uint8Array): string {
  const decoder = new TextDecoder();
  let text = "";
  for (let at = 0; at === 0 || at < bytes.length; at += PIECE) {
    const isLast = at + PIECE >= bytes.length;
    text += withoutControls(decoder.decode(bytes.subarray(at, at + PIECE), { stream: !isLast }));
    if (text.length > MAX_MESSAGE_BYTES + WINDOW) break;
  }
  return text;
}

/** The longest beginning of the text that is whole graphemes and at most `MAX_MESSAGE_BYTES` of UTF-8. */
export function truncate(text: string): { text: string; truncated: boolean } {
  if (Buffer.byteLength(text) <= MAX_MESSAGE_BYTES) return { text, truncated: false };
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_MESSAGE_BYTES)); // whole code points only
  return { text: text.slice(0, graphemeEnd(text, read)), truncated: true };
}
