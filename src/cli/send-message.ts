/** A message as `peal send` puts it together: one body, the same bytes for every try. */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { MAX_FILES } from "../files/file.ts";
import { rfc3339, systemClock } from "../util/clock.ts";
import { parseDuration, parseMoment, parseTime } from "../util/time.ts";
import { CommandFailed, UsageError, type Invocation } from "./command.ts";

export interface Body {
  type: string;
  bytes: Uint8Array;
}

/** Fields that are passed on as they are; the server says what it cannot use of them. */
const FIELDS = {
  title: "title",
  level: "level",
  priority: "priority",
  url: "url",
  format: "format",
  "dedup-key": "dedup_key",
};

/** The server keeps 32 KiB of a text; control characters are six bytes each in JSON, of which it reads 1 MiB. */
const MAX_TEXT_BYTES = 131_072;

/** `isKept`: it may be sent later, so it says when it was written, and the time it is to be sent at. @throws UsageError, CommandFailed */
export async function bodyOf(invocation: Invocation, text: string | undefined, isKept: boolean): Promise<Body> {
  const { values, lists } = invocation;
  const { tag = [], file = [] } = lists;
  const now = systemClock.now();
  const fields: Record<string, string | string[] | number> = {};
  if (text !== undefined && text !== "") fields["message"] = text;
  for (const [flag, field] of Object.entries(FIELDS)) if (values[flag] !== undefined) fields[field] = values[flag];
  const tags = tag.flatMap((one) => one.split(",")).filter((one) => one.trim() !== "");
  if (tags.length > 0) fields["tags"] = tags;
  Object.assign(fields, delayOf(values["at"], values["delay"], isKept ? now : undefined));
  if (isKept) fields["timestamp"] = rfc3339(now);
  if (fields["message"] === undefined && file.length === 0) fields["message"] = values["title"] ?? "(no text)";
  if (file.length === 0) return { type: "application/json", bytes: Buffer.from(JSON.stringify(fields)) };
  return withFiles(fields, file);
}

/** `now`: the time is told by the clock instead of by how long it is from now. */
function delayOf(
  at: string | undefined,
  delay: string | undefined,
  now: number | undefined,
): Record<string, string | number> {
  if (at !== undefined && delay !== undefined) throw new UsageError("--at and --delay can't be combined");
  if (at !== undefined) {
    const time = parseTime(at);
    if (time === undefined) throw new UsageError(`--at ${at}: must be a time like 2027-01-31T08:00:00Z`);
    return { at: rfc3339(time) };
  }
  if (delay === undefined) return {};
  const given = /^\d{1,9}$/.test(delay) ? `${delay}s` : delay;
  const [seconds, then] = [parseDuration(given), parseMoment(given, now ?? 0)];
  if (seconds === undefined || then === undefined)
    throw new UsageError(`--delay ${delay}: must be a duration like 30m, or seconds`);
  return now === undefined ? { delay: seconds } : { at: rfc3339(then) };
}

/** A form, as browsers send one: a file needs no more room than it has. */
async function withFiles(fields: Record<string, string | string[] | number>, paths: readonly string[]): Promise<Body> {
  if (paths.length > MAX_FILES) throw new UsageError(`--file: a message can have at most ${MAX_FILES} files`);
  const form = new FormData();
  // a small text file without a message would become the message
  const all: typeof fields = { message: paths.map((path) => basename(path)).join(", "), ...fields };
  for (const [name, value] of Object.entries(all))
    form.set(name, Array.isArray(value) ? value.join(",") : String(value));
  for (const path of paths) form.append("file", new File([read(path)], basename(path)));
  const sent = new Response(form);
  return { type: sent.headers.get("content-type") ?? "", bytes: await sent.bytes() };
}

function read(path: string): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(readFileSync(path));
  } catch (cause) {
    throw new CommandFailed(`--file ${path}: can't be read (${(cause as NodeJS.ErrnoException).code ?? "EIO"})`, {
      cause,
    });
  }
}

/**
 * The text: the argument, or for `-` and without one the standard input, unless that is a terminal or files are sent.
 * @throws UsageError if there is nothing to send
 */
export async function textOf({ positionals, values, lists }: Invocation): Promise<string | undefined> {
  const [, given] = positionals;
  if (given !== undefined && given !== "-") return given;
  const isSaid = lists["file"] !== undefined || (values["title"] !== undefined && process.stdin.isTTY);
  if (given === undefined && isSaid) return undefined;
  if (given === undefined && process.stdin.isTTY)
    throw new UsageError("the text is missing: give it as an argument or on standard input");
  return standardInput();
}

/** Its beginning. The rest is read as well: who writes it must not end by SIGPIPE. */
async function standardInput(): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of Bun.stdin.stream()) {
    if (bytes <= MAX_TEXT_BYTES) parts.push(part);
    bytes += part.length;
  }
  const text = new TextDecoder().decode(Buffer.concat(parts).subarray(0, MAX_TEXT_BYTES));
  return text.replace(/\r?\n$/, "");
}
