/** What came in a publish request, whichever way it came (API.md §3), as a draft. */
import { isJsonType, JSON_LIMIT, mediaType, parseJson, readBytes } from "../http/body.ts";
import { problem } from "../http/problem.ts";
import { queryOf } from "../http/query.ts";
import type { Millis } from "../util/clock.ts";
import { defined } from "../util/defined.ts";
import { toDraft, type Drafted } from "./draft.ts";
import { hasField, parseForm } from "./form.ts";
import type { Draft } from "./message.ts";
import { headerFields, parameterFields, type Fields } from "./ntfy.ts";
import { MAX_PLAIN_BYTES, MAX_TAGS } from "./schema.ts";
import { beginningOf, truncate, withoutControls } from "./text.ts";

export interface Input {
  draft: Draft;
  /** Absent: now. */
  deliverAt?: Millis;
  /** Of what was to be delayed, in place of a time on the clock. */
  delayMs?: number;
  /** The body as it was sent, decompressed: part of what tells a retry from another request. */
  bytes: Uint8Array;
}

/**
 * Reads the body and checks it.
 * @throws Problem 400 unreadable body or wrong query parameter, 413, 415, 422 with one entry per wrong field
 */
export async function readInput(request: Request, now: Millis): Promise<Input> {
  const type = request.headers.get("content-type") ?? "";
  if (type !== "" && isJsonType(type)) {
    const bytes = await readBytes(request, JSON_LIMIT);
    return accepted(toDraft(parseJson(bytes), "api", now), bytes);
  }
  const isForm = mediaType(type) === "application/x-www-form-urlencoded";
  if (!isForm && !PLAIN.has(mediaType(type)))
    throw problem.unsupportedMediaType("application/json, text/plain or application/x-www-form-urlencoded");
  const bytes = await readBytes(request, MAX_PLAIN_BYTES);
  if (!isForm || !hasField(bytes, "message")) return accepted(draftOfText(request, bytes, now), bytes);
  const form = parseForm(bytes);
  if (form === undefined) throw problem.malformedBody("The form is not UTF-8.");
  return accepted(toDraft(parameterFields(form), "api", now), bytes);
}

const PLAIN = new Set(["", "text/plain", "text/markdown"]);

/**
 * A body that is the message as it stands, with its fields in headers and query. What a job printed must arrive: bytes
 * that are no UTF-8 become U+FFFD, what is too long is cut and tagged. A field of a header that is wrong is left out,
 * one of the query was typed for us and is 400.
 */
function draftOfText(request: Request, bytes: Uint8Array, now: Millis): Drafted {
  const fromHeaders = headerFields(request.headers);
  const fromQuery = parameterFields(queryOf(request));
  let fields: Fields = { ...fromQuery, ...fromHeaders };
  if (mediaType(request.headers.get("content-type") ?? "") === "text/markdown") fields["format"] ??= "markdown";
  if (bytes.length > 0) fields["message"] = beginningOf(bytes);
  if (typeof fields["message"] === "string") cutMessage(fields, fields["message"]);

  const source = Object.keys(fromHeaders).length > 0 ? "ntfy" : "api";
  const isPassedOver = (name: string) => name in fromHeaders && !NEEDED.has(name);
  for (;;) {
    const drafted = toDraft(fields, source, now);
    if (drafted.kind === "draft") return drafted;
    const wrong = new Set(drafted.errors.map(({ path }) => fieldOf(path)));
    const kept = Object.entries(fields).filter(([name]) => !(wrong.has(name) && isPassedOver(name)));
    if (kept.length === Object.keys(fields).length) return refusedByQuery(drafted, fromQuery);
    fields = Object.fromEntries(kept);
  }
}

/** @throws Problem 400 where the query is what is wrong */
function refusedByQuery(refused: Drafted & { kind: "refused" }, fromQuery: Fields): Drafted {
  const wrong = refused.errors.find(({ path }) => fieldOf(path) in fromQuery);
  if (wrong !== undefined) throw problem.invalidParameter(fieldOf(wrong.path), wrong.message);
  return refused;
}

/** Without them it would be another message, or one at another time. */
const NEEDED = new Set(["message", "delay", "at"]);
/** The field that a JSON pointer leads into. */
const fieldOf = (pointer: string): string => pointer.split("/")[1] ?? "";

function cutMessage(fields: Fields, message: string): void {
  const { text, truncated } = truncate(withoutControls(message));
  fields["message"] = text;
  if (!truncated) return;
  const tags: unknown[] = Array.isArray(fields["tags"]) ? fields["tags"] : [];
  fields["tags"] = ["truncated", ...tags.slice(0, MAX_TAGS - 1)];
}

function accepted(drafted: Drafted, bytes: Uint8Array): Input {
  if (drafted.kind === "refused") throw problem.validationFailed(drafted.errors);
  const { draft, deliverAt, delayMs } = drafted;
  return defined<Input>({ draft, deliverAt, delayMs, bytes });
}
