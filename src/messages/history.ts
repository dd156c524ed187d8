/** Reading a topic: pages and single messages (API.md §4). The topic key is the reader's right. */
import type { Deps } from "../deps.ts";
import { type Made, MAX_PAGE_BYTES } from "../http/answers.ts";
import { contextOf } from "../http/context.ts";
import { problem } from "../http/problem.ts";
import { integer, list, queryOf, text } from "../http/query.ts";
import { baseUrl } from "../http/urls.ts";
import { etag, JSON_HEADERS, notModified } from "../http/respond.ts";
import type { MessageFilter, Page, PageQuery } from "../store/messages.ts";
import { topicAt, type TopicPath } from "../topics/lookup.ts";
import type { Topic } from "../topics/topic.ts";
import { isOfAnotherPast, sinceOf } from "./events/resume.ts";
import { type Message, messageJson, storedBytes } from "./message.ts";
import { LEVELS, PRIORITIES } from "../drafts/draft.ts";
import { MAX_SEARCH_CHARACTERS } from "./schema.ts";
import { MAX_TAG_CHARACTERS } from "../drafts/limits.ts";

export type HistoryDeps = Pick<Deps, "config" | "store" | "limits" | "answers">;

/** Ids as parameters give them. */
export const ANY_ID = { min: 0, max: Number.MAX_SAFE_INTEGER };
/** Of a page. */
export const MAX_LIMIT = 200;

/** `GET …/messages`. @throws Problem 400 `invalid_<parameter>`, 404 `unknown_topic`, 429 */
export async function history(deps: HistoryDeps, request: Request, path: TopicPath): Promise<Response> {
  deps.limits.take("read", contextOf(request).address);
  const params = queryOf(request);
  const since = sinceOf(params);
  const query = pageQuery(params, since?.id);
  const topic = await topicAt(deps, path);
  return deps.answers.send(request, async (fits) => {
    const { messages, epochs } = deps.store;
    const page = await messages.page(topic.id, query);
    // who has a version may be told in a few bytes that it is the newest
    if (!request.headers.has("if-none-match") && !fits(storedBytes(page.messages))) return undefined;
    const nearest = since && (await messages.nearest(topic.id, since.id));
    const isReset = since !== undefined && isOfAnotherPast(since, { lastId: page.lastId, nearest, epochs });
    return versioned(request, pageJson(topic, page, { isReset, base: baseUrl(deps, request) }));
  });
}

/** `GET …/messages/{id}`. @throws Problem 404 `unknown_topic` or `unknown_message`, 429 */
export async function oneMessage(deps: HistoryDeps, request: Request, path: TopicPath, id: string): Promise<Response> {
  deps.limits.take("read", contextOf(request).address);
  return deps.answers.send(request, async () => {
    const { topic, message } = await messageAt(deps, path, id);
    return versioned(request, messageJson(topic, message, baseUrl(deps, request)));
  });
}

/** The message of a path. @throws Problem 404 `unknown_topic` or `unknown_message` */
export async function messageAt(
  deps: Pick<Deps, "store">,
  path: TopicPath,
  id: string,
): Promise<{ topic: Topic; message: Message }> {
  const topic = await topicAt(deps, path);
  const message = await deps.store.messages.find(topic.id, messageId(id));
  if (message === undefined) throw problem.unknownMessage();
  return { topic, message };
}

/** @throws Problem 404 when it is no id at all */
export function messageId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw problem.unknownMessage();
  return Number(text);
}

/** What history and streams are filtered by. @throws Problem 400 `invalid_<parameter>` */
export function filterOf(params: URLSearchParams): MessageFilter {
  const levels = list(params, "level", LEVELS);
  const priorities = list(params, "priority", PRIORITIES);
  const tag = text(params, "tag", MAX_TAG_CHARACTERS);
  return {
    ...(levels !== undefined && { levels }),
    ...(priorities !== undefined && { priorities }),
    ...(tag !== undefined && { tag }),
  };
}

function pageQuery(params: URLSearchParams, since: number | undefined): PageQuery {
  const limit = integer(params, "limit", { min: 1, max: MAX_LIMIT, default: 50 });
  const query: PageQuery = { ...filterOf(params), limit, bytes: MAX_PAGE_BYTES };
  if (since !== undefined) query.since = since;
  const before = integer(params, "before", ANY_ID);
  if (before !== undefined) query.before = before;
  const q = text(params, "q", MAX_SEARCH_CHARACTERS);
  if (q !== undefined) query.q = q;
  return query;
}

function pageJson(
  topic: Topic,
  { messages, hasMore, lastId, truncated, nextBefore, nextSince }: Page,
  { isReset, base }: { isReset: boolean; base: string },
): string {
  const list = messages.map((message) => messageJson(topic, message, base)).join(",");
  let json = `{"messages":[${list}],"has_more":${hasMore},"last_id":${lastId}`;
  if (truncated) json += ',"truncated":true';
  if (isReset) json += ',"reset":true';
  if (nextBefore !== undefined) json += `,"next_before":${nextBefore}`;
  if (nextSince !== undefined) json += `,"next_since":${nextSince}`;
  return `${json}}`;
}

function versioned(request: Request, body: string): Made | Response {
  const tag = etag(body);
  const headers = { ...JSON_HEADERS, etag: tag, "cache-control": "no-cache" };
  return notModified(request, tag) ?? { body, headers };
}
