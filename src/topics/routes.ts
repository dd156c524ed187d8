/** Topics over HTTP (API.md §2). */
import type { Deps } from "../deps.ts";
import { jsonBody, optionalJson } from "../http/endpoint.ts";
import { flag, phrase, whole } from "../http/query.ts";
import { json, noContent } from "../http/respond.ts";
import { baseUrl } from "../http/urls.ts";
import { endpointsOf, routesOf } from "../keys/endpoint.ts";
import { deviceRef } from "../util/ids.ts";
import { changeTopic, createTopic, deleteTopic, replaceKey } from "./change.ts";
import { topicJson } from "./json.ts";
import { namedTopic } from "./lookup.ts";
import { NewTopicBody, RotateBody, RotatedTopic, TopicList, TopicPatchBody, TopicRecord } from "./schema.ts";
import { newTopic, topicPatch } from "./spec.ts";

const MAX_LISTED = 1_000;

type TopicDeps = Pick<Deps, "config" | "clock" | "store" | "keyUse" | "limits" | "log">;

const endpoint = endpointsOf<TopicDeps>("topics");

const make = endpoint("POST /v1/:ns/topics", {
  summary: "Make a topic",
  description: "With a name, a prefix, or neither. Its key is generated.",
  scope: "full",
  body: optionalJson(NewTopicBody),
  answers: { 201: { description: "The topic.", schema: TopicRecord } },
  problems: [409],
  handle: async ({ deps, request, principal, body }) => {
    const made = await createTopic(deps, principal.namespaceId, newTopic(body));
    return json(topicJson(made, baseUrl(deps, request)), 201);
  },
});

const list = endpoint("GET /v1/:ns/topics", {
  summary: "The namespace's topics by name",
  scope: "read",
  query: {
    limit: whole(1, MAX_LISTED, MAX_LISTED),
    after: phrase(64, "The last name of the page before."),
    archived: flag("Those that are archived instead."),
  },
  answers: { 200: { description: "A page of topics.", schema: TopicList } },
  handle: async ({ deps, request, principal, query }) => {
    const { limit } = query;
    // one more than asked for tells whether there are more
    const found = await deps.store.topics.list(principal.namespaceId, { ...query, limit: limit + 1 });
    const base = baseUrl(deps, request);
    const topics = found.slice(0, limit).map((topic) => topicJson(topic, base));
    const last = found.length > limit ? topics.at(-1) : undefined;
    return json({ topics, has_more: last !== undefined, ...(last !== undefined && { next_after: last.name }) });
  },
});

const one = endpoint("GET /v1/:ns/:key", {
  summary: "One topic",
  scope: "read",
  find: namedTopic,
  answers: { 200: { description: "The topic.", schema: TopicRecord } },
  handle: ({ deps, request, found: topic }) => json(topicJson(topic, baseUrl(deps, request))),
});

const change = endpoint("PATCH /v1/:ns/:key", {
  summary: "Rename, describe, mute, archive, or set its own retention",
  scope: "full",
  find: namedTopic,
  body: jsonBody(TopicPatchBody),
  answers: { 200: { description: "The topic as it is now.", schema: TopicRecord } },
  problems: [409],
  handle: async ({ deps, request, found: { id }, body }) =>
    json(topicJson(await changeTopic(deps, id, topicPatch(body)), baseUrl(deps, request))),
});

const remove = endpoint("DELETE /v1/:ns/:key", {
  summary: "Delete a topic with all its messages",
  scope: "full",
  find: namedTopic,
  answers: { 204: { description: "Its key returns 404 from now on." } },
  problems: [409],
  handle: async ({ deps, found: { id } }) => {
    await deleteTopic(deps, id);
    return noContent();
  },
});

const rotate = endpoint("POST /v1/:ns/:key/rotate", {
  summary: "Give a topic a new key; the old one stops working",
  description: "Devices are unsubscribed, except those that are kept: they continue under the new key.",
  scope: "full",
  find: namedTopic,
  body: optionalJson(RotateBody),
  answers: { 200: { description: "The topic with its new key.", schema: RotatedTopic } },
  handle: async ({ deps, request, found: before, body }) => {
    const keep = new Set(body.keep_devices);
    const rotated = await replaceKey(deps, before.id, (id) => keep.has(id) || keep.has(deviceRef(id)));
    const [kept_devices, dropped_devices] = [rotated.kept.map(deviceRef), rotated.dropped.map(deviceRef)];
    return json({ ...topicJson(rotated.topic, baseUrl(deps, request)), kept_devices, dropped_devices });
  },
});

export const topicRoutes = (deps: TopicDeps) => routesOf(deps, [make, list, one, change, remove, rotate]);
