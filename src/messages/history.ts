/** Reads a topic: pages and single messages (API.md §4). The topic key is the right to read. */
import type { Deps } from "../deps.ts";
import { type Made, MAX_PAGE_BYTES } from "../http/answers.ts";
import { problem } from "../http/problem.ts";
import { phrase, type QueryOf, whole, words } from "../http/query.ts";
import { baseUrl } from "../http/urls.ts";
import { etag, JSON_HEADERS, notModified } from "../http/respond.ts";
import type { MessageFilter, Page } from "../store/messages.ts";
import { defined } from "../util/defined.ts";
import { topicAt, type TopicPath } from "../topics/lookup.ts";
import type { Topic } from "../topics/topic.ts";
import { isOfAnotherPast, since } from "./events/resume.ts";
import { type Message, messageJson, storedBytes } from "./message.ts";
import { LEVELS, PRIORITIES } from "../drafts/draft.ts";
import { MAX_SEARCH_CHARACTERS } from "./schema.ts";
import { MAX_TAG_CHARACTERS } from "../drafts/limits.ts";

export type HistoryDeps = Pick<Deps, "config" | "store" | "answers">;

/** The most messages of a page. */
const MAX_LIMIT = 200;

/** The filters of history and streams. */
export const FILTER = { level: words(LEVELS), priority: words(PRIORITIES), tag: phrase(MAX_TAG_CHARACTERS) };
/** The parameters of a topic's history. */
export const HISTORY = {
  since,
  limit: whole(1, MAX_LIMIT, 50),
  ...FILTER,
  before: whole(0, Number.MAX_SAFE_INTEGER, "Ids less than this one."),
  q: phrase(MAX_SEARCH_CHARACTERS, "Words found anywhere in title or text."),
};

/** `GET …/messages`. @throws Problem 404 `unknown_topic` */
export async function history(
  deps: HistoryDeps,
  request: Request,
  path: TopicPath,
  { since, level, priority, tag, ...rest }: QueryOf<typeof HISTORY>,
): Promise<Response> {
  const filter = filterOf(defined({ level, priority, tag }));
  const query = { ...filter, ...rest, ...(since && { since: since.id }), bytes: MAX_PAGE_BYTES };
  const topic = await topicAt(deps, path);
  return deps.answers.send(request, async (fits) => {
    const { messages, epochs } = deps.store;
    const page = await messages.page(topic.id, query);
    // a client that has a version may learn in a few bytes that it is the newest
    if (!request.headers.has("if-none-match") && !fits(storedBytes(page.messages))) return undefined;
    const nearest = since && (await messages.nearest(topic.id, since.id));
    const isReset = since !== undefined && isOfAnotherPast(since, { lastId: page.lastId, nearest, epochs });
    return versioned(request, pageJson(topic, page, { isReset, base: baseUrl(deps, request) }));
  });
}

/** `GET …/messages/{id}`. @throws Problem 404 `unknown_topic` or `unknown_message` */
export async function oneMessage(deps: HistoryDeps, request: Request, path: TopicPath, id: string): Promise<Response> {
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

/** The message that a route's path names. @throws Problem 404 `unknown_topic` or `unknown_message` */
export const namedMessage = async ({
  deps,
  params,
}: {
  deps: Pick<Deps, "store">;
  params: TopicPath & { id: string };
}) => messageAt(deps, params, params.id);

/** @throws Problem 404 if it is not an id */
export function messageId(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw problem.unknownMessage();
  return Number(text);
}

export const filterOf = ({ level, priority, tag }: QueryOf<typeof FILTER>): MessageFilter =>
  defined<MessageFilter>({ levels: level, priorities: priority, tag });

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
