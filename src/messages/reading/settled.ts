/** Makes one draft of everything that a request says, in its body and elsewhere. Pure. */
import { problem, type FieldError } from "../../http/problem.ts";
import { serverZone } from "../../util/calendar.ts";
import { rfc3339, type Millis } from "../../util/clock.ts";
import { toDraft, type Drafted } from "./draft.ts";
import { englishTime } from "./english.ts";
import { fieldNamed } from "./fields.ts";
import { markTruncated, type Meant } from "./meaning.ts";
import type { Draft } from "../../drafts/draft.ts";
import { textOfNothing, type Fields } from "./ntfy.ts";

/** The result of reading a body and what is said beside it. */
export interface Read {
  draft: Draft;
  /** Absent: now. */
  deliverAt?: Millis;
  /** The delay, if one was given instead of a time on the clock. */
  delayMs?: number;
  /** What could not be used, each with the reason. */
  ignored: FieldError[];
}

const NO_TEXT = "(no text)";
/** Without one of these it would be another message, or one at another time. */
const TIMES = ["delay", "at"];
/** Both fields take all these forms, which the schema does not say. */
const TIME =
  "must be seconds, a duration like `30m`, or a time like 2026-11-20T18:00:00Z or `tomorrow, 10am`, within the next 30 days";

interface Settling {
  source: string;
  now: Millis;
  /** The names of the files that came with it. */
  names: readonly string[];
  unused: readonly FieldError[];
  /** The text to show if nobody gives a message or a title. */
  otherwise?: () => string | undefined;
  /** As `Reading.asNtfy`. */
  asNtfy: string | undefined;
}

/**
 * The draft of everything that was said; if two say the same field, the first counts. Values beyond our limits are left out.
 * @throws Problem 422 for a `delay` or `at` that cannot be read
 */
export function settled(said: readonly Meant[], { source, now, names, unused, otherwise, asNtfy }: Settling): Read {
  let fields: Fields = {};
  for (const one of said) {
    const isTimed = TIMES.some((name) => name in fields);
    for (const [name, value] of Object.entries(one.fields))
      if (!(name in fields) && !(isTimed && TIMES.includes(name))) fields[name] = value;
  }
  const ignored = [...unused, ...said.flatMap((one) => one.ignored)];
  if (said.some((one) => one.isCut)) markTruncated(fields);
  if (asNtfy !== undefined) fields["message"] = trimmed(fields["message"]) ?? textOfNothing(fields, names);
  if (fields["message"] === undefined) {
    fields["message"] = names.length > 0 ? names.join(", ") : (fields["title"] ?? otherwise?.() ?? NO_TEXT);
    if (names.length === 0 && !ignored.some(({ path }) => path === "/message"))
      ignored.push({ path: "/message", message: "is missing" });
  }
  fields = withTimeInWords(fields, now);
  for (;;) {
    const drafted = toDraft(fields, source, now);
    if (drafted.kind === "draft") return taken(drafted, ignored);
    const times = drafted.errors.filter(({ path }) => TIMES.includes(fieldOf(path)));
    if (times.length > 0) throw problem.validationFailed(times.map(({ path }) => ({ path, message: TIME })));
    ignored.push(...drafted.errors);
    fields = without(fields, drafted.errors);
  }
}

/** As ntfy keeps a text: `echo` ends it with a line end. */
const trimmed = (message: unknown): unknown => (typeof message === "string" ? message.trim() : message);

/** A delay that still is text may be a time in English. */
function withTimeInWords(fields: Fields, now: Millis): Fields {
  const said = TIMES.find((name) => typeof fields[name] === "string");
  const at = said === undefined ? undefined : englishTime(String(fields[said]), now, serverZone());
  if (at === undefined) return fields;
  return { ...Object.fromEntries(Object.entries(fields).filter(([name]) => name !== said)), at: rfc3339(at) };
}

/** For another tool's body: when that tool waits, or where it stands, does not say when its message is to come. */
export function withoutTimes(
  { fields, ignored, ...said }: Meant,
  given: Fields,
  pathOf: (name: string) => string,
): Meant {
  if (!TIMES.some((name) => name in fields)) return { fields, ignored, ...said };
  const own = Object.keys(given).filter((name) => TIMES.includes(fieldNamed(name) ?? ""));
  return {
    ...said,
    fields: Object.fromEntries(Object.entries(fields).filter(([name]) => !TIMES.includes(name))),
    ignored: [...ignored, ...own.map((name) => ({ path: pathOf(name), message: OF_THE_TOOL }))],
  };
}

const OF_THE_TOOL = "belongs to the tool: a hook takes it from the query, an `X-` header or its defaults";

const fieldOf = (path: string): string => path.split("/")[1] ?? "";

/** Removes from a list only the wrong entry. */
function without(fields: Fields, errors: readonly FieldError[]): Fields {
  const left = { ...fields };
  for (const { path } of errors) {
    const [, name = "", index] = path.split("/");
    const list = fields[name];
    const kept =
      index !== undefined && Array.isArray(list)
        ? list.filter((_, at) => !errors.some((error) => error.path.startsWith(`/${name}/${at}`)))
        : [];
    if (kept.length > 0) left[name] = kept;
    else if (name === "message") left[name] = NO_TEXT;
    else Reflect.deleteProperty(left, name);
  }
  return left;
}

export function taken({ draft, deliverAt, delayMs }: Drafted & { kind: "draft" }, ignored: FieldError[]): Read {
  const read: Read = { draft, ignored };
  if (deliverAt !== undefined) read.deliverAt = deliverAt;
  if (delayMs !== undefined) read.delayMs = delayMs;
  return read;
}
