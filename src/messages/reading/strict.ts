/** Checks what `Prefer: handling=strict` asks for: a body that matches our schema to the letter (docs/publish.md). Pure. */
import { isJsonType, mediaType, parseJson } from "../../http/body.ts";
import { problem, type Problem } from "../../http/problem.ts";
import type { Millis } from "../../util/clock.ts";
import { toDraft } from "./draft.ts";
import { hasField, parseForm } from "../body/form.ts";

const FORM = "application/x-www-form-urlencoded";
const PLAIN = new Set(["", "text/plain", "text/markdown", FORM]);

/** @throws Problem 400, 415, 422 if the body is not one of ours, or is JSON that does not match our schema */
export function requirePlain(contentType: string, bytes: Uint8Array, now: Millis): void {
  const type = mediaType(contentType);
  if (type !== "" && isJsonType(type)) {
    const drafted = toDraft(parseJson(bytes), "api", now);
    if (drafted.kind === "refused") throw problem.validationFailed(drafted.errors);
  } else if (!PLAIN.has(type)) throw notStrict();
  else if (type === FORM && hasField(bytes, "message") && parseForm(bytes) === undefined)
    throw problem.malformedBody("The form is not UTF-8.");
}

export const notStrict = (): Problem =>
  problem.unsupportedMediaType("application/json, text/plain, application/x-www-form-urlencoded or a file");
