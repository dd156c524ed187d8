/** A page of the dashboard in a real browser: live, by keyboard, without a script (WEB.md §3). */
import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { cookieOf, login, person } from "../../support/signin.ts";
import { startPeal, type Peal } from "../../support/server.ts";
import { launch, noComplaints, open, type OpenOptions } from "../browser.ts";

setDefaultTimeout(30_000); // a stream comes back after 3 s, and the machine may be busy

let peal: Peal;
let browser: Browser;
beforeAll(async () => {
  [peal, browser] = await Promise.all([startPeal(), launch()]);
  await person(peal, { name: "jonas" });
});
afterEach(noComplaints);
afterAll(async () => {
  await browser.close();
  await peal[Symbol.asyncDispose]();
});

async function overview(options: OpenOptions = {}) {
  const opened = await open(browser, options);
  const [name = "", value = ""] = cookieOf(await login(peal, { name: "jonas" })).split("=");
  await opened.page.context().addCookies([{ name, value, url: peal.url }]);
  await opened.page.goto(`${peal.url}/-/`);
  return opened;
}
const word = async (page: Page, words: string): Promise<void> =>
  page.getByRole("status").filter({ hasText: words }).waitFor();
const icon = async (page: Page): Promise<string | null> => page.locator("link[rel=icon]").getAttribute("href");
const WHO_RESTARTS = /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION_RESET|ERR_NETWORK_IO/;

test("a message and a check that goes down show by themselves, and nobody's focus or open menu is lost", async () => {
  await using opened = await overview({ viewport: { width: 390, height: 800 } });
  const { page } = opened;
  await page.locator("[data-connection]", { hasText: "Live" }).waitFor({ state: "attached" }); // no room for it on a phone
  await page.locator(".rail summary").click();
  await page.evaluate("window.isSamePage = true");
  expect(await icon(page)).toContain("favicon.");
  await peal.publish({ namespace: "home", name: "doorbell" }, "Someone is at the front door");
  await page.getByRole("link", { name: "Someone is at the front door" }).waitFor();
  await page.getByRole("link", { name: "Deliveries" }).focus();
  const made = await peal.api("POST", "/v1/home/checks", {
    ...{ name: "backup", topic: "checks", schedule: { kind: "every", seconds: 3600 } },
  });
  const { ping_url } = (await made.json()) as { ping_url: string };
  await fetch(`${ping_url}/fail`, { method: "POST" });
  await page.locator("#needs").getByRole("link", { name: "backup" }).waitFor();
  expect(await page.locator("h1").textContent()).toBe("One check is down.");
  await page.waitForFunction("document.title.startsWith('1 down · ')");
  expect(await icon(page)).toContain("favicon-down.");
  expect(await page.locator(".rail details").getAttribute("open")).toBe("");
  expect(await page.evaluate("document.activeElement.textContent")).toContain("Deliveries");
  expect(await page.evaluate("window.isSamePage")).toBe(true);
  expect(await page.locator("[aria-busy]").count()).toBe(0);
});

test("keys, namespaces, people and topics that come by command show where they are listed", async () => {
  await using opened = await overview();
  const { page } = opened;
  const local = async (path: string, body: object) =>
    peal.local(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const at = async (path: string) => {
    await page.goto(`${peal.url}/-/${path}`);
    await word(page, "Live");
  };
  await at("settings");
  await local("/-/local/namespaces", { name: "attic" });
  await page.locator("#namespaces").getByText("attic", { exact: true }).waitFor();
  await page.locator("nav.ns").getByRole("link", { name: "attic" }).waitFor();
  await person(peal, { name: "nina", namespaces: ["home"] });
  await page.locator("#people").getByText("nina").waitFor();
  await at("keys");
  await local("/v1/keys?namespace=attic", { scope: "publish", name: "made by command" });
  await page.locator("#list").getByText("made by command").waitFor();
  await at("topics");
  await local("/v1/attic/topics", { name: "boxes" });
  await page.getByRole("link", { name: "boxes", exact: true }).first().waitFor();
});

test("the connection is told in words; what came while the server was away is shown when it is back", async () => {
  await using opened = await overview({ expected: WHO_RESTARTS });
  const { page } = opened;
  await word(page, "Live");
  await peal.kill("SIGKILL");
  await word(page, "Reconnecting");
  await peal.start();
  await peal.publish({ namespace: "home", name: "doorbell" }, "after the restart");
  await word(page, "Live");
  await page.getByRole("link", { name: "after the restart" }).waitFor();
});

test("who is signed out elsewhere is told so, and the page stays", async () => {
  await using opened = await overview({ expected: /401/ });
  const { page } = opened;
  await word(page, "Live");
  const session = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  await peal.request("/-/logout", {
    method: "POST",
    headers: { cookie: session, "sec-fetch-site": "same-origin" },
  });
  await peal.publish({ namespace: "home", name: "doorbell" }, "not for who is signed out");
  await word(page, "You are signed out");
  expect(await page.getByText("not for who is signed out").count()).toBe(0);
});

test("a deletion is taken back by the button of its flash, by keyboard alone and without a script", async () => {
  const made = await peal.publish({ namespace: "home", name: "mistakes" }, "deleted by mistake");
  await using opened = await overview({ javaScriptEnabled: false });
  const { page } = opened;
  await page.keyboard.press("Tab");
  expect(await page.locator(":focus").textContent()).toBe("Skip to content");
  await page.keyboard.press("Enter");
  expect(await page.locator(":focus").getAttribute("id")).toBe("main");
  const undo = { topic: made?.topic, id: made?.id };
  const flash = JSON.stringify({ say: "desk.messageDeleted", values: [made?.id], undo });
  const cookie = { name: "flash", value: encodeURIComponent(flash), domain: "127.0.0.1", path: "/-/" };
  const session = (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
  await peal.request(`/-/messages/${made?.topic ?? ""}/${made?.id ?? 0}/delete`, {
    method: "POST",
    headers: { cookie: session, "sec-fetch-site": "same-origin" },
  });
  await page.context().addCookies([cookie]);
  await page.goto(`${peal.url}/-/`);
  expect(await page.getByText("deleted by mistake").count()).toBe(0);
  await page.getByRole("button", { name: "Undo" }).focus();
  const isLed = page.waitForEvent("framenavigated");
  await page.keyboard.press("Enter");
  await isLed;
  await page.waitForLoadState();
  await page.goto(`${peal.url}/-/`);
  expect(await page.getByText("deleted by mistake").count()).toBe(1);
});
