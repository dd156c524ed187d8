/** What rings is on top: on the first screen of a phone, with its button, live and without a script (WEB.md §8). */
import { beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { newCheck } from "../support/checks.ts";
import type { TestTopic } from "../support/client.ts";
import { deskAs } from "../support/desk.ts";
import { eventually } from "../support/eventually.ts";
import { signedIn } from "../support/signin.ts";
import { connection, open, startBrowsing } from "./browser.ts";
import { AXE, standing } from "./lookat.ts";

const { peal, browser, visit } = await startBrowsing();
const PHONE = { width: 390, height: 844 };
const THEMES = ["light", "dark"] as const;

const UPS = {
  title: "UPS on battery",
  message: "Mains power went away.",
  level: "error",
  priority: "urgent",
  ack: true,
};
const DISK = { title: "Disk is full", message: "18 GB free", level: "error", dedup_key: "disk", status: "firing" };
const newer = async (topic: TestTopic, n: number): Promise<void> => {
  for (let i = 1; i <= n; i++) await peal.publish(topic, { message: `news ${"x".repeat(i)}` });
};
const band = (page: Page) => page.getByRole("region", { name: "Open now" });
const handled = (page: Page) => page.getByRole("region", { name: "Being handled" });
const names = async (page: Page, of = band(page)): Promise<string[]> => of.locator(".name").allTextContents();

/** Expects that a finger reaches it without scrolling. */
async function expectInReach(page: Page, name: string): Promise<void> {
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme });
    const box = await band(page).getByRole("button", { name }).first().boundingBox();
    expect(box).not.toBeNull();
    const { x, y, width, height } = box ?? { x: -1, y: -1, width: 0, height: 0 };
    expect(height).toBeGreaterThanOrEqual(44);
    expect([x >= 0, y >= 0, x + width <= PHONE.width, y + height <= PHONE.height]).toEqual([true, true, true, true]);
    expect(await page.evaluate("scrollY")).toBe(0);
  }
}

let cookie: string;
beforeAll(async () => {
  cookie = await signedIn(peal);
});

describe("on the overview", () => {
  test("an urgent message is in reach before all checks, and no longer counts once someone has taken it", async () => {
    const topic = await peal.topic("house");
    const check = await newCheck(peal, { name: "nas-backup", every: "1d", topic: "house" });
    await peal.request(`${check.ping_url}/fail`, { method: "POST" });
    await peal.publish(topic, UPS);
    await newer(topic, 12);
    await using opened = await open(browser, { viewport: PHONE, hasTouch: true, session: { cookie, url: peal.url } });
    const { page } = opened;
    await page.addInitScript(AXE);
    await page.goto(`${peal.url}/-/`);
    await connection(page, "Live");
    await expectInReach(page, "Acknowledge");
    const all = await names(page);
    expect(all.indexOf("UPS on battery")).toBe(0);
    expect(all.at(-1)).toBe("nas-backup");
    expect(await page.title()).toContain("1 down");

    await band(page).getByRole("button", { name: "I’m on it" }).click();
    await handled(page).getByText("nas-backup").waitFor();
    expect(await names(page)).not.toContain("nas-backup");
    expect(await handled(page).textContent()).toContain("mara has been on it since");
    expect(await page.title()).not.toContain("down");
    expect(await page.locator(".count").count()).toBe(0);
    await band(page).locator("li", { hasText: "house" }).getByRole("button", { name: "Acknowledge" }).click();
    await handled(page).getByText("UPS on battery").waitFor();
    expect(await page.locator("h1").textContent()).not.toContain("unacknowledged");
    expect(await handled(page).locator("li", { hasText: "UPS" }).textContent()).toContain("mara has been on it since");
    expect(await standing(page)).toEqual({ violations: [], wide: [] });
  });

  test("acknowledging the alert of a check also acknowledges the check", async () => {
    const admin = deskAs(peal, cookie);
    const check = await newCheck(peal, { name: "photos-sync", every: "1d", topic: "photos" });
    await peal.request(`${check.ping_url}/fail`, { method: "POST" });
    const { html } = await admin.get(`/-/topics/${check.topic}`);
    const [, action = ""] = /action="([^"]+\/acknowledge[^"]*)"/.exec(html) ?? [];
    await admin.post(action);
    expect((await admin.get(`/-/checks/${check.id}`)).text).toContain("mara is on it.");
    const feed = await (await peal.request(`/home/${check.topic}`, { headers: { accept: "text/html" } })).text();
    expect([feed.includes("Someone has been on it since"), feed.includes("mara")]).toEqual([true, false]);
  });

  test("a muted topic is marked where its messages and its checks are listed", async () => {
    const admin = deskAs(peal, cookie);
    const topic = await peal.topic("hushed");
    const check = await newCheck(peal, { name: "hushed-check", every: "1d", topic: "hushed" });
    await peal.request(`${check.ping_url}/fail`, { method: "POST" });
    await peal.publish(topic, DISK);
    const seen = async (path: string) => (await admin.get(path)).text.match(/muted until/gi)?.length ?? 0;
    const paths = ["/-/", "/-/checks", `/-/checks/${check.id}`, `/-/topics/${topic.key}`, "/-/topics"];
    for (const path of paths) expect([path, await seen(path)]).toEqual([path, 0]);
    await peal.api("PATCH", `/v1/home/${topic.key}`, { muted_until: new Date(Date.now() + 3_600_000).toISOString() });
    for (const path of paths) expect([path, (await seen(path)) > 0]).toEqual([path, true]);
  });
});

describe("on the feed", () => {
  test("an urgent message is in reach, whatever came after it; then what is firing", async () => {
    const topic = await peal.topic("reach");
    await peal.publish(topic, DISK);
    await peal.publish(topic, UPS);
    await newer(topic, 12);
    await using opened = await open(browser, { viewport: PHONE, hasTouch: true });
    const { page } = opened;
    await page.addInitScript(AXE);
    await page.goto(topic.url);
    await connection(page, "Live");
    await expectInReach(page, "Acknowledge");
    expect(await names(page)).toEqual(["UPS on battery", "Disk is full"]);
    const ids = await page.evaluate<string[]>("[...document.querySelectorAll('[id]')].map(({ id }) => id)");
    expect(ids.length).toBe(new Set(ids).size);
    await band(page).getByRole("link", { name: "UPS on battery" }).click();
    await page.locator("#m2:target").waitFor();
    expect(await standing(page)).toEqual({ violations: [], wide: [] });
  });

  test("one tap moves it from open to handled, and so does a message that says it is over", async () => {
    const topic = await peal.topic("tap");
    await peal.publish(topic, DISK);
    await peal.publish(topic, UPS);
    const page = await visit(topic.url);
    await connection(page, "Live");
    await band(page).getByRole("button", { name: "Acknowledge" }).first().click();
    await handled(page).getByText("UPS on battery").waitFor();
    expect(await names(page)).toEqual(["Disk is full"]);
    expect(await handled(page).textContent()).toContain("Someone has been on it since");
    await page.locator("#m2").getByText("acknowledged").waitFor();
    await band(page).getByRole("button", { name: "Acknowledge" }).click();
    await eventually("all to be handled", async () => (await names(page, handled(page))).length === 2);
    expect(await band(page).count()).toBe(0);
    await peal.publish(topic, { ...DISK, status: "resolved", level: "success" });
    await eventually("one to be over", async () => (await names(page, handled(page))).join() === "UPS on battery");
  });

  test("what begins to ring moves to the top while the page is open, and stays in the log", async () => {
    const topic = await peal.topic("rings-live");
    await peal.publish(topic, { message: "calm" });
    const page = await visit(topic.url);
    await connection(page, "Live");
    expect(await band(page).count()).toBe(0);
    await peal.publish(topic, UPS);
    await band(page).getByText("UPS on battery").waitFor();
    await page.locator("article#m2").waitFor();
  });

  test("works without a script", async () => {
    const topic = await peal.topic("no-script");
    await peal.publish(topic, DISK);
    await newer(topic, 60);
    await using opened = await open(browser, { javaScriptEnabled: false, viewport: PHONE });
    const { page } = opened;
    await page.goto(topic.url);
    expect(await names(page)).toEqual(["Disk is full"]);
    await band(page).getByRole("button", { name: "Acknowledge" }).click();
    await page.goto(topic.url);
    expect([await band(page).count(), await names(page, handled(page))]).toEqual([0, ["Disk is full"]]);
    await handled(page).getByRole("link", { name: "Disk is full" }).click();
    await page.locator("article#m1").waitFor(); // on a page of older messages
  });

  test("says that no phone rings, because of the topic or its namespace, and does not say who muted it", async () => {
    const topic = await peal.topic("mute-seen");
    await peal.publish(topic, { message: "calm" });
    const html = async () => (await peal.request(topic.url, { headers: { accept: "text/html" } })).text();
    expect(await html()).not.toContain("Notifications are muted");
    const until = new Date(Date.now() + 3_600_000).toISOString();
    const set = async (path: string, muted_until: string | null) =>
      peal.api("PATCH", path, { muted_until }).then(({ status }) => status);
    expect(await set(`/v1/home/${topic.key}`, until)).toBe(200);
    expect(await html()).toContain(`Notifications are muted until <time datetime="${until}"`);
    expect(await set(`/v1/home/${topic.key}`, null)).toBe(200);
    const admin = deskAs(peal, cookie);
    await admin.post("/-/settings/mute", { for: "hour" });
    expect(await html()).toContain("Notifications are muted until");
    expect((await admin.get("/-/checks")).text).toContain("Everything is muted until");
    await admin.post("/-/settings/mute", { for: "off" });
    expect(await html()).not.toContain("Notifications are muted");
  });
});

describe("repeated messages", () => {
  const run = (page: Page) => page.locator("article.run");
  const rang = async (topic: TestTopic, n: number) => {
    for (let i = 0; i < n; i++) await peal.publish(topic, { message: `Somebody rang, ${i} s` });
  };

  test("are one line that opens with the keyboard, and is kept up to date", async () => {
    const topic = await peal.topic("doorbell");
    await rang(topic, 6);
    const page = await visit(topic.url);
    await connection(page, "Live");
    expect(await run(page).locator("summary").first().textContent()).toMatch(
      /^Somebody rang, 5 s×6, \d\d:\d\d to \d\d:\d\d$/,
    );
    expect(await page.locator("#m3").isVisible()).toBe(false);
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    await page.locator("#m3").waitFor();
    await rang(topic, 1);
    await run(page).getByText("×7").waitFor();
    expect(await page.locator("#m3").isVisible()).toBe(true);
    expect(await run(page).locator("article").count()).toBe(7);
    await peal.publish(topic, { message: "Motion" });
    await page.locator("#m8").waitFor();
    expect(await page.locator(".feed article h3").allTextContents()).toHaveLength(8);
  });

  test("open for a reader who is led to one of them, with a script and without", async () => {
    const topic = await peal.topic("led-in");
    await rang(topic, 5);
    for (const javaScriptEnabled of [true, false]) {
      await using opened = await open(browser, { javaScriptEnabled });
      const { page } = opened;
      await page.goto(`${topic.url}#m2`);
      await page.locator("#m2").waitFor();
      expect(await run(page).locator("details").first().getAttribute("open")).not.toBeNull();
    }
  });

  test("are one line without a script, and name the label only to people who are signed in", async () => {
    const topic = await peal.topic("labels");
    const minted = await peal.api("POST", "/v1/keys", { name: "restic on nas-01", scope: "publish" });
    const { key } = (await minted.json()) as { key: string };
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const body = JSON.stringify({ title: "Backup finished", message: "ok" });
    for (let i = 0; i < 3; i++) await peal.request(`/home/${topic.name}`, { method: "POST", headers, body });
    await using opened = await open(browser, { javaScriptEnabled: false });
    const { page } = opened;
    await page.goto(topic.url);
    await run(page).locator("summary").first().click();
    await page.locator("#m2").waitFor();
    const open_ = await page.content();
    expect([open_.includes("restic on nas-01"), />\s*API\s*</.test(open_)]).toEqual([false, false]);
    const own = (await deskAs(peal, cookie).get(`/-/topics/${topic.key}`)).html;
    expect(own.match(/restic on nas-01/g)).toHaveLength(3);
  });

  test("a message without a title is one line", async () => {
    const topic = await peal.topic("one-line");
    await peal.publish(topic, { message: "Somebody rang" });
    const page = await visit(topic.url);
    const height = (await page.locator("#m1").boundingBox())?.height ?? 0;
    expect(height).toBeLessThan(56);
    expect(await page.evaluate("getComputedStyle(document.querySelector('#m1 h3')).fontWeight")).toBe("400");
    expect(await page.locator("#m1 .lv").count()).toBe(0);
  });
});
