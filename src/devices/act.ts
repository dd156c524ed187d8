/** Changes to a device, by its owner over the API or by an admin in the dashboard. */
import type { Deps } from "../deps.ts";
import { problem } from "../http/problem.ts";
import type { Registered, TopicRef } from "../store/devices.ts";
import type { Device, Subscription } from "./device.ts";
import type { DevicePatchBody, SubscriptionPatchBody } from "./schema.ts";
import { devicePatch, subscriptionPatch } from "./spec.ts";

type ActDeps = Pick<Deps, "config" | "store">;

/** @throws Problem 404 `unknown_device` */
export function known<T>(found: T | undefined): T {
  if (found === undefined) throw problem.unknownDevice();
  return found;
}

/** @throws Problem 404, 409 `token_taken`, 422 */
export async function changeDevice(
  deps: ActDeps,
  { id, platform }: Pick<Device, "id" | "platform">,
  body: DevicePatchBody,
): Promise<Registered> {
  const patched = await deps.store.devices.patch(id, devicePatch(platform, body, deps.config.push.hosts));
  if (patched === "token_taken") throw problem.tokenTaken();
  return known(patched);
}

/** Sends a test notification. @throws Problem 404, 409 `device_expired` */
export async function testDevice(
  { delivery }: Pick<Deps, "delivery">,
  { id, lost }: Pick<Device, "id" | "lost">,
): Promise<void> {
  if (lost !== undefined) throw problem.deviceExpired();
  if (!(await delivery.sendTest(id))) throw problem.unknownDevice();
}

/** @throws Problem 404 `unknown_device` or `unknown_topic`, 409 */
export async function subscribeDevice(
  { store, deviceCaps }: Pick<Deps, "store" | "deviceCaps">,
  { id }: Pick<Device, "id">,
  topic: TopicRef,
): Promise<{ kind: "made" | "known"; subscription: Subscription }> {
  const subscribed = await store.devices.subscribe(id, topic);
  switch (subscribed.kind) {
    case "made":
    case "known":
      return subscribed;
    case "unknown_device":
      throw problem.unknownDevice();
    case "unknown_topic":
      throw problem.unknownTopic();
    case "topic_full":
    case "namespace_full":
    case "too_many_subscriptions":
      throw deviceCaps.refusal(subscribed.kind);
  }
}

/** @throws Problem 404 `unknown_subscription`, 422 */
export async function changeSubscription(
  { store }: ActDeps,
  { id }: Pick<Device, "id">,
  topic: TopicRef,
  body: SubscriptionPatchBody,
): Promise<Subscription> {
  const patched = await store.devices.patchSubscription(id, topic, subscriptionPatch(body));
  if (patched === undefined) throw problem.unknownSubscription();
  return patched;
}
