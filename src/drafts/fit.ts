/** Shortens texts to what a message holds. */
import { graphemeEnd, withoutAnsi, withoutControls } from "../util/text/text.ts";
import { MAX_MESSAGE_BYTES } from "./limits.ts";

/** How many bytes are decoded at a time. */
const PIECE = 65_536;
/** How many UTF-16 units are cleaned: most of a job's output may be sequences that colour it. */
const MAX_CLEANED = 4 * MAX_MESSAGE_BYTES;

/**
 * The beginning of the text of these bytes, as much as a message holds, without sequences that steer a terminal. 1 MiB that
 * cannot be decoded takes 10 ms, and of controls between letters 30 ms (measured): it is read in pieces until there is enough.
 */
export function beginningOf(bytes: Uint8Array, charset = "utf-8"): { text: string; isWhole: boolean } {
  const decoder = new TextDecoder(charset as Bun.Encoding);
  let decoded = "";
  let at = 0;
  do {
    const isLast = at + PIECE >= bytes.length;
    decoded += decoder.decode(bytes.subarray(at, at + PIECE), { stream: !isLast });
    at += PIECE;
  } while (at < bytes.length && decoded.length <= MAX_CLEANED);
  const { text, truncated } = truncate(withoutControls(withoutAnsi(decoded)));
  return { text, isWhole: !truncated && at >= bytes.length };
}

/** The longest beginning of the text that has whole graphemes and at most this many bytes of UTF-8. */
export function truncate(text: string, maxBytes = MAX_MESSAGE_BYTES): { text: string; truncated: boolean } {
  if (Buffer.byteLength(text) <= maxBytes) return { text, truncated: false };
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes)); // whole code points only
  return { text: text.slice(0, graphemeEnd(text, read)), truncated: true };
}
