/** Checks in the browser: what changes is there without a reload, forms show what belongs together, and all of it by keyboard. */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { newCheck, ping, type TestCheck } from "../support/checks.ts";
import { startPeal, type Peal } from "../support/server.ts";
import { signedIn } from "../support/signin.ts";
import { launch, noComplaints, open, type OpenOptions, type OpenPage } from "./browser.ts";

let browser: Browser;
let peal: Peal;
let cookie: string;
beforeAll(async () => {
  [browser, peal] = await Promise.all([launch(), startPeal()]);
  cookie = await signedIn(peal, { name: "Mara" });
});
afterEach(noComplaints);
afterAll(async () => {
  await browser.close();
  await peal[Symbol.asyncDispose]();
});

async function opened(path: string, options: OpenOptions = {}): Promise<OpenPage> {
  const one = await open(browser, { session: { cookie, url: peal.url }, ...options });
  await one.page.goto(peal.url + path);
  return one;
}
const live = async (page: Page): Promise<void> => page.getByRole("status").getByText("Live", { exact: true }).waitFor();
const pathOf = ({ id }: TestCheck): string => `/-/checks/${id}`;

test("a check that fails is marked in its place, and the window says so", async () => {
  const failing = await newCheck(peal, { name: "b failing" });
  await newCheck(peal, { name: "a other" });
  await using one = await opened("/-/checks");
  const { page } = one;
  await live(page);
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("No check is down");
  await ping(peal, `${failing.ping_url}/3`);
  await page.getByRole("heading", { level: 1, name: "One check is down" }).waitFor();
  await page.getByText("exit 3").waitFor();
  expect(await page.locator(".row .name").allTextContents()).toEqual(["a other", "b failing"]);
  expect(await page.title()).toBe("1 down · Checks · peal");
  expect(await page.locator("link[rel=icon]").getAttribute("href")).toContain("favicon-down");
  await ping(peal, failing.ping_url);
  await page.getByRole("heading", { level: 1, name: "No check is down" }).waitFor();
  expect(await page.title()).toBe("Checks · peal");
});

test("a check's page follows its run, and what is open stays open", async () => {
  const check = await newCheck(peal, { name: "followed" });
  await peal.request(check.ping_url, { method: "POST", body: "all good" });
  await using one = await opened(pathOf(check));
  const { page } = one;
  await live(page);
  await page.getByText("What it said").click();
  await page.getByText("all good").waitFor();
  await page.getByText("As a list").click();
  await ping(peal, `${check.ping_url}/start`);
  await page
    .locator("#check-state")
    .getByText(/^Running for/)
    .waitFor();
  expect(await page.getByText("all good").isVisible()).toBe(true);
  expect(await page.locator("#runs-list").getAttribute("open")).not.toBeNull();
  expect(await page.locator("#check-runs tbody tr").count()).toBe(2);
});

test("a click copies the ping URL, which no address of a page has in it", async () => {
  const check = await newCheck(peal, { name: "copied" });
  await using one = await opened(pathOf(check), { permissions: ["clipboard-read", "clipboard-write"] });
  const { page } = one;
  await page.getByRole("button", { name: "Copy ping URL" }).click();
  await page.waitForFunction(
    `navigator.clipboard.readText().then((text) => text === ${JSON.stringify(check.ping_url)})`,
  );
  const token = new URL(check.ping_url).pathname.split("/").at(-1) ?? "";
  const named = await page.content();
  const addresses = named.match(/(?:href|src|action)="[^"]*"/g) ?? [];
  expect(addresses.length).toBeGreaterThan(10);
  expect(addresses.filter((address) => address.includes(token))).toEqual([]);
});

test("the form shows the fields of the schedule that is chosen, and takes them without a script", async () => {
  await using one = await opened("/-/checks/new", { javaScriptEnabled: false, expected: / 422 / });
  const { page } = one;
  expect(await page.getByLabel("How often").isVisible()).toBe(true);
  expect(await page.getByLabel("Cron line").isVisible()).toBe(false);
  await page.getByLabel("At set times (cron)").check();
  expect(await page.getByLabel("How often").isVisible()).toBe(false);
  await page.getByLabel("Name", { exact: true }).fill("by form");
  await page.getByLabel("Cron line").fill("30 2 * * *");
  await page.getByLabel("Time zone").fill("Europe/Berln");
  await page.keyboard.press("Enter");
  await page.getByText("did you mean Europe/Berlin?").waitFor();
  expect(await page.getByLabel("Time zone").inputValue()).toBe("Europe/Berln");
  await page.getByLabel("Time zone").fill("Europe/Berlin");
  await page.getByRole("button", { name: "Show the next five" }).click();
  await page.getByRole("heading", { name: "Next five" }).waitFor();
  await page.getByRole("button", { name: "Create check" }).click();
  await page.getByText("by form is watched from its first ping on.").waitFor();
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByText(/^Paused by Mara on/).waitFor();
});
