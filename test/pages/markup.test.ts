/** Small layout promises: cards without a script, the bell on phones, errors, the list of the settings. */
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { answer } from "../support/client.ts";
import { deskAs } from "../support/desk.ts";
import { signedIn } from "../support/signin.ts";
import { open, startBrowsing } from "./browser.ts";

const { peal, browser } = await startBrowsing({}, { isWhole: true });

const cookie = await signedIn(peal);

const PHONE = { width: 390, height: 844 };

/** Pixels between the time of the first card and the card's edge. */
async function besideTheTime(page: Page): Promise<number> {
  const card = await page.locator("article").first().boundingBox();
  const time = await page.locator("article .when").first().boundingBox();
  if (card === null || time === null) throw new Error("there is no card");
  return card.x + card.width - (time.x + time.width);
}

test("without a script a card has no menu, and its time stands at the edge", async () => {
  const topic = await peal.topic("backups");
  await answer(
    201,
    await peal.api("POST", `/home/${topic.name}`, { title: "Backup done", message: "3 GB", level: "success" }),
  );
  await using bare = await open(browser, { javaScriptEnabled: false, viewport: PHONE });
  await bare.page.goto(topic.url);
  expect(await besideTheTime(bare.page)).toBeLessThan(20);
  await using whole = await open(browser, { viewport: PHONE });
  await whole.page.goto(topic.url);
  await whole.page.locator("article .menu").waitFor();
  expect(await besideTheTime(whole.page)).toBeGreaterThan(40);
});

test("on a phone Notify me is a bell beside the heading that keeps its name; on a desktop it is a text", async () => {
  const topic = await peal.topic("doorbell");
  await using opened = await open(browser, { viewport: PHONE, hasTouch: true });
  const { page } = opened;
  const button = page.getByRole("button", { name: "Notify me" });
  const words = button.getByText("Notify me", { exact: true });
  for (const width of [320, 390]) {
    await page.setViewportSize({ ...PHONE, width });
    await page.goto(topic.url);
    const [bell, heading] = [await button.boundingBox(), await page.getByRole("heading", { level: 1 }).boundingBox()];
    expect([bell?.width, bell?.height]).toEqual([44, 44]);
    expect((bell?.y ?? 0) < (heading?.y ?? 0) + (heading?.height ?? 0)).toBe(true);
    expect((await words.boundingBox())?.height ?? 0).toBe(0);
  }
  await page.setViewportSize({ width: 1_280, height: 800 });
  expect((await words.boundingBox())?.height).toBeGreaterThan(10);
});

test("an error says what is wrong first, and its status and request below", async () => {
  const asked = async (path: string, as = "") => peal.request(path, { headers: { accept: "text/html", cookie: as } });
  for (const response of [
    await asked("/nothing/at/all/here"),
    await asked("/-/topics/a-0123456789abcdefghjkmnpqrs", cookie),
  ]) {
    expect(response.status).toBe(404);
    const html = await response.text();
    expect(html.indexOf("<h1")).toBeGreaterThan(0);
    expect(html.indexOf('class="oops"')).toBeGreaterThan(html.indexOf("</h1>"));
  }
});

test("the settings begin with links to all their sections, in order", async () => {
  const { html } = await deskAs(peal, cookie).get("/-/settings");
  const list = /<nav class="chips" aria-label="On this page">(.*?)<\/nav>/s.exec(html)?.[1] ?? "";
  const links = [...list.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
  const sections = [...html.matchAll(/<section class="panel" id="([^"]+)"/g)].map(([, id]) => id);
  expect(sections.at(-1)).toBe("about");
  expect(sections.length).toBeGreaterThan(6);
  expect(links).toEqual(sections);
});
