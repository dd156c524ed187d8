/** Taps on notifications: pages that open, requests that are sent, and what is refused. */
import { expect, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { holdClock, open } from "./browser.ts";
import { feedOf, onScreen, openSubscriber, sharedSubscriber, startPushing } from "./subscriber.ts";

const pushing = await startPushing();
const { service, peal, browser } = pushing;
const turnedOn = sharedSubscriber(pushing);

test("a tap opens the message's own address", async () => {
  const { topic, subscriber } = await turnedOn("own");
  await peal.publish(topic, { title: "Grafana", message: "x", url: "https://grafana.example/d/1" });
  await subscriber.receive();
  await onScreen(subscriber, "Grafana");
  expect(await subscriber.click()).toEqual({ opened: ["https://grafana.example/d/1"], focused: [] });
  await onScreen(subscriber);
});

test("without one it opens the card: in the window that has the feed, otherwise in a new one", async () => {
  const { topic, subscriber } = await turnedOn("card");
  const { page } = subscriber;
  await peal.publish(topic, { title: "first", message: "x" });
  await page.locator("#m2").waitFor();
  await subscriber.receive(1);
  expect(await subscriber.click()).toEqual({ opened: [], focused: [topic.url] });
  await page.waitForURL(`${topic.url}#m2`);

  await peal.publish(topic, { title: "second", message: "x" });
  await subscriber.receive(2);
  await page.goto(`${peal.url}/docs`);
  const card = `${peal.url}/home/${topic.key}?before=4#m3`;
  expect(await subscriber.click()).toEqual({ opened: [card], focused: [] });
});

test("buttons open links and send requests, which contain nothing of the server's", async () => {
  const asked: { method: string; path: string; headers: Record<string, string>; body: string }[] = [];
  await using house = listen(async (request) => {
    const headers = Object.fromEntries(request.headers);
    asked.push({ method: request.method, path: new URL(request.url).pathname, headers, body: await request.text() });
    return new Response("ok");
  });
  const { topic, subscriber } = await turnedOn("buttons");
  const actions = [
    { label: "Look", url: "https://cam.example/1" },
    { label: "Close", url: new URL("close", house.url).href, method: "POST" },
  ];
  await peal.publish(topic, { title: "Garage", message: "open", actions });
  await subscriber.receive();
  const [notice] = await onScreen(subscriber, "Garage");
  expect(notice?.actions.map(({ title }) => title)).toEqual(["Look", "Close"]);
  await subscriber.click("1");
  expect(asked).toMatchObject([{ method: "POST", path: "/close", body: "" }]);
  expect(asked[0]?.headers).not.toHaveProperty("cookie");
  expect(asked[0]?.headers).not.toHaveProperty("referer");
  await onScreen(subscriber);

  await subscriber.receive();
  await onScreen(subscriber, "Garage");
  expect(await subscriber.click("0")).toEqual({ opened: ["https://cam.example/1"], focused: [] });
});

test("the same buttons on the feed page are passed to the worker, which every page starts", async () => {
  const asked: string[] = [];
  await using house = listen((request) => {
    asked.push(`${request.method} ${new URL(request.url).pathname}`);
    return new Response("ok");
  });
  const topic = await feedOf(peal, "handed");
  const action = (label: string, path: string) => ({ label, url: new URL(path, house.url).href, method: "POST" });
  await peal.publish(topic, { message: "Garage", actions: [action("Close", "close"), action("Light", "light")] });
  // the browser logs each failed request to the console
  await using subscriber = await openSubscriber(browser, topic.url, service, { expected: /ERR_CONNECTION_REFUSED/ });
  const { page } = subscriber;
  await page.getByRole("button", { name: "Close" }).click();
  await page.getByRole("button", { name: "Sent", exact: true }).waitFor();
  expect(asked).toEqual(["POST /close"]);
  await house.stop(true);
  await page.getByRole("button", { name: "Light" }).click();
  await page.getByRole("button", { name: "Not sent" }).waitFor();
});

test("a button sends its headers and its body, to a server that lets pages of others send them", async () => {
  const asked: object[] = [];
  await using house = listen(async (request) => {
    const allowed = {
      "access-control-allow-origin": "*",
      "access-control-allow-headers": "authorization, content-type",
    };
    if (request.method !== "OPTIONS")
      asked.push({ key: request.headers.get("authorization"), body: await request.text() });
    return new Response("ok", { headers: { ...allowed, "access-control-allow-methods": "PUT" } });
  });
  const topic = await feedOf(peal, "bodied");
  const Actions = `http, Close, ${house.url.href}, method=PUT, headers.Authorization=Bearer of-the-door, body='{"close": true}'`;
  await peal.api("POST", "/home/bodied", "Garage", { Actions });
  await using subscriber = await openSubscriber(browser, topic.url, service);
  await subscriber.page.getByRole("button", { name: "Close" }).click();
  await subscriber.page.getByRole("button", { name: "Sent", exact: true }).waitFor();
  expect(asked).toEqual([{ key: "Bearer of-the-door", body: '{"close": true}' }]);
});

test("when a request gets no answer the page says so after 25 s; a busy button does not send a second one", async () => {
  let asked = 0;
  await using house = listen(async () => {
    asked++;
    return new Promise<never>(() => undefined);
  });
  const topic = await feedOf(peal, "unheard");
  await peal.publish(topic, { message: "x", actions: [{ label: "Close", url: house.url.href, method: "POST" }] });
  await using opened = await open(browser);
  const { page } = opened;
  await holdClock(page);
  await page.goto(topic.url);
  const button = page.locator(".worker button[data-request]");
  await button.press("Enter");
  await button.press("Enter");
  await eventually("the request", () => asked > 0);
  await page.clock.runFor(24_000);
  expect(await button.textContent()).toBe("Close");
  await page.clock.runFor(1_000);
  await page.getByRole("button", { name: "Not sent" }).waitFor();
  await page.clock.runFor(3_000);
  await page.getByRole("button", { name: "Close" }).click();
  await eventually("the second request", () => asked > 1);
  expect(asked).toBe(2);
});

test("a request that cannot be delivered is reported at its button, and can be sent again", async () => {
  const house = listen(() => new Response("ok"));
  const address = house.url.href;
  await house.stop(true);
  const topic = await feedOf(peal, "nobody");
  // the browser logs each failed request to the console
  await using subscriber = await openSubscriber(browser, topic.url, service, { expected: /ERR_CONNECTION_REFUSED/ });
  await subscriber.turnOn();
  await peal.publish(topic, {
    title: "Garage",
    message: "x",
    actions: [{ label: "Close", url: address, method: "POST" }],
  });
  await subscriber.receive();
  await onScreen(subscriber, "Garage");
  for (let clicks = 1; clicks <= 2; clicks++) {
    await subscriber.click("0");
    const [notice] = await onScreen(subscriber, "“Close” couldn’t be sent");
    expect(notice).toMatchObject({ body: "Garage", actions: [{ action: "0", title: "Close" }] });
  }
});

test("Acknowledge on the notification acknowledges for everyone", async () => {
  const { topic, subscriber } = await turnedOn("ack");
  const { page } = subscriber;
  await peal.publish(topic, { title: "UPS", message: "x", priority: "urgent", ack: true });
  await page.locator("article").getByRole("button", { name: "Acknowledge" }).waitFor();
  await subscriber.receive();
  const [notice] = await onScreen(subscriber, "UPS");
  expect(notice?.actions).toEqual([{ action: "ack", title: "Acknowledge" }]);
  await subscriber.click("ack");
  await onScreen(subscriber);
  await page.reload();
  await page
    .locator("article")
    .getByText(/^acknowledged/)
    .waitFor();
});

test("a notification uses the browser's language, whatever the page's language", async () => {
  const topic = await feedOf(peal, "deutsch");
  const english = { name: "lang", value: "en", domain: "127.0.0.1", path: "/", expires: -1 };
  const cookie = { ...english, httpOnly: true, secure: false, sameSite: "Lax" as const };
  await using subscriber = await openSubscriber(browser, topic.url, service, {
    locale: "de-AT",
    storageState: { cookies: [cookie], origins: [] },
  });
  await subscriber.turnOn();
  await peal.publish(topic, { title: "USV", message: "x", priority: "urgent", ack: true });
  await subscriber.receive();
  const [notice] = await onScreen(subscriber, "USV");
  expect(notice?.actions).toEqual([{ action: "ack", title: "Bestätigen" }]);
});

test("an acknowledgement that does not reach the server is reported", async () => {
  const topic = await feedOf(peal, "unacked");
  await using subscriber = await openSubscriber(browser, topic.url, service, { expected: /status of 404/ });
  await subscriber.turnOn();
  await peal.publish(topic, { title: "UPS", message: "x", priority: "urgent", ack: true });
  await subscriber.receive();
  await onScreen(subscriber, "UPS");
  await peal.api("DELETE", `/v1/home/${topic.key}/messages/2`);
  await subscriber.click("ack");
  await onScreen(subscriber, "Couldn’t reach the server: not acknowledged");
});

const declarative = (data: object) => JSON.stringify({ web_push: 8030, notification: { title: "odd", data } });

test.each(["javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "no address"])(
  "%s is not opened by a tap",
  async (address) => {
    const { subscriber } = await turnedOn(`odd-${Bun.hash(address)}`);
    await subscriber.deliver(declarative({ url: address, feedUrl: address, actions: [{ label: "x", url: address }] }));
    for (const action of ["", "0"]) {
      await onScreen(subscriber, "odd");
      expect(await subscriber.click(action)).toEqual({ opened: [], focused: [] });
      await onScreen(subscriber);
      await subscriber.deliver(declarative({ url: address, actions: [{ label: "x", url: address }] }));
    }
  },
);

test.each([
  ["a text", "just words", "peal", "just words"],
  ["JSON of somebody else", '{"a":1}', "peal", '{"a":1}'],
  ["JSON that is no object", "null", "peal", "null"],
])("each push is shown, even %s", async (_, push, title, body) => {
  const { subscriber } = await turnedOn(`foreign-${Bun.hash(push)}`);
  await subscriber.deliver(push);
  expect(await onScreen(subscriber, title)).toMatchObject([{ title, body }]);
  expect(await subscriber.click()).toEqual({ opened: [], focused: [] });
});

/** A device in the local network that a button sends a request to. */
const listen = (answer: (request: Request) => Response | Promise<Response>) =>
  Object.assign(Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: answer }), {
    async [Symbol.asyncDispose](this: { stop(force: boolean): Promise<void> }) {
      await this.stop(true);
    },
  });
