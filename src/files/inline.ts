/**
 * Files that stand in JSON as base64, as Apprise's `json://` and Apprise API's clients send them: `attachments` of
 * `{"filename", "base64", "mimetype"}` (https://github.com/caronc/apprise, `plugins/custom_json.py`). Pure.
 */
import { decode } from "../http/body.ts";
import { isObject } from "../rewrites/fields.ts";
import { jsonIn } from "../util/json.ts";

export interface InlineFile {
  name: string;
  type: string;
  bytes: Uint8Array;
}

/** What such a file cannot be without. */
const MARK = '"base64"';
const BASE64 = /^[A-Za-z0-9+/\s]+={0,2}\s*$/;

/** Undefined for JSON that holds none; `rest`: the JSON without them, empty where it held nothing else. */
export function inlineFiles(json: Uint8Array): { files: InlineFile[]; rest: Uint8Array } | undefined {
  // one look at the bytes: all but a few bodies hold none
  if (!Buffer.from(json.buffer, json.byteOffset, json.length).includes(MARK)) return undefined;
  const body = jsonIn(decode(json) ?? "");
  const list = isObject(body) ? body["attachments"] : undefined;
  if (!isObject(body) || !Array.isArray(list)) return undefined;
  const files: InlineFile[] = [];
  const others = list.filter((each: unknown) => {
    const file = fileOf(each);
    if (file !== undefined) files.push(file);
    return file === undefined;
  });
  if (files.length === 0) return undefined;
  const rest = { ...body };
  if (others.length > 0) rest["attachments"] = others;
  else Reflect.deleteProperty(rest, "attachments");
  return { files, rest: Buffer.from(Object.keys(rest).length > 0 ? JSON.stringify(rest) : "") };
}

function fileOf(given: unknown): InlineFile | undefined {
  if (!isObject(given)) return undefined;
  const { base64, filename, mimetype } = given;
  if (typeof base64 !== "string" || !BASE64.test(base64)) return undefined;
  const name = typeof filename === "string" ? filename : "";
  return { name, type: typeof mimetype === "string" ? mimetype : "", bytes: Buffer.from(base64, "base64") };
}
