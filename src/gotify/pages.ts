/** Pages of messages, the newest first, as Gotify's clients read them: `since` is the id that the page ends before. */
import type { Deps } from "../deps.ts";
import { MAX_PAGE_BYTES } from "../http/answers.ts";
import { whole, type QueryOf } from "../http/query.ts";
import { JSON_HEADERS } from "../http/respond.ts";
import { baseUrl } from "../http/urls.ts";
import { draftOf, storedBytes } from "../messages/message.ts";
import type { Placed } from "../store/messages.ts";
import type { Topic } from "../topics/topic.ts";
import { messageJson } from "./json.ts";
import { namespacesOf, type Reader } from "./reader.ts";

type PageDeps = Pick<Deps, "config" | "store" | "answers">;

/** As Gotify has them (`api/message.go`, `pagingParams`); 0 is no `since`. */
export const PAGING = { limit: whole(1, 200, 100), since: whole(0, Number.MAX_SAFE_INTEGER, 0) };
type Paging = QueryOf<typeof PAGING>;

/** Of all topics that the reader may read. */
export const allMessages = async (
  deps: PageDeps,
  request: Request,
  reader: Reader,
  paging: Paging,
): Promise<Response> =>
  page(deps, request, "/message", paging, async ({ limit, since }) => {
    const ids = (await namespacesOf(deps, reader)).map(({ id }) => id);
    const query = { limit, bytes: MAX_PAGE_BYTES, ...(since > 0 && { before: since }) };
    const { messages, nextBefore } = await deps.store.messages.list(ids, query);
    return { messages, hasMore: nextBefore !== undefined };
  });

/** Of one topic. */
export const topicMessages = async (
  deps: PageDeps,
  request: Request,
  topic: Topic,
  paging: Paging,
): Promise<Response> =>
  page(deps, request, `/application/${topic.id}/message`, paging, async ({ limit, since }) => {
    // ids and `seq` grow together
    const before = since > 0 && { before: (await deps.store.messages.idUpTo(topic.id, since - 1)) + 1 };
    const { messages, hasMore } = await deps.store.messages.page(topic.id, { limit, bytes: MAX_PAGE_BYTES, ...before });
    return { messages: messages.map((message) => ({ topic, message })), hasMore };
  });

type Read = (paging: Paging) => Promise<{ messages: Placed[]; hasMore: boolean }>;

/** `path`: behind the address that the client uses, to which it adds the next page's (https://gotify.net/docs/migrate-to-3). */
async function page(deps: PageDeps, request: Request, path: string, paging: Paging, read: Read): Promise<Response> {
  const base = baseUrl(deps, request);
  return deps.answers.send(request, async (fits) => {
    const { messages, hasMore } = await read(paging);
    if (!fits(storedBytes(messages.map(({ message }) => message)))) return undefined;
    const { limit } = paging;
    const last = hasMore ? messages.at(-1)?.message.seq : undefined;
    const next = last === undefined ? undefined : `${path}?limit=${limit}&since=${last}`;
    const body = {
      paging: { size: messages.length, limit, since: last ?? 0, next },
      messages: messages.map(({ topic, message }) => messageJson(topic, message, draftOf(message), base)),
    };
    return { body: JSON.stringify(body), headers: JSON_HEADERS };
  });
}
