/** Decodes bytes that were sent as text: finds their charset. Pure. */
import { isUtf8 } from "node:buffer";

/** The byte order marks of the Encoding Standard (https://encoding.spec.whatwg.org/#bom-sniff). */
const MARKS: [bytes: readonly number[], charset: string][] = [
  [[0xef, 0xbb, 0xbf], "utf-8"],
  [[0xff, 0xfe], "utf-16le"],
  [[0xfe, 0xff], "utf-16be"],
];
/** No mark begins with a lower byte. */
const LEAST_MARK = 0xef;
const CHARSET = /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i;
/** Whether a text has letters that took more than one byte of UTF-8. */
const BEYOND_ASCII = /[\x80-\ufffc]/;
/** Enough to see whether it is UTF-8 with a letter that is cut. */
const LOOKED_AT = 65_536;

/**
 * The charset of a text: its byte order mark's, the content type's, else UTF-8. Text that is not UTF-8 and has no letter that
 * would be is Windows-1252: PowerShell 5.1 posts that without saying so, while a job's output may be cut within a letter.
 */
export function charsetOf(bytes: Uint8Array, contentType: string): string {
  const mark =
    (bytes[0] ?? 0) < LEAST_MARK ? undefined : MARKS.find(([begin]) => begin.every((byte, at) => bytes[at] === byte));
  if (mark !== undefined) return mark[1];
  const named = CHARSET.exec(contentType)?.[1]?.toLowerCase();
  if (named !== undefined && named !== "utf-8" && named !== "utf8" && isKnown(named)) return named;
  if (isUtf8(bytes)) return "utf-8";
  return BEYOND_ASCII.test(new TextDecoder().decode(bytes.subarray(0, LOOKED_AT))) ? "utf-8" : "windows-1252";
}

/** All of it as text, without its byte order mark; bytes that cannot be decoded become U+FFFD. */
export const decoded = (bytes: Uint8Array, contentType: string): string =>
  new TextDecoder(charsetOf(bytes, contentType) as Bun.Encoding).decode(bytes);

function isKnown(charset: string): boolean {
  try {
    new TextDecoder(charset as Bun.Encoding);
    return true;
  } catch {
    return false;
  }
}
