/** Topics over HTTP (API.md §2). */
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Deps } from "../deps.ts";
import { deviceRef } from "../util/ids.ts";
import { authorize, requireStill, type Principal } from "../keys/auth.ts";
import { readJson, readOptionalJson } from "../http/body.ts";
import { jsonBody, operation } from "../http/operation.ts";
import { integer, oneOf, queryOf, text } from "../http/query.ts";
import { json } from "../http/respond.ts";
import { baseUrl } from "../http/urls.ts";
import { topicAt } from "./lookup.ts";
import { choice } from "../util/schema.ts";
import { changeTopic, createTopic, deleteTopic, replaceKey } from "./change.ts";
import { topicJson } from "./json.ts";
import { NewTopicBody, RotateBody, RotatedTopic, TopicList, TopicPatchBody, TopicRecord } from "./schema.ts";
import { newTopic, topicPatch } from "./spec.ts";
import type { Topic } from "./topic.ts";

const MAX_LISTED = 1_000;

type TopicDeps = Pick<Deps, "config" | "clock" | "store" | "keyUse" | "limits" | "log">;

export const topicRoutes = (deps: TopicDeps) => new Elysia().use(collection(deps)).use(single(deps));

const collection = (deps: TopicDeps) =>
  new Elysia({ prefix: "/v1/:ns/topics" })
    .post(
      "",
      async ({ request, params }) => {
        const principal = await authorize(deps, request, params.ns, "full");
        const spec = newTopic(await readOptionalJson(request, NewTopicBody));
        requireStill(deps, request, principal);
        const made = await createTopic(deps, principal.namespaceId, spec);
        return json(topicJson(made, baseUrl(deps, request)), 201);
      },
      {
        parse: "none",
        detail: operation({
          tag: "topics",
          summary: "Make a topic",
          description: "With a name, a prefix, or neither. Its key is generated.",
          key: true,
          body: jsonBody(NewTopicBody, false),
          answers: { 201: { description: "The topic.", schema: TopicRecord } },
          problems: [400, 409, 413, 415, 422],
        }),
      },
    )
    .get(
      "",
      async ({ request, params }) => {
        const { namespaceId } = await authorize(deps, request, params.ns, "full");
        const base = baseUrl(deps, request);
        const query = queryOf(request);
        const limit = integer(query, "limit", { min: 1, max: MAX_LISTED, default: MAX_LISTED });
        const after = text(query, "after", 64);
        const archived = oneOf(query, "archived", ["true", "false"]) === "true";
        // one more than asked for tells whether there are more
        const found = await deps.store.topics.list(namespaceId, {
          archived,
          limit: limit + 1,
          ...(after !== undefined && { after }),
        });
        const topics = found.slice(0, limit).map((topic) => topicJson(topic, base));
        const last = found.length > limit ? topics.at(-1) : undefined;
        return json({ topics, has_more: last !== undefined, ...(last !== undefined && { next_after: last.name }) });
      },
      {
        detail: operation({
          tag: "topics",
          summary: "The namespace's topics by name",
          key: true,
          parameters: [
            { name: "limit", schema: Type.Integer({ minimum: 1, maximum: MAX_LISTED, default: MAX_LISTED }) },
            { name: "after", schema: Type.String({ maxLength: 64 }), description: "The last name of the page before." },
            { name: "archived", schema: choice(["true", "false"]), description: "Those that are archived instead." },
          ],
          answers: { 200: { description: "A page of topics.", schema: TopicList } },
          problems: [400],
        }),
      },
    );

const single = (deps: TopicDeps) =>
  new Elysia({ prefix: "/v1/:ns/:key" })
    .get(
      "",
      async ({ request, params }) =>
        json(topicJson((await owned(deps, request, params)).topic, baseUrl(deps, request))),
      {
        detail: operation({
          tag: "topics",
          summary: "One topic",
          key: true,
          answers: { 200: { description: "The topic.", schema: TopicRecord } },
          problems: [404],
        }),
      },
    )
    .patch(
      "",
      async ({ request, params }) => {
        const { principal, topic: before } = await owned(deps, request, params);
        const patch = topicPatch(await readJson(request, TopicPatchBody));
        requireStill(deps, request, principal);
        return json(topicJson(await changeTopic(deps, before.id, patch), baseUrl(deps, request)));
      },
      {
        parse: "none",
        detail: operation({
          tag: "topics",
          summary: "Rename, describe, mute, archive, or set its own retention",
          key: true,
          body: jsonBody(TopicPatchBody),
          answers: { 200: { description: "The topic as it is now.", schema: TopicRecord } },
          problems: [400, 404, 409, 413, 415, 422],
        }),
      },
    )
    .delete(
      "",
      async ({ request, params }) => {
        const { topic } = await owned(deps, request, params);
        await deleteTopic(deps, topic.id);
        return new Response(null, { status: 204 });
      },
      {
        detail: operation({
          tag: "topics",
          summary: "Delete a topic with all its messages",
          key: true,
          answers: { 204: { description: "Its key returns 404 from now on." } },
          problems: [404, 409],
        }),
      },
    )
    .post(
      "/rotate",
      async ({ request, params }) => {
        const { principal, topic: before } = await owned(deps, request, params);
        const { keep_devices: named = [] } = await readOptionalJson(request, RotateBody);
        const keep = new Set(named);
        requireStill(deps, request, principal);
        const rotated = await replaceKey(deps, before.id, (id) => keep.has(id) || keep.has(deviceRef(id)));
        const [kept_devices, dropped_devices] = [rotated.kept.map(deviceRef), rotated.dropped.map(deviceRef)];
        return json({ ...topicJson(rotated.topic, baseUrl(deps, request)), kept_devices, dropped_devices });
      },
      {
        parse: "none",
        detail: operation({
          tag: "topics",
          summary: "Give a topic a new key; the old one stops working",
          description: "Devices are unsubscribed, except those that are kept: they continue under the new key.",
          key: true,
          body: jsonBody(RotateBody, false),
          answers: { 200: { description: "The topic with its new key.", schema: RotatedTopic } },
          problems: [400, 404, 413, 415, 422],
        }),
      },
    );

/** The topic that a key holder means. @throws Problem 401, 403, 404 */
async function owned(
  deps: TopicDeps,
  request: Request,
  path: { ns: string; key: string },
): Promise<{ principal: Principal; topic: Topic }> {
  const principal = await authorize(deps, request, path.ns, "full");
  return { principal, topic: await topicAt(deps, path) };
}
