/** JSON from outside: its bytes are examined first, to tell what parsing it would cost (API.md §8). */

/** The deepest nesting of JSON: far beyond any use, far below what breaks a recursive reader. */
const MAX_DEPTH = 64;
/**
 * The most values: 1 MiB of alerts has about 30,000. Each key that differs from all others costs the parser 0.25 µs: with more
 * values, 1 MiB holds the event loop for more than 10 ms (measured).
 */
const MAX_VALUES = 32_768;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Says why JSON is not parsed, in words that complete "The JSON …"; undefined if it may be. One pass that ends where the limit
 * is exceeded: 1 ms for 1 MiB, 0.5 µs for an ordinary message (measured). It does not notice broken JSON.
 */
export function excessOf(bytes: Uint8Array): string | undefined {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      if (++depth > MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} levels`;
      values++;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--;
    else if (byte === COMMA) values++;
    if (values > MAX_VALUES) return `contains more than ${MAX_VALUES.toLocaleString("en")} values`;
  }
  return undefined;
}

/**
 * The index of the quote that ends the string which begins at `at`, or the length if none does. The native search
 * takes 0.4 µs for a string of 20 kB, the loop 18 µs (measured); for a string full of escaped quotes it would take longer.
 */
function endOfString(bytes: Uint8Array, at: number): number {
  const quote = bytes.indexOf(QUOTE, at + 1);
  if (quote < 0) return bytes.length;
  if (bytes[quote - 1] !== BACKSLASH) return quote;
  for (at++; at < bytes.length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++;
  return at;
}

/** The value of a text that may be JSON; undefined if it is not JSON, or exceeds the limits. */
export function jsonIn(text: string): unknown {
  if (excessOf(Buffer.from(text)) !== undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A JSON object from outside, whose fields may be anything. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Whether it is an object: not a list, not null. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
