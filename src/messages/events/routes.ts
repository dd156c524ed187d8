/** Event streams over HTTP (API.md §4). */
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Deps } from "../../deps.ts";
import { authorize } from "../../keys/auth.ts";
import { contextOf } from "../../http/context.ts";
import { operation, type Operation } from "../../http/operation.ts";
import { queryOf } from "../../http/query.ts";
import { baseUrl } from "../../http/urls.ts";
import { choice, text as textSchema } from "../../util/schema.ts";
import { filterOf } from "../history.ts";
import { topicAt } from "../../topics/lookup.ts";
import { LEVELS, PRIORITIES } from "../../drafts/draft.ts";
import { MAX_TAG_CHARACTERS } from "../../drafts/limits.ts";
import { matching } from "./filter.ts";
import { POSITION, positionOf, sinceOf } from "./resume.ts";
import { emptyStream } from "./reader.ts";
import { namespaceSource, topicSource } from "./source.ts";

type EventDeps = Pick<Deps, "config" | "store" | "bus" | "streams" | "clock" | "keyUse" | "limits" | "log">;

export const eventRoutes = (deps: EventDeps) =>
  new Elysia()
    .get(
      "/:ns/:key/events",
      async ({ request, params }) => {
        const wanted = wantedOf(deps, request);
        const topic = await topicAt(deps, params);
        if (contextOf(request).head) return emptyStream();
        // by its key, not its row: the streams of a rotated key end together, those of the new one live on
        return deps.streams.open(request, {
          ...wanted,
          feed: topic.key,
          source: topicSource(deps, topic),
          key: undefined,
        });
      },
      { detail: operation({ ...stream, summary: "A topic's messages as they arrive", problems: [400, 404, 429] }) },
    )
    .get(
      "/v1/:ns/events",
      async ({ request, params }) => {
        const { namespaceId, namespace, keyId, expiresAt } = await authorize(deps, request, params.ns, "full");
        const wanted = wantedOf(deps, request);
        if (contextOf(request).head) return emptyStream();
        const key = keyId === undefined ? undefined : { id: keyId, ...(expiresAt !== undefined && { expiresAt }) };
        const source = namespaceSource(deps, namespaceId, namespace);
        return deps.streams.open(request, { ...wanted, feed: namespace, source, key });
      },
      {
        detail: operation({
          ...stream,
          summary: "The messages of all topics in a namespace as they arrive",
          key: true,
          problems: [400, 429],
        }),
      },
    );

const stream: Omit<Operation, "summary"> = {
  tag: "events",
  description:
    "Server-sent events: `ready` first, then one `message` for each message, with its id. Comments come every 15 s. " +
    "`gone` ends the stream of a topic whose key no longer works.",
  parameters: [
    {
      name: "last-event-id",
      in: "header",
      schema: textSchema({ pattern: POSITION.source }),
      description: "The id of an event, as it came. Beats `since`.",
    },
    {
      name: "since",
      schema: textSchema({ pattern: POSITION.source }),
      description: "First sends everything after it: the id of an event, or the number of a message alone.",
    },
    { name: "level", schema: choice(LEVELS), description: "One or more, separated by commas." },
    { name: "priority", schema: choice(PRIORITIES), description: "One or more, separated by commas." },
    { name: "tag", schema: textSchema({ maxLength: MAX_TAG_CHARACTERS }) },
  ],
  answers: {
    200: { description: "It stays open until one side ends it.", schema: Type.String(), type: "text/event-stream" },
  },
};

/** Where a reader wants to begin, and what it wants. @throws Problem 400 `invalid_since` and its kin */
function wantedOf(deps: Pick<Deps, "config">, request: Request) {
  const query = queryOf(request);
  const lastEventId = request.headers.get("last-event-id") ?? "";
  const since = lastEventId === "" ? sinceOf(query) : positionOf(lastEventId);
  return { since, matches: matching(filterOf(query)), base: baseUrl(deps, request) };
}
