/** Devices as their apps register them, and their deliveries. */
import { createECDH, randomBytes } from "node:crypto";
import { answer, type TestTopic } from "./client.ts";
import { eventually } from "./eventually.ts";
import type { TestServer } from "./server.ts";

export interface TestDevice {
  id: string;
  ref: string;
  platform: string;
  topics: { namespace: string; topic: string; name: string; url: string; subscribed_at: string }[];
  status: string;
  [field: string]: unknown;
}
export interface TestDelivery {
  device?: { ref: string; platform: string; name?: string };
  state: string;
  lane: string;
  [field: string]: unknown;
}
export interface TestDeliveries {
  counts: Record<string, number>;
  deliveries: TestDelivery[];
  has_more: boolean;
  next_after?: number;
  acknowledged_at?: string;
}

export const DEVICE_ID = /^[0-9a-hjkmnp-tv-z]{26}$/;
export const UNKNOWN_DEVICE = "0123456789abcdefghjkmnpqrs";

export const apnsToken = (bytes = 32): string => randomBytes(bytes).toString("hex");
export const fcmToken = (): string =>
  `${randomBytes(16).toString("base64url")}:${randomBytes(105).toString("base64url")}`;
export const endpoint = (): string => `https://fcm.googleapis.com/fcm/send/${randomBytes(32).toString("base64url")}`;
export const pushKeys = (): { p256dh: string; auth: string } => ({
  p256dh: createECDH("prime256v1").generateKeys("base64url"),
  auth: randomBytes(16).toString("base64url"),
});

/** One of each platform. */
export const NEW_DEVICES: readonly (() => { platform: string; token: string; keys?: object })[] = [
  () => ({ platform: "ios", token: apnsToken() }),
  () => ({ platform: "android", token: fcmToken() }),
  () => ({ platform: "web", token: endpoint(), keys: pushKeys() }),
];

/** Sends a request without a key, as an app does. */
export const send = async (peal: TestServer, method: string, path: string, body?: object | string): Promise<Response> =>
  peal.request(path, {
    method,
    ...(body !== undefined && {
      headers: { "content-type": "application/json" },
      body: typeof body === "string" ? body : JSON.stringify(body),
    }),
  });

/** Registers a device; notes what must not appear in any log. */
export async function register(peal: TestServer, body: object, topics: readonly TestTopic[] = []): Promise<TestDevice> {
  const refs = topics.map(({ namespace, key }) => ({ namespace, topic: key }));
  const { token, keys } = body as { token: string; keys?: { p256dh: string; auth: string } };
  const device = await answer<TestDevice>(201, await send(peal, "POST", "/v1/devices", { ...body, topics: refs }));
  for (const secret of [token, keys?.p256dh, keys?.auth, device.id]) if (secret !== undefined) peal.secrets.add(secret);
  return device;
}

export const iphone = async (peal: TestServer, topics?: readonly TestTopic[], body: object = {}): Promise<TestDevice> =>
  register(peal, { platform: "ios", token: apnsToken(), ...body }, topics);

export const deviceOf = async (peal: TestServer, id: string): Promise<TestDevice> =>
  answer<TestDevice>(200, await send(peal, "GET", `/v1/devices/${id}`));

/** A page of the deliveries of a message. */
export const deliveriesOf = async (
  peal: TestServer,
  { namespace, key }: TestTopic,
  id: number,
  query = "",
): Promise<TestDeliveries> =>
  answer<TestDeliveries>(200, await peal.api("GET", `/v1/${namespace}/${key}/messages/${id}/deliveries${query}`));

/** Resolves once a message has this many deliveries, and `is` holds for each of them. */
export const deliveriesWhen = async (
  peal: TestServer,
  topic: TestTopic,
  id: number,
  count: number,
  is: (delivery: TestDelivery) => boolean = () => true,
): Promise<TestDelivery[]> =>
  eventually(`${count} deliveries`, async () => {
    const { deliveries } = await deliveriesOf(peal, topic, id);
    return deliveries.length === count && deliveries.every(is) ? deliveries : undefined;
  });
