/** Topics on the dashboard in a real browser: they are live, and a message that was deleted comes back. */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { eventually } from "../support/eventually.ts";
import { inProcess } from "../support/server.ts";
import { signedIn } from "../support/signin.ts";
import { launch, noComplaints, open, type OpenOptions } from "./browser.ts";

const peal = await inProcess();
const cookie = await signedIn(peal);
let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
  await peal[Symbol.asyncDispose]();
});
afterEach(noComplaints);

async function visit(path: string, options: OpenOptions = {}) {
  const opened = await open(browser, { session: { cookie, url: peal.url }, ...options });
  await opened.page.goto(peal.url + path);
  return opened;
}

test("a message comes to the feed by itself, is deleted, and comes back", async () => {
  const topic = await peal.topic("live");
  await peal.publish(topic, { message: "first" });
  await using opened = await visit(`/-/topics/${topic.key}`);
  const { page } = opened;
  const headings = async () => page.locator("article h3").allTextContents();
  await eventually("the page to be live", async () =>
    (await page.locator("[data-connection]").textContent())?.includes("Live"),
  );
  await peal.publish(topic, { message: "second" });
  await eventually("the second message", async () => (await headings()).join() === "second,first");
  await page.locator("article").first().getByLabel("More for this message").click();
  await page.getByRole("button", { name: "Delete message" }).first().click();
  await page.getByText("Message 2 is deleted.").waitFor();
  expect(await headings()).toEqual(["first"]);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Message 2 is back.").waitFor();
  expect(await headings()).toEqual(["second", "first"]);
});

test("what comes while one looks is not left out when one goes on to what is older", async () => {
  const topic = await peal.topic("long");
  for (let n = 1; n <= 52; n++) await peal.publish(topic, { message: `m${n}` });
  await using opened = await visit(`/-/topics/${topic.key}`);
  const { page } = opened;
  const headings = async () => page.locator("article h3").allTextContents();
  expect((await headings()).at(-1)).toBe("m3");
  await page.locator("[data-connection]").getByText("Live", { exact: true }).waitFor();
  await peal.publish(topic, { message: "m53" });
  await eventually("the new message", async () => (await headings())[0] === "m53");
  const last = (await headings()).at(-1);
  await page.getByRole("link", { name: "Older" }).click();
  await page.getByRole("link", { name: "Newest" }).waitFor();
  expect([last, await headings()]).toEqual(["m4", ["m3", "m2", "m1"]]);
});

test("the list tells of a new message, and commands turn without a script", async () => {
  const topic = await peal.topic("news");
  await using list = await visit("/-/topics?q=news");
  await eventually("the page to be live", async () =>
    (await list.page.locator("[data-connection]").textContent())?.includes("Live"),
  );
  await peal.publish(topic, { message: "extra", level: "warning" });
  await list.page.getByText("extra").waitFor();
  expect(await list.page.getByRole("img", { name: /^Last 24 hours: 1.message$/ }).count()).toBe(1);

  await using still = await visit(`/-/topics/${topic.key}/publish`, { javaScriptEnabled: false });
  await still.page.getByText("JavaScript", { exact: true }).click();
  expect(await still.page.getByText("await fetch(").isVisible()).toBe(true);
  expect(await still.page.getByText("curl -H").first().isVisible()).toBe(false);
  await still.page.getByLabel("Or write one here").fill("by hand");
  await still.page.getByRole("button", { name: "Publish" }).click();
  expect(await still.page.locator("article h3").allTextContents()).toEqual(["by hand", "extra"]);
});
