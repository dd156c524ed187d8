/**
 * A real browser, as old as any that is supported, that gets real pushes: it subscribes at the tests' push service, and
 * what is sent there is handed to its worker.
 */
import { afterAll } from "bun:test";
import { join } from "node:path";
import type { Browser, CDPSession, Page, Worker } from "playwright-core";
import type { Client, TestTopic } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { authority } from "../support/push/ca.ts";
import { fakePushService, type FakePushService, type TestSubscription } from "../support/push/webpush.ts";
import { startPeal, type Peal } from "../support/server.ts";
import type { Notice } from "./inside/worker/notice.ts";
import { open, startBrowsing, type OpenOptions, type OpenPage } from "./browser.ts";

const pushEnv = (service: FakePushService) => ({ ...service.env, NODE_EXTRA_CA_CERTS: authority.file });

/** Starts a server that sends to the tests' push service. */
export const pushingTo = async (service: FakePushService, env: Record<string, string> = {}): Promise<Peal> =>
  startPeal({ env: { ...pushEnv(service), ...env } });

/** For a file of tests: starts a push service and a server that sends to it, which end with the last test, and opens a browser. */
export async function startPushing(...args: string[]) {
  const service = await fakePushService();
  const started = await startBrowsing(
    { env: { ...pushEnv(service), PEAL_IMAGE_HOSTS: "cam.example" } },
    { isWhole: true, args },
  );
  afterAll(async () => service[Symbol.asyncDispose]());
  return { service, ...started };
}

export interface Subscriber extends OpenPage {
  /** The browser's subscriptions at the push service, the newest last. */
  readonly subscriptions: readonly TestSubscription[];
  /** Presses **Notify me** and waits until notifications are on. */
  turnOn(): Promise<void>;
  /** Starts over at this address: no notifications on the screen, and pushes are counted from now on. */
  goOn(url: string): Promise<void>;
  /** Waits for the `n`th push that the service accepted for the newest subscription, and hands it to the worker. */
  receive(n?: number): Promise<void>;
  /** Hands these texts to the worker, all at once, and waits until it has shown them. */
  deliver(...plaintexts: string[]): Promise<void>;
  /** Calls `doing` and waits until the worker has shown this many more notifications. */
  shows(more: number, doing: () => unknown): Promise<void>;
  /** The notifications on the screen. */
  notices(): Promise<Notice[]>;
  /** Removes all notifications from the screen. */
  clear(): Promise<void>;
  /** Taps the notification, or its button of this name. */
  click(action?: string): Promise<{ opened: string[]; focused: string[] }>;
  changeSubscription(subscription: TestSubscription): Promise<void>;
  /** The badge that the worker has set on the icon of the app. */
  badge(): Promise<number>;
}

const bundled = async (file: string): Promise<string> => {
  const entrypoints = [join(import.meta.dir, "inside", file)];
  const { outputs } = await Bun.build({ entrypoints, target: "browser", format: "iife" });
  return (await outputs[0]?.text()) ?? "";
};
const scripts = Promise.all([
  bundled("subscription.ts"),
  bundled("worker/worker.ts"),
  bundled("old.ts"),
  bundled("badge.ts"),
]);

/** Opens the browser's page at `url`, with notifications allowed. */
export async function openSubscriber(
  browser: Browser,
  url: string,
  service: FakePushService,
  options: OpenOptions = {},
): Promise<Subscriber> {
  const [inPage, inWorker, old, badge] = await scripts;
  const subscriptions: TestSubscription[] = [];
  let before = 0;
  const opened = await open(browser, { permissions: ["notifications"], ...options });
  const { page } = opened;
  const context = page.context();
  await context.exposeFunction("subscribeAtTheService", (vapidPublicKey: string) => {
    const made = service.subscribe(vapidPublicKey);
    subscriptions.push(made);
    return made;
  });
  await context.addInitScript(`${old}; ${badge}; ${inPage}`);
  const cdp = await context.newCDPSession(page);
  const registration = registrationIn(cdp);
  await page.goto(url);

  const worker = async (): Promise<Worker> => eventually("the service worker", () => context.serviceWorkers()[0]);
  const inside = async <T>(call: string): Promise<T> =>
    (await worker()).evaluate<T>(`{ ${old}; ${badge}; ${inWorker}; insideWorker.${call} }`);
  const clear = async () => inside<undefined>("clear()");
  const accepted = () => service.accepted(subscriptions.at(-1)?.endpoint ?? "");
  const shows = async (more: number, doing: () => unknown) => {
    const enough = (await inside<number>("timesShown()")) + more;
    await doing();
    // not by asking for what is shown: Chromium would forget notifications that are being shown (static/worker/show.ts)
    await eventually("a notification", async () => (await inside<number>("timesShown()")) >= enough);
  };
  const deliver = async (...plaintexts: string[]) => {
    const registrationId = await registration();
    const { origin } = new URL(url);
    await shows(plaintexts.length, async () =>
      Promise.all(
        plaintexts.map(async (data) => cdp.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data })),
      ),
    );
  };
  return {
    ...opened,
    page,
    subscriptions,
    deliver,
    shows,
    clear,
    turnOn: async () => {
      await page.getByRole("button", { name: "Notify me" }).click();
      await page.getByRole("heading", { name: "Notifications are on in this browser" }).waitFor();
    },
    goOn: async (next) => {
      await clear();
      before = accepted().length;
      await page.goto(next);
    },
    receive: async (n = 1) => {
      const push = await eventually(`push ${n}`, () => accepted()[before + n - 1]);
      await deliver(push.plaintext ?? "");
    },
    notices: async () => inside("notices()"),
    click: async (action) => inside(`click(${JSON.stringify(action)})`),
    badge: async () => inside("badge()"),
    changeSubscription: async (subscription) => inside(`changeSubscription(${JSON.stringify(subscription)})`),
    [Symbol.asyncDispose]: async () => opened[Symbol.asyncDispose](),
  };
}

/** For tests that need no separate browser: each gets the same one, with its own topic turned on. */
export function sharedSubscriber({ browser, peal, service }: Awaited<ReturnType<typeof startPushing>>) {
  let shared: Subscriber | undefined;
  afterAll(async () => shared?.[Symbol.asyncDispose]());
  return async (name: string) => {
    const topic = await feedOf(peal, name);
    if (shared === undefined) shared = await openSubscriber(browser, topic.url, service);
    else await shared.goOn(topic.url);
    await shared.turnOn();
    return { topic, subscriber: shared };
  };
}

/** Returns a function for the id by which the DevTools protocol knows the page's service worker. */
function registrationIn(cdp: CDPSession): () => Promise<string> {
  let id: string | undefined;
  cdp.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
    id = registrations.find(({ isDeleted }) => !isDeleted)?.registrationId ?? id;
  });
  const enabled = cdp.send("ServiceWorker.enable");
  return async () => {
    await enabled;
    return eventually("the service worker's registration", () => id);
  };
}

/** Waits until the browser shows exactly these titles, in any order. */
export async function onScreen(subscriber: Subscriber, ...titles: string[]): Promise<Notice[]> {
  return eventually(`notifications ${titles.join()}`, async () => {
    const notices = await subscriber.notices();
    const shown = notices.map(({ title }) => title).toSorted();
    return shown.join() === titles.toSorted().join() ? notices : undefined;
  });
}

/** Makes a topic with a message: the page of an empty one reloads with its first message, in the middle of a test. */
export async function feedOf(peal: Client, name: string): Promise<TestTopic> {
  const topic = await peal.topic(name);
  await peal.publish(topic, { message: "before" });
  return topic;
}

/** The part of the page about notifications. */
export const notify = (page: Page) => page.getByRole("region", { name: "Notifications" });
