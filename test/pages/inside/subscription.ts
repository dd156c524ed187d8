/**
 * Injected into the page before its own scripts: a browser with the tests' push service (test/support/push/webpush.ts),
 * because Chromium's own cannot be reached. Like a browser it keeps its subscription across reloads.
 */
interface Kept {
  endpoint: string;
  keys: { p256dh: string; auth: string };
  /** The key of the server that subscribed, base64url. */
  key: string;
}

const KEPT = "test:subscription";
const { subscribeAtTheService } = globalThis as unknown as {
  subscribeAtTheService(key: string): Promise<Omit<Kept, "key">>;
};

const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
const bytesOf = (text: string) =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (character) => character.charCodeAt(0));

const asSubscription = ({ endpoint, keys, key }: Kept) =>
  ({
    endpoint,
    expirationTime: null,
    options: { userVisibleOnly: true, applicationServerKey: bytesOf(key).buffer },
    toJSON: () => ({ endpoint, expirationTime: null, keys: { ...keys } }),
    unsubscribe: async () => {
      localStorage.removeItem(KEPT);
      return Promise.resolve(true);
    },
  }) as unknown as PushSubscription;

PushManager.prototype.getSubscription = async () => {
  const kept = localStorage.getItem(KEPT);
  return Promise.resolve(kept === null ? null : asSubscription(JSON.parse(kept) as Kept));
};
PushManager.prototype.subscribe = async (options) => {
  const key = base64url(options?.applicationServerKey as Uint8Array);
  const kept = { ...(await subscribeAtTheService(key)), key };
  localStorage.setItem(KEPT, JSON.stringify(kept));
  return asSubscription(kept);
};
