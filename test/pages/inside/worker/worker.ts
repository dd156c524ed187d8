/**
 * What tests do inside the service worker. A tap on a notification is simulated by its event. Only after a real tap may
 * a worker open windows, so what it opened and focused is recorded instead.
 */
import type { Notice } from "./notice.ts";

declare const self: ServiceWorkerGlobalScope;

interface Done {
  opened: string[];
  focused: string[];
}

/** Dispatches an event; `waitUntil` is replaced, because it would throw for an event that no browser sent. */
async function dispatched(event: Event): Promise<void> {
  const work: Promise<unknown>[] = [];
  Object.defineProperty(event, "waitUntil", { value: (promise: Promise<unknown>) => work.push(promise) });
  self.dispatchEvent(event);
  await Promise.all(work);
}

const global = globalThis as { timesShown?: number };

/** Counts what was shown, once per worker however often this script is injected. */
function count(): void {
  if (global.timesShown !== undefined) return;
  global.timesShown = 0;
  const show = ServiceWorkerRegistration.prototype.showNotification;
  ServiceWorkerRegistration.prototype.showNotification = async function (...how) {
    await show.apply(this, how);
    global.timesShown = (global.timesShown ?? 0) + 1;
  };
}

const insideWorker = {
  timesShown: () => global.timesShown ?? 0,

  badge: () => (globalThis as { badge?: number }).badge,

  notices: async (): Promise<Notice[]> =>
    ((await self.registration.getNotifications()) as (Notification & Notice)[]).map(
      ({ title, body, tag, silent, renotify, requireInteraction, actions }) => ({
        ...{ title, body, tag, silent, renotify, requireInteraction },
        actions: actions.map((action) => ({ action: action.action, title: action.title })),
      }),
    ),

  clear: async () => {
    for (const notification of await self.registration.getNotifications()) notification.close();
  },

  /** `action`: the button's name; empty: the notification itself. */
  click: async (action = ""): Promise<Done> => {
    const done: Done = { opened: [], focused: [] };
    self.clients.openWindow = async (url) => {
      done.opened.push(String(url));
      return Promise.resolve(null);
    };
    WindowClient.prototype.focus = async function () {
      done.focused.push(this.url);
      return Promise.resolve(this);
    };
    const [notification] = await self.registration.getNotifications();
    if (!notification) throw new Error("nothing is shown");
    await dispatched(new NotificationEvent("notificationclick", { notification, action }));
    return done;
  },

  /** Acts as if the browser had replaced the subscription. */
  changeSubscription: async (newSubscription: { endpoint: string; keys: object }): Promise<void> => {
    const { endpoint, keys } = newSubscription;
    const event = new Event("pushsubscriptionchange");
    await dispatched(Object.assign(event, { newSubscription: { endpoint, toJSON: () => ({ endpoint, keys }) } }));
  },
};

count();
Object.assign(globalThis, { insideWorker });
