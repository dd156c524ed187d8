/** The connection of a feed: restarts, proxies, replaced links, tabs in the background (WEB.md §4). */
import { expect, test } from "bun:test";
import { eventually } from "../support/eventually.ts";
import { metric } from "../support/metric.ts";
import { startPeal, type Peal } from "../support/server.ts";
import { connection, headings, holdClock, look, open, pass, startBrowsing } from "./browser.ts";

const { peal, browser } = await startBrowsing();

const GONE = "This link no longer works: it was replaced by a new one, or the topic was deleted.";

/** Makes the page send its own requests, because `page.route` does not see those through a service worker. */
const WITHOUT_WORKER = { serviceWorkers: "block" as const };

test("after a restart of the server two windows continue where they were", async () => {
  await using own = await startPeal();
  const topic = await own.topic("live-restart");
  await own.publish(topic, { message: "before" });
  await using opened = await open(browser, {
    expected: /ERR_(CONNECTION|INCOMPLETE|EMPTY|NETWORK|FAILED)|error occurred when fetching the script/,
  });
  const windows = [opened.page, await opened.page.context().newPage()];
  for (const page of windows) {
    await page.goto(topic.url);
    await connection(page, "Live");
  }
  await own.publish(topic, { message: "while live" });
  for (const page of windows) await page.getByRole("heading", { name: "while live" }).waitFor();
  await own.kill("SIGKILL");
  for (const page of windows) await connection(page, "Reconnecting");
  await own.start();
  await own.publish(topic, { message: "after" });
  for (const page of windows) {
    await page.getByRole("heading", { name: "after" }).waitFor();
    await connection(page, "Live");
    expect(await headings(page)).toEqual(["after", "while live", "before"]);
  }
});

test("without a stream the page polls every 15 s, says so, and says when that fails too", async () => {
  const topic = await peal.topic("live-poll");
  await peal.publish(topic, { message: "one" });
  await using opened = await open(browser, { ...WITHOUT_WORKER, expected: /503|ERR_INTERNET_DISCONNECTED|ERR_FAILED/ });
  const { page } = opened;
  await page.route("**/events?*", async (route) => route.fulfill({ status: 503 }));
  await page.clock.install();
  await page.goto(topic.url);
  await connection(page, "Reconnecting");
  // in steps: the page sets its next timer when an answer has come, which may be after a step
  const passUntil = async (words: string, where = page.locator("[data-connection]")) =>
    eventually(words, async () => {
      await page.clock.runFor(5_000);
      return (await where.allTextContents()).includes(words);
    });
  await passUntil("Live, checks every 15 s");
  await peal.publish(topic, { message: "two" });
  await passUntil("two", page.locator("article h3"));

  await page.route("**/*since=*", async (route) => route.abort());
  await passUntil("Offline, showing stored messages");
  await page.unrouteAll();
  await passUntil("Live");
});

test("a page whose link was replaced says so", async () => {
  const topic = await peal.topic("live-gone");
  await peal.publish(topic, { message: "one" });
  await using opened = await open(browser, WITHOUT_WORKER); // a worker would request a copy
  const { page } = opened;
  await page.goto(topic.url);
  await connection(page, "Live");
  await peal.api("POST", `/v1/home/${topic.key}/rotate`);
  await connection(page, GONE);
});

test("a feed whose link was replaced before its copy was made is not requested any more", async () => {
  const topic = await peal.topic("live-gone-first");
  await peal.publish(topic, { message: "one" });
  await using opened = await open(browser);
  const { page } = opened;
  await holdClock(page);
  await page.goto(topic.url);
  await connection(page, "Live");
  await page.evaluate("navigator.serviceWorker.ready.then(() => undefined)"); // now a copy can be made
  await peal.api("POST", `/v1/home/${topic.key}/rotate`);
  await connection(page, GONE);
  let asked = 0;
  page.on("request", () => asked++);
  await page.clock.runFor(60_000);
  expect(asked).toBe(0);
});

test("a page whose link was replaced says so, even when an earlier answer arrives after that", async () => {
  const topic = await peal.topic("live-gone-late");
  await using opened = await open(browser, WITHOUT_WORKER);
  const { page } = opened;
  await peal.publish(topic, { message: "one" });
  await page.goto(topic.url);
  await connection(page, "Live");
  const [asked, rotated] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  await page.route(`${topic.url}?since=*`, async (route) => {
    const response = await route.fetch();
    asked.resolve(undefined);
    await rotated.promise;
    await route.fulfill({ response });
  });
  await peal.publish(topic, { message: "two" });
  await asked.promise;
  await peal.api("POST", `/v1/home/${topic.key}/rotate`);
  await connection(page, GONE);
  await look(page, "note", "[data-connection]");
  rotated.resolve(undefined);
  await page.getByRole("heading", { name: "two" }).waitFor();
  expect(await look<string[]>(page, "noted")).toEqual([GONE]);
});

test("a page that gets no answers is never called live", async () => {
  const topic = await peal.topic("live-never");
  await peal.publish(topic, { message: "one" });
  await using opened = await open(browser, { ...WITHOUT_WORKER, expected: /ERR_FAILED/ });
  const { page } = opened;
  await page.clock.install();
  await page.route("**/events?*", async () => new Promise(() => undefined));
  await page.goto(topic.url);
  await page.route("**/*since=*", async (route) => route.abort());
  await look(page, "note", "[data-connection]");
  await page.clock.runFor(10_000);
  await connection(page, "Offline, showing stored messages");
  const said = await look<string[]>(page, "noted");
  expect([said.at(-1), said.filter((words) => words.startsWith("Live"))]).toEqual([
    "Offline, showing stored messages",
    [],
  ]);
});

test("a page that was offline when its link was replaced says so, and does nothing more", async () => {
  const topic = await peal.topic("live-gone-offline");
  await peal.publish(topic, { message: "waits for somebody", priority: "urgent", ack: true });
  await using opened = await open(browser, { expected: /404|ERR_/ });
  const { page } = opened;
  const context = page.context();
  await page.clock.install();
  await page.goto(topic.url);
  await connection(page, "Live");
  await context.setOffline(true);
  await connection(page, "Offline, showing stored messages");
  // Chromium leaves an open stream open: this event ends it at once, and starts another that cannot connect
  await page.evaluate("dispatchEvent(new Event('online'))");
  await peal.api("POST", `/v1/home/${topic.key}/rotate`);
  await context.setOffline(false);
  const said = async () => page.locator("[data-connection]").textContent();
  await eventually("the page to see that its link is gone", async () => {
    await page.clock.runFor(5_000); // until the next try
    return (await said()) === GONE;
  });

  let asked = 0;
  page.on("request", () => asked++);
  await context.setOffline(true);
  await context.setOffline(false);
  for (const isHidden of [true, false]) await look(page, "hide", isHidden);
  await page.clock.runFor(60_000);
  expect([await said(), asked]).toEqual([GONE, 0]);
});

test("answers of a proxy while the server is away are not believed", async () => {
  const topic = await peal.topic("live-proxy");
  await using opened = await open(browser, { ...WITHOUT_WORKER, expected: /404/ });
  const { page } = opened;
  await page.clock.install();
  await page.goto(topic.url);
  await connection(page, "Live");
  await page.route("**/*", async (route) => route.fulfill({ status: 404, contentType: "text/plain", body: "no" }));
  await page.evaluate("dispatchEvent(new Event('online'))"); // connects again
  await eventually("the page to give up on the server", async () => {
    await page.clock.runFor(5_000);
    return (await page.locator("[data-connection]").textContent()) === "Offline, showing stored messages";
  });
  await page.unrouteAll();
  await page.clock.runFor(15_000);
  await connection(page, "Live");
});

test("a page in the background closes its stream, and continues to count", async () => {
  await using own = await startPeal();
  const topic = await own.topic("live-background");
  await own.publish(topic, { message: "known" });
  await using opened = await open(browser);
  const { page } = opened;
  await page.clock.install();
  await page.goto(topic.url);
  await connection(page, "Live");
  const streams = async (n: number) =>
    eventually(`${n} streams`, async () => (await metric(own, "peal_sse_connections")) === n);
  await streams(1);
  await look(page, "hide", true);
  await page.clock.runFor(10_000);
  await streams(0);
  await own.publish(topic, { message: "while away" });
  await page.clock.runFor(60_000);
  await eventually("the count in the title", async () => (await page.title()) === "(1) live-background · peal");
  await look(page, "hide", false);
  await streams(1);
  await own.publish(topic, { message: "while looking" });
  await page.getByRole("heading", { name: "while looking" }).waitFor();
  expect(await headings(page)).toEqual(["while looking", "while away", "known"]);
});

test("where a proxy holds streams back the page polls every 15 s, and says so", async () => {
  const topic = await peal.topic("live-held");
  await peal.publish(topic, { message: "one" });
  await using proxy = holding(peal);
  await using opened = await open(browser);
  const { page } = opened;
  await holdClock(page);
  await page.goto(topic.url.replace(peal.url, proxy.url));
  await page.clock.runFor(9_000);
  await connection(page, "Connecting");
  await page.clock.runFor(2_000);
  await connection(page, "Live, checks every 15 s");
  await peal.publish(topic, { message: "two" });
  await page.clock.runFor(15_000);
  await page.getByRole("heading", { name: "two" }).waitFor();
  proxy.release(undefined);
  await connection(page, "Live");
});

test("the page says since when there is no connection, however long it was live before", async () => {
  const topic = await peal.topic("live-since");
  await peal.publish(topic, { message: "one" });
  await using opened = await open(browser, { expected: /ERR_/ });
  const { page } = opened;
  await page.clock.install({ time: "2026-03-02T09:00:00+01:00" });
  await page.goto(topic.url);
  await connection(page, "Live");
  await page.clock.fastForward("06:00:00");
  await page.context().setOffline(true);
  await connection(page, "Offline, showing stored messages");
  await page.getByText(/^No connection since 15:0\d\./).waitFor();
});

test("a server that is down is polled every 15 s, and not before the time that it names", async () => {
  const topic = await peal.topic("live-down");
  await peal.publish(topic, { message: "one" });
  await using opened = await open(browser, { ...WITHOUT_WORKER, expected: /502|429/ });
  const { page } = opened;
  await page.clock.install();
  await page.goto(topic.url);
  await connection(page, "Live");
  let asked = 0;
  let answer = { status: 502, contentType: "text/html", headers: {} };
  await page.route("**/home/**", async (route) => {
    asked++;
    await route.fulfill(answer);
  });
  await page.evaluate("dispatchEvent(new Event('online'))"); // connects again
  await connection(page, "Offline, showing stored messages");
  const during = async (ms: number) => {
    const before = asked;
    await pass(page, ms);
    return asked - before;
  };
  expect(await during(180_000)).toBeWithin(6, 13); // 12 polls, each delayed by up to a fifth, and by the time of an answer
  answer = { ...answer, status: 429, headers: { "retry-after": "300" } };
  await during(30_000);
  expect(await during(240_000)).toBe(0);
  answer = { ...answer, headers: { "retry-after": "9000000" } }; // longer than a timer can be
  expect(await during(180_000)).toBe(1);
  await page.unrouteAll();
  await page.evaluate("dispatchEvent(new Event('online'))");
  await connection(page, "Live");
});

/** A proxy that holds event streams back until they are released. */
function holding({ url }: Peal) {
  const { promise: isReleased, resolve: release } = Promise.withResolvers<undefined>();
  const proxy = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    idleTimeout: 0,
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      const isStream = pathname.endsWith("/events");
      const answer = await fetch(url + pathname + search, {
        method: request.method,
        headers: { ...Object.fromEntries(request.headers), "accept-encoding": "identity" },
        redirect: "manual",
        signal: request.signal,
      });
      if (isStream) await isReleased;
      return answer;
    },
  });
  return { url: proxy.url.origin, release, [Symbol.asyncDispose]: async () => proxy.stop(true) };
}
