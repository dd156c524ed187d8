/** The words of **Notify me**: why it does not work, whether it is on, since when, and how a test was answered (WEB.md §4). */
import { expect, test } from "bun:test";
import type { Page, Route } from "playwright-core";
import { eventually } from "../support/eventually.ts";
import { fakePushService } from "../support/push/webpush.ts";
import { look, open } from "./browser.ts";
import { notify, onScreen, openSubscriber, startPushing } from "./subscriber.ts";

const { service, peal, browser } = await startPushing();
const topic = await peal.topic("states");
await peal.publish(topic, { message: "x" });
const { url } = topic;

/** What the reader sees: heading and buttons. */
const seen = async (page: Page) => ({
  heading: await notify(page).getByRole("heading").textContent(),
  buttons: await notify(page).getByRole("button").allInnerTexts(),
});

test("someone whose browser blocks notifications is told how to allow them", async () => {
  await using opened = await open(browser, { permissions: ["geolocation"] }); // and everything else is blocked
  await opened.page.goto(url);
  expect(await seen(opened.page)).toEqual({ heading: "This browser blocks notifications from peal.", buttons: [] });
});

test("over http it says that push needs https", async () => {
  await using opened = await open(browser, { expected: /Cross-Origin-Opener-Policy header has been ignored/ });
  await opened.page.goto(url.replace("127.0.0.1", "peal.test"));
  expect(await seen(opened.page)).toEqual({ heading: "Browsers accept push only over HTTPS.", buttons: [] });
});

test.each([
  ["a browser without push", "delete window.PushManager", "This browser can’t receive push."],
  ["an iPhone's Safari", "delete window.PushManager; navigator.standalone = false", "Add to Home Screen first"],
])("someone with %s is told what else to do", async (_, init, heading) => {
  await using opened = await open(browser, { permissions: ["notifications"] });
  await opened.page.addInitScript(init);
  await opened.page.goto(url);
  expect(await seen(opened.page)).toEqual({ heading, buttons: [] });
});

test("without a script nothing is offered that could not work, and it says what is missing", async () => {
  await using opened = await open(browser, { javaScriptEnabled: false });
  await opened.page.goto(url);
  expect(await notify(opened.page).isVisible()).toBe(false);
  expect(await opened.page.locator("noscript").textContent()).toContain("notifications need JavaScript");
});

test("while the browser asks, the page says so; each answer has its own text", async () => {
  await using opened = await open(browser, { permissions: ["notifications"] });
  const { page } = opened;
  await page.addInitScript(
    "Notification.requestPermission = () => new Promise((resolve) => (window.answer = resolve))",
  );
  await page.goto(url);
  const start = notify(page).getByRole("button", { name: "Notify me" });
  await start.click();
  await notify(page).getByRole("heading", { name: "Your browser is asking" }).waitFor();
  expect(await start.getAttribute("aria-disabled")).toBe("true");
  await page.evaluate("answer('default')");
  await notify(page).getByText("You dismissed the prompt.").waitFor();
  expect(await start.getAttribute("aria-disabled")).toBeNull();
  await start.click();
  await page.evaluate("answer('denied')");
  await notify(page).getByRole("heading", { name: "This browser blocks" }).waitFor();
});

test.each([
  ["finds nothing", "opened.resolve()"],
  ["fails", "opened.reject(new DOMException('', 'UnknownError'))"],
])(
  "a button that is pressed while the page still checks the state: the result is ignored where it %s",
  async (_, found) => {
    await using opened = await open(browser, { permissions: ["notifications"] });
    const { page } = opened;
    await page.addInitScript(`
    Notification.requestPermission = () => new Promise(() => {});
    globalThis.opened = Promise.withResolvers();
    const { open } = CacheStorage.prototype;
    CacheStorage.prototype.open = async function (name) {
      await opened.promise;
      return open.call(this, name);
    };
  `);
    await page.goto(url);
    await notify(page).getByRole("button", { name: "Notify me" }).click();
    await notify(page).getByRole("heading", { name: "Your browser is asking" }).waitFor();
    await page.evaluate(`${found}; caches.open("as the page does").then((cache) => cache.match("/"), () => undefined)`);
    expect((await seen(page)).heading).toBe("Your browser is asking");
  },
);

/** Reloads the page, and holds the server's first answer about its device until the returned function is called. */
async function heldLook(page: Page): Promise<() => Promise<void>> {
  const [isAnswered, isReleased, isGiven] = [1, 2, 3].map(() => Promise.withResolvers<undefined>()) as Held;
  let isFirst = true;
  const hold = async (route: Route) => {
    if (!isFirst) return route.continue();
    isFirst = false;
    const response = await route.fetch();
    isAnswered.resolve(undefined);
    await isReleased.promise;
    await route.fulfill({ response });
    isGiven.resolve(undefined);
  };
  // not for a single request: removing a route makes Playwright lose requests that are just being made (4 of 400,
  // measured)
  await page.route("**/v1/devices/*", hold);
  await page.reload();
  await isAnswered.promise;
  return async () => {
    isReleased.resolve(undefined);
    await isGiven.promise;
    await page.evaluate("caches.open('as the page does').then((cache) => cache.match('/'))");
  };
}
type Held = [PromiseWithResolvers<undefined>, PromiseWithResolvers<undefined>, PromiseWithResolvers<undefined>];

test("the browser keeps a device that the server had forgotten if it exists again by then", async () => {
  await using subscriber = await openSubscriber(browser, url, service, { expected: /status of 404/ });
  const { page } = subscriber;
  const made = page.waitForResponse("**/v1/devices");
  await subscriber.turnOn();
  const { id } = (await (await made).json()) as { id: string };
  await peal.request(`/v1/devices/${id}`, { method: "DELETE" });
  const release = await heldLook(page);
  await subscriber.turnOn();
  await release();
  await page.reload();
  await notify(page).getByRole("heading", { name: "Notifications are on in this browser" }).waitFor();
});

test("what was turned on and off while the page checked is not shown as it was before", async () => {
  await using subscriber = await openSubscriber(browser, url, service);
  const { page } = subscriber;
  await subscriber.turnOn();
  const release = await heldLook(page);
  await subscriber.turnOn();
  await notify(page).getByRole("button", { name: "Stop notifications" }).click();
  await notify(page).getByRole("heading", { name: "Get notified on this device" }).waitFor();
  const refreshed = page.waitForResponse((response) => response.request().method() === "PATCH");
  await release();
  await (await refreshed).finished();
  await page.evaluate("0");
  expect(await notify(page).locator("h2:visible").textContent()).toBe("Get notified on this device");
});

test.each([200, 503])(
  "the result of a test (%p) says nothing about notifications that were turned off meanwhile",
  async (status) => {
    await using subscriber = await openSubscriber(browser, url, service, { expected: /status of 503/ });
    const { page } = subscriber;
    await subscriber.turnOn();
    const released = Promise.withResolvers<undefined>();
    await page.route("**/v1/devices/*/test", async (route) => {
      await released.promise;
      await (status === 200 ? route.continue() : route.fulfill({ status, json: { detail: "Full." } }));
    });
    await notify(page).getByRole("button", { name: "Send test" }).click();
    await notify(page).getByRole("button", { name: "Stop notifications" }).click();
    await notify(page).getByRole("heading", { name: "Get notified on this device" }).waitFor();
    released.resolve(undefined);
    await notify(page).locator("[data-try]:not([aria-disabled])").waitFor({ state: "attached" });
    expect(await notify(page).locator("h2:visible").textContent()).toBe("Get notified on this device");
  },
);

test("a question that the browser treats as a refusal is reported as such, and the focus is kept", async () => {
  await using opened = await open(browser, { permissions: ["notifications"] });
  const { page } = opened;
  await page.addInitScript(`Notification.requestPermission = async () => {
    Object.defineProperty(Notification, "permission", { value: "denied" });
    return "default";
  }`);
  await page.goto(url);
  await notify(page).getByRole("button", { name: "Notify me" }).press("Enter");
  await notify(page).getByRole("heading", { name: "This browser blocks" }).waitFor();
  await page.locator("[role=status] [data-said]").getByText("This browser blocks notifications").waitFor();
  expect(await page.evaluate("document.activeElement === document.body")).toBe(false);
});

test("where notifications are on, a failed press does not show them as off", async () => {
  await using subscriber = await openSubscriber(browser, url, service, { expected: /status of 503/ });
  const { page } = subscriber;
  await subscriber.turnOn();
  const release = await heldLook(page);
  await page.route("**/v1/devices", async (route) => route.fulfill({ status: 503, json: { detail: "Full." } }));
  await notify(page).getByRole("button", { name: "Notify me" }).click();
  await notify(page).getByRole("heading", { name: "Notifications are on in this browser" }).waitFor();
  await release();
  await notify(page).getByRole("heading", { name: "Notifications are on in this browser" }).waitFor();
});

test("a push service that the browser cannot reach is named", async () => {
  await using opened = await open(browser, { permissions: ["notifications"] });
  const { page } = opened;
  await page.addInitScript(
    "PushManager.prototype.subscribe = async () => { throw new DOMException('', 'AbortError') }",
  );
  await page.goto(url);
  await notify(page).getByRole("button", { name: "Notify me" }).click();
  await notify(page).getByText("The browser can’t reach its push service.").waitFor();
  expect((await seen(page)).buttons).toEqual(["Notify me"]);
});

test("one that never answers is not waited for, and meanwhile the page says what it waits for", async () => {
  await using opened = await open(browser, { permissions: ["notifications"] });
  const { page } = opened;
  await page.addInitScript("PushManager.prototype.subscribe = () => new Promise(() => {})");
  await page.clock.install();
  await page.goto(url);
  await notify(page).getByRole("button", { name: "Notify me" }).click();
  await notify(page).getByRole("heading", { name: "Asking the push service" }).waitFor();
  await eventually("a refusal", async () => {
    await page.clock.fastForward(30_000); // its timer for the question may not have started yet
    return notify(page).getByText("The browser can’t reach its push service.").isVisible();
  });
});

test("the reason of a server that refuses the device is quoted", async () => {
  await using strange = await fakePushService(); // at a host that PEAL_PUSH_HOSTS does not name
  await using subscriber = await openSubscriber(browser, url, strange, { expected: /status of 422/ });
  await notify(subscriber.page).getByRole("button", { name: "Notify me" }).click();
  await notify(subscriber.page).getByRole("heading", { name: "Notifications aren’t on" }).waitFor();
  expect(await notify(subscriber.page).locator("p.soft:visible").textContent()).toContain("PEAL_PUSH_HOSTS");
});

test("turned on by keyboard: the state is read out and the focus stays there", async () => {
  await using subscriber = await openSubscriber(browser, url, service);
  const { page } = subscriber;
  await notify(page).getByRole("button", { name: "Notify me" }).focus();
  await page.keyboard.press("Enter");
  await notify(page).getByRole("heading", { name: "Notifications are on in this browser" }).waitFor();
  expect(await page.locator("[role=status] [data-said]").textContent()).toBe("Notifications are on in this browser");
  expect(await look<{ name: string }>(page, "focused")).toMatchObject({ name: "Send test" });
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await notify(page).getByRole("heading", { name: "Get notified on this device" }).waitFor();
  expect((await look<{ name: string }>(page, "focused")).name).toStartWith("Notify me");
});

test("the state survives reloads, even where the browser cannot fetch a newer service worker", async () => {
  await using subscriber = await openSubscriber(browser, url, service);
  const { page } = subscriber;
  await subscriber.turnOn();
  await page.addInitScript(
    "ServiceWorkerRegistration.prototype.update = async () => { document.title = 'asked'; throw new TypeError('offline'); }",
  );
  await page.reload();
  await notify(page).getByRole("heading", { name: "Notifications are on in this browser" }).waitFor();
  expect(await notify(page).getByText("Chrome, Linux. No push has been sent to it yet.").isVisible()).toBe(true);
  await page.waitForFunction("document.title === 'asked'");
});

test("a test shows the push service's answer: it is shown, it was refused, the browser is unknown", async () => {
  await using subscriber = await openSubscriber(browser, url, service);
  const { page } = subscriber;
  const sendTest = notify(page).getByRole("button", { name: "Send test" });
  await subscriber.turnOn();
  await sendTest.click();
  await notify(page).getByText("The push service accepted the test (201). It should be on your screen.").waitFor();
  expect(
    await notify(page)
      .getByText(/^Chrome, Linux\. Last push accepted at \d\d:\d\d\.$/)
      .isVisible(),
  ).toBe(true);
  await subscriber.receive();
  await onScreen(subscriber, "Test notification");

  const endpoint = subscriber.subscriptions[0]?.endpoint ?? "";
  service.script.once(endpoint, { status: 400, body: '{"reason":"BadWebPushRequest"}' });
  await sendTest.click();
  await notify(page).getByText("The push service didn’t accept the test (400 BadWebPushRequest).").waitFor();

  service.unsubscribe(endpoint);
  await sendTest.click();
  await notify(page).getByRole("heading", { name: "Notifications have stopped" }).waitFor();
});

test("no state is wider than the window of a phone or a desktop", async () => {
  await using opened = await open(browser, { permissions: ["geolocation"], hasTouch: true });
  const { page } = opened;
  await page.goto(url);
  await notify(page).getByRole("heading", { name: "This browser blocks notifications" }).waitFor(); // the script shows no other state
  await page.evaluate("document.querySelector('[data-state]').dataset.state = 'on'"); // off, it is only a button
  await page.evaluate("for (const part of document.querySelectorAll('[data-when]')) part.hidden = false");
  for (const width of [320, 390, 1_440]) {
    await page.setViewportSize({ width, height: 800 });
    const { wide, small } = await look<{ wide: number; small: object[] }>(page, "sizes");
    expect([width, wide]).toEqual([width, 0]);
    expect([width, small]).toEqual([width, []]);
  }
});

test("readers are told in their language that the server takes no more devices, without advice for its owner", async () => {
  await using subscriber = await openSubscriber(browser, url, service, { locale: "de-DE" });
  const { page } = subscriber;
  // not by a route, which requests through a service worker that has just started may bypass
  await page.evaluate(`{
    const ask = window.fetch;
    const full = { code: "too_many_devices", detail: "Remove unused devices." };
    window.fetch = async (asked, init) =>
      String(asked.url ?? asked).endsWith("/v1/devices") ? Response.json(full, { status: 409 }) : ask(asked, init);
  }`);
  await page.getByRole("button", { name: "Benachrichtigen" }).click();
  await page.getByRole("heading", { name: "Benachrichtigungen sind nicht an" }).waitFor();
  expect(await page.locator("[data-text=failed]").textContent()).toStartWith(
    "Dieser Server kann keine weiteren Geräte",
  );
});
