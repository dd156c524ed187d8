/** Hooks over HTTP, as their owner sees them (API.md §9); what is sent to them comes by receive.ts. */
import { Elysia } from "elysia";
import { authorize, requireStill, type Principal } from "../keys/auth.ts";
import { readJson, readOptionalJson } from "../http/body.ts";
import { jsonBody, operation, type Operation } from "../http/operation.ts";
import { problem } from "../http/problem.ts";
import { queryOf, text as textOf } from "../http/query.ts";
import { json, JSON_HEADERS, NO_STORE } from "../http/respond.ts";
import type { TopicId } from "../topics/topic.ts";
import { tokensOf } from "../tokens/secret.ts";
import { text } from "../util/schema.ts";
import { answerHook, ownHook, shown, type HookDeps, type HookPath } from "./access.ts";
import { changeHook, makeHook, rotateHook } from "./act.ts";
import { hookJson, requestJson } from "./json.ts";
import { receiveRoutes, type ReceiveDeps } from "./receive.ts";
import { HookList, HookPatchBody, HookRecord, NewHookBody, RequestList, RotateHookBody } from "./schema.ts";

interface Asking {
  request: Request;
  params: HookPath;
}

export function hookRoutes(given: Omit<HookDeps, "tokens"> & ReceiveDeps) {
  const deps: HookDeps = { ...given, tokens: tokensOf(given) };
  return new Elysia().use(collection(deps)).use(oneHook(deps)).use(requestRoutes(deps)).use(receiveRoutes(given));
}

const collection = (deps: HookDeps) =>
  new Elysia({ prefix: "/v1/:ns/hooks" })
    .get(
      "",
      async ({ request, params }) => {
        const principal = await authorize(deps, request, params.ns, "full");
        const topicId = await topicIn(deps, principal, queryOf(request));
        const about = await shown(deps, request);
        const hooks = await deps.store.hooks.list(principal.namespaceId, topicId);
        return json({ hooks: hooks.map((hook) => hookJson(hook, about)) }, 200, NO_STORE);
      },
      {
        detail: operation({
          tag: "hooks",
          summary: "The namespace's hooks, in the order they were created",
          key: true,
          parameters: [{ name: "topic", schema: text(), description: "Those of the topic of this key." }],
          answers: { 200: { description: "All of them: there are at most 200.", schema: HookList } },
          problems: [400, 404],
        }),
      },
    )
    .post(
      "",
      async ({ request, params }) => {
        const principal = await authorize(deps, request, params.ns, "full");
        const body = await readJson(request, NewHookBody);
        requireStill(deps, request, principal);
        return answerHook(deps, request, await makeHook(deps, principal.namespaceId, body), 201);
      },
      {
        parse: "none",
        detail: operation({
          tag: "hooks",
          summary: "Create a hook: a URL that publishes whatever is sent to it to one topic",
          key: true,
          body: jsonBody(NewHookBody),
          answers: { 201: { description: "The hook.", schema: HookRecord } },
          problems: [400, 404, 409, 413, 415, 422],
        }),
      },
    );

/** @throws Problem 404 `unknown_topic` */
async function topicIn(
  { store }: HookDeps,
  { namespace }: Principal,
  query: URLSearchParams,
): Promise<TopicId | undefined> {
  const key = textOf(query, "topic", 64);
  if (key === undefined) return undefined;
  const topic = await store.topics.byKey(namespace, key);
  if (topic === undefined) throw problem.unknownTopic();
  return topic.id;
}

const oneHook = (deps: HookDeps) =>
  new Elysia({ prefix: "/v1/:ns/hooks/:id" })
    .get(
      "",
      async ({ request, params }: Asking) => answerHook(deps, request, (await ownHook(deps, request, params)).hook),
      { detail: described({ summary: "One hook" }) },
    )
    .patch(
      "",
      async ({ request, params }: Asking) => {
        const { principal, hook } = await ownHook(deps, request, params);
        const body = await readJson(request, HookPatchBody);
        requireStill(deps, request, principal);
        return answerHook(deps, request, await changeHook(deps, hook, body));
      },
      {
        parse: "none",
        detail: described({
          summary: "Change a hook; what is left out stays as it is",
          body: jsonBody(HookPatchBody),
          problems: [400, 413, 415, 422],
        }),
      },
    )
    .delete(
      "",
      async ({ request, params }: Asking) => {
        const { hook } = await ownHook(deps, request, params);
        if (!(await deps.store.hooks.remove(hook.namespaceId, hook.id))) throw problem.unknownHook();
        return new Response(null, { status: 204 });
      },
      {
        detail: described({
          summary: "Delete a hook with what came to it",
          answers: { 204: { description: "Its URL returns 404 from now on." } },
        }),
      },
    )
    .post(
      "/rotate",
      async ({ request, params }: Asking) => {
        const { principal, hook } = await ownHook(deps, request, params);
        const { now = false } = await readOptionalJson(request, RotateHookBody);
        requireStill(deps, request, principal);
        return answerHook(deps, request, await rotateHook(deps, hook, now));
      },
      {
        parse: "none",
        detail: described({
          summary: "Give a hook a new URL; the old one works for another 24 hours",
          body: jsonBody(RotateHookBody, false),
          problems: [400, 413, 415, 422],
        }),
      },
    );

const requestRoutes = (deps: HookDeps) =>
  new Elysia({ prefix: "/v1/:ns/hooks/:id/requests" })
    .get(
      "",
      async ({ request, params }: Asking) => {
        const { hook } = await ownHook(deps, request, params);
        return deps.answers.send(request, async () => {
          const requests = (await deps.store.hooks.requests(hook)).map(requestJson);
          return { body: JSON.stringify({ requests }), headers: { ...JSON_HEADERS, ...NO_STORE } };
        });
      },
      {
        detail: described({
          summary: "A hook's latest 20 requests, kept for 7 days",
          answers: { 200: { description: "Newest first.", schema: RequestList } },
          problems: [429, 503],
        }),
      },
    )
    .delete(
      "",
      async ({ request, params }: Asking) => {
        const { hook } = await ownHook(deps, request, params);
        await deps.store.hooks.forget(hook);
        return new Response(null, { status: 204 });
      },
      {
        detail: described({
          summary: "Delete what came to a hook; the messages stay",
          answers: { 204: { description: "None is kept." } },
        }),
      },
    );

const described = ({ answers, problems = [], ...rest }: Pick<Operation, "summary" | "body"> & Partial<Operation>) =>
  operation({
    ...rest,
    tag: "hooks",
    key: true,
    answers: answers ?? { 200: { description: "The hook as it is now.", schema: HookRecord } },
    problems: [404, ...problems],
  });
