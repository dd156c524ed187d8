/** Notifications in a browser, end to end: published, encrypted, accepted by a push service, shown by the worker. */
import { expect, test } from "bun:test";
import { answer } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { feedOf, notify, onScreen, openSubscriber, pushingTo, sharedSubscriber, startPushing } from "./subscriber.ts";

const pushing = await startPushing();
const { service, peal, browser } = pushing;
const turnedOn = sharedSubscriber(pushing);

interface Subscribers {
  devices: { ref: string; platform: string; name: string; status: string }[];
}
/** The devices of a topic, as its owner sees them. */
const devicesOf = async (key: string) =>
  (await answer<Subscribers>(200, await peal.api("GET", `/v1/home/${key}/devices`))).devices;

test("a published message is shown", async () => {
  const { topic, subscriber } = await turnedOn("whole");
  expect(await devicesOf(topic.key)).toMatchObject([{ platform: "web", name: "Chrome, Linux", status: "active" }]);
  await peal.publish(topic, { title: "Disk", message: "93 % full", level: "error" });
  await subscriber.receive();
  const [notice] = await onScreen(subscriber, "Disk");
  expect(notice).toMatchObject({ body: "93 % full", requireInteraction: false, renotify: false, silent: false });
  expect(notice?.tag).toMatch(/^[\w-]{32}$/);
});

test("notifications that arrive at the same moment are all shown", async () => {
  const { subscriber } = await turnedOn("burst");
  for (let round = 0; round < 8; round++) {
    const titles = [1, 2, 3, 4].map((n) => `${round}.${n}`);
    await subscriber.deliver(...titles.map((title) => JSON.stringify({ notification: { title } })));
    await onScreen(subscriber, ...titles);
    await subscriber.clear();
  }
});

test("an alert that continues replaces its notification", async () => {
  const { topic, subscriber } = await turnedOn("replaced");
  for (const [n, title] of ["80 %", "90 %"].entries()) {
    await peal.publish(topic, { title, message: "x", dedup_key: "disk", status: "firing" });
    await subscriber.receive(n + 1);
  }
  await onScreen(subscriber, "90 %");
});

test("an urgent one stays and rings again, a low one makes no sound", async () => {
  const { topic, subscriber } = await turnedOn("loud");
  await peal.publish(topic, { title: "UPS", message: "x", priority: "urgent" });
  await subscriber.receive(1);
  await peal.publish(topic, { title: "Lists", message: "x", priority: "low" });
  await subscriber.receive(2);
  const notices = await onScreen(subscriber, "UPS", "Lists");
  const by = Object.fromEntries(notices.map((notice) => [notice.title, notice]));
  expect(by["UPS"]).toMatchObject({ requireInteraction: true, renotify: true, silent: false });
  expect(by["Lists"]).toMatchObject({ requireInteraction: false, renotify: false, silent: true });
});

test("one browser is one device, with the topics that it turned on", async () => {
  const [one, other] = [await feedOf(peal, "one"), await feedOf(peal, "other")];
  await using subscriber = await openSubscriber(browser, one.url, service);
  await subscriber.turnOn();
  await subscriber.page.goto(other.url);
  await notify(subscriber.page).getByRole("heading", { name: "Get notified on this device" }).waitFor();
  await subscriber.turnOn();
  expect(subscriber.subscriptions).toHaveLength(1);
  const [devices, same] = [await devicesOf(one.key), await devicesOf(other.key)];
  expect(devices).toHaveLength(1);
  expect(same).toEqual(devices);

  await subscriber.page.getByRole("button", { name: "Stop notifications" }).click();
  await notify(subscriber.page).getByRole("heading", { name: "Get notified on this device" }).waitFor();
  expect(await devicesOf(other.key)).toEqual([]);
  expect(await devicesOf(one.key)).toEqual(devices);
  await peal.publish(other, { title: "silent", message: "x" });
  await peal.publish(one, { title: "heard", message: "x" });
  await subscriber.receive();
  await onScreen(subscriber, "heard");
});

test("a subscription that the browser replaced is reported at the next visit, and the device stays", async () => {
  const topic = await feedOf(peal, "visit");
  await using subscriber = await openSubscriber(browser, topic.url, service);
  const { page } = subscriber;
  await subscriber.turnOn();
  const before = await devicesOf(topic.key);
  const key = await page.evaluate("JSON.parse(localStorage.getItem('test:subscription')).key");
  const replaced = { ...service.subscribe(String(key)), key };
  await page.evaluate((kept) => localStorage.setItem("test:subscription", kept), JSON.stringify(replaced));
  await page.reload();
  await page.getByRole("heading", { name: "Notifications are on in this browser" }).waitFor();
  await peal.publish(topic, { title: "new place", message: "x" });
  await eventually("a push at the new place", () => service.accepted(replaced.endpoint)[0]);
  expect((await devicesOf(topic.key)).map(({ ref }) => ref)).toEqual(before.map(({ ref }) => ref));
});

test("a subscription that the browser replaces while no page is open is reported by the worker", async () => {
  const topic = await feedOf(peal, "changed");
  await using subscriber = await openSubscriber(browser, topic.url, service);
  await subscriber.turnOn();
  const replaced = service.subscribe();
  await subscriber.changeSubscription(replaced);
  await peal.publish(topic, { title: "new place", message: "x" });
  await eventually("a push at the new place", () => service.accepted(replaced.endpoint)[0]);
});

test("a browser that the push service has forgotten says so, and one successful press restores it with all its topics", async () => {
  const [topic, other] = [await feedOf(peal, "lost"), await feedOf(peal, "lost-other")];
  await using subscriber = await openSubscriber(browser, other.url, service, { expected: /ERR_FAILED/ });
  const { page } = subscriber;
  await subscriber.turnOn();
  await page.goto(topic.url);
  await subscriber.turnOn();
  const ref = (await devicesOf(topic.key))[0]?.ref;
  service.unsubscribe(subscriber.subscriptions[0]?.endpoint ?? "");
  await peal.publish(topic, { title: "unheard", message: "x" });
  await eventually("the loss", async () => (await devicesOf(topic.key))[0]?.status === "expired");
  await page.reload();
  await page.getByRole("heading", { name: "Notifications have stopped" }).waitFor();
  await page.route("**/v1/webpush", async (route) => route.abort(), { times: 1 });
  await page.getByRole("button", { name: "Notify me again" }).click();
  await page.getByRole("heading", { name: "Notifications aren’t on" }).waitFor();
  await subscriber.turnOn();
  expect((await devicesOf(topic.key)).map((device) => [device.ref, device.status])).toEqual([[ref ?? "", "active"]]);
  await peal.publish(other, { title: "heard", message: "x" });
  await subscriber.receive();
  await onScreen(subscriber, "heard");
});

test("receipts are sent where the operator asks for them", async () => {
  await using asking = await pushingTo(service, { PEAL_RECEIPTS: "on" });
  const topic = await feedOf(asking, "receipts");
  await using subscriber = await openSubscriber(browser, topic.url, service);
  await subscriber.turnOn();
  await asking.publish(topic, { title: "seen", message: "x" });
  await subscriber.receive();
  await onScreen(subscriber, "seen");
  await eventually("the receipt", async () => {
    const response = await asking.api("GET", `/v1/home/${topic.key}/messages/2/deliveries`);
    return (await answer<{ deliveries: { shown_at?: string }[] }>(200, response)).deliveries[0]?.shown_at;
  });
});

test("below a subpath the worker is limited to what lies below it", async () => {
  await using below = await pushingTo(service, { PEAL_BASE_URL: "https://e.example/peal" });
  const topic = await feedOf(below, "sub");
  await using subscriber = await openSubscriber(browser, `${below.url}/peal/home/${topic.key}`, service);
  await subscriber.turnOn();
  const scope = await subscriber.page.evaluate("navigator.serviceWorker.ready.then(({ scope }) => scope)");
  expect(scope).toBe(`${below.url}/peal/`);
  await below.publish(topic, { title: "UPS", message: "x", priority: "urgent", ack: true });
  await subscriber.receive();
  await onScreen(subscriber, "UPS");
  await subscriber.click("ack");
  await subscriber.page.reload();
  await subscriber.page.getByText(/^acknowledged/).waitFor();
});

test("below a subpath a service worker of the whole host is ignored: the feed gets its own", async () => {
  await using below = await pushingTo(service, { PEAL_BASE_URL: "https://e.example/peal" });
  const topic = await feedOf(below, "foreign");
  const action = { label: "Close", url: `${below.url}/close`, method: "POST" };
  await below.publish(topic, { message: "Garage", actions: [action] });
  await using subscriber = await openSubscriber(browser, `${below.url}/peal/home/${topic.key}`, service);
  const { page } = subscriber;
  await subscriber.turnOn();
  await page.evaluate("navigator.serviceWorker.ready.then((own) => own.unregister())");
  const at = { page: `${below.url}/other`, script: `${below.url}/other.js` };
  const body = "self.onactivate = (event) => event.waitUntil(clients.claim())";
  await page.context().route(at.script, async (route) => route.fulfill({ contentType: "text/javascript", body }));
  await page.context().route(at.page, async (route) => route.fulfill({ contentType: "text/html", body: "other" }));
  await page.goto(at.page);
  await page.evaluate("navigator.serviceWorker.register('/other.js', { scope: '/' })");
  await page.evaluate("navigator.serviceWorker.ready");
  await page.goto(`${below.url}/peal/home/${topic.key}`);
  // shown only once the page's own worker controls it
  await page.getByRole("button", { name: "Close" }).waitFor();
  expect(await page.evaluate("navigator.serviceWorker.controller.scriptURL")).toBe(`${below.url}/peal/sw.js`);
});
