/**
 * Files in JSON as base64, as Apprise's `json://` and clients of Apprise API send them: `attachments` of
 * `{"filename", "base64", "mimetype"}` (https://github.com/caronc/apprise, `plugins/custom_json.py`). Pure.
 */
import { decode } from "../http/body.ts";
import { isObject, type JsonObject } from "../util/json.ts";
import { jsonIn } from "../util/json.ts";

/** Some senders write the prefix of a data URL (RFC 2397). */
const DATA_URL = /^data:[^,]{0,200};base64,/i;
/** Without white space, which is removed first: an expression that took blanks twice needed seconds for 100 kB of them. */
const BASE64 = /^[\w+/-]+={0,2}$/;

export interface InlineFile {
  name: string;
  type: string;
  bytes: Uint8Array;
}

/** Every such file has this in its JSON. */
const MARK = Buffer.from('"base64"');

/**
 * Undefined if the JSON holds none. `rest`: the JSON without them, empty if it held nothing else. `unread`: the paths of files
 * whose bytes cannot be read.
 */
export function inlineFiles(json: Uint8Array): { files: InlineFile[]; unread: string[]; rest: Uint8Array } | undefined {
  // one look at the bytes, because few bodies hold any: 26 ns; a Buffer of them, or a text, would take 300 (measured)
  if (!(Buffer.prototype as Buffer).includes.call(json, MARK, "utf8")) return undefined;
  const body = jsonIn(decode(json) ?? "");
  const list = isObject(body) ? body["attachments"] : undefined;
  if (!isObject(body) || !Array.isArray(list)) return undefined;
  const files: InlineFile[] = [];
  const unread: string[] = [];
  const others = list.filter((each: unknown, n) => {
    if (!isObject(each) || !("base64" in each)) return true;
    const file = fileOf(each);
    if (file !== undefined) files.push(file);
    else unread.push(`/attachments/${n}/base64`);
    return false;
  });
  if (files.length === 0 && unread.length === 0) return undefined;
  const rest = { ...body };
  if (others.length > 0) rest["attachments"] = others;
  else Reflect.deleteProperty(rest, "attachments");
  return { files, unread, rest: Buffer.from(Object.keys(rest).length > 0 ? JSON.stringify(rest) : "") };
}

function fileOf({ base64, filename, mimetype }: JsonObject): InlineFile | undefined {
  const text = typeof base64 === "string" ? base64.replace(DATA_URL, "").replaceAll(/\s+/g, "") : "";
  if (!BASE64.test(text)) return undefined;
  const name = typeof filename === "string" ? filename : "";
  return { name, type: typeof mimetype === "string" ? mimetype : "", bytes: Buffer.from(text, "base64") };
}
