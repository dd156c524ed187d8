/** Publishing, history and waiting messages over HTTP (API.md §2). */
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Deps } from "../deps.ts";
import { authorize } from "../keys/auth.ts";
import { operation, type Operation } from "../http/operation.ts";
import { problem } from "../http/problem.ts";
import { integer, queryOf, text as textOf } from "../http/query.ts";
import { json } from "../http/respond.ts";
import { baseUrl } from "../http/urls.ts";
import { REWRITES } from "../rewrites/rewrite.ts";
import type { Place } from "../store/scheduled.ts";
import { choice, text } from "../util/schema.ts";
import { ROWS } from "./reading/fields.ts";
import { POSITION } from "./events/resume.ts";
import { history, MAX_LIMIT, messageId, oneMessage } from "./history.ts";
import { topicAt, type TopicPath } from "../topics/lookup.ts";
import { scheduledJson, scheduledPageJson } from "./json.ts";
import { LEVELS, PRIORITIES } from "../drafts/draft.ts";
import { publish, type PublishDeps } from "./publish.ts";
import {
  MAX_SEARCH_CHARACTERS,
  MessagePage,
  PublishBody,
  PublishedMessage,
  ScheduledList,
  ScheduledMessage,
  StoredMessage,
} from "./schema.ts";
import { MAX_TAG_CHARACTERS } from "../drafts/limits.ts";

type MessageDeps = PublishDeps & Pick<Deps, "answers">;

export const messageRoutes = (deps: MessageDeps) =>
  new Elysia().use(publishRoutes(deps)).use(historyRoutes(deps)).use(scheduledRoutes(deps));

const PLAIN = Type.String({ description: "The message as it stands; fields come in headers or in the query." });
const PAGE = Type.String({ description: "Becomes text, with its links." });
const ANYTHING = Type.Object({}, { description: "What another tool sends, or JSON of any other form." });
const FORM = Type.Object({}, { description: "Fields as in JSON, or a tool's JSON in `payload` or `data`." });
const FILES = Type.Object({}, { description: "The same, and up to four files." });
const FILE = Type.String({
  format: "binary",
  description: "A file, up to the limit of `PEAL_FILES`; fields come in headers or in the query.",
});

/** `X-Dedup-Key` of `dedup_key`. */
const headerOf = (field: string): string =>
  `X-${field.replaceAll(/(?:^|_)[a-z]/g, (begin) => begin.replace("_", "-").toUpperCase())}`;
/** Beside a body: what it does not say itself. */
const asides = ROWS.map(({ field, understood }) => ({ name: field, schema: text(), description: understood }));

const publication: Omit<Operation, "summary"> = {
  tag: "publish",
  key: true,
  description:
    "Any complete body becomes a message. What can't be used is left out and listed in `ignored`; with `Prefer: handling=strict` it is " +
    "refused instead, with 422, and JSON must match `PublishBody` exactly.",
  parameters: [
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
};

/** `PUT` is `POST`: ntfy's tools use either. No hook and no schema here: every publish would pay for it. */
function publishRoutes(deps: MessageDeps) {
  // a parameter whose escapes are broken is null, whatever its type says; as a text it would be the name `null`
  // not async: a promise more would be paid by every publish
  type Answer = Response | Promise<Response>;
  const byName = ({ request, params }: { request: Request; params: { ns: string; name: string | null } }): Answer =>
    publish(deps, request, params.ns, { name: params.name ?? "" });
  const byKey = ({ request, params }: { request: Request; params: TopicPath }): Answer =>
    publish(deps, request, params.ns, { key: params.key });
  const named = {
    parse: "none",
    detail: operation({ ...publication, summary: "Publish to a topic by name; the first message creates it" }),
  } as const;
  const keyed = { parse: "none", detail: operation({ ...publication, summary: "Publish to a topic by key" }) } as const;
  return new Elysia()
    .post("/:ns/:name", byName, named)
    .put("/:ns/:name", byName, named)
    .post("/v1/:ns/:key/publish", byKey, keyed)
    .put("/v1/:ns/:key/publish", byKey, keyed);
}

const count = (description: string, range: { minimum: number; maximum?: number }) =>
  Type.Integer({ ...range, description });

const historyRoutes = (deps: MessageDeps) =>
  new Elysia({ prefix: "/v1/:ns/:key/messages" })
    .get("", async ({ request, params }) => history(deps, request, params), {
      detail: operation({
        tag: "messages",
        summary: "A page of a topic's messages",
        description:
          "With `since`: oldest first, without a gap. Without: the latest, newest first. Where messages are long, a page " +
          "ends at about 1 MiB of them, before its `limit`.",
        parameters: [
          { name: "limit", schema: count("Default 50.", { minimum: 1, maximum: MAX_LIMIT }) },
          {
            name: "since",
            schema: text({ pattern: POSITION.source }),
            description: "Ids greater than this one; the id of an event is taken as well.",
          },
          { name: "before", schema: count("Ids less than this one.", { minimum: 0 }) },
          { name: "level", schema: choice(LEVELS), description: "One or more, separated by commas." },
          { name: "priority", schema: choice(PRIORITIES), description: "One or more, separated by commas." },
          { name: "tag", schema: text({ maxLength: MAX_TAG_CHARACTERS }) },
          {
            name: "q",
            schema: text({ maxLength: MAX_SEARCH_CHARACTERS }),
            description: "Words found anywhere in title or text.",
          },
        ],
        answers: { 200: { description: "The page.", schema: MessagePage }, 304: { description: "As it was." } },
        problems: [400, 404, 429, 503],
      }),
    })
    .get("/:id", async ({ request, params }) => oneMessage(deps, request, params, params.id), {
      detail: operation({
        tag: "messages",
        summary: "One message",
        answers: { 200: { description: "The message.", schema: StoredMessage }, 304: { description: "As it was." } },
        problems: [404, 429, 503],
      }),
    })
    .delete(
      "/:id",
      async ({ request, params }) => {
        await authorize(deps, request, params.ns, "full");
        const topic = await topicAt(deps, params);
        if (!(await deps.store.messages.remove(topic.id, messageId(params.id)))) throw problem.unknownMessage();
        return new Response(null, { status: 204 });
      },
      {
        detail: operation({
          tag: "messages",
          summary: "Delete a message; its id is never given again",
          key: true,
          answers: { 204: { description: "It is gone." } },
          problems: [404],
        }),
      },
    );

/** Of one page: each may be 32 KiB and is read whole. */
const MAX_WAITING_LISTED = 100;
/** The place in the order of times, as json.ts writes it. */
const PLACE = /^([0-9]{1,15})\.([0-9]{1,15})$/;

/** @throws Problem 400 `invalid_limit`, `invalid_after` */
function waitingQuery(params: URLSearchParams): { after?: Place; limit: number } {
  const limit = integer(params, "limit", { min: 1, max: MAX_WAITING_LISTED, default: 50 });
  const after = textOf(params, "after", 31);
  if (after === undefined) return { limit };
  const [, deliverAt, seq] = PLACE.exec(after) ?? [];
  if (seq === undefined) throw problem.invalidParameter("after", "`after` takes the `next_after` of the page before.");
  return { limit, after: { deliverAt: Number(deliverAt), seq: Number(seq) } };
}

const scheduledRoutes = (deps: MessageDeps) =>
  new Elysia({ prefix: "/v1/:ns/scheduled" })
    .get(
      "",
      async ({ request, params }) => {
        const { namespaceId } = await authorize(deps, request, params.ns, "full");
        const page = await deps.store.scheduled.list(namespaceId, waitingQuery(queryOf(request)));
        return json(scheduledPageJson(page, baseUrl(deps, request)));
      },
      {
        detail: operation({
          tag: "scheduled",
          summary: "Scheduled messages",
          key: true,
          parameters: [
            { name: "limit", schema: count("Default 50.", { minimum: 1, maximum: MAX_WAITING_LISTED }) },
            {
              name: "after",
              schema: text({ pattern: PLACE.source }),
              description: "The `next_after` of the page before.",
            },
          ],
          answers: { 200: { description: "A page of them, the next one first.", schema: ScheduledList } },
          problems: [400],
        }),
      },
    )
    .get(
      "/:id",
      async ({ request, params }) => {
        const { namespaceId } = await authorize(deps, request, params.ns, "full");
        const waiting = await deps.store.scheduled.find(namespaceId, params.id);
        if (waiting === undefined) throw problem.unknownScheduled();
        return json(scheduledJson(waiting, baseUrl(deps, request)));
      },
      {
        detail: operation({
          tag: "scheduled",
          summary: "One scheduled message",
          key: true,
          answers: { 200: { description: "It waits.", schema: ScheduledMessage } },
          problems: [404],
        }),
      },
    )
    .delete(
      "/:id",
      async ({ request, params }) => {
        const { namespaceId } = await authorize(deps, request, params.ns, "full");
        if (!(await deps.store.scheduled.cancel(namespaceId, params.id))) throw problem.unknownScheduled();
        return new Response(null, { status: 204 });
      },
      {
        detail: operation({
          tag: "scheduled",
          summary: "Cancel a message before its time",
          key: true,
          answers: { 204: { description: "It will not be sent." } },
          problems: [404],
        }),
      },
    );
