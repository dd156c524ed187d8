/**
 * `npm run screenshots`: every page, and some states after an action, in both themes, on a phone and on a desktop, into
 * dist/screenshots/. With arguments: only those whose name begins with one of them. The clocks of the household and of
 * the browser stand still, so that the same page gives the same picture.
 */
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { cookiesOf, launch, open } from "./pages/browser.ts";
import { certified } from "./pages/certificates.ts";
import { everyPage } from "./pages/everypage.ts";
import { STATES } from "./pages/states.ts";

const OUT = join(import.meta.dir, "../dist/screenshots");
const END = Date.UTC(2026, 10, 21, 13, 10);
const SIZES = [
  { width: 390, height: 844 },
  { width: 1_280, height: 800 },
];
const wanted = process.argv.slice(2);
const isWanted = ({ name }: { name: string }): boolean =>
  wanted.length === 0 || wanted.some((word) => name.startsWith(word));

if (wanted.length === 0) await rm(OUT, { recursive: true, force: true });
await mkdir(OUT, { recursive: true });
await using every = await everyPage(END);
await using https = await certified(END);
await using browser = await launch();
const pages = new Map(every.pages.map((page) => [page.name, page]));
const states = STATES.filter(isWanted);
const listed = [...every.pages, ...https.pages].filter(isWanted);
for (const page of listed) await picture(page.name, page);
for (const { name, page, make } of states) await picture(name, pages.get(page), make);
process.stdout.write(`${listed.length + states.length} pages in ${OUT}\n`);

async function picture(
  name: string,
  listed: { url: string; cookie: string } | undefined,
  make?: (page: Page) => Promise<void>,
): Promise<void> {
  if (listed === undefined) throw new Error(`${name} begins on no page`);
  const { url, cookie } = listed;
  await using opened = await open(browser, { deviceScaleFactor: 1 });
  const { page } = opened;
  const zone = cookiesOf({ cookie: "zone=Europe/Berlin", url });
  await page.context().addCookies([...zone, ...cookiesOf({ cookie, url })]);
  await page.clock.setFixedTime(END);
  await page.goto(url);
  const connection = page.locator("[data-connection]");
  if ((await connection.count()) > 0) await connection.filter({ hasText: "Live" }).waitFor({ state: "attached" });
  await make?.(page);
  for (const { width, height } of SIZES) {
    await page.setViewportSize({ width, height });
    // with the whole page in the window, what is fixed to an edge is at the end and not in the middle
    const whole = await page.evaluate<number>("document.documentElement.scrollHeight");
    await page.setViewportSize({ width, height: Math.max(height, whole) });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const theme = colorScheme === "dark" ? "-dark" : "";
      await page.screenshot({ path: join(OUT, `${name}-${width}${theme}.png`) });
    }
  }
}
