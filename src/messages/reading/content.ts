/** Finds what a body holds, whatever type it claims: JSON, fields of a form, or text (docs/publish.md). */
import { decode, isJsonType, mediaType } from "../../http/body.ts";
import type { FieldError } from "../../http/problem.ts";
import { hasText } from "../../rewrites/common.ts";
import { inLines } from "../../rewrites/text.ts";
import { excessOf, jsonIn } from "../../util/json.ts";
import { charsetOf, decoded } from "./decode.ts";
import { parameterFields } from "./asides.ts";
import type { Body } from "../body/body.ts";
import { isBeyond, isForJson, parseForm, TOO_MANY_FIELDS, type Part } from "../body/form.ts";
import { textOfHtml } from "./html.ts";
import { fieldNamed } from "./fields.ts";
import type { Fields } from "./ntfy.ts";
import { beginningOf, truncate } from "../../drafts/fit.ts";

export type Content = {
  /** The part of the body that is not in it. */
  unread?: FieldError;
} & (
  | { kind: "json"; value: unknown; raw: string }
  /** The fields of a form, as text. */
  | { kind: "fields"; fields: Fields }
  | { kind: "text"; text: string; isWhole: boolean; format?: "markdown" }
);

const FORM = "application/x-www-form-urlencoded";
const HTML = new Set(["text/html", "application/xhtml+xml"]);
/** Types that clients give to bodies that they do not know: JSON may be meant. */
const VAGUE = new Set(["", FORM, "application/octet-stream"]);

/**
 * The content of a body that came whole. `parts`: of a multipart form. Never throws: anything else is text. Only slow work is
 * returned as a promise.
 */
export function contentOf(
  contentType: string,
  { bytes, parts }: Pick<Body, "bytes" | "parts">,
  written = BY_PROGRAM,
): Content | Promise<Content> {
  if (parts !== undefined) return ofMultipart(parts);
  const type = mediaType(contentType);
  if (type !== "" && isJsonType(type)) return ofJson(contentType, bytes);
  if ((VAGUE.has(type) || HTML.has(type)) && beginsAsJson(bytes)) {
    const raw = decoded(bytes, contentType);
    const value = jsonIn(raw);
    if (value !== undefined) return { kind: "json", value, raw };
  }
  if (type === FORM) {
    const form = ofForm(bytes, written) ?? ofText(contentType, bytes);
    return form.kind !== "text" && isBeyond(bytes) ? { ...form, unread: TOO_MANY_FIELDS } : form;
  }
  return HTML.has(type) ? ofHtml(contentType, bytes) : ofText(contentType, bytes);
}

/** The type of a body that is text unless it says otherwise: what `curl -d` sends, for one, whatever it looks like. */
export const asText = (contentType: string): string =>
  VAGUE.has(mediaType(contentType)) ? "text/plain" : contentType;

/** The same for a body that a tool sent to a hook: JSON whatever type it claims, and a form even if its values have spaces. */
export function contentOfTool(
  contentType: string,
  { bytes, parts }: Pick<Body, "bytes" | "parts">,
): Content | Promise<Content> {
  const raw = parts === undefined && beginsAsJson(bytes) ? decoded(bytes, contentType) : "";
  const value = raw === "" ? undefined : jsonIn(raw);
  return value === undefined
    ? contentOf(contentType, parts === undefined ? { bytes } : { bytes, parts }, BY_HAND)
    : { kind: "json", value, raw };
}

async function ofHtml(contentType: string, bytes: Uint8Array): Promise<Content> {
  const { text, isWhole } = await textOfHtml(decoded(bytes, contentType));
  return { kind: "text", text, isWhole };
}

function ofText(contentType: string, bytes: Uint8Array): Content & { kind: "text" } {
  const read = beginningOf(bytes, charsetOf(bytes, contentType));
  const { text, truncated } = truncate(inLines(read.text));
  const isMarkdown = mediaType(contentType) === "text/markdown";
  return { kind: "text", text, isWhole: read.isWhole && !truncated, ...(isMarkdown && { format: "markdown" }) };
}

const [BRACE, BRACKET, EQUALS, SPACE] = [0x7b, 0x5b, 0x3d, 0x20];
const JSON_BEGINS = new Set<number | undefined>([BRACE, BRACKET]);

function beginsAsJson(bytes: Uint8Array): boolean {
  return JSON_BEGINS.has(bytes.find((byte) => byte > SPACE));
}

/** Broken JSON is mended if only its strings hold raw controls, as Synology's templates do; otherwise it is text. */
function ofJson(contentType: string, bytes: Uint8Array): Content {
  const excess = excessOf(bytes);
  if (excess !== undefined)
    return {
      ...ofText(contentType, bytes),
      unread: { path: "/", message: `${excess}, so this JSON is shown as text` },
    };
  const raw = decode(bytes) ?? decoded(bytes, contentType);
  let value = parsed(raw);
  if (value === undefined) value = parsed(withEscapedControls(raw) ?? "");
  return value === undefined ? ofText(contentType, bytes) : { kind: "json", value, raw };
}

/** Undefined if it is not JSON, which has no such value. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c];

/** The most that are escaped: more lines than a message holds; half a million would hold the event loop for 200 ms (measured). */
const MAX_CONTROLS = 4_096;

/**
 * Escapes the controls within strings as JSON demands (RFC 8259 §7); undefined if there are none, or too many. Written by hand: a
 * regular expression would be quadratic for a string that never ends.
 */
function withEscapedControls(raw: string): string | undefined {
  const pieces: string[] = [];
  let taken = 0;
  let isInString = false;
  for (let at = 0; at < raw.length; at++) {
    const unit = raw.charCodeAt(at);
    if (unit === QUOTE) isInString = !isInString;
    else if (unit === BACKSLASH) at++;
    else if (isInString && unit < SPACE) {
      if (pieces.length === MAX_CONTROLS) return undefined;
      pieces.push(`${raw.slice(taken, at)}\\u${unit.toString(16).padStart(4, "0")}`);
      taken = at + 1;
    }
  }
  return pieces.length === 0 ? undefined : pieces.join("") + raw.slice(taken);
}

/** A form that a browser or a library wrote; what a person typed after `curl -d` has a space, or no name. */
const BY_PROGRAM = /^[^\s=&]+=[^\s&]*(?:&[^\s=&]+=[^\s&]*)*$/;
/** A form that may have been typed, where a form is expected. */
const BY_HAND = /^[^\s=&]+=[^&]*(?:&[^\s=&]+=[^&]*)*$/;
/** How many bytes are matched: the expressions take 70 ms for 1 MiB (measured). */
const MAX_TOLD_BY = 16_384;

function isWritten(bytes: Uint8Array, written: RegExp): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, MAX_TOLD_BY)).toString("latin1");
  const isCut = bytes.length > MAX_TOLD_BY && text.includes("&");
  return written.test(isCut ? text.slice(0, text.lastIndexOf("&")) : text);
}

/** `written`: the form's grammar. Undefined if it is a text that was sent as a form, as `curl -d` does. */
function ofForm(bytes: Uint8Array, written: RegExp): Content | undefined {
  const form = bytes.includes(EQUALS) ? (parseForm(bytes) ?? parseForm(bytes, "windows-1252")) : undefined;
  if (form === undefined) return undefined;
  const fields = parameterFields(form);
  if ([...form.keys()].some((name) => name === "m" || fieldNamed(name) === "message"))
    return { kind: "fields", fields };
  const pairs = [...form];
  if (!isWritten(bytes, written))
    return jsonField(pairs.slice(0, 1).filter(([name, text]) => isForJson(name) && /^\s*[{[]/.test(text)));
  const json = jsonField(pairs);
  if (json !== undefined) return json;
  if (hasText(fields)) return { kind: "json", value: fields, raw: "" };
  return pairs.length === 1 ? undefined : { kind: "json", value: valuesOf(pairs), raw: "" };
}

/** Values by the names that were sent; the values of a name that comes several times are a list. */
export function valuesOf(pairs: readonly (readonly [string, string])[]): Fields {
  const byName = Map.groupBy(pairs, ([name]) => name);
  return Object.fromEntries(
    [...byName].map(([name, [first, ...others]]) => [
      name,
      others.length === 0 ? first?.[1] : [first, ...others].map((pair) => pair?.[1]),
    ]),
  );
}

/** Only one field is tried: JSON that is broken near its end costs as much as whole JSON. */
function jsonField(fields: readonly (readonly [string, unknown])[]): Content | undefined {
  const texts = fields.filter((field): field is [string, string] => typeof field[1] === "string");
  const chosen = texts.find(([name]) => isForJson(name)) ?? texts.find(([, text]) => /^\s*\{/.test(text));
  const value = chosen === undefined ? undefined : jsonIn(chosen[1]);
  return value === undefined || chosen === undefined ? undefined : { kind: "json", value, raw: chosen[1] };
}

/** The parts may have one file, which is text, and is the message. */
function ofMultipart(sent: readonly Part[]): Content {
  const named = new Map<string, string>();
  for (const part of sent) {
    if (part.kind === "file") named.set("message", decoded(part.bytes, part.type));
    else if (!named.has(part.name)) named.set(part.name, part.value);
  }
  const fields: Fields = Object.fromEntries(named);
  const json = hasMessage(sent) ? undefined : jsonField(Object.entries(fields));
  if (json !== undefined) return json;
  const names = Object.keys(fields).map(fieldNamed);
  if (!names.includes("message") && names.some((name) => name === undefined))
    return { kind: "json", value: fields, raw: JSON.stringify(fields) };
  return { kind: "fields", fields };
}

const hasMessage = (sent: readonly Part[]): boolean =>
  sent.some((part) => part.kind === "field" && fieldNamed(part.name) === "message");
