/** Devices over HTTP (API.md §5), but for what is of one device: one.ts. No key: the id of a device is the capability. */
import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { authorize } from "../keys/auth.ts";
import { readJson } from "../http/body.ts";
import { contextOf } from "../http/context.ts";
import { jsonBody, operation } from "../http/operation.ts";
import { problem } from "../http/problem.ts";
import { integer, queryOf } from "../http/query.ts";
import { json, NO_STORE } from "../http/respond.ts";
import { baseUrl } from "../http/urls.ts";
import { ANY_ID } from "../messages/history.ts";
import { topicAt, type TopicPath } from "../topics/lookup.ts";
import { answerDevice, type DeviceDeps } from "./access.ts";
import { IDLE_DAYS, IDLE_DEVICES } from "./device.ts";
import { subscriberJson } from "./json.ts";
import { oneDevice } from "./one.ts";
import { DeviceRecord, NewDeviceBody, SubscriberList, WebPushRecord } from "./schema.ts";
import { newDevice } from "./spec.ts";

const MAX_LISTED = 200;

export const deviceRoutes = (deps: DeviceDeps) =>
  new Elysia().use(registration(deps)).use(oneDevice(deps)).use(subscribers(deps));

const registration = (deps: DeviceDeps) =>
  new Elysia({ prefix: "/v1" })
    .post(
      "/devices",
      async ({ request }) => {
        deps.limits.take("register", contextOf(request).address);
        const body = await readJson(request, NewDeviceBody);
        const device = newDevice(body, deps.config.push.hosts, baseUrl(deps, request));
        const registered = await deps.store.devices.register(device);
        switch (registered.kind) {
          case "made":
          case "known":
            if (registered.madeRoom) deps.deviceCaps.madeRoom();
            return answerDevice(deps, request, registered, registered.kind === "made" ? 201 : 200);
          case "unknown_topics":
            throw problem.unknownTopics(
              registered.unknown.map((n) => ({ path: `/topics/${n}`, message: "is not a topic" })),
            );
          case "token_taken":
            throw problem.tokenTaken();
          case "topic_full":
          case "namespace_full":
          case "server_full":
          case "too_many_subscriptions":
            throw deps.deviceCaps.refusal(registered.kind);
        }
      },
      {
        parse: "none",
        detail: operation({
          tag: "devices",
          summary: "Register a device, or the same one again",
          description: `The same platform and token is the same device: it is updated, and topics are added. A device that follows no topic is removed after ${IDLE_DAYS} days, or earlier once ${IDLE_DEVICES} newer ones follow none; registering or changing it starts the time again.`,
          body: jsonBody(NewDeviceBody),
          answers: {
            200: { description: "The device that has this token.", schema: DeviceRecord },
            201: { description: "The device.", schema: DeviceRecord },
          },
          problems: [400, 404, 409, 413, 415, 422, 429],
        }),
      },
    )
    .get(
      "/webpush",
      ({ request }) => {
        deps.limits.take("read", contextOf(request).address);
        return json({ vapid_public_key: deps.delivery.vapidPublicKey });
      },
      {
        detail: operation({
          tag: "devices",
          summary: "What a browser needs to subscribe",
          answers: { 200: { description: "Of this server.", schema: WebPushRecord } },
          problems: [429],
        }),
      },
    );

const subscribers = (deps: DeviceDeps) =>
  new Elysia({ prefix: "/v1/:ns/:key/devices" }).get(
    "",
    async ({ request, params }: { request: Request; params: TopicPath }) => {
      const principal = await authorize(deps, request, params.ns, "full");
      const { id } = await topicAt(deps, params);
      const query = queryOf(request);
      const limit = integer(query, "limit", { min: 1, max: MAX_LISTED, default: 100 });
      const after = integer(query, "after", ANY_ID);
      // one more than asked for tells whether there are more
      const found = await deps.store.devices.ofTopic(id, { limit: limit + 1, ...(after !== undefined && { after }) });
      const shown = found.slice(0, limit);
      const last = found.length > limit ? shown.at(-1) : undefined;
      const next = last === undefined ? {} : { next_after: last.row };
      const devices = shown.map((device) => subscriberJson(principal, device));
      return json({ devices, has_more: last !== undefined, ...next }, 200, NO_STORE);
    },
    {
      detail: operation({
        tag: "devices",
        summary: "The devices that follow a topic",
        key: true,
        parameters: [
          { name: "limit", schema: Type.Integer({ minimum: 1, maximum: MAX_LISTED, default: 100 }) },
          { name: "after", schema: Type.Integer({ minimum: 0 }), description: "The `next_after` of the page before." },
        ],
        answers: { 200: { description: "A page of devices.", schema: SubscriberList } },
        problems: [400, 404],
      }),
    },
  );
