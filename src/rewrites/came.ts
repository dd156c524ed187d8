/** Writes a body of unknown shape as a text for people, without anything that may be secret. Pure. */
import { withoutAnsi, withoutControls } from "../util/text/text.ts";
import { truncate } from "../drafts/fit.ts";
import { isSecretName } from "./secret.ts";
import { masked } from "./urls.ts";

/** The most that is kept, in bytes of UTF-8. */
export const MAX_CAME_BYTES = 65_536;
/** How much more is read than is kept, so that nobody sees half of something that would have been masked. */
const BEYOND = 8_192;
const MAX_NAME = 200;
/** Replaces a value whose name is that of a secret. */
export const MASK = '"…"';

/**
 * JSON with a member a line, or the body's text if it is not JSON. A value whose name is that of a secret is a `…`, as the lines
 * of the message leave it out. Only what is kept is written: 1 MiB of brackets would be 64 MiB of lines.
 */
export function written(payload: unknown, raw: string): { body: string; isCut: boolean } {
  const text = payload === undefined ? masked(clean(raw)) : lines(payload);
  const { text: body, truncated } = truncate(text, MAX_CAME_BYTES);
  return { body, isCut: truncated || (payload === undefined && raw.length > MAX_READ) };
}

const MAX_READ = MAX_CAME_BYTES + BEYOND;

const clean = (raw: string): string => withoutControls(withoutAnsi(raw.slice(0, MAX_READ).toWellFormed()));

/** More than `MAX_CAME_BYTES` if there is more. */
function lines(payload: unknown): string {
  const parts: string[] = [];
  let length = 0;
  const put = (part: string) => {
    parts.push(part);
    length += part.length;
  };
  const putValue = (value: unknown, indent: string): void => {
    if (typeof value === "string") put(quoted(value, MAX_READ));
    else if (typeof value !== "object" || value === null) put(String(value));
    else putMembers(value, indent);
  };
  const putMembers = (value: object, indent: string): void => {
    const isList = Array.isArray(value);
    const inner = `${indent}  `;
    let isFirst = true;
    put(isList ? "[" : "{");
    for (const name in value) {
      if (length > MAX_CAME_BYTES) return;
      put(`${isFirst ? "" : ","}\n${inner}`);
      isFirst = false;
      if (!isList) put(`${quoted(name, MAX_NAME)}: `);
      if (!isList && isSecretName(name)) put(MASK);
      else putValue((value as Record<string, unknown>)[name], inner);
    }
    if (!isFirst) put(`\n${indent}`);
    put(isList ? "]" : "}");
  };
  putValue(payload, "");
  return parts.join("");
}

const quoted = (text: string, most: number): string => JSON.stringify(masked(text.slice(0, most).toWellFormed()));
