/** Tells which messages of a feed a reader wants. */
import { isFiltered, matcher } from "../../store/filter.ts";
import type { MessageFilter } from "../../store/messages.ts";
import type { Matches } from "./stream.ts";

/** Undefined if all are wanted: then batches are sent whole. */
export function matching(filter: MessageFilter): Matches | undefined {
  if (!isFiltered(filter)) return undefined;
  const matches = matcher(filter);
  return (entry) => matches(entry.message, () => entry.draft);
}
