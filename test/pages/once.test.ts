/** Forms of the dashboard in the browser: sent once, and not lost (docs/dashboard.md). */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { deskAs } from "../support/desk.ts";
import { eventually } from "../support/eventually.ts";
import { inProcess } from "../support/server.ts";
import { PASSWORD, signedIn } from "../support/signin.ts";
import { closeWindows, noComplaints, open, sharedBrowser } from "./browser.ts";

const peal = await inProcess();
const session = { cookie: await signedIn(peal), url: peal.url };
let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});
afterEach(noComplaints);
afterAll(async () => {
  await closeWindows(browser);
  await peal[Symbol.asyncDispose]();
});

/** A topic's form, filled in; its request is held until `gate` is resolved. */
async function heldForm(topic: { key: string }) {
  const opened = await open(browser, { session, serviceWorkers: "block" });
  const gate = Promise.withResolvers<unknown>();
  const held = { ...opened, gate, sent: 0 };
  await opened.page.route("**/publish", async (route) => {
    if (route.request().method() === "POST") {
      held.sent++;
      await gate.promise;
    }
    await route.continue();
  });
  await opened.page.goto(`${peal.url}/-/topics/${topic.key}/publish`);
  await opened.page.getByLabel("Or write a message").fill("once");
  await opened.page.getByLabel("Title").focus();
  return held;
}

test("a form that is being sent is not sent a second time", async () => {
  const topic = await peal.topic("once");
  await using held = await heldForm(topic);
  const { page: form, gate } = held;
  await form.keyboard.press("Enter");
  await eventually("the form to be under way", () => held.sent === 1);
  await form.keyboard.press("Enter");
  gate.resolve(null);
  await form.getByText("Published to once.").waitFor();
  expect([held.sent, (await peal.history(topic)).length]).toEqual([1, 1]);
});

test("a form that is restored from the browser's cache can be sent", async () => {
  await using held = await heldForm(await peal.topic("again"));
  const { page: form, gate } = held;
  // triggered by a key: nothing can be evaluated in a page that waits for an answer
  const back = "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))";
  await form.evaluate(`addEventListener("keydown", ({ key }) => { if (key === "F9") ${back}; })`);
  await form.keyboard.press("Enter");
  await eventually("the form to be under way", () => held.sent === 1);
  await form.keyboard.press("F9");
  await form.keyboard.press("Enter");
  await eventually("the form to be under way again", () => held.sent === 2);
  gate.resolve(null);
});

test("someone who was signed out meanwhile signs in beside the form, and sends it again by reloading the page", async () => {
  const topic = await peal.topic("kept");
  const cookie = await signedIn(peal, { name: "Late" });
  await using opened = await open(browser, {
    session: { ...session, cookie },
    expected: / 401 /,
    serviceWorkers: "block",
  });
  const form = opened.page;
  await form.goto(`${peal.url}/-/topics/${topic.key}/publish`);
  await form.getByLabel("Or write a message").fill("not lost");
  await deskAs(peal, cookie).post("/-/logout");
  await form.getByRole("button", { name: "Publish" }).click();
  await form.getByRole("heading", { name: "You’re signed out" }).waitFor();
  const opening = form.context().waitForEvent("page");
  await form.getByRole("link", { name: "Sign in" }).click();
  const beside = await opening;
  await beside.getByLabel("Name").fill("Late");
  await beside.getByLabel("Password").fill(PASSWORD);
  await beside.getByRole("button", { name: "Sign in" }).click();
  await beside.waitForURL(`${peal.url}/-/`);
  await form.reload();
  await form.getByText("Published to kept.").waitFor();
  expect((await peal.history(topic)).map(({ message }) => message)).toEqual(["not lost"]);
});
