/** Forwards over HTTP (API.md §5): other services that messages are handed on to, each with a key of its namespace. */
import { changeSubscription, subscribeDevice, testDevice } from "../devices/act.ts";
import { subscriptionJson } from "../devices/json.ts";
import { SubscriptionPatchBody, SubscriptionRecord } from "../devices/schema.ts";
import { jsonBody } from "../http/endpoint.ts";
import { problem } from "../http/problem.ts";
import { json, noContent, NO_STORE } from "../http/respond.ts";
import { baseUrl } from "../http/urls.ts";
import { endpointsOf, routesOf } from "../keys/endpoint.ts";
import { sealOf } from "../tokens/secret.ts";
import { answerForward, type ForwardRouteDeps, ownForward, recordOf } from "./access.ts";
import { changeForward, makeForward, topicNamed } from "./act.ts";
import { ForwardList, ForwardPatchBody, ForwardRecord, NewForwardBody, TopicBody } from "./schema.ts";

const endpoint = endpointsOf<ForwardRouteDeps>("forwards");
const of = {
  scope: "full",
  find: ownForward,
  answers: { 200: { description: "The forward as it is now.", schema: ForwardRecord } },
} as const;

const list = endpoint("GET /v1/:ns/forwards", {
  summary: "The namespace's forwards, in the order they were created",
  scope: "full",
  answers: { 200: { description: "All of them: there are at most 100.", schema: ForwardList } },
  handle: async (asked) => {
    const found = await asked.deps.store.forwards.list(asked.principal.namespaceId);
    const forwards = await Promise.all(found.map(async (one) => recordOf(asked, one)));
    return json({ forwards }, 200, NO_STORE);
  },
});

const make = endpoint("POST /v1/:ns/forwards", {
  summary: "Create a forward: messages of its topics are handed on to another service",
  scope: "full",
  body: jsonBody(NewForwardBody),
  answers: { 201: { description: "The forward.", schema: ForwardRecord } },
  problems: [409],
  handle: async (asked) => {
    const { deps, request, principal, body } = asked;
    return answerForward(asked, await makeForward(deps, principal.namespaceId, body, baseUrl(deps, request)), 201);
  },
});

const one = endpoint("GET /v1/:ns/forwards/:id", {
  ...of,
  summary: "One forward",
  handle: async (asked) => answerForward(asked, asked.found),
});

const change = endpoint("PATCH /v1/:ns/forwards/:id", {
  ...of,
  summary: "Change a forward; what is left out stays as it is",
  body: jsonBody(ForwardPatchBody),
  handle: async (asked) => {
    const { deps, request, found, body } = asked;
    return answerForward(asked, await changeForward(deps, found.device, body, baseUrl(deps, request)));
  },
});

const remove = endpoint("DELETE /v1/:ns/forwards/:id", {
  ...of,
  summary: "Remove a forward; nothing more is handed on",
  answers: { 204: { description: "It is gone." } },
  handle: async ({ deps, found: { device } }) => {
    if (!(await deps.store.devices.remove(device.id))) throw problem.unknownForward();
    return noContent();
  },
});

const test = endpoint("POST /v1/:ns/forwards/:id/test", {
  ...of,
  summary: "Send a test message; `last_test` has the result",
  answers: { 202: { description: "The forward, and the test on its way.", schema: ForwardRecord } },
  handle: async (asked) => {
    await testDevice(asked.deps, asked.found.device);
    return answerForward(asked, asked.found, 202);
  },
});

const subscribe = endpoint("POST /v1/:ns/forwards/:id/subscriptions", {
  ...of,
  summary: "Let it follow a topic",
  body: jsonBody(TopicBody),
  answers: {
    200: { description: "It followed the topic already.", schema: SubscriptionRecord },
    201: { description: "It follows the topic.", schema: SubscriptionRecord },
  },
  problems: [409],
  handle: async ({ deps, request, principal: { namespace, namespaceId }, found: { device }, body }) => {
    const named = topicNamed(body.topic);
    const topic = named && (await deps.store.forwards.topicNamed(namespaceId, named));
    if (topic === undefined) throw problem.unknownTopic();
    const { kind, subscription } = await subscribeDevice(deps, device, { namespace, key: topic.key });
    return json(subscriptionJson(subscription, baseUrl(deps, request)), kind === "made" ? 201 : 200, NO_STORE);
  },
});

const changeTopic = endpoint("PATCH /v1/:ns/forwards/:id/subscriptions/:key", {
  ...of,
  summary: "Mute a topic for a while, or set its own minimum priority",
  body: jsonBody(SubscriptionPatchBody),
  answers: { 200: { description: "The subscription as it is now.", schema: SubscriptionRecord } },
  handle: async ({ deps, request, params: { key }, principal: { namespace }, found: { device }, body }) => {
    const subscription = await changeSubscription(deps, device, { namespace, key }, body);
    return json(subscriptionJson(subscription, baseUrl(deps, request)), 200, NO_STORE);
  },
});

const unsubscribe = endpoint("DELETE /v1/:ns/forwards/:id/subscriptions/:key", {
  ...of,
  summary: "Let it no longer follow a topic",
  answers: { 204: { description: "It does not follow the topic, and may never have." } },
  handle: async ({ deps, params: { key }, principal: { namespace }, found: { device } }) => {
    await deps.store.devices.unsubscribe(device.id, { namespace, key });
    return noContent();
  },
});

const all = [list, make, one, change, remove, test, subscribe, changeTopic, unsubscribe];

export const forwardRoutes = (given: Omit<ForwardRouteDeps, "seal">) =>
  routesOf({ ...given, seal: sealOf(given) }, all);
