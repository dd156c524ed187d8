/** What the address of a feed asks to see, and what the store is asked for it. */
import { integer, oneOf, queryOf, text } from "../../http/query.ts";
import { problem } from "../../http/problem.ts";
import { LEVELS } from "../../drafts/draft.ts";
import { MAX_SEARCH_CHARACTERS } from "../../messages/schema.ts";
import { MAX_TAG_CHARACTERS } from "../../drafts/limits.ts";
import { parseTime } from "../../util/time.ts";
import type { PageQuery } from "../../store/messages.ts";
import { type Asked, PAGE_BYTES, PAGE_SIZE } from "./asked.tsx";

/** @throws Problem 400 */
export function askedBy(request: Request): Asked {
  const params = queryOf(request);
  const level = oneOf(params, "level", LEVELS);
  const priority = oneOf(params, "priority", ["urgent"]);
  const tag = text(params, "tag", MAX_TAG_CHARACTERS);
  const q = text(params, "q", MAX_SEARCH_CHARACTERS);
  const before = integer(params, "before", { min: 1, max: Number.MAX_SAFE_INTEGER });
  return {
    ...(level !== undefined && { level }),
    ...(priority !== undefined && { urgent: true }),
    ...(tag !== undefined && { tag }),
    ...(q !== undefined && q.trim() !== "" && { q: q.trim() }),
    ...(before !== undefined && { before }),
  };
}

export const pageQuery = ({ before, level, urgent, tag, q }: Asked): PageQuery => ({
  limit: PAGE_SIZE,
  bytes: PAGE_BYTES,
  ...(before !== undefined && { before }),
  ...(level !== undefined && { levels: [level] }),
  ...(urgent === true && { priorities: ["urgent"] }),
  ...(tag !== undefined && { tag }),
  ...(q !== undefined && { q }),
});

/** `?day=`, of the pages that have it. @throws Problem 400 */
export function dayAskedBy(request: Request): string | undefined {
  const day = text(queryOf(request), "day", "2026-11-21".length);
  if (day !== undefined && parseTime(`${day}T00:00:00Z`) === undefined)
    throw problem.invalidParameter("day", "`day` must be a date, for example 2026-11-21.");
  return day;
}
