/** Shows a payload that nobody can read as it came: a warning that arrives is worth more than an error that nobody reads. */
import type { Draft } from "../drafts/draft.ts";
import { MASK, written } from "./came.ts";
import { common, EMPTY, type Common } from "./common.ts";
import { lineAt, object } from "./fields.ts";
import type { Source } from "./tool.ts";
import { cut, inLines, prose } from "./text.ts";
import type { Told } from "./told.ts";

const MAX_TEXT = 4_000;
const MAX_RAW = 1_500;

/** `raw`: the body as text (REWRITES.md §1). */
export function fallback({ name, title }: Pick<Source, "name" | "title">, payload: unknown, raw: string): Told {
  const said = readable(payload);
  const text = said?.message ?? prose(asItCame(payload, raw));
  return {
    title:
      (said?.data === undefined ? said?.title : undefined) ??
      lineAt(object(payload), "title") ??
      `${title}: unexpected payload`,
    lines: [cut(text, said === undefined ? MAX_RAW : MAX_TEXT) || EMPTY],
    level: "warning",
    priority: "normal",
    tags: [name, "unrecognised"],
    data: { unrecognised: true },
  };
}

/** Text as it came; of JSON and of a form's fields, no value that is named like a secret. */
function asItCame(payload: unknown, raw: string): string {
  const { body } = typeof payload === "object" && payload !== null ? written(payload, "") : { body: "" };
  return body.includes(MASK) ? body.slice(0, 2 * MAX_RAW) : inLines(raw.slice(0, 2 * MAX_RAW));
}

/** Whether a rewrite had to fall back. */
export const isUnrecognised = ({ data }: Pick<Draft, "data">): boolean => data?.["unrecognised"] === true;

/** Undefined if it is not an object, says nothing, or has nothing that is expected. */
function readable(payload: unknown): Common | undefined {
  if (typeof payload !== "object" || payload === null) return undefined;
  try {
    const said = common(payload, undefined);
    return said.message === EMPTY ? undefined : said;
  } catch {
    return undefined;
  }
}
