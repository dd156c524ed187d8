/** The dashboard's pictures in a browser: without a script, on a narrow phone, with text of twice the size, live (WEB.md §3). */
import { beforeAll, describe, expect, test } from "bun:test";
import type { TestTopic } from "../support/client.ts";
import { newCheck } from "../support/checks.ts";
import { deskAs } from "../support/desk.ts";
import { signedIn } from "../support/signin.ts";
import { connection, open, startBrowsing } from "./browser.ts";
import { AXE, standing } from "./lookat.ts";

const { peal, browser } = await startBrowsing();
const LONG = "postgres-backup-of-the-whole-household-to-the-other-side-of-the-world";
let cookie: string;
let topic: TestTopic;

beforeAll(async () => {
  cookie = await signedIn(peal);
  topic = await peal.topic("a-topic-with-a-name-that-is-as-long-as-they-come");
  for (const level of ["info", "success", "warning", "error"])
    await peal.publish(topic, { title: `A ${level}`, message: "m", level });
  const check = await newCheck(peal, { name: LONG, every: "1d" });
  await peal.request(`${check.ping_url}/fail`, { method: "POST" });
});

/** Parts of pictures that extend beyond the window, or beyond their container. */
const STICKING_OUT = `[...document.querySelectorAll(".panel:has(.vol, .lane) *, .row.topic > .thin *")]
  .filter((element) => !element.closest(".sr") && element.getBoundingClientRect().right > document.documentElement.clientWidth)
  .map(({ outerHTML }) => outerHTML.slice(0, 120))`;

const session = () => ({ cookie, url: peal.url });
const pages = (): [name: string, path: string][] => [
  ["overview", "/-/"],
  ["topics", "/-/topics"],
  ["topic", `/-/topics/${topic.key}`],
  ["deliveries", "/-/deliveries"],
];

test("no picture is wider than a phone with text of twice the size, and no page with one violates a rule at 320 px, in English and German", async () => {
  for (const locale of ["en-GB", "de-DE"]) {
    await using opened = await open(browser, { locale, hasTouch: true, session: session() });
    const { page } = opened;
    await page.addInitScript(AXE);
    for (const [name, path] of pages()) {
      await page.goto(peal.url + path);
      expect([name, await standing(page)]).toEqual([name, { violations: [], wide: [] }]);
      await page.setViewportSize({ width: 390, height: 844 });
      await page.evaluate("document.documentElement.style.fontSize = '200%'");
      expect([name, await page.evaluate<string[]>(STICKING_OUT)]).toEqual([name, []]);
    }
  }
});

test("a click on a day or a level of a topic filters its list, without a script", async () => {
  await using opened = await open(browser, { javaScriptEnabled: false, session: session() });
  const { page } = opened;
  await page.goto(`${peal.url}/-/topics/${topic.key}`);
  expect(await page.locator("article").count()).toBe(4);
  await page.locator(".vol a").click();
  await page.waitForURL(/\?day=/);
  expect(await page.locator("article").count()).toBe(4);
  await page.locator(".key").getByRole("link", { name: "Error" }).click();
  await page.waitForURL(/level=error/);
  expect(await page.locator("article h3").allTextContents()).toEqual(["A error"]);
  expect(page.url()).toContain("day=");
});

describe("the picture of the overview", () => {
  test("is what a reader sees below what rings, with one time axis for everything", async () => {
    await using opened = await open(browser, { viewport: { width: 1_280, height: 800 }, session: session() });
    const { page } = opened;
    await page.goto(`${peal.url}/-/`);
    const [bars, columns] = [page.locator("#day .lane svg:not(.vol)"), page.locator("#day .vol")];
    const [bar, column] = await Promise.all([bars.boundingBox(), columns.first().boundingBox()]);
    expect([bar?.x, bar?.width]).toEqual([column?.x, column?.width]);
    expect(await page.locator("#day .lane").first().textContent()).toContain(`${LONG} down since`);
  });

  test("is live: a check that recovers is shown with the end of its outage", async () => {
    await using opened = await open(browser, { session: session() });
    const { page } = opened;
    const check = await newCheck(peal, { name: "router", every: "1d" });
    await page.goto(`${peal.url}/-/`);
    await connection(page, "Live");
    await peal.request(`${check.ping_url}/fail`, { method: "POST" });
    await page.locator("#day").getByText("router").waitFor();
    await peal.request(check.ping_url, { method: "POST" });
    await page
      .locator("#day .lane", { hasText: "router" })
      .getByText(/down .+ to /)
      .waitFor();
    expect((await deskAs(peal, cookie).get("/-/")).text).toContain("router down");
  });
});
