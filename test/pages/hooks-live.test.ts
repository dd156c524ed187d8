/**
 * Hooks in the browser (WEB.md §3): the first request appears by itself, a map is made by clicking values, and its
 * result is shown.
 */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { answer, type TestTopic } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { CORPUS } from "../support/hostile.ts";
import { newHook, post } from "../support/hooks.ts";
import { inProcess } from "../support/server.ts";
import { signedIn } from "../support/signin.ts";
import { closeWindows, connection, noComplaints, open, sharedBrowser } from "./browser.ts";

const peal = await inProcess();
const session = { cookie: await signedIn(peal, { name: "Mara" }), url: peal.url };
let browser: Browser;
/** The shared pages: with JavaScript, and without. */
let page: Page;
let still: Page;
beforeAll(async () => {
  browser = await sharedBrowser();
  ({ page } = await open(browser, { session, permissions: ["clipboard-read", "clipboard-write"] }));
  ({ page: still } = await open(browser, { session, javaScriptEnabled: false, expected: / 422 / }));
});
afterEach(noComplaints);
afterAll(async () => {
  await closeWindows(browser);
  await peal[Symbol.asyncDispose]();
});

/** `path`: its page on the dashboard. */
interface OpenHook {
  url: string;
  path: string;
}
async function hookTo({ key }: TestTopic, body: object = {}): Promise<OpenHook> {
  const { id, url } = await newHook(peal, { topic: key, ...body });
  return { url, path: `/-/topics/${key}/hooks/${id}` };
}
const send = async (url: string, body: object): Promise<unknown> =>
  answer(201, await post(peal, new URL(url).pathname, body));
const live = async (path: string): Promise<void> => {
  await page.goto(peal.url + path);
  await connection(page, "Live");
};

const BODY = { event: "MyEvent", series: { id: 7, title: "Severance" }, status: "ok", note: "some words" };
/** The headings of the cards on the page. */
const titles = async (of = page) => of.locator("article h3").allTextContents();
const becomes = async (...expected: string[]) =>
  eventually(`cards ${expected.join()}`, async () => (await titles()).join() === expected.join());
/** Clicks a value of the tree, and chooses what to use it as. */
async function use(path: string, as: string): Promise<void> {
  await page.locator(`[data-path="${path}"]`).click();
  await page.getByRole("group", { name: "Use this value as" }).getByRole("button", { name: as, exact: true }).click();
}

test("a hook is made by a click, its URL is copied, and the first request appears by itself, beside its message", async () => {
  const topic = await peal.topic("doorbell");
  await live(`/-/topics/${topic.key}/publish`);
  await page.getByLabel("Name", { exact: true }).fill("Doorbell");
  await page.getByRole("button", { name: "Create a URL" }).click();
  await page.getByText("Waiting for the first request").waitFor();
  await connection(page, "Live");
  await page.getByRole("button", { name: "Copy URL" }).click();
  const url = await eventually("the URL", async () => {
    const copied = await page.evaluate<string>("navigator.clipboard.readText()");
    return copied.includes("/v1/hook/") ? copied : undefined;
  });
  await send(url, { message: "Somebody is at the door", camera: { name: "front" } });
  await page.getByRole("heading", { name: "The last request" }).waitFor();
  expect(await titles()).toEqual(["Somebody is at the door"]);
  expect(await page.locator(".tree").textContent()).toContain("front");
  expect(await page.locator("#hook-use").textContent()).toContain("last used");
  await send(url, { message: "And again" });
  await page.getByRole("heading", { name: "Last 2 requests" }).waitFor();
  expect(await titles()).toEqual(["And again"]);
  await page.getByRole("link", { name: "Somebody is at the door" }).click();
  expect(await titles()).toEqual(["Somebody is at the door"]);
});

test("without a script the page is reloaded, and the map is typed", async () => {
  const topic = await peal.topic("typed");
  await still.goto(`${peal.url}/-/topics/${topic.key}/publish`);
  await still.getByRole("button", { name: "Create a URL" }).click();
  const url = (await still.locator(".copy code").first().textContent()) ?? "";
  await send(url, BODY);
  await still.getByRole("link", { name: "Check again" }).click();
  expect(await titles(still)).not.toEqual([]);
  await still.getByRole("link", { name: "Choose what a message says" }).click();
  expect(await still.getByText("{series.title}", { exact: true }).count()).toBe(1); // what to type
  await still.getByLabel("Title").fill("{series.title} {");
  await still.getByRole("button", { name: "Preview" }).click();
  await still.getByText("A brace isn’t closed").waitFor();
  await still.getByLabel("Title").fill("{series.title}");
  await still.getByRole("button", { name: "Preview" }).click();
  expect(await titles(still)).toEqual(["Severance"]);
  await still.getByRole("button", { name: "Save" }).click();
  await still.getByText("Saved. The next request uses it.").waitFor();
  await send(url, { ...BODY, series: { title: "Andor" } });
  expect((await peal.history(topic)).map(({ title }) => title)).toContain("Andor");
});

test("values are clicked into the map, the preview of all kept requests follows, and the next request uses it", async () => {
  const topic = await peal.topic("clicked");
  const hook = await hookTo(topic);
  await send(hook.url, { ...BODY, series: { id: 6, title: "Andor" }, status: "new" });
  await send(hook.url, BODY);
  await live(`${hook.path}/map`);
  await use("series.title", "Title");
  await becomes("Severance", "Andor");
  expect(await page.getByLabel("Title", { exact: true }).inputValue()).toBe("{series.title}");
  expect(await page.locator(".phone-note > strong").allTextContents()).toEqual(["Severance", "Andor"]);
  await use("event", "Title");
  await becomes("Severance MyEvent", "Andor MyEvent");
  await use("event", "Level");
  // an unknown word: its meaning has to be given
  expect(await page.locator("#level_is:focus").inputValue()).toBe("MyEvent = info");
  await page.locator("#level_is").fill("MyEvent = warning");
  await page.locator("article.warning").nth(1).waitFor();
  await use("series.id", "Key");
  await use("status", "Closes when it’s this");
  expect(await page.locator("#resolved_in").inputValue()).toBe("ok");
  await page.locator("article.success").waitFor();
  expect(await page.locator("article.warning.open").count()).toBe(1);
  await use("note", "Text");
  await page.locator(".phone-note .body").getByText("some words").first().waitFor();

  // the values of another request
  await page.getByLabel("Request", { exact: true }).selectOption("1");
  await page.locator('[data-path="series.title"]', { hasText: "Andor" }).waitFor();
  await becomes("Andor MyEvent", "Severance MyEvent");

  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved. The next request uses it.").waitFor();
  await send(hook.url, { ...BODY, series: { id: 9, title: "Foundation" }, status: "new" });
  const newest = (await peal.history(topic)).find(({ title }) => title === "Foundation MyEvent");
  expect(newest).toMatchObject({ message: "some words", level: "warning", dedup_key: "9", status: "firing" });
});

test("a value's menu is opened, walked through and closed by keyboard, and the focus stays where it was", async () => {
  const hook = await hookTo(await peal.topic("keyboard"));
  await send(hook.url, BODY);
  await live(`${hook.path}/map`);
  const leaf = page.locator('[data-path="note"]');
  await leaf.focus();
  await page.keyboard.press("Enter");
  expect(await leaf.getAttribute("aria-expanded")).toBe("true");
  expect(await page.locator("[data-use=title]:focus").count()).toBe(1);
  await page.keyboard.press("Escape");
  expect(await page.locator("[data-uses]").isVisible()).toBe(false);
  expect(await page.locator('[data-path="note"]:focus').count()).toBe(1);
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await becomes("some words");
  await page.locator("[data-said]", { hasText: "Preview updated" }).waitFor({ state: "attached" });
  expect(await page.locator('[data-path="note"]:focus').count()).toBe(1); // the element in the updated tree
  expect(await page.locator("[data-path]:is(button)").count()).toBe(5);
});

test("mistakes are reported while typing, and disappear once corrected; a late answer to earlier text is ignored", async () => {
  const hook = await hookTo(await peal.topic("races"));
  await send(hook.url, BODY);
  await live(`${hook.path}/map`);
  const title = page.getByLabel("Title", { exact: true });
  await title.fill("{series");
  await page.getByText("A brace isn’t closed").waitFor();
  expect(await title.getAttribute("aria-invalid")).toBe("true");
  await title.fill("{series.title}");
  await becomes("Severance");
  expect(await page.getByText("A brace isn’t closed").count()).toBe(0);
  expect(await title.getAttribute("aria-invalid")).toBeNull();

  const held: (() => void)[] = [];
  await page.route("**/map", async (route) => {
    if (route.request().postData()?.includes("slow") === true) await new Promise<void>((resolve) => held.push(resolve));
    await route.continue();
  });
  await title.fill("slow");
  await eventually("the slow one to be asked for", async () => held.length === 1);
  await title.fill("fast");
  await becomes("fast");
  const slow = page.waitForResponse((response) => response.request().postData()?.includes("slow") === true);
  held[0]?.();
  await (await slow).finished();
  await page.locator("[data-path=note]").click(); // the page still works
  await page.keyboard.press("Escape");
  expect(await titles()).toEqual(["fast"]);
  expect(await title.inputValue()).toBe("fast");
  await page.unroute("**/map");
});

test("nothing that strangers send runs, in the tree, in the cards or in the menu", async () => {
  const hook = await hookTo(await peal.topic("hostile"), { map: { title: "{0}" } });
  for (const text of CORPUS.slice(0, 18)) await send(hook.url, { [text]: text, list: CORPUS, 0: text, message: text });
  for (const path of [hook.path, `${hook.path}/map`]) {
    await live(path);
    expect(await page.evaluate("'pwned' in window")).toBe(false);
  }
  await use("0", "Text");
  await page.locator("[data-said]", { hasText: "Preview updated" }).waitFor({ state: "attached" });
  expect(await page.evaluate("'pwned' in window")).toBe(false);
  expect(await page.locator(".tree :is(img, script, iframe, svg, style), article img").count()).toBe(0);
});
