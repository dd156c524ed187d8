/** Hooks over HTTP for their owner (API.md §9); receive.ts takes what is sent to them. */
import { jsonBody, optionalJson } from "../http/endpoint.ts";
import { problem } from "../http/problem.ts";
import { phrase } from "../http/query.ts";
import { json, JSON_HEADERS, noContent, NO_STORE } from "../http/respond.ts";
import { endpointsOf, routesOf } from "../keys/endpoint.ts";
import { tokensOf } from "../tokens/secret.ts";
import { shown } from "../tokens/shown.ts";
import { answerHook, type HookDeps, ownHook } from "./access.ts";
import { changeHook, makeHook, rotateHook } from "./act.ts";
import { hookJson, requestJson } from "./json.ts";
import { type ReceiveDeps, receiveRoutes } from "./receive.ts";
import { HookList, HookPatchBody, HookRecord, NewHookBody, RequestList, RotateHookBody } from "./schema.ts";

const endpoint = endpointsOf<HookDeps>("hooks");
const of = {
  scope: "full",
  find: ownHook,
  answers: { 200: { description: "The hook as it is now.", schema: HookRecord } },
} as const;

const list = endpoint("GET /v1/:ns/hooks", {
  summary: "The namespace's hooks, in the order they were created",
  scope: "full",
  query: { topic: phrase(64, "Those of the topic of this key.") },
  answers: { 200: { description: "All of them: there are at most 200.", schema: HookList } },
  handle: async ({ deps, request, principal: { namespace, namespaceId }, query: { topic: key } }) => {
    const topic = key === undefined ? undefined : await deps.store.topics.byKey(namespace, key);
    if (key !== undefined && topic === undefined) throw problem.unknownTopic();
    const about = await shown(deps, request);
    const hooks = await deps.store.hooks.list(namespaceId, topic?.id);
    return json({ hooks: hooks.map((hook) => hookJson(hook, about)) }, 200, NO_STORE);
  },
});

const make = endpoint("POST /v1/:ns/hooks", {
  summary: "Create a hook: a URL that publishes whatever is sent to it to one topic",
  scope: "full",
  body: jsonBody(NewHookBody),
  answers: { 201: { description: "The hook.", schema: HookRecord } },
  problems: [409],
  handle: async ({ deps, request, principal, body }) =>
    answerHook(deps, request, await makeHook(deps, principal.namespaceId, body), 201),
});

const one = endpoint("GET /v1/:ns/hooks/:id", {
  ...of,
  summary: "One hook",
  handle: async ({ deps, request, found: hook }) => answerHook(deps, request, hook),
});

const change = endpoint("PATCH /v1/:ns/hooks/:id", {
  ...of,
  summary: "Change a hook; what is left out stays as it is",
  body: jsonBody(HookPatchBody),
  handle: async ({ deps, request, found: hook, body }) => answerHook(deps, request, await changeHook(deps, hook, body)),
});

const remove = endpoint("DELETE /v1/:ns/hooks/:id", {
  ...of,
  summary: "Delete a hook with what came to it",
  answers: { 204: { description: "Its URL returns 404 from now on." } },
  handle: async ({ deps, found: hook }) => {
    if (!(await deps.store.hooks.remove(hook.namespaceId, hook.id))) throw problem.unknownHook();
    return noContent();
  },
});

const rotate = endpoint("POST /v1/:ns/hooks/:id/rotate", {
  ...of,
  summary: "Give a hook a new URL; the old one works for another 24 hours",
  body: optionalJson(RotateHookBody),
  handle: async ({ deps, request, found: hook, body: { now = false } }) =>
    answerHook(deps, request, await rotateHook(deps, hook, now)),
});

const requests = endpoint("GET /v1/:ns/hooks/:id/requests", {
  ...of,
  summary: "A hook's latest 20 requests, kept for 7 days",
  answers: { 200: { description: "Newest first.", schema: RequestList } },
  problems: [429, 503],
  handle: async ({ deps, request, found: hook }) =>
    deps.answers.send(request, async () => {
      const requests = (await deps.store.hooks.requests(hook)).map(requestJson);
      return { body: JSON.stringify({ requests }), headers: { ...JSON_HEADERS, ...NO_STORE } };
    }),
});

const forget = endpoint("DELETE /v1/:ns/hooks/:id/requests", {
  ...of,
  summary: "Delete what came to a hook; the messages stay",
  answers: { 204: { description: "None is kept." } },
  handle: async ({ deps, found: hook }) => {
    await deps.store.hooks.forget(hook);
    return noContent();
  },
});

const owners = [list, make, one, change, remove, rotate, requests, forget];

export const hookRoutes = (given: Omit<HookDeps, "tokens"> & ReceiveDeps) =>
  routesOf({ ...given, tokens: tokensOf(given) }, owners).concat(receiveRoutes(given));
