/**
 * Chromium for tests; where it is missing, whole files of tests are skipped. A page fails its test by any console
 * error, page error or violation of its policy.
 */
import { afterAll, afterEach } from "bun:test";
import { createHash, X509Certificate } from "node:crypto";
import { join } from "node:path";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { eventually } from "../support/eventually.ts";
import type { Certificate } from "../support/push/ca.ts";
import { startPeal, type Options } from "../support/server.ts";
import { CHROMIUM, CHROMIUM_SHELL, isMissing, toldMissing } from "../tools.ts";

/**
 * Features that Chromium goes without. Playwright's own list comes first, because only the last of two lists counts.
 * Then what costs each page more than the page itself, 1.1 s of processor time instead of 0.5: the invisible pages
 * below the address bar, and a process for a page that never comes.
 */
const WITHOUT = [
  ...["AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "LensOverlay", "MediaRouter"],
  ...["HttpsUpgrades", "HttpsFirstBalancedModeAutoEnable", "PaintHolding", "ThirdPartyStoragePartitioning"],
  ...["AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled"],
  ...["PreconnectToSearch", "WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "PreloadTopChromeWebUI"],
  "SpareRendererForSitePerProcess",
];

/** By name the server of a test is no secure address, as one in a local network is none. */
const BY_NAME = "--host-resolver-rules=MAP peal.test 127.0.0.1";

/** Starts Chromium with windows, notifications and apps. */
export const launch = async (...more: string[]): Promise<Browser> => start(CHROMIUM, more);

async function start(executablePath: string, more: readonly string[]): Promise<Browser> {
  if (isMissing("chromium")) throw new Error(`missing: ${toldMissing("chromium")}`);
  const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-sync", BY_NAME];
  const without = `--disable-features=${WITHOUT.join()}`;
  return chromium.launch({ executablePath, args: [...args, without, ...more] });
}

/** The browsers that this process has started for its files of tests, by their arguments. */
const started = new Map<string, Promise<Browser>>();

/** What a file of tests needs of its browser. */
export interface Needs {
  /** Notifications or apps. Without them it gets the shell, where that is installed: a page costs a third less (measured). */
  isWhole?: boolean;
  args?: readonly string[];
}

/**
 * A browser for a file of tests, which calls `closeWindows` at its end. Others that the same process runs get it too,
 * because starting one costs as much as several pages; it ends with the process.
 */
export async function sharedBrowser({ isWhole = false, args = [] }: Needs = {}): Promise<Browser> {
  const program = isWhole || isMissing("chromium shell") ? CHROMIUM : CHROMIUM_SHELL;
  const name = [program, ...args].join(" ");
  const known = await started.get(name);
  if (known?.isConnected() === true) return known;
  const browser = start(program, args);
  started.set(name, browser);
  return browser;
}

/** Closes all pages, and forgets what they complained about since the last test. */
export async function closeWindows(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map(async (context) => context.close()));
  complaints = [];
}

/** The argument with which Chromium trusts a certificate that no known authority has signed. */
export function trusting({ cert }: Certificate): string {
  const spki = new X509Certificate(cert).publicKey.export({ type: "spki", format: "der" });
  return `--ignore-certificate-errors-spki-list=${createHash("sha256").update(spki).digest("base64")}`;
}

/**
 * Starts a server for a file of tests, which ends with the last test, and opens a browser. `visit` opens a shared page for tests
 * that set no clock, route, permission or listener in it.
 */
export async function startBrowsing(options: Options = {}, needs: Needs = {}) {
  const [peal, browser] = await Promise.all([startPeal(options), sharedBrowser(needs)]);
  let shared: Promise<OpenPage> | undefined;
  const visit = async (url: string): Promise<Page> => {
    const { page } = await (shared ??= open(browser));
    await page.goto(url);
    return page;
  };
  afterEach(noComplaints);
  afterAll(async () => {
    await closeWindows(browser);
    await peal[Symbol.asyncDispose]();
  });
  return { peal, browser, visit };
}

export interface OpenPage extends AsyncDisposable {
  page: Page;
}
export interface OpenOptions extends BrowserContextOptions {
  /** The session whose cookie the browser sends to that server; `cookie` is empty for no one. */
  session?: { cookie: string; url: string };
  /** Matches console errors that the test causes: a server that is down, a page that is an error. */
  expected?: RegExp;
}

/** Appears with `serviceWorkers: "block"`. */
const BLOCKED = "Service Worker registration blocked by Playwright";
let complaints: string[] = [];

/** For `afterEach`: fails the test when the browser reported anything that was not `expected`. */
export function noComplaints(): void {
  const unexpected = complaints;
  complaints = [];
  if (unexpected.length > 0) throw new Error(`the browser complained: ${unexpected.join("\n")}`);
}

/** Runs in every page, and counts its unanswered requests. */
const COUNTING = `{
  globalThis.unanswered = 0;
  const { send } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.send = function (...body) {
    unanswered++;
    this.addEventListener("loadend", () => unanswered--);
    send.apply(this, body);
  };
}`;

/** Stops the clock of pages that are opened from now on, so that slow machines behave like fast ones. */
export async function holdClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000); // it cannot go back
}

/** Advances the page's clock, which stands still while a request is answered, because that takes real time. */
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

/** Calls a function of `inside/inside.ts` in the page and returns its result, of type `T`. */
export async function look<T>(page: Page, name: string, ...args: unknown[]): Promise<T> {
  const call = `inside.${name}(${args.map((arg) => JSON.stringify(arg)).join()})`;
  return page.evaluate<T>(`{ ${await bundled}; ${call} }`);
}

/** Types into the field of this name as soon as it has the focus, which the page sets when it is opened. */
export async function typeInto(page: Page, name: string, text: string): Promise<void> {
  await page.locator(`[name=${name}]:focus`).waitFor();
  await page.keyboard.type(text);
}

/** Waits until the connection status is exactly this text; "Live, checks every 15 s" is not "Live". */
export const connection = async (page: Page, words: string): Promise<void> =>
  page
    .locator("[data-connection]")
    .and(page.getByText(words, { exact: true }))
    .waitFor({ state: "attached" });

/** The titles of the messages on a page, in their order. */
export const headings = async (page: Page): Promise<string[]> => page.locator("article h3").allTextContents();

/** Waits until the page shows exactly these messages in this order. */
export const shown = async (page: Page, ...titles: string[]): Promise<boolean> =>
  eventually(`messages ${titles.join()}`, async () => (await headings(page)).join() === titles.join());
