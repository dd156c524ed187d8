/** Chromium for tests, which are left out with their whole file where there is none: a page that fails its test by any console error, page error or violation of its policy. */
import { afterAll, afterEach } from "bun:test";
import { createHash, X509Certificate } from "node:crypto";
import { join } from "node:path";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { eventually } from "../support/eventually.ts";
import type { Certificate } from "../support/push/ca.ts";
import { startPeal, type Options } from "../support/server.ts";
import { CHROMIUM, isMissing, toldMissing } from "../tools.ts";

/**
 * What Chromium does without. Playwright's own list first, as of two only the last counts. Then what costs each page more
 * than itself, 1.1 s of a processor in place of 0.5: the pages below the bar of addresses that nobody sees, and a process
 * for a page that never comes.
 */
const WITHOUT = [
  ...["AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "LensOverlay", "MediaRouter"],
  ...["HttpsUpgrades", "HttpsFirstBalancedModeAutoEnable", "PaintHolding", "ThirdPartyStoragePartitioning"],
  ...["AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled"],
  ...["PreconnectToSearch", "WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "PreloadTopChromeWebUI"],
  "SpareRendererForSitePerProcess",
];

export async function launch(...more: string[]): Promise<Browser> {
  if (isMissing("chromium")) throw new Error(`missing: ${toldMissing("chromium")}`);
  const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-sync"];
  const without = `--disable-features=${WITHOUT.join()}`;
  return chromium.launch({ executablePath: CHROMIUM, args: [...args, without, ...more] });
}

/** What Chromium is launched with to believe a certificate that no authority of its own has signed. */
export function trusting({ cert }: Certificate): string {
  const spki = new X509Certificate(cert).publicKey.export({ type: "spki", format: "der" });
  return `--ignore-certificate-errors-spki-list=${createHash("sha256").update(spki).digest("base64")}`;
}

/**
 * For a file of tests: a server, and a browser that complains of nothing. They end with the last of its tests. `visit`: a
 * page for those that need none of their own, as they set no clock, route, permission or listener in it.
 */
export async function startBrowsing(options: Options = {}, ...launching: string[]) {
  const [peal, browser] = await Promise.all([startPeal(options), launch(...launching)]);
  let shared: Promise<OpenPage> | undefined;
  const visit = async (url: string): Promise<Page> => {
    const { page } = await (shared ??= open(browser));
    await page.goto(url);
    return page;
  };
  afterEach(noComplaints);
  afterAll(async () => {
    await browser.close();
    await peal[Symbol.asyncDispose]();
  });
  return { peal, browser, visit };
}

export interface OpenPage extends AsyncDisposable {
  page: Page;
}
export interface OpenOptions extends BrowserContextOptions {
  /** Who looks: what their browser sends to that server; `cookie` is empty for nobody. */
  session?: { cookie: string; url: string };
  /** Of console errors that the test makes happen: a server that is away, a page that is an error. */
  expected?: RegExp;
}

/** With `serviceWorkers: "block"`. */
const BLOCKED = "Service Worker registration blocked by Playwright";
let complaints: string[] = [];

/** For `afterEach`: the test fails when the browser complained of anything that was not `expected`. */
export function noComplaints(): void {
  const unexpected = complaints;
  complaints = [];
  if (unexpected.length > 0) throw new Error(`the browser complained: ${unexpected.join("\n")}`);
}

/** In every page: how many of its requests are not answered yet. */
const COUNTING = `{
  globalThis.unanswered = 0;
  const { send } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.send = function (...body) {
    unanswered++;
    this.addEventListener("loadend", () => unanswered--);
    send.apply(this, body);
  };
}`;

/** Stops the clock of what is opened here from now on: a slow machine takes no longer than a fast one. */
export async function holdClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000); // it does not go back
}

/** Time passes by the page's own clock, which stands while a request is answered: that takes other time. */
export async function pass(page: Page, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 1_000) {
    await page.clock.runFor(Math.min(left, 1_000));
    await eventually("all to be answered", async () => page.evaluate<boolean>("unanswered === 0"));
  }
}

export async function open(browser: Browser, { expected, session, ...options }: OpenOptions = {}): Promise<OpenPage> {
  const context = await browser.newContext({ locale: "en-GB", timezoneId: "Europe/Berlin", ...options });
  await context.addInitScript(COUNTING);
  if (session !== undefined) await context.addCookies(cookiesOf(session));
  const complain = (text: string, where = "") => {
    if (expected?.test(text) !== true && text !== BLOCKED) complaints.push(`${text} ${where}`);
  };
  context.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complain(message.text(), message.location().url);
  });
  context.on("weberror", (error) => complain(String(error.error())));
  context.on("dialog", (dialog) => complain(`a dialog: ${dialog.message()}`));
  return { page: await context.newPage(), [Symbol.asyncDispose]: async () => context.close() };
}

export function cookiesOf({ cookie, url }: { cookie: string; url: string }) {
  const [name = "", value = ""] = cookie.split("=");
  return cookie === "" ? [] : [{ name, value, url: new URL("/", url).href, httpOnly: true }];
}

const bundled = Bun.build({
  entrypoints: [join(import.meta.dir, "inside/inside.ts")],
  target: "browser",
  format: "iife",
}).then(async ({ outputs: [output] }) => (await output?.text()) ?? "");

/** What the function of this name in `inside/inside.ts` answers when it is called in the page; `T` is what that is. */
export async function look<T>(page: Page, name: string, ...args: unknown[]): Promise<T> {
  const call = `inside.${name}(${args.map((arg) => JSON.stringify(arg)).join()})`;
  return page.evaluate<T>(`{ ${await bundled}; ${call} }`);
}

/** Types into the field of this name, which a page that was opened gives the keyboard to, as soon as it has it. */
export async function typeInto(page: Page, name: string, text: string): Promise<void> {
  await page.locator(`[name=${name}]:focus`).waitFor();
  await page.keyboard.type(text);
}

/** Waits until the word of the connection is this one; "Live, checks every 15 s" is another than "Live". */
export const connection = async (page: Page, words: string): Promise<void> =>
  page
    .locator("[data-connection]")
    .and(page.getByText(words, { exact: true }))
    .waitFor({ state: "attached" });

/** Titles of the messages on a page, as they stand there. */
export const headings = async (page: Page): Promise<string[]> => page.locator("article h3").allTextContents();

/** Waits until the page shows these messages in this order, and no others. */
export const shown = async (page: Page, ...titles: string[]): Promise<boolean> =>
  eventually(`messages ${titles.join()}`, async () => (await headings(page)).join() === titles.join());
