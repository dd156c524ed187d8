/** What a page looks like on paper, and for readers who prefer reduced motion (WEB.md §1). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { answer, type TestTopic } from "../support/client.ts";
import { signedIn } from "../support/signin.ts";
import type { Page } from "playwright-core";
import { look, open, startBrowsing, type OpenPage } from "./browser.ts";

const { peal, browser } = await startBrowsing();

interface Made {
  topic: TestTopic;
  session: { cookie: string; url: string };
  check: string;
}
let made: Made;
let opened: OpenPage;

beforeAll(async () => {
  const topic = await peal.topic("backups");
  const cookie = await signedIn(peal);
  const body = { title: "Disk full", message: "line\n".repeat(40), level: "error", priority: "urgent", ack: true };
  await answer(201, await peal.api("POST", `/${topic.namespace}/${topic.name}`, body));
  const { id } = await answer<{ id: string }>(
    201,
    await peal.api("POST", `/v1/${topic.namespace}/checks`, { name: "nightly", topic: topic.key, every: "1d" }),
  );
  made = { topic, session: { cookie, url: peal.url }, check: `${peal.url}/-/checks/${id}` };
  opened = await open(browser, { session: made.session });
});
afterAll(async () => opened[Symbol.asyncDispose]());

/** Shows a feed and then the page of a check. */
async function* shownPages(): AsyncGenerator<Page> {
  for (const url of [made.topic.url, made.check]) {
    await opened.page.goto(url);
    yield opened.page;
  }
}

test("on paper a feed and the page of a check have no bars, buttons, search or coloured background, whatever the theme", async () => {
  for await (const page of shownPages())
    for (const theme of ["system", "dark"]) {
      await page.emulateMedia({ media: "screen", colorScheme: "dark" });
      if (theme === "dark") await page.evaluate("document.documentElement.dataset.theme = 'dark'");
      const onScreen = await look<Printed>(page, "printed");
      expect(onScreen.controls.length).toBeGreaterThan(3);
      expect([onScreen.grounds.length > 3, onScreen.ink]).toEqual([true, "rgb(238, 236, 232)"]);
      await page.emulateMedia({ media: "print", colorScheme: "dark" });
      const inPrint = { controls: [], grounds: [], ink: "rgb(28, 26, 24)", paper: "light" };
      expect(await look<Printed>(page, "printed")).toEqual(inPrint);
    }
  await opened.page.emulateMedia({ media: null, colorScheme: null });
});

interface Printed {
  controls: string[];
  grounds: string[];
  ink: string;
  paper: string;
}

test("on paper a long message is shown to its end", async () => {
  const { page } = opened;
  await page.goto(made.topic.url);
  const hidden = async () => look<number>(page, "unseen", "article .body");
  expect(await hidden()).toBeGreaterThan(0);
  await page.emulateMedia({ media: "print" });
  expect(await hidden()).toBe(0);
  await page.emulateMedia({ media: null });
});

test("for people who prefer reduced motion nothing moves and nothing scrolls smoothly", async () => {
  await using waiting = await open(browser, { session: made.session });
  const { page } = waiting;
  await page.route(/\/events\b/, () => undefined); // never answered, because waiting is animated
  const moving = async () => page.evaluate<number>("document.getAnimations().length");
  for (const url of [made.topic.url, made.check]) {
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await page.goto(url);
    expect(await moving()).toBeGreaterThan(0);
    await page.emulateMedia({ reducedMotion: "reduce" });
    expect(await moving()).toBe(0);
    expect(await page.evaluate<string>("getComputedStyle(document.documentElement).scrollBehavior")).toBe("auto");
  }
});
