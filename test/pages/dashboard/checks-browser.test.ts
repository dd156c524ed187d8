/** The list of checks and a check's commands in a real browser: keyboard, without a script, density, live updates (WEB.md §3). */
import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { newCheck } from "../../support/checks.ts";
import { eventually } from "../../support/eventually.ts";
import { signedIn } from "../../support/signin.ts";
import { connection, open, startBrowsing, type OpenOptions } from "../browser.ts";

const { peal, browser } = await startBrowsing();
const cookie = await signedIn(peal, { name: "mara" });
const up = await newCheck(peal, { name: "photos-sync", every: "1d" });
const other = await newCheck(peal, { name: "zfs-scrub", every: "1d" });
for (const { ping_url } of [up, other]) await peal.request(ping_url);

async function desk(path: string, options: OpenOptions = {}) {
  const opened = await open(browser, { session: { cookie, url: peal.url }, ...options });
  await opened.page.goto(peal.url + path);
  return opened;
}
const names = async (page: Page): Promise<string[]> => page.locator(".row.check .name").allTextContents();

test("a slash leads to the search, unless someone is typing or has switched shortcuts off", async () => {
  await using opened = await desk("/-/checks");
  const { page } = opened;
  await connection(page, "Live");
  const focused = async () => page.evaluate<string>("document.activeElement.id");
  await page.keyboard.press("/");
  expect(await focused()).toBe("q");
  await page.keyboard.type("/zfs");
  expect(await page.locator("#q").inputValue()).toBe("/zfs");
  await page.locator("#q").blur();
  await page.evaluate(`localStorage.setItem("peal:keys-off", "1")`);
  await page.keyboard.press("/");
  expect(await focused()).not.toBe("q");
});

test("rows are 44 px high, and grow for texts that need more", async () => {
  for (const viewport of [
    { width: 1_280, height: 800 },
    { width: 1_440, height: 800 },
  ]) {
    await using opened = await desk("/-/checks", { viewport });
    const heights = await opened.page.evaluate<number[]>(
      `[...document.querySelectorAll("li.check")].map((row) => Math.round(row.getBoundingClientRect().height))`,
    );
    for (const height of heights) expect([44, 45]).toContain(height); // one of them has a line above it
  }
  await using opened = await desk("/-/checks", { viewport: { width: 320, height: 640 } });
  expect(await opened.page.evaluate("document.documentElement.scrollWidth")).toBe(320);
});

test("without a script the list can be searched and sorted, and the choice is kept", async () => {
  await using opened = await desk("/-/checks", { javaScriptEnabled: false });
  const { page } = opened;
  await page.getByRole("searchbox", { name: "Find checks" }).fill("ZFS");
  await page.keyboard.press("Enter");
  await page.waitForURL(/q=ZFS/);
  expect(await names(page)).toEqual(["zfs-scrub"]);
  await page.getByRole("button", { name: "oldest success" }).click();
  const chosen = page.locator("button[aria-current=true]");
  await chosen.filter({ hasText: "oldest success" }).waitFor();
  expect(await names(page)).toEqual(["zfs-scrub"]);
  await page.goto(`${peal.url}/-/checks`);
  expect(await names(page)).toEqual(["photos-sync", "zfs-scrub"]);
  expect(await chosen.textContent()).toBe("oldest success");
});

test("a check that goes down moves to the top by itself, and typed text stays", async () => {
  await using opened = await desk("/-/checks");
  const { page } = opened;
  await connection(page, "Live");
  await page.locator("#q").fill("half a wo");
  await peal.request(`${other.ping_url}/1`, { method: "POST", body: "pool <tank> is degraded" });
  await eventually("the order to be another", async () => (await names(page)).join() === "zfs-scrub,photos-sync");
  await page.getByText("exit 1: “pool <tank> is degraded”").waitFor();
  expect(await page.locator("#q").inputValue()).toBe("half a wo");
  await using shown = await desk(`/-/checks/${other.id}`);
  await connection(shown.page, "Live");
  expect((await shown.page.locator("#check-word").textContent())?.trim()).toBe("Down");
  await peal.request(other.ping_url);
  await shown.page.locator("#check-word", { hasText: "Up" }).waitFor();
});

test("no line of a command breaks within an option, however narrow the window", async () => {
  for (const width of [320, 390, 1_280]) {
    await using opened = await desk(`/-/checks/${up.id}`, { viewport: { width, height: 800 } });
    const lines = await opened.page.evaluate<number[]>(
      `[...document.querySelectorAll(".langs .code .clip")].filter((part) => part.getClientRects().length > 0).map((part) => part.getClientRects().length)`,
    );
    expect([width, lines]).toEqual([width, [1, 1, 1]]);
    expect(await opened.page.evaluate("document.documentElement.scrollWidth")).toBe(width);
  }
});
