/**
 * ntfy's headers, and the same in query parameters and form fields, as fields of a publish body (API.md §3). Pure.
 *
 * A parameter that cannot be read stays the text it was, so that the body's check refuses it by name. Of headers only
 * `Delay` does that (a message at the wrong time is no sane reading): any other that cannot be read may come from
 * something on the way, such as Cloudflare's `Priority: u=4`, and is passed over so that the message arrives. For the
 * same reason a header's title or tags over the limit are cut, and buttons that we do not have (`broadcast`, `copy`, a
 * request with headers or a body) leave the others standing. `Filename`, `Email`, `Call`, `Cache`, `Firebase` and
 * `UnifiedPush` mean nothing here and are ignored. Source: ntfy 2.27, server/server.go and server/actions.go.
 */
import { rfc3339 } from "../util/clock.ts";
import { jsonIn } from "../util/json.ts";
import { MAX_ACTIONS, MAX_DELAY_SECONDS, MAX_TAG_CHARACTERS, MAX_TAGS, MAX_TITLE_CHARACTERS } from "./schema.ts";
import { parseDuration } from "./time.ts";

/** Fields of a publish body, not checked yet. */
export type Fields = Record<string, unknown>;

/** What the headers of a request say; a field is there only where something readable came. */
export function headerFields(headers: Headers): Fields {
  const get = (...names: string[]): string | undefined => {
    for (const name of names) {
      const value = headers.get(`x-${name}`) ?? headers.get(name);
      if (value !== null && value !== "" && !(name === "priority" && RFC9218.test(value)))
        return decodeWords(utf8(value));
    }
    return undefined;
  };
  const fields = shared(get);
  const { title, tags, priority, format, actions } = fields;
  if (typeof title === "string") fields["title"] = cut(title, MAX_TITLE_CHARACTERS);
  if (Array.isArray(tags)) fields["tags"] = tags.slice(0, MAX_TAGS).map((tag: string) => cut(tag, MAX_TAG_CHARACTERS));
  if (!PRIORITIES.has(String(priority))) delete fields["priority"];
  if (format !== "markdown") delete fields["format"];
  if (Array.isArray(actions)) fields["actions"] = actions.slice(0, MAX_ACTIONS);
  return fields;
}

/** What query parameters or the fields of a form say: peal's own names, and ntfy's lower-case ones. */
export function parameterFields(params: URLSearchParams): Fields {
  if (params.size === 0) return {};
  const get = (...names: string[]): string | undefined => {
    for (const name of names) {
      const value = params.get(name);
      if (value !== null && value !== "") return value;
    }
    return undefined;
  };
  const fields = shared(get);
  for (const name of ["url", "image", "level", "format", "dedup_key", "status", "timestamp"])
    put(fields, name, get(name), (text) => text);
  put(fields, "ttl", get("ttl"), (text) => (/^\d{1,9}$/.test(text) ? Number(text) : text));
  put(fields, "ack", get("ack"), (text) => BOOLEANS.get(text.toLowerCase()) ?? text);
  put(fields, "data", get("data"), (text) => ifShort(text, jsonIn) ?? text);
  return fields;
}

type Get = (...names: string[]) => string | undefined;

/** What ntfy's names mean, wherever they stand. */
function shared(get: Get): Fields {
  const fields: Fields = {};
  put(fields, "message", get("message", "m"), (text) => text.replaceAll("\\n", "\n"));
  put(fields, "title", get("title", "t"), (text) => text);
  put(fields, "priority", get("priority", "prio", "p"), (text) => PRIORITIES.get(text.toLowerCase()) ?? text);
  put(fields, "tags", get("tags", "tag", "ta"), (text) => ifShort(text, commaList) ?? text);
  put(fields, "url", get("click"), (text) => text);
  put(fields, "image", get("attach", "a") ?? get("icon"), (text) => text);
  put(fields, "actions", get("actions", "action"), (text) => ifShort(text, parseActions) ?? text);
  put(fields, "dedup_key", get("sequence-id", "sid"), (text) => text);
  put(fields, "format", get("markdown", "md"), (text) => {
    const markdown = BOOLEANS.get(text.toLowerCase());
    return markdown === undefined ? text : markdown ? "markdown" : "text";
  });
  const time = get("delay", "at", "in");
  return time === undefined ? fields : { ...fields, ...parseDelay(time) };
}

function put(fields: Fields, name: string, value: string | undefined, read: (text: string) => unknown): void {
  if (value !== undefined) fields[name] = read(value);
}

/** What all headers together may be. The largest list of tags, buttons or `data` is half of it; a form's field may be 1 MiB. */
const MAX_READ = 16_384;

/** What `read` makes of a text that is not too long to be taken apart. */
const ifShort = <T>(text: string, read: (text: string) => T): T | undefined =>
  text.length > MAX_READ ? undefined : read(text);

const PRIORITIES = new Map([
  ["1", "low"],
  ["min", "low"],
  ["2", "low"],
  ["low", "low"],
  ["3", "normal"],
  ["default", "normal"],
  ["normal", "normal"],
  ["4", "high"],
  ["high", "high"],
  ["5", "urgent"],
  ["max", "urgent"],
  ["urgent", "urgent"],
]);
const BOOLEANS = new Map([
  ["1", true],
  ["yes", true],
  ["true", true],
  ["0", false],
  ["no", false],
  ["false", false],
]);
/** HTTP's own priority (RFC 9218), which proxies add. */
const RFC9218 = /^\s*(?:u=\d|i\b)/;

const commaList = (text: string): string[] =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

/** The first `max` characters. */
const cut = (text: string, max: number): string =>
  text.length <= max ? text : Array.from(text).slice(0, max).join("");

/**
 * A time to come: seconds or a duration from now, unix time, or RFC 3339. A number is of seconds as far as a delay may
 * reach, and unix time above: that was in January 1970.
 */
export function parseDelay(text: string): { delay: number } | { at: string } {
  if (!/^\d{1,11}$/.test(text)) {
    const seconds = parseDuration(text);
    return seconds === undefined ? { at: text } : { delay: seconds };
  }
  const number = Number(text);
  return number <= MAX_DELAY_SECONDS ? { delay: number } : { at: rfc3339(number * 1000) };
}

/** Header values arrive as bytes, a character each: UTF-8 where they are that, else Latin-1. */
function utf8(value: string): string {
  if (/^[\0-\x7f]*$/.test(value)) return value;
  const decoded = Buffer.from(value, "latin1").toString("utf8");
  return decoded.includes("\ufffd") ? value : decoded;
}

const WORD = /=\?([\w-]+)(?:\*[\w-]+)?\?([bq])\?([^?]*)\?=/gi;

/** RFC 2047: `=?UTF-8?B?…?=` and `=?UTF-8?Q?…?=`; blanks between two words are none. */
export function decodeWords(value: string): string {
  if (!value.includes("=?")) return value;
  return value
    .replace(/\?=\s+(?==\?)/g, "?=")
    .replace(WORD, (word, charset: string, encoding: string, text: string) => {
      const bytes =
        encoding.toLowerCase() === "b"
          ? Buffer.from(text, "base64")
          : Buffer.from(text.replaceAll("_", " ").replace(/=([0-9a-f]{2})/gi, hexCharacter), "latin1");
      try {
        return new TextDecoder(charset as Bun.Encoding).decode(bytes);
      } catch {
        return word; // a charset that nobody here knows
      }
    });
}

/** For `replace`: the byte of two hex digits, as the character of Latin-1. */
const hexCharacter = (_: string, hex: string) => String.fromCharCode(parseInt(hex, 16));

/** Buttons from JSON (ntfy's or ours) or from ntfy's short form; undefined when it is neither. */
export function parseActions(text: string): unknown[] | undefined {
  const list = /^\s*\[/.test(text) ? jsonIn(text) : shortForm(text);
  if (!Array.isArray(list) || list.some((action) => !KINDS.has(kindOf(action)))) return undefined;
  return list.flatMap(button);
}

/** ntfy's kinds of buttons, and ours, which has no word for it. */
const KINDS = new Set<unknown>(["view", "http", "broadcast", "copy", undefined]);
const kindOf = (action: unknown): unknown =>
  typeof action === "object" && action !== null && "action" in action ? action.action : undefined;

/** One of ntfy's buttons as ours; none where we would do something else than it says. */
function button(action: unknown): unknown[] {
  const kind = kindOf(action);
  if (kind === undefined) return [action];
  const { label, url, method = "POST", headers, body } = action as Record<string, unknown>;
  if (kind === "view") return [{ label, url }];
  return kind === "http" && headers === undefined && !body
    ? [{ label, url, method: typeof method === "string" ? method.toUpperCase() : method }]
    : [];
}

/** One value, with its key where it has one, and what comes after it: `,` next value, `;` next action. */
const VALUE = /\s*(?:([a-z][\w.-]*)\s*=\s*)?(?:"((?:[^"\\]|\\.)*)"\s*|'((?:[^'\\]|\\.)*)'\s*|([^,;]*))(,|;|$)/iy;
const POSITIONS = ["action", "label", "url"];

/** `view, Open, https://host; http, label=Stop, url=https://host/stop, method=PUT, clear=true` */
function shortForm(text: string): Record<string, unknown>[] | undefined {
  const actions: Record<string, unknown>[] = [];
  let action = new Map<string, string>();
  let end = ",";
  for (VALUE.lastIndex = 0; end !== "";) {
    const match = VALUE.exec(text);
    if (match === null) return undefined;
    const [, key, double, single, bare = ""] = match;
    const value = (double ?? single)?.replace(/\\(.)/g, "$1") ?? bare.trim();
    const name = key?.toLowerCase() ?? POSITIONS[action.size];
    if (name === undefined) return undefined;
    end = match[5] ?? "";
    const isNothing = action.size === 0 && value === "" && end !== ","; // after the last `;`
    if (!isNothing) action.set(name.startsWith("headers.") ? "headers" : name, value);
    if (end === "," || isNothing) continue;
    actions.push(Object.fromEntries(action));
    action = new Map();
  }
  return actions.length > 0 && actions.every((made) => made["action"] !== "") ? actions : undefined;
}
