/** Event streams over HTTP (API.md §4). */
import { Type } from "@sinclair/typebox";
import type { Deps } from "../../deps.ts";
import { contextOf } from "../../http/context.ts";
import type { QueryOf } from "../../http/query.ts";
import { baseUrl } from "../../http/urls.ts";
import { endpointsOf, routesOf } from "../../keys/endpoint.ts";
import { topicAt } from "../../topics/lookup.ts";
import { text } from "../../util/schema.ts";
import { FILTER, filterOf } from "../history.ts";
import { matching } from "./filter.ts";
import { EVENT_STREAM, EVENTS } from "./frame.ts";
import { POSITION, resumed } from "./resume.ts";
import { emptyStream } from "./reader.ts";
import { namespaceSource, topicSource } from "./source.ts";

type EventDeps = Pick<Deps, "config" | "store" | "bus" | "streams" | "clock" | "keyUse" | "limits" | "log">;

const endpoint = endpointsOf<EventDeps>("events");

const query = { since: resumed, ...FILTER };
const stream = {
  description:
    "Server-sent events: `ready` first, then one `message` for each message, with its id. Comments come every 15 s. " +
    "`gone` ends the stream of a topic whose key no longer works.",
  query,
  grammar: [
    {
      name: "last-event-id",
      in: "header",
      schema: text({ pattern: POSITION.source }),
      description: "The id of an event, as it came. Beats `since`.",
    },
  ],
  answers: {
    200: { description: "It stays open until one side ends it.", schema: Type.String(), type: EVENT_STREAM },
  },
} as const;

const ofTopic = endpoint("GET /:ns/:key/events", {
  ...stream,
  summary: "A topic's messages as they arrive",
  scope: "topic key",
  problems: [404, 429],
  handle: async ({ deps, request, params, query }) => {
    const topic = await topicAt(deps, params);
    if (contextOf(request).head) return emptyStream(EVENT_STREAM);
    const source = topicSource(deps, topic);
    // by its key, not its row: the streams of a rotated key end together, and those of the new key live on
    return deps.streams.open(request, { ...wantedOf(deps, request, query), feed: topic.key, source, key: undefined });
  },
});

const ofNamespace = endpoint("GET /v1/:ns/events", {
  ...stream,
  summary: "The messages of all topics in a namespace as they arrive",
  scope: "read",
  problems: [429],
  handle: async ({ deps, request, principal, query }) => {
    const { namespaceId, namespace, keyId, expiresAt } = principal;
    if (contextOf(request).head) return emptyStream(EVENT_STREAM);
    const key = keyId === undefined ? undefined : { id: keyId, ...(expiresAt !== undefined && { expiresAt }) };
    const source = namespaceSource(deps, namespaceId, namespace);
    return deps.streams.open(request, { ...wantedOf(deps, request, query), feed: namespace, source, key });
  },
});

export const eventRoutes = (deps: EventDeps) => routesOf(deps, [ofTopic, ofNamespace]);

/** Where a reader wants to begin, and what it wants to read. */
const wantedOf = (deps: EventDeps, request: Request, { since, ...filter }: QueryOf<typeof query>) => ({
  since,
  matches: matching(filterOf(filter)),
  base: baseUrl(deps, request),
  format: EVENTS,
  asked: "",
});
