/** One device over HTTP (API.md §5): read, changed, removed, tried out, and what it subscribes to. */
import { Elysia } from "elysia";
import { readJson } from "../http/body.ts";
import { contextOf } from "../http/context.ts";
import { jsonBody, operation, type Operation } from "../http/operation.ts";
import { problem } from "../http/problem.ts";
import { json, NO_STORE } from "../http/respond.ts";
import { baseUrl } from "../http/urls.ts";
import { messageAt } from "../messages/history.ts";
import { answerDevice, type DeviceDeps, type DevicePath, ownDevice } from "./access.ts";
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

interface Asking {
  request: Request;
  params: DevicePath;
}
interface AskingOfTopic {
  request: Request;
  params: DevicePath & { ns: string; key: string };
}

export const oneDevice = (deps: DeviceDeps) => new Elysia().use(itself(deps)).use(subscriptions(deps));

const itself = (deps: DeviceDeps) =>
  new Elysia({ prefix: "/v1/devices/:id" })
    .get(
      "",
      async ({ request, params }: Asking) => answerDevice(deps, request, await ownDevice(deps, request, params)),
      { detail: described({ summary: "One device" }) },
    )
    .patch(
      "",
      async ({ request, params }: Asking) => {
        const { device } = await ownDevice(deps, request, params);
        const body = await readJson(request, DevicePatchBody);
        return answerDevice(deps, request, await changeDevice(deps, device, body));
      },
      {
        parse: "none",
        detail: described({
          summary: "Replace its token, or change how it is notified; what is left out stays as it is",
          body: jsonBody(DevicePatchBody),
          problems: [400, 409, 413, 415, 422],
        }),
      },
    )
    .delete(
      "",
      async ({ request, params }: Asking) => {
        deps.limits.take("read", contextOf(request).address);
        if (!(await deps.store.devices.remove(params.id ?? ""))) throw problem.unknownDevice();
        return new Response(null, { status: 204 });
      },
      {
        detail: described({
          summary: "Remove a device; nothing more is sent to it",
          answers: { 204: { description: "It is gone." } },
        }),
      },
    )
    .post(
      "/test",
      async ({ request, params }: Asking) => {
        deps.limits.take("register", contextOf(request).address);
        const found = await ownDevice(deps, request, params);
        await testDevice(deps, found.device);
        return answerDevice(deps, request, found, 202);
      },
      {
        parse: "none",
        detail: described({
          summary: "Send it a test notification; `last_test` has the result",
          answers: { 202: { description: "The device, and the test on its way.", schema: DeviceRecord } },
          problems: [409],
        }),
      },
    )
    .post(
      "/shown",
      async ({ request, params }: Asking) => {
        if (!deps.config.push.receipts)
          throw problem.notFound("This server keeps no receipts: `PEAL_RECEIPTS` is off.");
        const { device } = await ownDevice(deps, request, params);
        const { namespace: ns, topic: key, id } = await readJson(request, ShownBody);
        const { message } = await messageAt(deps, { ns, key }, String(id));
        await deps.store.deliveries.shown(device.row, message.seq);
        return new Response(null, { status: 204 });
      },
      {
        parse: "none",
        detail: described({
          summary: "Report that it showed a message, if the server asks for this",
          body: jsonBody(ShownBody),
          answers: { 204: { description: "Recorded. Messages never sent to it are ignored." } },
          problems: [400, 413, 415, 422],
        }),
      },
    );

const subscriptions = (deps: DeviceDeps) =>
  new Elysia({ prefix: "/v1/devices/:id/subscriptions" })
    .post(
      "",
      async ({ request, params }: Asking) => {
        const { device } = await ownDevice(deps, request, params);
        const { namespace, topic: key } = await readJson(request, TopicRefBody);
        const { kind, subscription } = await subscribeDevice(deps, device, { namespace, key });
        return answer(deps, request, subscription, kind === "made" ? 201 : 200);
      },
      {
        parse: "none",
        detail: described({
          summary: "Subscribe it to a topic",
          body: jsonBody(TopicRefBody),
          answers: {
            200: { description: "It was subscribed already.", schema: SubscriptionRecord },
            201: { description: "It is subscribed.", schema: SubscriptionRecord },
          },
          problems: [400, 409, 413, 415, 422],
        }),
      },
    )
    .patch(
      "/:ns/:key",
      async ({ request, params: { id, ns, key } }: AskingOfTopic) => {
        const { device } = await ownDevice(deps, request, { id });
        const body = await readJson(request, SubscriptionPatchBody);
        return answer(deps, request, await changeSubscription(deps, device, { namespace: ns, key }, body));
      },
      {
        parse: "none",
        detail: described({
          summary: "Mute a topic for a while, or set its own minimum priority",
          body: jsonBody(SubscriptionPatchBody),
          answers: { 200: { description: "The subscription as it is now.", schema: SubscriptionRecord } },
          problems: [400, 413, 415, 422],
        }),
      },
    )
    .delete(
      "/:ns/:key",
      async ({ request, params: { id, ns, key } }: AskingOfTopic) => {
        const { device } = await ownDevice(deps, request, { id });
        await deps.store.devices.unsubscribe(device.id, { namespace: ns, key });
        return new Response(null, { status: 204 });
      },
      {
        detail: described({
          summary: "Unsubscribe it from a topic",
          answers: { 204: { description: "It is not subscribed, and may never have been." } },
        }),
      },
    );

const answer = ({ config }: DeviceDeps, request: Request, subscription: Subscription, status = 200) =>
  json(subscriptionJson(subscription, baseUrl({ config }, request)), status, NO_STORE);

const described = ({ answers, problems = [], ...rest }: Pick<Operation, "summary" | "body"> & Partial<Operation>) =>
  operation({
    ...rest,
    tag: "devices",
    answers: answers ?? { 200: { description: "The device as it is now.", schema: DeviceRecord } },
    problems: [404, 429, ...problems],
  });
