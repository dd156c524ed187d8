/** What nobody can read is shown as it came: a warning that arrives is worth more than an error that is not read. */
import { object, lineAt, proseAt } from "./fields.ts";
import type { Source } from "./source.ts";
import { cut, prose } from "./text.ts";
import type { Told } from "./told.ts";

const TEXTS = ["message", "msg", "text", "body", "description", "summary"];
const MAX_TEXT = 4_000;
const MAX_RAW = 1_500;

/** `raw`: the body as text (docs/design/REWRITES.md §1). */
export function fallback({ name, title }: Pick<Source, "name" | "title">, payload: unknown, raw: string): Told {
  const fields = object(payload);
  const text = proseAt(fields, ...TEXTS);
  return {
    title: lineAt(fields, "title") ?? `${title}: unexpected payload`,
    lines: [text === undefined ? cut(prose(raw), MAX_RAW) || "empty" : cut(text, MAX_TEXT)],
    level: "warning",
    priority: "normal",
    tags: [name, "unrecognised"],
    data: { source: name, unrecognised: true },
  };
}
