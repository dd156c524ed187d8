/** One device over HTTP (API.md §5): read, changed, removed, tried out, and what it subscribes to. */
import { contextOf } from "../http/context.ts";
import { jsonBody } from "../http/endpoint.ts";
import { problem } from "../http/problem.ts";
import { json, noContent, NO_STORE } from "../http/respond.ts";
import { baseUrl } from "../http/urls.ts";
import { endpointsOf } from "../keys/endpoint.ts";
import { messageAt } from "../messages/history.ts";
import { answerDevice, type DeviceDeps, ownDevice } from "./access.ts";
import { changeDevice, changeSubscription, subscribeDevice, testDevice } from "./act.ts";
import type { Subscription } from "./device.ts";
import { subscriptionJson } from "./json.ts";
import {
  DevicePatchBody,
  DeviceRecord,
  ShownBody,
  SubscriptionPatchBody,
  SubscriptionRecord,
  TopicRefBody,
} from "./schema.ts";

const endpoint = endpointsOf<DeviceDeps>("devices");
const of = { scope: "device id", limit: ["read"], problems: [404] } as const;
const AS_IT_IS = { 200: { description: "The device as it is now.", schema: DeviceRecord } };

const one = endpoint("GET /v1/devices/:id", {
  ...of,
  summary: "One device",
  find: ownDevice,
  answers: AS_IT_IS,
  handle: async ({ deps, request, found }) => answerDevice(deps, request, found),
});

const change = endpoint("PATCH /v1/devices/:id", {
  ...of,
  summary: "Replace its token, or change how it is notified; what is left out stays as it is",
  find: ownDevice,
  body: jsonBody(DevicePatchBody),
  answers: AS_IT_IS,
  problems: [404, 409],
  handle: async ({ deps, request, found: { device }, body }) =>
    answerDevice(deps, request, await changeDevice(deps, device, body)),
});

const remove = endpoint("DELETE /v1/devices/:id", {
  ...of,
  summary: "Remove a device; nothing more is sent to it",
  find: ownDevice,
  answers: { 204: { description: "It is gone." } },
  handle: async ({ deps, params }) => {
    if (!(await deps.store.devices.remove(params.id))) throw problem.unknownDevice();
    return noContent();
  },
});

const test = endpoint("POST /v1/devices/:id/test", {
  ...of,
  summary: "Send it a test notification; `last_test` has the result",
  limit: ["register", "read"],
  find: ownDevice,
  answers: { 202: { description: "The device, and the test on its way.", schema: DeviceRecord } },
  problems: [404, 409],
  handle: async ({ deps, request, found }) => {
    await testDevice(deps, found.device);
    return answerDevice(deps, request, found, 202);
  },
});

const shown = endpoint("POST /v1/devices/:id/shown", {
  summary: "Report that it showed a message, if the server asks for this",
  scope: "device id",
  find: async ({ deps, request, params }) => {
    if (!deps.config.push.receipts) throw problem.notFound("This server keeps no receipts: `PEAL_RECEIPTS` is off.");
    deps.limits.take("read", contextOf(request).address); // only now: without receipts nothing is counted
    return ownDevice({ deps, params });
  },
  body: jsonBody(ShownBody),
  answers: { 204: { description: "Recorded. Messages never sent to it are ignored." } },
  problems: [404, 429],
  handle: async ({ deps, found: { device }, body: { namespace: ns, topic: key, id } }) => {
    const { message } = await messageAt(deps, { ns, key }, String(id));
    await deps.store.deliveries.shown(device.row, message.seq);
    return noContent();
  },
});

const subscribe = endpoint("POST /v1/devices/:id/subscriptions", {
  ...of,
  summary: "Subscribe it to a topic",
  find: ownDevice,
  body: jsonBody(TopicRefBody),
  answers: {
    200: { description: "It was subscribed already.", schema: SubscriptionRecord },
    201: { description: "It is subscribed.", schema: SubscriptionRecord },
  },
  problems: [404, 409],
  handle: async ({ deps, request, found: { device }, body: { namespace, topic: key } }) => {
    const { kind, subscription } = await subscribeDevice(deps, device, { namespace, key });
    return answer(deps, request, subscription, kind === "made" ? 201 : 200);
  },
});

const changeTopic = endpoint("PATCH /v1/devices/:id/subscriptions/:ns/:key", {
  ...of,
  summary: "Mute a topic for a while, or set its own minimum priority",
  find: ownDevice,
  body: jsonBody(SubscriptionPatchBody),
  answers: { 200: { description: "The subscription as it is now.", schema: SubscriptionRecord } },
  handle: async ({ deps, request, params: { ns: namespace, key }, found: { device }, body }) =>
    answer(deps, request, await changeSubscription(deps, device, { namespace, key }, body)),
});

const unsubscribe = endpoint("DELETE /v1/devices/:id/subscriptions/:ns/:key", {
  ...of,
  summary: "Unsubscribe it from a topic",
  find: ownDevice,
  answers: { 204: { description: "It is not subscribed, and may never have been." } },
  handle: async ({ deps, params: { ns: namespace, key }, found: { device } }) => {
    await deps.store.devices.unsubscribe(device.id, { namespace, key });
    return noContent();
  },
});

const answer = ({ config }: DeviceDeps, request: Request, subscription: Subscription, status = 200) =>
  json(subscriptionJson(subscription, baseUrl({ config }, request)), status, NO_STORE);

export const oneDevice = [one, change, remove, test, shown, subscribe, changeTopic, unsubscribe];
