/** Chromium for tests: a page that fails its test by any console error, page error or violation of its policy. */
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";

const EXECUTABLE = "/usr/bin/chromium";

export async function launch(...more: string[]): Promise<Browser> {
  if (!(await Bun.file(EXECUTABLE).exists())) throw new Error(`${EXECUTABLE} is missing: apt-get install chromium`);
  const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-sync", ...more];
  return chromium.launch({ executablePath: EXECUTABLE, args });
}

export interface OpenPage extends AsyncDisposable {
  page: Page;
}
interface Options extends BrowserContextOptions {
  /** Of console errors that the test makes happen: a server that is away, a page that is an error. */
  expected?: RegExp;
}

/** Disposing it throws when the browser complained of anything that is not `expected`. */
export async function open(browser: Browser, { expected, ...options }: Options = {}): Promise<OpenPage> {
  const context = await browser.newContext({ locale: "en-GB", timezoneId: "Europe/Berlin", ...options });
  const complaints: string[] = [];
  context.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  context.on("weberror", (error) => complaints.push(String(error.error())));
  context.on("dialog", (dialog) => complaints.push(`a dialog: ${dialog.message()}`));
  return {
    page: await context.newPage(),
    [Symbol.asyncDispose]: async () => {
      await context.close();
      const unexpected = complaints.filter((complaint) => expected?.test(complaint) !== true);
      if (unexpected.length > 0) throw new Error(`the browser complained: ${unexpected.join("\n")}`);
    },
  };
}

/** How far the page is wider than its window, in pixels. */
export const overflow = async (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
