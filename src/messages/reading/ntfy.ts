/**
 * Reads values as ntfy has them: encoded words, times, buttons (docs/publish.md). Pure. Source: ntfy 2.27, server/server.go and
 * server/actions.go.
 */
import { rfc3339 } from "../../util/clock.ts";
import { jsonIn } from "../../util/json.ts";
import { booleanOf } from "../../drafts/words.ts";
import { MAX_DELAY_SECONDS } from "../../drafts/limits.ts";
import { oneLine } from "../../util/text/text.ts";
import { parseDuration } from "../../util/time.ts";

/** Fields of a publish body, not checked yet. */
export type Fields = Record<string, unknown>;

/** The most of all headers together. The largest list of tags, buttons or `data` is half of it; a form's field may be 1 MiB. */
export const MAX_READ = 16_384;

/** HTTP's own priority (RFC 9218), which proxies add. */
const RFC9218 = /^\s*(?:u=\d|i\b)/;
export const isOfProxies = (header: string, value: string): boolean => header === "priority" && RFC9218.test(value);

export const commaList = (text: string): string[] =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

/** The year 2001: no unix time in the future is less, and as a delay it would be 31 years. */
const LEAST_UNIX_TIME = 1_000_000_000;

/**
 * A future time: seconds or a duration from now, unix time, or RFC 3339. A number means seconds as far as a delay may reach. One
 * that is more than that, and is not a unix time of our days, cannot be read.
 */
export function parseDelay(text: string): { delay: number } | { at: string } {
  if (!/^\d{1,11}$/.test(text)) {
    const seconds = parseDuration(text);
    return seconds === undefined ? { at: text } : { delay: seconds };
  }
  const number = Number(text);
  if (number <= MAX_DELAY_SECONDS) return { delay: number };
  return { at: number < LEAST_UNIX_TIME ? text : rfc3339(number * 1000) };
}

/** Header values arrive as one character a byte: UTF-8 if they are valid, else Latin-1. */
export function utf8(value: string): string {
  if (/^[\0-\x7f]*$/.test(value)) return value;
  const decoded = Buffer.from(value, "latin1").toString("utf8");
  return decoded.includes("\ufffd") ? value : decoded;
}

const WORD = /=\?([\w-]+)(?:\*[\w-]+)?\?([bq])\?([^?]*)\?=/gi;

/** Decodes RFC 2047: `=?UTF-8?B?…?=` and `=?UTF-8?Q?…?=`; blanks between two words are dropped. */
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

/** Buttons from JSON (ntfy's or ours) or from ntfy's short form; undefined if it is neither. */
export function parseActions(text: string): unknown[] | undefined {
  const list = /^\s*\[/.test(text) ? jsonIn(text) : shortForm(text);
  if (!Array.isArray(list) || list.some((action) => !KINDS.has(kindOf(action)))) return undefined;
  return list.flatMap(button);
}

/** ntfy's kinds of buttons, and ours, which has no such word. */
const KINDS = new Set<unknown>(["view", "http", "broadcast", "copy", undefined]);
const kindOf = (action: unknown): unknown =>
  typeof action === "object" && action !== null && "action" in action ? action.action : undefined;

/** One of ntfy's buttons as ours; none if we would do something else than it says. A client may send what it does not set as null. */
export function button(action: unknown): unknown[] {
  const kind = kindOf(action);
  if (kind === undefined) return [action];
  const { label, url, method, headers, body, clear, value, intent, extras } = action as Record<string, unknown>;
  const cleared = clear === true || (typeof clear === "string" && booleanOf(clear) === true) ? { clear: true } : {};
  if (kind === "view") return [{ label, url, ...cleared }];
  // in the short form the third value has no name
  if (kind === "copy") return [{ label, copy: value ?? url, ...cleared }];
  const what = { ...(isSomething(intent) && { intent }), ...(isSomething(extras) && { extras }) };
  if (kind === "broadcast") return [{ label, broadcast: what, ...cleared }];
  if (kind !== "http") return [];
  const request = {
    method: typeof method === "string" ? method.toUpperCase() : (method ?? "POST"),
    ...(isSomething(headers) && { headers }),
    ...(isSomething(body) && { body }),
  };
  return [{ label, url, ...request, ...cleared }];
}

const isSomething = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  value !== "" &&
  !(typeof value === "object" && Object.keys(value).length === 0);

/** The text of a message that has none, in ntfy's words. `names`: of the files that came with it. */
export function textOfNothing({ image }: Fields, names: readonly string[]): string {
  const url = typeof image === "string" ? URL.parse(image) : null;
  if (names.length === 0 && url === null) return "triggered";
  return `You received a file: ${names.length > 0 ? names.join(", ") : nameAt(url?.href ?? "")}`;
}

/** The name of what is elsewhere: the last part of its path. */
export function nameAt(url: string): string {
  const last = URL.parse(url)?.pathname.split("/").at(-1) ?? "";
  try {
    return oneLine(decodeURIComponent(last)) || "attachment";
  } catch {
    return last; // its escapes are broken
  }
}

/** One value, with its key if it has one, and the separator after it: `,` next value, `;` next action. */
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
    // a backslash is one, but before the quote: there may be JSON in it
    const value = double?.replaceAll('\\"', '"') ?? single?.replaceAll("\\'", "'") ?? bare.trim();
    const name = key?.replace(/^[^.]+/, (word) => word.toLowerCase()) ?? POSITIONS[action.size];
    if (name === undefined) return undefined;
    end = match[5] ?? "";
    const isNothing = action.size === 0 && value === "" && end !== ","; // after the last `;`
    if (!isNothing) action.set(name, value);
    if (end === "," || isNothing) continue;
    actions.push(nested(action));
    action = new Map();
  }
  return actions.length > 0 && actions.every((made) => made["action"] !== "") ? actions : undefined;
}

const GROUPS = ["headers", "extras"];

/** The values of a button; those that are named `headers.<name>` or `extras.<name>` together. */
function nested(action: ReadonlyMap<string, string>): Record<string, unknown> {
  const groupOf = (name: string) => GROUPS.find((group) => name.startsWith(`${group}.`));
  const made: Record<string, unknown> = Object.fromEntries([...action].filter(([name]) => groupOf(name) === undefined));
  for (const group of GROUPS) {
    const members = [...action].filter(([name]) => groupOf(name) === group);
    if (members.length > 0)
      made[group] = Object.fromEntries(members.map(([name, value]) => [name.slice(group.length + 1), value]));
  }
  return made;
}
