/** Reads forms from bytes: URLSearchParams would hide bytes that are not UTF-8, and takes 60 ms for 1 MB of `a&` (measured). */
import { MAX_PARTS } from "../../files/multipart.ts";
import type { FieldError } from "../../http/problem.ts";
import { fieldNamed } from "../reading/fields.ts";
import { MAX_READ } from "../reading/ntfy.ts";
import { MAX_MESSAGE_BYTES } from "../../drafts/limits.ts";

/** The most fields that are read. */
const MAX_FIELDS = 1_000;

export const TOO_MANY_FIELDS: FieldError = {
  path: "/",
  message: `has more than ${MAX_FIELDS} fields; only the first ${MAX_FIELDS} are read`,
};

/** Whether a form has fields that `parseForm` does not read. */
export function isBeyond(bytes: Uint8Array): boolean {
  let at = -1;
  for (let count = 0; count < MAX_FIELDS; count++) {
    at = bytes.indexOf(AMPERSAND, at + 1);
    if (at < 0) return false;
  }
  return at < bytes.length - 1;
}

/** The first fields of `application/x-www-form-urlencoded`; undefined if one is not in the charset. */
export function parseForm(bytes: Uint8Array, charset = "utf-8"): URLSearchParams | undefined {
  const fields = new URLSearchParams();
  const decoder = new TextDecoder(charset as Bun.Encoding, { fatal: true });
  try {
    for (const pair of pairsIn(bytes)) {
      const equals = pair.indexOf(EQUALS);
      const name = equals < 0 ? pair : pair.subarray(0, equals);
      const value = equals < 0 ? NOTHING : pair.subarray(equals + 1);
      fields.append(decoder.decode(unescaped(name)), decoder.decode(unescaped(value)));
    }
  } catch {
    return undefined;
  }
  return fields;
}

const [AMPERSAND, EQUALS, PERCENT, PLUS, SPACE] = [0x26, 0x3d, 0x25, 0x2b, 0x20];
const NOTHING = new Uint8Array();

function* pairsIn(bytes: Uint8Array): Generator<Uint8Array> {
  for (let [start, count] = [0, 0]; start < bytes.length && count < MAX_FIELDS; count++) {
    const found = bytes.indexOf(AMPERSAND, start);
    const end = found < 0 ? bytes.length : found;
    if (end > start) yield bytes.subarray(start, end);
    start = end + 1;
  }
}

/**
 * The bytes that `%41` and `+` stand for; a `%` that begins no escape stays. Written by hand: 2 ms for any 1 MiB, where
 * `decodeURIComponent` takes 25 ms for the plus signs alone and refuses a lone `%` (measured).
 */
function unescaped(bytes: Uint8Array): Uint8Array {
  const made = new Uint8Array(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    const escaped = byte === PERCENT ? byteOf(bytes[at + 1], bytes[at + 2]) : -1;
    if (escaped >= 0) at += 2;
    made[length++] = escaped >= 0 ? escaped : byte === PLUS ? SPACE : byte;
  }
  return made.subarray(0, length);
}

/** The byte of two hexadecimal digits; -1 if one is not a digit. */
function byteOf(high = 0, low = 0): number {
  const first = DIGITS[high] ?? -1;
  const second = DIGITS[low] ?? -1;
  return first < 0 || second < 0 ? -1 : 16 * first + second;
}

const DIGITS = Int8Array.from({ length: 256 }, (_, byte) =>
  "0123456789abcdef".indexOf(String.fromCharCode(byte).toLowerCase()),
);

/** Whether the form has a field of this name: then it is a form, not a text that was sent as one. */
export function hasField(bytes: Uint8Array, name: string): boolean {
  const form = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return form.subarray(0, name.length + 1).equals(Buffer.from(`${name}=`)) || form.includes(`&${name}=`);
}

export type Part = { name: string } & (
  { kind: "field"; value: string } | { kind: "file"; bytes: Uint8Array; type: string; filename: string }
);

/** The first `MAX_PARTS` of `multipart/form-data`; undefined if it is none. Bytes of a field that are not UTF-8 become U+FFFD. */
export async function parts(
  contentType: string,
  bytes: Uint8Array,
): Promise<{ parts: Part[]; isAll: boolean } | undefined> {
  const response = new Response(bytes, { headers: { "content-type": contentType } });
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- because it has no limit: ours came before, 1 MiB takes 4 ms
  const form = await response.formData().catch(() => undefined);
  if (form === undefined || form.keys().next().done === true) return undefined;
  const read = async ([name, value]: [string, string | File]): Promise<Part> =>
    typeof value === "string"
      ? { kind: "field", name, value }
      : { kind: "file", name, bytes: await value.bytes(), type: value.type, filename: value.name };
  const all = [...form];
  return { parts: await Promise.all(all.slice(0, MAX_PARTS).map(read)), isAll: all.length <= MAX_PARTS };
}

/**
 * The parts as `multipart/form-data` with the boundary of this type, in at most this many bytes: the last value may be cut, and
 * what comes after it is left out.
 */
export function formOf(
  contentType: string,
  parts: readonly Part[],
  maxBytes: number,
): { bytes: Uint8Array; isCut: boolean } {
  const boundary = /boundary=(?:"([^"]*)"|([^;\s]+))/i.exec(contentType)?.slice(1).find(Boolean) ?? "";
  const end = Buffer.from(`--${boundary}--\r\n`);
  const made: Uint8Array[] = [];
  let room = maxBytes - end.length;
  let isCut = false;
  for (const part of parts) {
    const head = Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${headOf(part)}\r\n\r\n`);
    room -= head.length + LINE_END.length;
    // a character has at least one byte
    const value = part.kind === "field" ? Buffer.from(part.value.slice(0, Math.max(room, 0) + 1)) : part.bytes;
    isCut ||= value.length > room;
    if (room < 0) break;
    made.push(head, value.subarray(0, room), LINE_END);
    room -= value.length;
  }
  return { bytes: Buffer.concat(parts.length === 0 ? [] : [...made, end]), isCut };
}

const LINE_END = Buffer.from("\r\n");

/** The headers of a part, written as in the HTML Standard (https://html.spec.whatwg.org/#multipart-form-data). */
function headOf(part: Part): string {
  const quoted = (text: string) => `"${text.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A")}"`;
  const name = `name=${quoted(part.name)}`;
  if (part.kind === "field") return name;
  const type = part.type === "" ? "" : `\r\nContent-Type: ${part.type.replaceAll(/[\r\n]/g, " ")}`;
  return `${name}; filename=${quoted(part.filename)}${type}`;
}
/** How many UTF-16 units of a form's field a message can use, and one more, which shows that there are more. */
export function usefulOf(name: string): number | undefined {
  if (isForJson(name)) return Infinity; // cut, it would not be JSON
  const field = fieldNamed(name);
  return field === undefined ? undefined : 1 + (field === "message" ? 4 * MAX_MESSAGE_BYTES : MAX_READ);
}

/** Whether the field holds a tool's JSON: Slack's is `payload`, Uptime Kuma's `data`. */
export const isForJson = (name: string): boolean => name === "payload" || name === "data";

/** Names and values as text, files too. */
export const partsAsText = (parts: readonly Part[]): [string, string][] =>
  parts.map((part) => [part.name, part.kind === "field" ? part.value : new TextDecoder().decode(part.bytes)]);
