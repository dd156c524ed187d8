/** Devices over HTTP (API.md §5), but for what is of one device: one.ts. No key: the id of a device is the capability. */
import { jsonBody } from "../http/endpoint.ts";
import { problem } from "../http/problem.ts";
import { NEXT_AFTER, whole } from "../http/query.ts";
import { json, NO_STORE } from "../http/respond.ts";
import { baseUrl } from "../http/urls.ts";
import { endpointsOf, routesOf } from "../keys/endpoint.ts";
import { namedTopic } from "../topics/lookup.ts";
import { answerDevice, type DeviceDeps } from "./access.ts";
import { IDLE_DAYS, IDLE_DEVICES } from "./device.ts";
import { subscriberJson } from "./json.ts";
import { oneDevice } from "./one.ts";
import { DeviceRecord, NewDeviceBody, SubscriberList, WebPushRecord } from "./schema.ts";
import { newDevice } from "./spec.ts";

const MAX_LISTED = 200;

const endpoint = endpointsOf<DeviceDeps>("devices");

const register = endpoint("POST /v1/devices", {
  summary: "Register a device, or the same one again",
  description: `The same platform and token is the same device: it is updated, and topics are added. A device that follows no topic is removed after ${IDLE_DAYS} days, or earlier once ${IDLE_DEVICES} newer ones follow none; registering or changing it starts the time again.`,
  scope: "none",
  limit: ["register"],
  body: jsonBody(NewDeviceBody),
  answers: {
    200: { description: "The device that has this token.", schema: DeviceRecord },
    201: { description: "The device.", schema: DeviceRecord },
  },
  problems: [404, 409],
  handle: async ({ deps, request, body }) => {
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
});

const webPush = endpoint("GET /v1/webpush", {
  summary: "What a browser needs to subscribe",
  scope: "none",
  limit: ["read"],
  answers: { 200: { description: "Of this server.", schema: WebPushRecord } },
  handle: ({ deps }) => json({ vapid_public_key: deps.delivery.vapidPublicKey }),
});

const subscribers = endpoint("GET /v1/:ns/:key/devices", {
  summary: "The devices that follow a topic",
  scope: "full",
  find: namedTopic,
  query: { limit: whole(1, MAX_LISTED, 100), after: whole(0, Number.MAX_SAFE_INTEGER, NEXT_AFTER) },
  answers: { 200: { description: "A page of devices.", schema: SubscriberList } },
  handle: async ({ deps, principal, found: topic, query }) => {
    const { limit } = query;
    // one more than asked for tells whether there are more
    const found = await deps.store.devices.ofTopic(topic.id, { ...query, limit: limit + 1 });
    const shown = found.slice(0, limit);
    const last = found.length > limit ? shown.at(-1) : undefined;
    const next = last === undefined ? {} : { next_after: last.row };
    const devices = shown.map((device) => subscriberJson(principal, device));
    return json({ devices, has_more: last !== undefined, ...next }, 200, NO_STORE);
  },
});

export const deviceRoutes = (deps: DeviceDeps) => routesOf(deps, [register, webPush, ...oneDevice, subscribers]);
