/**
 * `npm run screenshots`: every page in both themes, on a phone and at a desk, into dist/screenshots/. With words: only pages
 * whose name begins so. The household's clock stands, and so does the browser's, so that the same page is the same picture.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { cookiesOf, launch, open } from "./pages/browser.ts";
import { everyPage } from "./pages/everypage.ts";

const OUT = join(import.meta.dir, "../dist/screenshots");
const END = Date.UTC(2026, 10, 21, 13, 10);
const SIZES = [
  { width: 390, height: 844 },
  { width: 1_280, height: 800 },
];
const wanted = process.argv.slice(2);

await mkdir(OUT, { recursive: true });
await using every = await everyPage(END);
await using browser = await launch();
const shown = every.pages.filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.startsWith(word)));
for (const { name, url, cookie } of shown) {
  await using opened = await open(browser, { deviceScaleFactor: 1 });
  const { page } = opened;
  const zone = cookiesOf({ cookie: "zone=Europe/Berlin", url });
  await page.context().addCookies([...zone, ...cookiesOf({ cookie, url })]);
  await page.clock.setFixedTime(END);
  await page.goto(url);
  const connection = page.locator("[data-connection]");
  if ((await connection.count()) > 0) await connection.filter({ hasText: "Live" }).waitFor({ state: "attached" });
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      const theme = colorScheme === "dark" ? "-dark" : "";
      await page.screenshot({ path: join(OUT, `${name}-${size.width}${theme}.png`), fullPage: true });
    }
  }
}
process.stdout.write(`${shown.length} pages in ${OUT}\n`);
