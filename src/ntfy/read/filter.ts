/** Which messages a reader wants, as ntfy's filters say: all that are given must hold (ntfy 2.27, server/types.go). */
import type { Draft, Priority } from "../../drafts/draft.ts";
import { problem } from "../../http/problem.ts";
import type { Matches } from "../../messages/events/stream.ts";
import { commaList } from "../../messages/reading/ntfy.ts";
import { eventOf, tagsOf } from "../object.ts";
import type { Param } from "./param.ts";

export interface Filter {
  /** An id of ntfy. */
  id: string;
  /** The whole text, as the title. */
  message: string;
  title: string;
  /** All of them. */
  tags: readonly string[];
  /** One of them; none: any. */
  priorities: readonly Priority[];
}

/** @throws Problem 400 `invalid_priority` */
export const filterOf = (param: Param): Filter => ({
  id: param("x-id", "id"),
  message: param("x-message", "message", "m"),
  title: param("x-title", "title", "t"),
  tags: commaList(param("x-tags", "tags", "tag", "ta")),
  priorities: commaList(param("x-priority", "priority", "prio", "p")).map(priorityOf),
});

function priorityOf(text: string): Priority {
  const priority = PRIORITIES.get(text.toLowerCase());
  if (priority === undefined)
    throw problem.invalidParameter("priority", "`priority` takes 1 to 5, or min, low, default, high, max.");
  return priority;
}

/** As a publish reads them: the two lowest are one. */
const PRIORITIES = new Map<string, Priority>([
  ...(["1", "min", "2", "low"] as const).map((word): [string, Priority] => [word, "low"]),
  ...(["3", "default", "normal"] as const).map((word): [string, Priority] => [word, "normal"]),
  ["4", "high"],
  ...(["5", "max", "urgent"] as const).map((word): [string, Priority] => [word, "urgent"]),
]);

/** Whether a draft is wanted, but for its id. Only messages are filtered: what becomes of them on the phone always comes. */
export function passes({ message, title, tags, priorities }: Filter, draft: Draft): boolean {
  if (eventOf(draft) !== "message") return true;
  if (message !== "" && draft.message !== message) return false;
  if (title !== "" && draft.title !== title) return false;
  if (priorities.length > 0 && !priorities.includes(draft.priority)) return false;
  if (tags.length === 0) return true;
  const given = tagsOf(draft);
  return tags.every((tag) => given.includes(tag));
}

const isEmpty = ({ message, title, tags, priorities }: Filter): boolean =>
  message === "" && title === "" && tags.length === 0 && priorities.length === 0;

/** For a stream, of messages with any id; undefined: all are wanted, so that they are sent in one piece. */
export const matching = (filter: Filter): Matches | undefined =>
  isEmpty(filter) ? undefined : ({ draft }) => passes(filter, draft);
