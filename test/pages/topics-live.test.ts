/** Topics on the dashboard in a real browser: they fit every window, are live, and a message that was deleted comes back. */
import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser } from "playwright-core";
import { CORPUS } from "../support/hostile.ts";
import { eventually } from "../support/eventually.ts";
import { iphone } from "../support/devices.ts";
import { inProcess } from "../support/server.ts";
import { signedIn } from "../support/signin.ts";
import { launch, look, noComplaints, open, type OpenOptions } from "./browser.ts";

setDefaultTimeout(60_000); // a browser on a busy machine
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
  const opened = await open(browser, options);
  const [name = "", value = ""] = cookie.split("=");
  await opened.page.context().addCookies([{ name, value, url: peal.url }]);
  await opened.page.goto(peal.url + path);
  return opened;
}

test("every page of a topic fits its window, whatever people wrote", async () => {
  const topic = await peal.topic("N".repeat(64));
  const text = CORPUS.join(" ");
  await peal.api("PATCH", `/v1/home/${topic.key}`, { description: text.slice(0, 900) });
  await peal.publish(topic, { title: text.slice(0, 200), message: text, level: "error" });
  await iphone(peal, [topic], { name: "W".repeat(60) });
  const tabs = ["", "/publish", "/share", "/devices", "/settings", "/mute", "/delete", "/replace"];
  const paths = ["/-/topics", "/-/topics/new", ...tabs.map((tab) => `/-/topics/${topic.key}${tab}`)];
  for (const viewport of [
    { width: 320, height: 640 },
    { width: 1_280, height: 800 },
  ]) {
    await using opened = await visit("/-/topics", { viewport, colorScheme: viewport.width === 320 ? "dark" : "light" });
    for (const path of paths) {
      await opened.page.goto(peal.url + path);
      await look(opened.page, "unfold");
      expect([path, viewport.width, await look<number>(opened.page, "overflow")]).toEqual([path, viewport.width, 0]);
    }
  }
});

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
