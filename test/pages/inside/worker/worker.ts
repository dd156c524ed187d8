/**
 * What tests do inside the service worker. A tap on a notification is made of the event alone, and only with a real one
 * may a worker open windows: what it opened and focused is noted instead.
 */
import type { Notice } from "./notice.ts";

declare const self: ServiceWorkerGlobalScope;

interface Done {
  opened: string[];
  focused: string[];
}

/** Of an event that no browser sent, `waitUntil` would throw. */
async function dispatched(event: Event): Promise<void> {
  const work: Promise<unknown>[] = [];
  Object.defineProperty(event, "waitUntil", { value: (promise: Promise<unknown>) => work.push(promise) });
  self.dispatchEvent(event);
  await Promise.all(work);
}

const global = globalThis as { timesShown?: number };

/** Counts what was shown, once a worker however often this is put into it. */
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

  /** `action`: the button's name; none: the notification itself. */
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

  /** The browser has given us another subscription. */
  changeSubscription: async (newSubscription: { endpoint: string; keys: object }): Promise<void> => {
    const { endpoint, keys } = newSubscription;
    const event = new Event("pushsubscriptionchange");
    await dispatched(Object.assign(event, { newSubscription: { endpoint, toJSON: () => ({ endpoint, keys }) } }));
  },
};

count();
Object.assign(globalThis, { insideWorker });
