/**
 * The device that this browser is on this server: its id, which is the capability to change it. In a cache of its own,
 * since that is what a page and the service worker can both read; nothing else is in it.
 */

const CACHE = "peal-device";
/** No route answers there: it is only the name under which the id is kept, below the server's base path. */
const keyBelow = (base: string): string => new URL("-/device", base).href;

/** `base`: the server's address with its base path and a slash, the scope of the service worker. */
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

/** A subscription as the server wants to know it (API.md §5). */
export function subscriptionJson(subscription: PushSubscription): {
  token: string;
  keys: Record<string, string> | undefined;
} {
  return { token: subscription.endpoint, keys: subscription.toJSON().keys };
}

/** Gives a device this subscription in place of its last one; its topics stay. */
export async function bringUpToDate(base: string, id: string, subscription: PushSubscription): Promise<Response> {
  return fetch(new URL(`v1/devices/${id}`, base), {
    method: "PATCH",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(subscriptionJson(subscription)),
  });
}

/** What browsers subscribe with, as bytes (RFC 8292 §3.2). */
export async function serverKey(base: string): Promise<Uint8Array<ArrayBuffer>> {
  const answer = await fetch(new URL("v1/webpush", base));
  const { vapid_public_key } = (await answer.json()) as { vapid_public_key: string };
  const binary = atob(vapid_public_key.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
