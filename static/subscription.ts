/** This browser as a device of the server: subscribes, unsubscribes and reads its record (API.md §5). */
import { bringUpToDate, forgetDevice, keepDevice, keptDevice, serverKey, subscriptionJson } from "./device.ts";
import { words } from "./words.ts";

export interface TopicRef {
  namespace: string;
  topic: string;
}

export interface Subscription extends TopicRef {
  muted_until?: string;
}

/** The fields of a device's record that the page reads. */
export interface Device {
  id: string;
  name?: string;
  topics: Subscription[];
  status: "active" | "expired";
  last_success_at?: string;
  last_error_at?: string;
  last_error?: string;
  last_test?: {
    state: "pending" | "accepted" | "failed" | "expired" | "cancelled";
    /** Why it has not been sent yet. */
    waits_for?: string;
    /** The HTTP status that the push service answered with; `answer` is its text. */
    status?: number;
    answer?: string;
  };
}

/** Carries a message for the reader: the server's own words, or ours. */
export class Refused extends Error {}

/** The server's address with its base path and a slash: the scope of the service worker. */
export const scope = new URL(`${document.documentElement.dataset["base"] ?? ""}/`, location.href).href;
/** The address of our service worker. Below a base path, pages may also be controlled by another program's worker from above it. */
export const script = `${scope}sw.js`;

/** The device that this browser became when notifications were last turned on; undefined if the server does not know it. */
export async function knownDevice(): Promise<Device | undefined> {
  const id = await keptDevice(scope);
  if (id === undefined) return undefined;
  const device = await ask("GET", `v1/devices/${id}`);
  // unless another id was kept meanwhile
  if (device === undefined && (await keptDevice(scope)) === id) await forgetDevice(scope);
  return device;
}

/** Sends the server the browser's present subscription. Undefined if it has none that works, and needs a new one. */
export async function refresh(device: Device): Promise<Device | undefined> {
  const found = await navigator.serviceWorker.getRegistration(scope);
  const registration = found?.scope === scope ? found : undefined;
  const subscription = await registration?.pushManager.getSubscription();
  if (device.status === "expired" || !subscription || Notification.permission !== "granted") return undefined;
  void registration?.update().catch(() => undefined); // then the old worker stays
  return recordIn(await bringUpToDate(scope, device.id, subscription).catch(away));
}

/** Chromium may wait forever if it cannot reach its push service. */
const JOIN_PATIENCE_MS = 30_000;

/** Subscribes this browser to a topic; it must have permission. `anew`: its present subscription no longer works. */
export async function subscribe(topic: TopicRef, anew: boolean): Promise<Device> {
  const { pushManager } = await startedWorker();
  const key = await serverKey(scope).catch(away);
  let subscription = await pushManager.getSubscription();
  if (subscription && (anew || !isFor(subscription, key))) {
    await subscription.unsubscribe();
    subscription = null;
  }
  subscription ??= await Promise.race([
    pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }),
    new Promise<never>((_, refuse) => setTimeout(refuse, JOIN_PATIENCE_MS)),
  ]).catch(() => {
    throw new Refused(words.noPushService);
  });
  const known = await keptDevice(scope);
  // a known device gets the new subscription and so keeps its other topics; an unknown one is made below
  if (known !== undefined) await bringUpToDate(scope, known, subscription).catch(away);
  const { language: locale } = navigator;
  const body = { platform: "web", ...subscriptionJson(subscription), topics: [topic], locale, name: browserName() };
  const device = await ask("POST", "v1/devices", body);
  if (device === undefined) throw new Refused(words.gone);
  await keepDevice(scope, device.id);
  return device;
}

export async function unsubscribe({ id }: Device, { namespace, topic }: TopicRef): Promise<void> {
  await ask("DELETE", `v1/devices/${id}/subscriptions/${namespace}/${topic}`);
}

/** Mutes a topic on the device; unmutes it if `until` is undefined. Resolves to undefined if the device is no longer subscribed. */
export async function mute(
  { id }: Device,
  { namespace, topic }: TopicRef,
  until: Date | undefined,
): Promise<Subscription | undefined> {
  const body = { muted_until: until?.toISOString() ?? null };
  return ask<Subscription>("PATCH", `v1/devices/${id}/subscriptions/${namespace}/${topic}`, body);
}

const TEST_PATIENCE_MS = 30_000;
const TEST_PAUSE_MS = 500;

/** Has the server send a test, and waits for the push service's answer. */
export async function test({ id }: Device): Promise<Device | undefined> {
  await ask("POST", `v1/devices/${id}/test`);
  const end = Date.now() + TEST_PATIENCE_MS;
  for (;;) {
    const device = await ask("GET", `v1/devices/${id}`);
    if (device?.last_test?.state !== "pending" || Date.now() > end) return device;
    await new Promise((resolve) => setTimeout(resolve, TEST_PAUSE_MS));
  }
}

async function ask<T = Device>(method: string, path: string, body?: object): Promise<T | undefined> {
  const answer = await fetch(new URL(path, scope), {
    method,
    ...(body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) }),
  }).catch(away);
  return recordIn(answer);
}

/** The record in an answer; undefined for 404 and 204. @throws Refused with the server's words, or ours if those are meant for its owner */
async function recordIn<T = Device>(answer: Response): Promise<T | undefined> {
  if (answer.status === 404 || answer.status === 204) return undefined;
  const json: unknown = await answer.json().catch(away);
  if (answer.ok) return json as T;
  const { code, detail } = json as { code?: string; detail?: string };
  throw new Refused(code === "too_many_devices" ? words.tooManyDevices : (detail ?? words.serverAway));
}

function away(): never {
  throw new Refused(words.serverAway);
}

// the page's policy requires a trusted script URL; the types do not know that yet
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string };
}
const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
const policy = trustedTypes?.createPolicy("peal", { createScriptURL: (url) => url });

/** Registers the service worker, which shows notifications, and the feed without a connection, and waits until it is active. */
export async function startedWorker(): Promise<ServiceWorkerRegistration> {
  await navigator.serviceWorker.register(policy?.createScriptURL(script) ?? script, { scope });
  return navigator.serviceWorker.ready;
}

/** Whether the subscription was made with this key. After a restore the server may have another one. */
function isFor({ options }: PushSubscription, key: Uint8Array): boolean {
  const known = options.applicationServerKey;
  return known === null || new Uint8Array(known).join() === key.join();
}

const BROWSERS = [/Firefox/, /SamsungBrowser/, /Edg/, /OPR/, /Chrome/, /Safari/];
const SYSTEMS = [/iPhone/, /iPad/, /Android/, /Windows/, /CrOS/, /Mac/, /Linux/];
const NAMES: Record<string, string> = {
  SamsungBrowser: "Samsung Internet",
  Edg: "Edge",
  OPR: "Opera",
  CrOS: "ChromeOS",
};

/** A name by which its owner recognizes the browser, such as `Firefox, Android`. */
function browserName(): string {
  const found = [BROWSERS, SYSTEMS].map((list) => list.find((one) => one.test(navigator.userAgent))?.source);
  return found.flatMap((name) => (name === undefined ? [] : [NAMES[name] ?? name])).join(", ");
}
