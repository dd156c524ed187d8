/** Tells which messages a filter lets through. A full-text index would walk all namespaces, and halve publishing. */
import type { Message } from "../messages/message.ts";
import type { Draft } from "../drafts/draft.ts";
import { fold } from "../util/text/fold.ts";
import type { PageQuery } from "./messages.ts";

type Filter = Pick<PageQuery, "levels" | "priorities" | "tag" | "q">;

export const isFiltered = (query: Filter): boolean =>
  query.levels !== undefined || query.priorities !== undefined || query.tag !== undefined || query.q !== undefined;

const parsed = (message: Message): Draft => JSON.parse(message.json) as Draft;

/**
 * Level and priority come first: the draft is only needed for the messages that they let through, and only for `tag` and `q`.
 * `draft` returns it, which the caller may have already.
 */
export function matcher({ levels, priorities, tag, q }: Filter) {
  const words = q === undefined ? [] : fold(q).split(/\s+/).filter(Boolean);
  const readsDraft = tag !== undefined || words.length > 0;
  return (message: Message, draft: (message: Message) => Draft = parsed): boolean => {
    if (levels !== undefined && !levels.includes(message.level)) return false;
    if (priorities !== undefined && !priorities.includes(message.priority)) return false;
    if (!readsDraft) return true;
    const { tags, title, message: body } = draft(message);
    if (tag !== undefined && tags?.includes(tag) !== true) return false;
    if (words.length === 0) return true;
    const text = fold(`${title ?? ""}\n${body}`);
    return words.every((word) => text.includes(word));
  };
}
