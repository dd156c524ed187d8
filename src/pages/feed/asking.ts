/** What the address of a feed asks for, and the query of the store for it. */
import { phrase, type QueryOf, readQuery, whole, word } from "../../http/query.ts";
import { problem } from "../../http/problem.ts";
import { LEVELS } from "../../drafts/draft.ts";
import { MAX_SEARCH_CHARACTERS } from "../../messages/schema.ts";
import { MAX_TAG_CHARACTERS } from "../../drafts/limits.ts";
import { parseTime } from "../../util/time.ts";
import type { PageQuery } from "../../store/messages.ts";
import { type Asked, PAGE_BYTES, PAGE_SIZE } from "./asked.tsx";

/** The parameters of a feed. */
export const FEED = {
  level: word(LEVELS),
  priority: word(["urgent"]),
  tag: phrase(MAX_TAG_CHARACTERS),
  q: phrase(MAX_SEARCH_CHARACTERS, "Words found in title or text."),
  before: whole(1, Number.MAX_SAFE_INTEGER, "Messages with ids less than this one."),
};

/** @throws Problem 400 */
export const askedBy = (request: Request): Asked => askedOf(readQuery(request, FEED));

export function askedOf({ priority, q = "", ...rest }: QueryOf<typeof FEED>): Asked {
  return { ...rest, ...(priority !== undefined && { urgent: true }), ...(q.trim() !== "" && { q: q.trim() }) };
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
  const { day } = readQuery(request, { day: phrase("2026-11-21".length) });
  if (day !== undefined && parseTime(`${day}T00:00:00Z`) === undefined)
    throw problem.invalidParameter("day", "`day` must be a date, for example 2026-11-21.");
  return day;
}
