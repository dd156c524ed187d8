/** Signing in with a browser: by keyboard, without JavaScript, and what goes wrong (WEB.md §1). */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { inProcess, type InProcess } from "../support/server.ts";
import { PASSWORD, person } from "../support/signin.ts";
import { launch, noComplaints, open } from "./browser.ts";

let browser: Browser;
let peal: InProcess;
beforeAll(async () => {
  browser = await launch("--host-resolver-rules=MAP peal.test 127.0.0.1");
  peal = await inProcess({ env: { PEAL_LIMITS_AUTH: "10/m:10" } });
  await person(peal, { name: "Mara" });
});
afterEach(noComplaints);
afterAll(async () => {
  await browser.close();
  await peal[Symbol.asyncDispose]();
});

test("by keyboard, after a wrong password, to the page that was wanted; and out again", async () => {
  await using opened = await open(browser, { expected: /422/ });
  const { page } = opened;
  await page.goto(`${peal.url}/-/confirm`);
  expect(new URL(page.url()).pathname).toBe("/-/login");
  await page.keyboard.type("Mara");
  await page.keyboard.press("Tab");
  await page.keyboard.type("not her password");
  await page.keyboard.press("Enter");
  const alert = page.getByRole("alert");
  expect(await alert.textContent()).toMatch(/^Name and password do not match\.\d\u00a0more tries in this minute/);
  expect([await page.getByLabel("Name").inputValue(), await page.getByLabel("Password").inputValue()]).toEqual([
    "Mara",
    "",
  ]);
  await page.keyboard.type(PASSWORD); // it is at the password
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Your password, once more" }).waitFor();
  expect(await page.evaluate("document.cookie")).not.toContain("peal=");
  await page.keyboard.type("not her password");
  await page.keyboard.press("Enter");
  expect(await alert.textContent()).toStartWith("That is not your password.");
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press("Enter");
  await page.waitForURL(`${peal.url}/-/`);
});

test("without JavaScript, over plain http by a name of the house, in German", async () => {
  await using opened = await open(browser, {
    javaScriptEnabled: false,
    locale: "de-DE",
    expected: /Cross-Origin-Opener-Policy/,
  });
  const { page } = opened;
  await page.goto(`${peal.url.replace("127.0.0.1", "peal.test")}/-/login?to=/-/confirm`);
  await page.getByLabel("Name").fill("mara");
  await page.getByLabel("Passwort").fill(PASSWORD);
  await page.getByRole("button", { name: "Anmelden" }).click();
  await page.getByRole("heading", { name: "Noch einmal das Passwort" }).waitFor();
  expect(await page.locator(".hint bdi").textContent()).toBe("Mara");
});
