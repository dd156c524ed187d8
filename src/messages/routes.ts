/** Publishing, history and waiting messages over HTTP (API.md §2). */
import { Type } from "@sinclair/typebox";
import type { Deps } from "../deps.ts";
import { problem } from "../http/problem.ts";
import { pageMark, whole } from "../http/query.ts";
import { json, noContent } from "../http/respond.ts";
import { baseUrl } from "../http/urls.ts";
import { endpointsOf, routesOf } from "../keys/endpoint.ts";
import { REWRITES } from "../rewrites/rewrite.ts";
import { namedTopic } from "../topics/lookup.ts";
import { text } from "../util/schema.ts";
import { ROWS } from "./reading/fields.ts";
import { HISTORY, history, messageId, oneMessage } from "./history.ts";
import { scheduledJson, scheduledPageJson } from "./json.ts";
import { publish, type PublishDeps } from "./publish.ts";
import {
  MessagePage,
  PublishBody,
  PublishedMessage,
  ScheduledList,
  ScheduledMessage,
  StoredMessage,
} from "./schema.ts";

type MessageDeps = PublishDeps & Pick<Deps, "answers">;

const PLAIN = Type.String({ description: "The message as it stands; fields come in headers or in the query." });
const PAGE = Type.String({ description: "Becomes text, with its links." });
const ANYTHING = Type.Object({}, { description: "What another tool sends, or JSON of any other form." });
const FORM = Type.Object({}, { description: "Fields as in JSON, or a tool's JSON in `payload` or `data`." });
const FILES = Type.Object({}, { description: "The same, and up to four files." });
const FILE = Type.String({
  format: "binary",
  description: "A file, up to the limit of `PEAL_FILES`; fields come in headers or in the query.",
});

/** The header of a field: `X-Dedup-Key` for `dedup_key`. */
const headerOf = (field: string): string =>
  `X-${field.replaceAll(/(?:^|_)[a-z]/g, (begin) => begin.replace("_", "-").toUpperCase())}`;
/** Parameters and headers that add to a body. */
const asides = ROWS.map(({ field, understood }) => ({ name: field, schema: text(), description: understood }));

const publication = {
  scope: "publish",
  description:
    "Any complete body becomes a message. What can't be used is left out and listed in `ignored`; with `Prefer: handling=strict` it is " +
    "refused instead, with 422, and JSON must match `PublishBody` exactly.",
  grammar: [
    {
      name: "Idempotency-Key",
      in: "header",
      schema: text({ maxLength: 128 }),
      description: "A repeat within 24 h gets the first answer and stores nothing.",
    },
    {
      name: "Prefer",
      in: "header",
      schema: text(),
      description: "`handling=strict` or `handling=lenient` (RFC 7240).",
    },
    {
      name: "rewrite",
      schema: text(),
      description:
        `The body is what this tool sends, JSON whatever the content type says: ${REWRITES.join(", ")} (Grafana: alertmanager). ` +
        "Without it the shape of JSON decides.",
    },
    {
      name: "link",
      schema: text({ format: "uri" }),
      description: "With `rewrite=komodo`: the address of Komodo, for links into it.",
    },
    { name: "filename", schema: text(), description: "The body is a file of this name." },
    {
      name: "X-Filename",
      in: "header",
      schema: text(),
      description: "The same; also `Filename`, `X-File`, `File`, `X-F`, `F` (ntfy).",
    },
    ...asides,
    ...asides.map(({ name, ...aside }) => ({ ...aside, name: headerOf(name), in: "header" as const })),
  ],
  body: {
    required: true,
    content: {
      "application/json": { schema: Type.Union([PublishBody, ANYTHING]) },
      "text/plain": { schema: PLAIN },
      "text/html": { schema: PAGE },
      "application/xml": { schema: PLAIN },
      "application/x-www-form-urlencoded": { schema: FORM },
      "multipart/form-data": { schema: FILES },
      "application/octet-stream": { schema: FILE },
      "image/*": { schema: FILE },
    },
  },
  answers: { 201: { description: "It is on disk, or scheduled.", schema: PublishedMessage } },
  problems: [400, 404, 409, 413, 415, 422, 429, 503],
} as const;

const publisher = endpointsOf<MessageDeps>("publish");

/** `PUT` is `POST`: ntfy's tools use both. */
const byName = publisher(["POST /:ns/:name", "PUT /:ns/:name"], {
  ...publication,
  summary: "Publish to a topic by name; the first message creates it",
  bare: (deps, request, { ns, name }): Response | Promise<Response> => publish(deps, request, ns, { name: name ?? "" }),
});
const byKey = publisher(["POST /v1/:ns/:key/publish", "PUT /v1/:ns/:key/publish"], {
  ...publication,
  summary: "Publish to a topic by key",
  bare: (deps, request, { ns, key }): Response | Promise<Response> => publish(deps, request, ns, { key: key ?? "" }),
});

const endpoint = endpointsOf<MessageDeps>("messages");

const page = endpoint("GET /v1/:ns/:key/messages", {
  summary: "A page of a topic's messages",
  description:
    "With `since`: oldest first, without a gap. Without: the latest, newest first. Where messages are long, a page " +
    "ends at about 1 MiB of them, before its `limit`.",
  scope: "topic key",
  limit: ["read"],
  query: HISTORY,
  answers: { 200: { description: "The page.", schema: MessagePage }, 304: { description: "As it was." } },
  problems: [404, 503],
  handle: async ({ deps, request, params, query }) => history(deps, request, params, query),
});

const one = endpoint("GET /v1/:ns/:key/messages/:id", {
  summary: "One message",
  scope: "topic key",
  limit: ["read"],
  answers: { 200: { description: "The message.", schema: StoredMessage }, 304: { description: "As it was." } },
  problems: [404, 503],
  handle: async ({ deps, request, params }) => oneMessage(deps, request, params, params.id),
});

const remove = endpoint("DELETE /v1/:ns/:key/messages/:id", {
  summary: "Delete a message; its id is never given again",
  scope: "full",
  find: namedTopic,
  answers: { 204: { description: "It is gone." } },
  handle: async ({ deps, found: topic, params }) => {
    if (!(await deps.store.messages.remove(topic.id, messageId(params.id)))) throw problem.unknownMessage();
    return noContent();
  },
});

const waiting = endpointsOf<MessageDeps>("scheduled");

const listWaiting = waiting("GET /v1/:ns/scheduled", {
  summary: "Scheduled messages",
  scope: "read",
  query: {
    // each may be 32 KiB and is read whole
    limit: whole(1, 100, 50),
    // the place in the order of times, as json.ts writes it
    after: pageMark(31, /^([0-9]{1,15})\.([0-9]{1,15})$/, ([, deliverAt, seq]) => ({
      deliverAt: Number(deliverAt),
      seq: Number(seq),
    })),
  },
  answers: { 200: { description: "A page of them, the next one first.", schema: ScheduledList } },
  handle: async ({ deps, request, principal, query }) => {
    const page = await deps.store.scheduled.list(principal.namespaceId, query);
    return json(scheduledPageJson(page, baseUrl(deps, request)));
  },
});

const oneWaiting = waiting("GET /v1/:ns/scheduled/:id", {
  summary: "One scheduled message",
  scope: "read",
  answers: { 200: { description: "It waits.", schema: ScheduledMessage } },
  handle: async ({ deps, request, principal, params }) => {
    const found = await deps.store.scheduled.find(principal.namespaceId, params.id);
    if (found === undefined) throw problem.unknownScheduled();
    return json(scheduledJson(found, baseUrl(deps, request)));
  },
});

const cancel = waiting("DELETE /v1/:ns/scheduled/:id", {
  summary: "Cancel a message before its time",
  scope: "full",
  answers: { 204: { description: "It will not be sent." } },
  handle: async ({ deps, principal, params }) => {
    if (!(await deps.store.scheduled.cancel(principal.namespaceId, params.id))) throw problem.unknownScheduled();
    return noContent();
  },
});

export const messageRoutes = (deps: MessageDeps) =>
  routesOf(deps, [byName, byKey, page, one, remove, listWaiting, oneWaiting, cancel]);
