/** The dashboard in the browser (WEB.md §3): changes appear without a reload, and forms work by keyboard and without a script. */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { Browser, Page } from "playwright-core";
import { systemClock } from "../../src/util/clock.ts";
import { newCheck, ping, type TestCheck } from "../support/checks.ts";
import { deskAs } from "../support/desk.ts";
import { eventually } from "../support/eventually.ts";
import { inProcess } from "../support/server.ts";
import { PASSWORD, signedIn } from "../support/signin.ts";
import { closeWindows, connection, headings, noComplaints, open, sharedBrowser, shown, typeInto } from "./browser.ts";

/** By how much the server's clock is ahead of the machine's, in ms. */
let ahead = 0;
const peal = await inProcess({ clock: { ...systemClock, now: () => systemClock.now() + ahead } });
const session = { cookie: await signedIn(peal, { name: "Mara" }), url: peal.url };
let browser: Browser;
/** The shared pages of all tests: with JavaScript, and without. */
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

const live = async (path: string): Promise<void> => {
  await page.goto(peal.url + path);
  await connection(page, "Live");
};
const pathOf = ({ id }: TestCheck): string => `/-/checks/${id}`;

test("a message appears in the feed by itself, is deleted, and restored", async () => {
  const topic = await peal.topic("live");
  await peal.publish(topic, { message: "first" });
  await live(`/-/topics/${topic.key}`);
  await peal.publish(topic, { message: "second" });
  await shown(page, "second", "first");
  await page.locator("article").first().getByLabel("More actions for this message").click();
  await page.getByRole("button", { name: "Delete message" }).first().click();
  await page.getByText("Message 2 deleted.").waitFor();
  await shown(page, "first");
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("Message 2 restored.").waitFor();
  await shown(page, "second", "first");
});

test("a message that arrives while the page is open is not skipped when the reader continues to older ones", async () => {
  const topic = await peal.topic("long");
  for (let n = 1; n <= 52; n++) await peal.publish(topic, { message: `m${n}` });
  await live(`/-/topics/${topic.key}`);
  expect((await headings(page)).at(-1)).toBe("m3");
  await peal.publish(topic, { message: "m53" });
  await eventually("the new message", async () => (await headings(page))[0] === "m53");
  expect((await headings(page)).at(-1)).toBe("m4");
  await page.getByRole("link", { name: "Older" }).click();
  await shown(page, "m3", "m2", "m1");
});

test("the list shows a new message, and commands can be switched without a script", async () => {
  const topic = await peal.topic("news");
  await live("/-/topics?q=news");
  await peal.publish(topic, { message: "extra", level: "warning" });
  await page.getByText("extra").waitFor();
  expect(await page.getByRole("img", { name: /^Last 24 hours: 1.message;/ }).count()).toBe(1);

  await still.goto(`${peal.url}/-/topics/${topic.key}/publish`);
  await still.getByText("JavaScript", { exact: true }).click();
  expect(await still.getByText("await fetch(").isVisible()).toBe(true);
  expect(await still.getByText("curl -H").first().isVisible()).toBe(false);
  await still.getByLabel("Or write a message").fill("by hand");
  await still.getByRole("button", { name: "Publish" }).click();
  await shown(still, "by hand", "extra");
});

test("a check that fails is marked in its place, and in the window's title", async () => {
  const failing = await newCheck(peal, { name: "b failing" });
  await newCheck(peal, { name: "a other" });
  await live("/-/checks");
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("No checks are down");
  await ping(peal, `${failing.ping_url}/3`);
  await page.getByRole("heading", { level: 1, name: "One check is down" }).waitFor();
  await page.getByText("exit 3").waitFor();
  const names = await page.locator(".row .name").allTextContents();
  expect(names.filter((name) => /^[ab] /.test(name))).toEqual(["b failing", "a other"]);
  expect(await page.title()).toBe("1 down · Checks · peal");
  expect(await page.locator("link[rel=icon]").getAttribute("href")).toContain("favicon-down");
  await ping(peal, failing.ping_url);
  await page.getByRole("heading", { level: 1, name: "No checks are down" }).waitFor();
  expect(await page.title()).toBe("Checks · peal");
});

test("a phone's header leaves out the status word, unless there is no connection", async () => {
  await using opened = await open(browser, {
    session,
    viewport: { width: 320, height: 640 },
    expected: /ERR_INTERNET/,
  });
  await opened.page.goto(`${peal.url}/-/`);
  await connection(opened.page, "Live");
  const word = opened.page.locator("[data-connection]");
  expect(await word.isVisible()).toBe(false);
  await opened.page.context().setOffline(true);
  await connection(opened.page, "Offline");
  expect(await word.isVisible()).toBe(true);
});

test("a check's page follows its run, and opened parts stay open", async () => {
  const check = await newCheck(peal, { name: "followed" });
  await peal.request(check.ping_url, { method: "POST", body: "all good" });
  await live(pathOf(check));
  await page.getByText("Output").click();
  await page.getByText("all good").waitFor();
  await page.getByRole("region", { name: "Last run" }).getByText("As a list").click();
  await ping(peal, `${check.ping_url}/start`);
  await page
    .locator("#check-state")
    .getByText(/^Running for/)
    .waitFor();
  expect(await page.getByText("all good").isVisible()).toBe(true);
  expect(await page.locator("#runs-list").getAttribute("open")).not.toBeNull();
  expect(await page.locator("#check-runs tbody tr").count()).toBe(2);
});

test("a click copies the ping URL, which is not part of any page's address", async () => {
  const check = await newCheck(peal, { name: "copied" });
  await page.goto(peal.url + pathOf(check));
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

test("the form shows the fields of the chosen schedule, and accepts them without a script", async () => {
  await still.goto(`${peal.url}/-/checks/new`);
  expect(await still.getByLabel("How often").isVisible()).toBe(true);
  expect(await still.getByLabel("Cron line").isVisible()).toBe(false);
  await still.getByLabel("At set times (cron)").check();
  expect(await still.getByLabel("How often").isVisible()).toBe(false);
  await still.getByLabel("Name", { exact: true }).fill("by form");
  await still.getByLabel("Cron line").fill("30 2 * * *");
  await still.getByLabel("Time zone").fill("Europe/Berln");
  await still.keyboard.press("Enter");
  await still.getByText("did you mean Europe/Berlin?").waitFor();
  expect(await still.getByLabel("Time zone").inputValue()).toBe("Europe/Berln");
  await still.getByLabel("Time zone").fill("Europe/Berlin");
  await still.getByRole("button", { name: "Preview next runs" }).click();
  await still.getByRole("heading", { name: "Next five runs" }).waitFor();
  await still.getByRole("button", { name: "Create check" }).click();
  await still.getByText("by form will be monitored from its first ping.").waitFor();
  await still.getByRole("button", { name: "Pause" }).click();
  await still.getByText(/^Paused by Mara since/).waitFor();
});

test("a key is made by keyboard, including the password on the way, and copied", async () => {
  ahead += 11 * 60_000;
  await page.goto(`${peal.url}/-/keys`);
  await page.getByLabel("Label", { exact: true }).focus();
  await page.keyboard.type("truenas");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Confirm your password" }).waitFor();
  await typeInto(page, "password", PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Keys", exact: true }).waitFor();
  expect(await page.getByLabel("Label", { exact: true }).inputValue()).toBe("truenas");
  await page.getByRole("button", { name: "Create key" }).press("Enter");
  await page.getByRole("heading", { name: "Key “truenas” is ready. Copy it now." }).waitFor();
  await page.getByRole("button", { name: "Copy the new key" }).click();
  const secret = await page.evaluate<string>("navigator.clipboard.readText()");
  peal.secrets.add(secret);
  expect(secret).toMatch(/^svc_[0-9a-f]{64}$/);
  expect(peal.running.deps.store.keys.find(Bun.SHA256.hash(secret, "hex"))?.name).toBe("truenas");
  await page.getByRole("link", { name: "I’ve copied it" }).click();
  await page.getByRole("link", { name: "Revoke truenas" }).press("Enter");
  await page.getByRole("button", { name: "Revoke key" }).press("Enter");
  await page.getByText("Key “truenas” revoked.").waitFor();
});

test("without JavaScript a namespace is made and deleted, and a backup is downloaded", async () => {
  await still.goto(`${peal.url}/-/settings`);
  await still.getByLabel("New namespace").fill("attic");
  await still.getByRole("button", { name: "Create namespace" }).click();
  await still.getByText("Namespace attic created.").waitFor();
  await still.getByRole("link", { name: "Delete namespace attic" }).click();
  await still.getByLabel("Type attic to continue").fill("attic");
  await still.getByRole("button", { name: "Delete attic" }).click();
  await still.getByText("Namespace attic deleted.").waitFor();
  expect(await still.getByRole("link", { name: "Delete namespace attic" }).count()).toBe(0);

  await still.getByRole("button", { name: "Back up now" }).click();
  await still.getByText("Backup created and verified (").waitFor();
  const [download] = await Promise.all([
    still.waitForEvent("download"),
    still.getByRole("link", { name: "Download the backup from" }).first().click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^peal-\d{8}T\d{6}Z\.db$/);
  expect(
    await Bun.file(await download.path())
      .slice(0, 15)
      .text(),
  ).toBe("SQLite format 3");
});

test.each([320, 390, 1_280])(
  "the result of a form is visible, together with what it links to further down, at %p px",
  async (width) => {
    await using one = await open(browser, { session, viewport: { width, height: 640 } });
    const { page } = one;
    await page.goto(`${peal.url}/-/settings`);
    await page.getByRole("button", { name: "Back up now" }).click();
    const [flash, heading] = [page.locator("[data-flash]"), page.getByRole("heading", { name: "Backups" })];
    await eventually("the heading below it", async () => {
      const [above, below] = [await flash.boundingBox(), await heading.boundingBox()];
      return above !== null && below !== null && above.y >= 0 && above.y + above.height <= below.y && below.y < 640;
    });
    await flash.getByText("Backup created and verified (").click({ trial: true }); // nothing covers it
  },
);

test("a backup that someone else makes is listed within a minute", async () => {
  await using one = await open(browser, { session });
  const { page } = one;
  await page.clock.install();
  await page.goto(`${peal.url}/-/settings`);
  await connection(page, "Live");
  const listed = page.getByRole("link", { name: "Download the backup from" });
  const before = await listed.count();
  const made = await deskAs(peal, session.cookie).post("/-/settings/backups");
  expect(made.said).toContain("settings.backupMade");
  await page.clock.runFor(60_000);
  await listed.nth(before).waitFor();
});
