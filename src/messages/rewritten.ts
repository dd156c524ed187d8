/** A publish with `?rewrite=`: another tool's payload, whichever way it came (docs/design/REWRITES.md §2). */
import { decode, isJsonType, mediaType, parseJson, readBytes } from "../http/body.ts";
import { problem } from "../http/problem.ts";
import { queryOf } from "../http/query.ts";
import { rewrite, type RewriteName, REWRITES } from "../rewrites/rewrite.ts";
import type { Millis } from "../util/clock.ts";
import { excessOf, jsonIn } from "../util/json.ts";
import { parseForm, parseMultipart } from "./form.ts";
import type { Input } from "./input.ts";

/** In bytes, decompressed: an Alertmanager group of a few hundred alerts is over the limit of other JSON. */
const MAX_REWRITE_BYTES = 1_048_576;

export interface Asked {
  name: RewriteName;
  /** An absolute URL, the tool's own, for links into it. */
  link?: string;
}

/** What the query asks for; undefined when it asks for no rewrite. @throws Problem 400 `unknown_rewrite` */
export function rewriteAsked(request: Request): Asked | undefined {
  const query = queryOf(request);
  const asked = query.get("rewrite");
  if (asked === null) return undefined;
  const name = REWRITES.find((known) => known === asked);
  if (name === undefined) throw problem.unknownRewrite(REWRITES);
  const link = query.get("link");
  return link !== null && URL.canParse(link) ? { name, link } : { name };
}

/**
 * Reads the body and makes the message of it. What can be read is never refused, and no field of query or headers is
 * looked at: a proxy's `Priority` or a forgotten `delay` must not change an alert.
 * @throws Problem 400 for a body that cannot be read at all, 413, 415 for an unknown content encoding
 */
export async function readRewritten(request: Request, { name, link }: Asked, now: Millis): Promise<Input> {
  const bytes = await readBytes(request, MAX_REWRITE_BYTES);
  const payload = await payloadOf(request.headers.get("content-type") ?? "", bytes);
  return { draft: rewrite(name, payload.value, { now, raw: payload.raw, ...(link !== undefined && { link }) }), bytes };
}

interface Payload {
  /** Undefined: there was no JSON in it. */
  value: unknown;
  /** What it was read from, as text. */
  raw: string;
}

/** JSON whatever the content type says, else a form's, else any text as it came. */
async function payloadOf(contentType: string, bytes: Uint8Array): Promise<Payload> {
  const type = mediaType(contentType);
  if (type === "multipart/form-data") {
    const fields = await parseMultipart(contentType, bytes);
    if (fields !== undefined) return fromMultipart(fields, bytes);
  }
  const raw = decode(bytes);
  // what is more than is parsed is a text as any other
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

/** Uptime Kuma's preset has the JSON in `data`. One field is tried: what is broken near its end costs as much as what is whole. */
function fromMultipart(fields: readonly [string, string][], bytes: Uint8Array): Payload {
  const chosen = fields.find(([name]) => name === "data") ?? fields.find(([, text]) => /^\s*\{/.test(text));
  const value = chosen && jsonIn(chosen[1]);
  if (chosen !== undefined && (chosen[0] === "data" || value !== undefined)) return { value, raw: chosen[1] };
  return { value: Object.fromEntries(fields), raw: new TextDecoder().decode(bytes) };
}
