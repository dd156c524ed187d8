/** Keys and settings in a real browser: by keyboard, on a phone and without JavaScript (WEB.md §3). */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { heldClock, type HeldClock } from "../support/clock.ts";
import { deskAs } from "../support/desk.ts";
import { inProcess, type InProcess } from "../support/server.ts";
import { PASSWORD, signedIn } from "../support/signin.ts";
import { connection, launch, noComplaints, open, type OpenOptions } from "./browser.ts";

let browser: Browser;
let peal: InProcess;
let clock: HeldClock;
let cookie = "";
beforeAll(async () => {
  browser = await launch();
  clock = heldClock(Date.UTC(2026, 10, 21, 12));
  peal = await inProcess({ clock });
  cookie = await signedIn(peal, { name: "Mara" });
});
afterEach(noComplaints);
afterAll(async () => {
  await browser.close();
  await peal[Symbol.asyncDispose]();
});

const opened = async (options: OpenOptions = {}) => open(browser, { session: { cookie, url: peal.url }, ...options });

test("a key is made by keyboard, with the password on the way, and copied", async () => {
  clock.advance(11 * 60_000);
  await using one = await opened({ permissions: ["clipboard-read", "clipboard-write"] });
  const { page } = one;
  await page.goto(`${peal.url}/-/keys`);
  await page.getByLabel("Label", { exact: true }).focus();
  await page.keyboard.type("truenas");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Your password, once more" }).waitFor();
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Keys", exact: true }).waitFor();
  expect(await page.getByLabel("Label", { exact: true }).inputValue()).toBe("truenas");
  await page.getByRole("button", { name: "Make key" }).press("Enter");
  await page.getByRole("heading", { name: "Key “truenas” is ready. Copy it now." }).waitFor();
  await page.getByRole("button", { name: "Copy the new key" }).click();
  const secret = await page.evaluate<string>("navigator.clipboard.readText()");
  peal.secrets.add(secret);
  expect(secret).toMatch(/^svc_[0-9a-f]{64}$/);
  expect(peal.running.deps.store.keys.find(Bun.SHA256.hash(secret, "hex"))?.name).toBe("truenas");
  await page.getByRole("link", { name: "I have copied it" }).click();
  await page.getByRole("link", { name: "Revoke truenas" }).press("Enter");
  await page.getByRole("button", { name: "Revoke key" }).press("Enter");
  await page.getByText("Key “truenas” is revoked.").waitFor();
});

test("without JavaScript a namespace comes and goes, and a backup is downloaded", async () => {
  await using one = await opened({ javaScriptEnabled: false });
  const { page } = one;
  await page.goto(`${peal.url}/-/settings`);
  await page.getByLabel("New namespace").fill("attic");
  await page.getByRole("button", { name: "Make namespace" }).click();
  await page.getByText("Namespace attic is there.").waitFor();
  await page.getByRole("link", { name: "Delete namespace attic" }).click();
  await page.getByLabel("Type attic to go on").fill("attic");
  await page.getByRole("button", { name: "Delete attic" }).click();
  await page.getByText("Namespace attic is deleted.").waitFor();
  expect(await page.getByRole("link", { name: "Delete namespace attic" }).count()).toBe(0);

  await page.getByRole("button", { name: "Back up now" }).click();
  await page.getByText("The backup is made:").waitFor();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download the backup of" }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^peal-\d{8}T\d{6}Z\.db$/);
  expect(
    await Bun.file(await download.path())
      .slice(0, 15)
      .text(),
  ).toBe("SQLite format 3");
});

test("a backup that somebody else makes is listed within a minute", async () => {
  await using one = await opened();
  const { page } = one;
  await page.clock.install();
  await page.goto(`${peal.url}/-/settings`);
  await connection(page, "Live");
  const listed = page.getByRole("link", { name: "Download the backup of" });
  const before = await listed.count();
  const made = await deskAs(peal, cookie).post("/-/settings/backups");
  expect(made.said).toContain("settings.backupMade");
  await page.clock.runFor(60_000);
  await listed.nth(before).waitFor();
});
