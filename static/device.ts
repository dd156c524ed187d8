/**
 * The device that this browser is on this server. Its id, which gives the right to change it, is kept in a separate cache,
 * because both the page and the service worker can read caches. Nothing else is in that cache.
 */

const CACHE = "peal-device";
/** The name under which the id is kept, below the server's base path. No route answers at this address. */
const keyBelow = (base: string): string => new URL("-/device", base).href;

/** The id of the device, if one is kept. `base`: the server's address with its base path and a slash, the service worker's scope. */
export async function keptDevice(base: string): Promise<string | undefined> {
  const kept = await (await caches.open(CACHE)).match(keyBelow(base));
  return kept?.text();
}

export async function keepDevice(base: string, id: string): Promise<void> {
  await (await caches.open(CACHE)).put(keyBelow(base), new Response(id));
}

export async function forgetDevice(base: string): Promise<void> {
  await (await caches.open(CACHE)).delete(keyBelow(base));
}

/** A subscription in the form that the API takes (API.md §5). */
export function subscriptionJson(subscription: PushSubscription): {
  token: string;
  keys: Record<string, string> | undefined;
} {
  return { token: subscription.endpoint, keys: subscription.toJSON().keys };
}

/** Replaces the subscription of a device; its topics stay. */
export async function bringUpToDate(base: string, id: string, subscription: PushSubscription): Promise<Response> {
  return fetch(new URL(`v1/devices/${id}`, base), {
    method: "PATCH",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(subscriptionJson(subscription)),
  });
}

/** The server's public VAPID key, which browsers subscribe with, as bytes (RFC 8292 §3.2). */
export async function serverKey(base: string): Promise<Uint8Array<ArrayBuffer>> {
  const answer = await fetch(new URL("v1/webpush", base));
  const { vapid_public_key } = (await answer.json()) as { vapid_public_key: string };
  const binary = atob(vapid_public_key.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
