/** The payload of a publish with `?rewrite=`, whichever way it came (REWRITES.md §2). */
import { decode, isJsonType, mediaType, parseJson } from "../../http/body.ts";
import { problem } from "../../http/problem.ts";
import { excessOf, jsonIn } from "../../util/json.ts";
import type { Body } from "../body/body.ts";
import { parseForm, partsAsText } from "../body/form.ts";

interface Payload {
  /** Undefined if there was no JSON in it. */
  value: unknown;
  /** The text that it was read from. */
  raw: string;
}

/**
 * The JSON, whatever the content type says, else a form's, else the text as it came.
 * @throws Problem 400 for a body that is empty or cannot be read at all
 */
export function payloadOf(contentType: string, { bytes, parts }: Pick<Body, "bytes" | "parts">): Payload {
  if (parts !== undefined) return fromMultipart(partsAsText(parts));
  const type = mediaType(contentType);
  const raw = decode(bytes);
  // JSON beyond the limits is text like any other
  if ((isJsonType(type) && excessOf(bytes) === undefined) || raw?.trim() === "")
    return { value: parseJson(bytes), raw: raw ?? "" };
  if (raw === undefined) throw problem.malformedBody("The body is not UTF-8.");
  const value = jsonIn(raw);
  if (value !== undefined || type !== "application/x-www-form-urlencoded") return { value, raw };
  const form = parseForm(bytes);
  const text = form?.get("data") ?? form?.get("payload");
  return typeof text === "string"
    ? { value: jsonIn(text), raw: text }
    : { value: form && Object.fromEntries(form), raw };
}

/** Uptime Kuma's preset has the JSON in `data`. One field is tried: JSON that is broken near its end costs as much as whole. */
function fromMultipart(fields: readonly [string, string][]): Payload {
  const chosen = fields.find(([name]) => name === "data") ?? fields.find(([, text]) => /^\s*\{/.test(text));
  const value = chosen && jsonIn(chosen[1]);
  if (chosen !== undefined && (chosen[0] === "data" || value !== undefined)) return { value, raw: chosen[1] };
  return { value: Object.fromEntries(fields), raw: fields.map(([name, text]) => `${name}: ${text}`).join("\n") };
}
