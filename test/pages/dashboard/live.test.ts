/** A page of the dashboard in a real browser: live updates, keyboard, without a script (WEB.md §3). */
import { expect, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { deskAs } from "../../support/desk.ts";
import { iphone, send } from "../../support/devices.ts";
import { eventually } from "../../support/eventually.ts";
import { metric } from "../../support/metric.ts";
import { cookieOf, login, person, signedIn } from "../../support/signin.ts";
import { connection, look, open, pass, startBrowsing, type OpenOptions } from "../browser.ts";

const { peal, browser } = await startBrowsing();
const cookie = await signedIn(peal, { name: "jonas" });

interface Desk extends OpenOptions {
  /** Whether the test controls the page's clock. */
  moved?: boolean;
}
/** Opens a page of the dashboard as a person who has just signed in. */
async function desk(path: string, { moved = false, ...options }: Desk = {}) {
  const opened = await open(browser, { session: { cookie, url: peal.url }, ...options });
  const { page } = opened;
  if (moved) await page.clock.install();
  await page.goto(peal.url + path);
  return opened;
}
const overview = async (options: Desk = {}) => desk("/-/", options);

/** What the page requests while this much time passes on its clock. */
async function askedDuring(page: Page, ms: number): Promise<string[]> {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await pass(page, ms);
  page.removeAllListeners("request");
  return asked;
}
const titled = async (page: Page, beginning: string) =>
  eventually(`the title to begin with ${beginning}`, async () => (await page.title()).startsWith(beginning));
const isFocused = async (control: Locator) => control.and(control.page().locator(":focus")).isVisible();
const check = async (name: string) => {
  const made = await peal.api("POST", "/v1/home/checks", { name, topic: "checks", every: 3600 });
  return (await made.json()) as { id: string; ping_url: string };
};
const icon = async (page: Page): Promise<string | null> => page.locator("link[rel=icon]").getAttribute("href");
const WHO_RESTARTS = /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION_RESET|ERR_NETWORK_IO/;

test("a message and a check that goes down appear by themselves, and no focus or open menu is lost", async () => {
  await using opened = await overview({ viewport: { width: 390, height: 800 } });
  const { page } = opened;
  await connection(page, "Live");
  await page.locator(".rail summary").click();
  await page.evaluate("window.isSamePage = true");
  expect(await icon(page)).toContain("favicon.");
  await peal.publish({ namespace: "home", name: "doorbell" }, "Someone is at the front door");
  await page.getByRole("link", { name: "Someone is at the front door" }).waitFor();
  await page.getByRole("link", { name: "Deliveries" }).focus();
  const { ping_url } = await check("backup");
  await fetch(`${ping_url}/fail`, { method: "POST" });
  await page.locator("#needs").getByRole("link", { name: "backup" }).waitFor();
  expect(await page.locator("h1").textContent()).toBe("One check is down.");
  await titled(page, "1 down · ");
  expect(await icon(page)).toContain("favicon-down.");
  expect(await page.locator(".rail details").getAttribute("open")).toBe("");
  expect(await page.evaluate("document.activeElement.textContent")).toContain("Deliveries");
  expect(await page.evaluate("window.isSamePage")).toBe(true);
  expect(await page.locator("[aria-busy]").count()).toBe(0);
});

test("keys, namespaces, people and topics that are made by commands appear where they are listed", async () => {
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
    await connection(page, "Live");
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

test("the connection status is shown in words; what came while the server was away is shown when it is back", async () => {
  await using opened = await overview({ expected: WHO_RESTARTS });
  const { page } = opened;
  await connection(page, "Live");
  await peal.kill("SIGKILL");
  await connection(page, "Reconnecting");
  await peal.start();
  await peal.publish({ namespace: "home", name: "doorbell" }, "after the restart");
  await connection(page, "Live");
  await page.getByRole("link", { name: "after the restart" }).waitFor();
});

test("a person who is signed out elsewhere is told so, the page stays, and makes no more requests", async () => {
  const own = cookieOf(await login(peal, { name: "jonas" }));
  await using opened = await overview({ session: { cookie: own, url: peal.url }, expected: /401/, moved: true });
  const { page } = opened;
  await connection(page, "Live");
  await deskAs(peal, own).post("/-/logout");
  await peal.publish({ namespace: "home", name: "doorbell" }, "not for who is signed out");
  await connection(page, "You’re signed out");
  expect(await page.getByText("not for who is signed out").count()).toBe(0);
  expect(await askedDuring(page, 120_000)).toEqual([]);
});

test("a page of something that was deleted elsewhere says so, and makes no more requests", async () => {
  const { id } = await check("short-lived");
  await using opened = await desk(`/-/checks/${id}`, { expected: /404/, moved: true });
  const { page } = opened;
  await connection(page, "Live");
  await peal.api("DELETE", `/v1/home/checks/${id}`);
  await page.clock.runFor(60_000);
  await connection(page, "This page no longer exists");
  expect(await page.locator("h1").textContent()).toBe("short-lived");
  expect(await askedDuring(page, 120_000)).toEqual([]);
});

test("a form that was refused stays unchanged, and its page makes no more requests than others", async () => {
  const [device] = await Promise.all([iphone(peal, [await peal.topic("refused")]), peal.topic("deleted")]);
  await using opened = await desk(`/-/devices/${device.ref}`, { expected: /422/, moved: true });
  const { page } = opened;
  const form = page.locator(`form[action$='/-/devices/${device.ref}/topics']`);
  await form
    .locator("option")
    .last()
    .evaluate((option: { value: string }) => (option.value = "deleted-meanwhile"));
  await form.locator("select").selectOption("deleted-meanwhile");
  await form.getByRole("button").click();
  const field = page.locator("[aria-invalid=true]");
  await field.waitFor();
  await connection(page, "Live");
  expect((await askedDuring(page, 180_000)).length).toBeWithin(2, 5); // once a minute
  expect(await field.count()).toBe(1);
});

test("a server that refuses is tried after 15 s, for everything that was missed meanwhile", async () => {
  await using opened = await overview({ expected: /503/, moved: true });
  const { page } = opened;
  await connection(page, "Live");
  await page.route("**/-/", async (route) => route.fulfill({ status: 503, contentType: "text/html" }));
  await peal.publish({ namespace: "home", name: "doorbell" }, "while it refused");
  await connection(page, "Offline");
  expect((await askedDuring(page, 90_000)).length).toBeWithin(4, 7);
  await page.unrouteAll();
  await page.clock.runFor(20_000);
  await page.getByRole("link", { name: "while it refused" }).waitFor();
  await connection(page, "Live");
});

test("a slow answer is waited for: an older one never replaces a newer one", async () => {
  await using opened = await overview({ moved: true });
  const { page } = opened;
  await connection(page, "Live");
  let asked = 0;
  const { promise: isAnswered, resolve: answered } = Promise.withResolvers<undefined>();
  const { promise: isReleased, resolve: release } = Promise.withResolvers<undefined>();
  await page.route("**/-/", async (route) => {
    asked++;
    const answer = await route.fetch();
    answered(undefined);
    await isReleased;
    await route.fulfill({ response: answer });
  });
  await peal.publish({ namespace: "home", name: "doorbell" }, "asked for first");
  await isAnswered;
  const isHinted = page.evaluate(`new Promise((resolve) => {
    new EventSource("/-/events").addEventListener("changed", resolve, { once: true });
  })`);
  await eventually("a second stream", async () => (await metric(peal, "peal_sse_connections")) >= 2);
  await peal.publish({ namespace: "home", name: "doorbell" }, "asked for then");
  await isHinted;
  await page.clock.runFor(5_000);
  await page.evaluate("0"); // its requests have been reported to the test
  expect(asked).toBe(1);
  release(undefined);
  await page.getByRole("link", { name: "asked for then" }).waitFor();
  expect(asked).toBe(2);
});

test("changes between the loading of a page and its stream are shown", async () => {
  await using opened = await open(browser, { session: { cookie, url: peal.url } });
  const { page } = opened;
  await page.route("**/-/events", async (route) => {
    await peal.publish({ namespace: "home", name: "doorbell" }, "in between");
    await route.continue();
  });
  await page.goto(`${peal.url}/-/`);
  await page.getByRole("link", { name: "in between" }).waitFor();
});

test("a page in the background closes its stream; its title and its icon still show what is down", async () => {
  await using opened = await overview({ moved: true });
  const { page } = opened;
  await connection(page, "Live");
  const streams = async (n: number) =>
    eventually(`${n} streams`, async () => (await metric(peal, "peal_sse_connections")) === n);
  await streams(1);
  await look(page, "hide", true);
  await page.clock.runFor(10_000);
  await streams(0);
  const down = async () => Number.parseInt((await page.title()).replace(/^\D.*/, "0"), 10);
  const before = await down();
  const { ping_url } = await check("nightly");
  await fetch(`${ping_url}/fail`, { method: "POST" });
  await page.clock.runFor(60_000);
  await eventually("one more", async () => (await down()) === before + 1);
  expect(await icon(page)).toContain("favicon-down.");
  await fetch(ping_url, { method: "POST" });
  await page.clock.runFor(60_000);
  await eventually("one less", async () => (await down()) === before);
  await look(page, "hide", false);
  await streams(1);
  await peal.publish({ namespace: "home", name: "doorbell" }, "who is there");
  await page.getByRole("link", { name: "who is there" }).waitFor();
});

test("a choice that was not changed follows the server's, a changed one stays", async () => {
  const [nas, power] = [await peal.topic("nas"), await peal.topic("power")];
  const device = await iphone(peal, [nas, power]);
  await using opened = await desk(`/-/devices/${device.ref}`);
  const { page } = opened;
  await connection(page, "Live");
  await page.locator("summary", { hasText: "Change" }).first().waitFor();
  const select = (topic: { key: string }) => page.locator(`#min-${topic.key}`);
  await page.locator(`#rule-${power.key} summary`).click();
  await select(power).selectOption("high");
  for (const topic of [nas, power])
    await send(peal, "PATCH", `/v1/devices/${device.id}/subscriptions/home/${topic.key}`, { min_priority: "urgent" });
  await eventually("the server's choice", async () => (await select(nas).inputValue()) === "urgent");
  expect(await select(power).inputValue()).toBe("high");
});

test("a deletion can be undone for 10 seconds", async () => {
  const made = await peal.publish({ namespace: "home", name: "mistakes" }, "deleted for good");
  await using opened = await desk(`/-/topics/${made?.topic ?? ""}`, { moved: true });
  const { page } = opened;
  await page.clock.pauseAt(Date.now() + 60_000);
  const card = page.locator(`#m${made?.id ?? 0}`);
  await card.locator("summary").first().click();
  await card.getByRole("button", { name: "Delete" }).click();
  const undo = page.getByRole("button", { name: "Undo" });
  await undo.waitFor();
  await page.clock.runFor(9_000);
  expect(await undo.isVisible()).toBe(true);
  await page.clock.runFor(1_000);
  await undo.waitFor({ state: "detached" });
});

test("a deletion is undone with the buttons of the page, by keyboard alone and without a script", async () => {
  const made = await peal.publish({ namespace: "home", name: "mistakes" }, "deleted by mistake");
  const path = `/-/topics/${made?.topic ?? ""}`;
  await using opened = await desk(path, { javaScriptEnabled: false });
  const { page } = opened;
  const card = page.locator(`#m${made?.id ?? 0}`);
  const press = async (control: Locator) => {
    while (!(await isFocused(control))) await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
  };
  await page.keyboard.press("Tab");
  expect(await page.locator(":focus").textContent()).toBe("Skip to content");
  await page.keyboard.press("Enter");
  expect(await page.locator(":focus").getAttribute("id")).toBe("main");
  await press(card.locator("summary").first());
  await press(card.getByRole("button", { name: "Delete" }));
  await card.waitFor({ state: "detached" });
  await press(page.getByRole("button", { name: "Undo" }));
  await card.waitFor();
});
