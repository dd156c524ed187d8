/** Which messages a filter lets through. No full-text index: it walks all namespaces before the topic, and halves publishing. */
import type { Draft, Message } from "../../messages/message.ts";
import type { PageQuery } from "../store.ts";

type Filter = Pick<PageQuery, "levels" | "priorities" | "tag" | "q">;

export const isFiltered = (query: Filter): boolean =>
  query.levels !== undefined || query.priorities !== undefined || query.tag !== undefined || query.q !== undefined;

/** Level and priority first: the JSON is parsed only for what they let through, and only for `tag` and `q`. */
export function matcher({ levels, priorities, tag, q }: Filter): (message: Message) => boolean {
  const words = q === undefined ? [] : fold(q).split(/\s+/).filter(Boolean);
  const readsDraft = tag !== undefined || words.length > 0;
  return (message) => {
    if (levels !== undefined && !levels.includes(message.level)) return false;
    if (priorities !== undefined && !priorities.includes(message.priority)) return false;
    if (!readsDraft) return true;
    const draft = JSON.parse(message.json) as Draft;
    if (tag !== undefined && draft.tags?.includes(tag) !== true) return false;
    if (words.length === 0) return true;
    const text = fold(`${draft.title ?? ""}\n${draft.message}`);
    return words.every((word) => text.includes(word));
  };
}

/** Case and form of letters aside: full-width, ligatures and composed accents meet their plain forms (Unicode NFKC). */
const fold = (text: string): string => text.normalize("NFKC").toLowerCase();
