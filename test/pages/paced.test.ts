/** How often an open page sends requests: at once after a quiet time, and at a limited rate otherwise (WEB.md §7). */
import { describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { eventually } from "../support/eventually.ts";
import { signedIn } from "../support/signin.ts";
import { connection, holdClock, open, pass, startBrowsing, type OpenOptions } from "./browser.ts";

const { peal, browser } = await startBrowsing({ env: { PEAL_LIMITS_PUBLISH: "0", PEAL_LIMITS_READ: "0" } });
const session = { cookie: await signedIn(peal), url: peal.url };

/** `heard` counts the events on the page's streams. */
const COUNTING_EVENTS = `{
  globalThis.heard = 0;
  const { addEventListener } = EventSource.prototype;
  EventSource.prototype.addEventListener = function (name, hear, ...more) {
    const listener = (event) => {
      hear.call(this, event);
      if (name === "message" || name === "changed") heard++;
    };
    addEventListener.call(this, name, listener, ...more);
  };
}`;
/** The most refreshes in this many seconds: four after a quiet time, then two and a half per second. */
const most = (seconds: number): number => 4 + 2.5 * seconds;

const PAGES: [string, (topic: { url: string }) => string, OpenOptions][] = [
  ["a feed", ({ url }) => url, { serviceWorkers: "block" }],
  ["the overview", () => `${peal.url}/-/`, { session }],
];
describe.each(PAGES)("%s", (name, urlOf, options) => {
  /** Opens the page with its clock stopped, and counts its requests. */
  async function started(topicName: string) {
    const topic = await peal.topic(`${topicName}-${name.replaceAll(" ", "-")}`);
    await peal.publish(topic, { message: "before" });
    const opened = await open(browser, options);
    const { page } = opened;
    await page.addInitScript(COUNTING_EVENTS);
    await holdClock(page);
    await page.goto(urlOf(topic));
    await connection(page, "Live");
    const looks: string[] = [];
    page.on("request", (request) => {
      const { search, pathname } = new URL(request.url());
      if (search.includes("since=") ? !pathname.endsWith("/events") : pathname === "/-/") looks.push(pathname + search);
    });
    return { topic, page, looks, [Symbol.asyncDispose]: async () => opened[Symbol.asyncDispose]() };
  }
  const appears = async (page: Page, text: string) => page.getByText(text, { exact: true }).first().waitFor();
  const heard = async (page: Page) => page.evaluate<number>("heard");

  test("shows each message at once when they come once a second, or a little faster, however long that continues", async () => {
    await using open = await started("steady");
    const { topic, page, looks } = open;
    for (let n = 1; n <= 15; n++) {
      await peal.publish(topic, { title: `${topic.name} ${n}`, message: "x" });
      await appears(page, `${topic.name} ${n}`); // its clock stands still, so it did not wait for a timer
      await pass(page, 900);
    }
    expect(looks.length).toBeWithin(15, most(15));
  });

  test("refreshes together for many a second, and shows the last", async () => {
    await using open = await started("storm");
    const { topic, page, looks } = open;
    for (let round = 1; round <= 30; round++) {
      const before = await heard(page);
      for (let n = 1; n <= 5; n++) await peal.publish(topic, { title: `${topic.name} ${round}.${n}`, message: "x" });
      // one hint may cover several messages
      await eventually("what was published", async () => (await heard(page)) >= before + (name === "a feed" ? 5 : 1));
      await pass(page, 100);
    }
    expect(looks.length).toBeWithin(4, most(3) + 1);
    await pass(page, 1_000);
    await appears(page, `${topic.name} 30.5`);
    expect(looks.length).toBeWithin(5, most(4) + 1);
  });
});

test("requests less often from a slow server", async () => {
  const topic = await peal.topic("slow");
  await peal.publish(topic, { message: "before" });
  await using opened = await open(browser, { serviceWorkers: "block" });
  const { page } = opened;
  await page.addInitScript(COUNTING_EVENTS);
  await holdClock(page);
  await page.goto(topic.url);
  await connection(page, "Live");
  let asked = 0;
  await page.route("**/*since=*", async (route) => {
    if (new URL(route.request().url()).pathname.endsWith("/events")) return route.continue();
    asked++;
    await page.clock.runFor(2_000); // each answer takes this long
    await route.continue();
  });
  const publish = async (n: number) => {
    await peal.publish(topic, { title: `number ${n}`, message: "x" });
    await eventually("what was published", async () => (await page.evaluate<number>("heard")) >= n);
  };
  await publish(1);
  await page.getByRole("heading", { name: "number 1" }).waitFor();
  await publish(2); // 6 s have to pass from the start of the first; four refreshes in advance are worth 1.2 of them
  await pass(page, 2_500);
  expect(asked).toBe(1);
  await page.clock.runFor(500);
  await page.getByRole("heading", { name: "number 2" }).waitFor();
  expect(asked).toBe(2);
});
