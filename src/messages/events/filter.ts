/** Which messages of a feed a reader wants. */
import { draftOf, type Level, type Priority } from "../message.ts";
import type { Matches } from "./stream.ts";

interface Wanted {
  levels: readonly Level[] | undefined;
  priorities: readonly Priority[] | undefined;
  tag: string | undefined;
}

/** Undefined when all are wanted: then batches go out whole. */
export function matching({ levels, priorities, tag }: Wanted): Matches | undefined {
  if (levels === undefined && priorities === undefined && tag === undefined) return undefined;
  return (message) =>
    (levels?.includes(message.level) ?? true) &&
    (priorities?.includes(message.priority) ?? true) &&
    (tag === undefined || (draftOf(message).tags?.includes(tag) ?? false));
}
