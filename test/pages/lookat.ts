/** A page as it is looked at in every test of all pages: loaded once, in both themes, on a phone and at a desk. */
import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { look, open } from "./browser.ts";
import type { EveryPage } from "./everypage.ts";

export type EachPage = EveryPage["pages"][number];

export interface Seen {
  /** What came in place of the page. */
  instead: string | undefined;
  violations: string[];
  /** Controls that a finger would miss. */
  small: object[];
  /** `320 en: 14`, the window's width and how far the page sticks out. */
  wide: string[];
  /** What text of twice the size breaks on a phone (`inside.cramped`). */
  cramped: string[];
  structure: object;
}

/** What a browser's settings call very large text: everything that is measured in it grows with it, and a window holds half. */
const LARGE = { standard: 32, fixed: 26 };
const USUAL = { standard: 16, fixed: 13 };

interface Cramped {
  wide: number;
  cut: string[];
  broken: string[];
}

/** The statuses of pages that are errors. */
const EXPECTED = /the server responded with a status of (403|404|503)/;

/** A tab for each visitor: of one who goes, the last page would go on asking without a cookie. */
export function tabsIn(
  browser: Browser,
  stack: AsyncDisposableStack,
): (visitor: Pick<EachPage, "url" | "cookie">) => Promise<Page> {
  const tabs = new Map<string, Page>();
  return async ({ url, cookie }) => {
    const known = tabs.get(cookie);
    if (known !== undefined) return known;
    const { page } = stack.use(await open(browser, { hasTouch: true, expected: EXPECTED, session: { cookie, url } }));
    // sent once: it is half a megabyte
    await page.addInitScript(AXE);
    tabs.set(cookie, page);
    return page;
  };
}

/** What came in place of the page. */
export async function arrive(page: Page, { url, status = 200 }: EachPage): Promise<string | undefined> {
  const answer = await page.goto(url);
  const came = `${answer?.status() ?? "nothing"} ${page.url()}`;
  return came === `${status} ${url}` ? undefined : came;
}

/** One of each kind: what a page says is the same in all widths, where it stands is its kind's. */
export const KINDS: ReadonlySet<string> = new Set([
  ...["feed", "docs", "login", "claim", "overview", "messages", "topics", "topic", "topic-publish", "topic-devices"],
  ...["topic-settings", "topic-delete", "checks", "check-down", "check-new", "devices", "device-android", "keys"],
  ...["deliveries", "settings", "person", "first-phone", "unknown-topic"],
  ...["hook", "hook-map"],
]);

export async function lookAt(page: Page, listed: EachPage): Promise<Seen> {
  const { name } = listed;
  const found: Seen = {
    instead: await arrive(page, listed),
    violations: [],
    small: [],
    wide: [],
    cramped: [],
    structure: {},
  };
  const width = async (pixels: number) => page.setViewportSize({ width: pixels, height: 900 });
  const axed = async (colorScheme: "light" | "dark", rules: readonly string[]) => {
    await page.emulateMedia({ colorScheme });
    for (const one of await violations(page, rules))
      found.violations.push(`${colorScheme} ${page.viewportSize()?.width ?? 0}: ${one}`);
  };
  const measured = async (language: string) => {
    const { wide, small } = await look<{ wide: number; small: object[] }>(page, "sizes");
    if (wide > 0) found.wide.push(`${page.viewportSize()?.width ?? 0} ${language}: ${wide}`);
    return small;
  };
  await width(390);
  await axed("light", ALL);
  await axed("dark", COLOURS); // what a theme changes is colours alone
  found.structure = await look<object>(page, "structure");
  found.small = await measured("en");
  await width(1_440);
  if (KINDS.has(name)) {
    await axed("dark", ALL);
    await axed("light", COLOURS);
  }
  await measured("en");
  await width(320);
  await measured("en");
  found.cramped = await inLargeText(page);
  // its words are longer
  await page.setExtraHTTPHeaders({ "accept-language": "de" });
  await arrive(page, listed);
  await measured("de");
  await page.setExtraHTTPHeaders({});
  return found;
}

/** What is broken in a window of 390 px; in one of 320, where a line holds few letters, whether the page is too wide. */
async function inLargeText(page: Page): Promise<string[]> {
  const settings = await page.context().newCDPSession(page);
  await settings.send("Page.setFontSizes", { fontSizes: LARGE });
  const found: string[] = [];
  for (const pixels of [390, 320]) {
    await page.setViewportSize({ width: pixels, height: 900 });
    const { wide, cut, broken } = await look<Cramped>(page, "cramped");
    if (wide > 0) found.push(`${pixels}: wider by ${wide}`);
    found.push(...cut.map((one) => `${pixels}: cut off: ${one}`));
    if (pixels === 390) found.push(...broken.map((one) => `divided: ${one}`));
  }
  await settings.send("Page.setFontSizes", { fontSizes: USUAL });
  await settings.detach();
  return found;
}

/** The same of a page as it stands, where it cannot be had again: on a phone, in both themes. */
export async function standing(page: Page): Promise<Pick<Seen, "violations" | "wide">> {
  const seen: Pick<Seen, "violations" | "wide"> = { violations: [], wide: [] };
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const { wide } = await look<{ wide: number }>(page, "sizes");
    if (wide > 0) seen.wide.push(`${width}: ${wide}`);
  }
  await page.evaluate("scrollTo(0, 0)"); // else the header may lie over half a button
  for (const [colorScheme, rules] of [
    ["light", ALL],
    ["dark", COLOURS],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    seen.violations.push(...(await violations(page, rules)).map((one) => `${colorScheme}: ${one}`));
  }
  return seen;
}

export const AXE = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const ALL = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const COLOURS = ["color-contrast", "link-in-text-block"];

/** The rules with these names or tags that a page breaks, each with its element. */
async function violations(page: Page, rules: readonly string[]): Promise<string[]> {
  const options = { runOnly: rules, resultTypes: ["violations"] };
  const call = `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`;
  const found = await page.evaluate<{ id: string; nodes: { html: string }[] }[]>(call);
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
