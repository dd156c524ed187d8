/** What is kept beside a message of how it was sent, for those who may change its topic (docs/publish.md). Pure. */
import type { FieldError } from "../http/problem.ts";
import { written } from "../rewrites/came.ts";
import { cut, line } from "../rewrites/text.ts";

/** A body of no known shape. */
export interface Came {
  /** As text, with secrets masked; at most 64 KiB. */
  body: string;
  /** The body was longer. */
  isCut: boolean;
  contentType?: string;
  userAgent?: string;
}

export interface Intake {
  /** What was left out; at most 20. */
  ignored: FieldError[];
  came?: Came;
}

/** How much of what was left out of a publish is reported and kept. */
export const MAX_TOLD = 20;
/** The longest path, in characters. */
const MAX_PATH = 200;
const MAX_SENTENCE = 300;
const MAX_HEADER = 200;

/** Undefined if there is nothing to keep, as with nearly every publish. */
export function intakeOf(ignored: readonly FieldError[], came: Came | undefined): Intake | undefined {
  if (ignored.length === 0 && came === undefined) return undefined;
  const kept = ignored
    .slice(0, MAX_TOLD)
    .map(({ path, message }) => ({ path: cut(line(path), MAX_PATH), message: cut(line(message), MAX_SENTENCE) }));
  return { ignored: kept, ...(came !== undefined && { came }) };
}

/** `payload`: the parsed JSON, or undefined if the body is not JSON; `raw`: then the body as text. */
export function cameOf(payload: unknown, raw: string, headers: Headers): Came {
  const header = (name: string) => cut(line(headers.get(name) ?? ""), MAX_HEADER);
  const [contentType, userAgent] = [header("content-type"), header("user-agent")];
  return {
    ...written(payload, raw),
    ...(contentType !== "" && { contentType }),
    ...(userAgent !== "" && { userAgent }),
  };
}
