/** How a page is examined in every test of all pages: loaded once, in both themes, on a phone and on a desktop. */
import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { IS_THOROUGH } from "../support/rounds.ts";
import { look, open } from "./browser.ts";
import type { EveryPage } from "./everypage.ts";

export type EachPage = EveryPage["pages"][number];

export interface Seen {
  /** What came instead of the page. */
  instead: string | undefined;
  violations: string[];
  /** Controls that a finger would miss. */
  small: object[];
  /** For example `320 en: 14`: the window's width, and by how much the page is wider. */
  wide: string[];
  /** What breaks on a phone with text of twice the size (`inside.cramped`). */
  cramped: string[];
  structure: object;
}

/**
 * The very large text of a browser's settings: everything that is measured in it grows too, and half as much fits into
 * a window.
 */
const LARGE = { standard: 32, fixed: 26 };
const USUAL = { standard: 16, fixed: 13 };

interface Cramped {
  wide: number;
  cut: string[];
  broken: string[];
}

/** The console errors of pages that are errors. */
const EXPECTED = /the server responded with a status of (403|404|503)/;

/** Opens a tab for each visitor: in a shared one, the last page would continue to send requests without a cookie. */
export function tabsIn(
  browser: Browser,
  stack: AsyncDisposableStack,
): (visitor: Pick<EachPage, "url" | "cookie">) => Promise<Page> {
  const tabs = new Map<string, Page>();
  return async ({ url, cookie }) => {
    const known = tabs.get(cookie);
    if (known !== undefined) return known;
    const { page } = stack.use(await open(browser, { hasTouch: true, expected: EXPECTED, session: { cookie, url } }));
    // injected once, because it is half a megabyte
    await page.addInitScript(AXE);
    tabs.set(cookie, page);
    return page;
  };
}

/** Loads the page; returns what came instead, if anything. */
export async function arrive(page: Page, { url, status = 200 }: EachPage): Promise<string | undefined> {
  const answer = await page.goto(url);
  const came = `${answer?.status() ?? "nothing"} ${page.url()}`;
  return came === `${status} ${url}` ? undefined : came;
}

/** One page of each kind, for what depends on the kind's layout; what a page says is the same in all widths. */
export const KINDS: ReadonlySet<string> = new Set([
  ...["feed", "docs", "login", "claim", "overview", "messages", "topics", "topic", "topic-publish", "topic-devices"],
  ...["topic-settings", "topic-delete", "checks", "check-down", "check-new", "devices", "device-android", "keys"],
  ...["deliveries", "settings", "person", "first-phone", "unknown-topic"],
  ...["hook", "hook-map", "forward", "forward-webhook"],
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
  await axed("dark", COLOURS); // a theme only changes colours
  found.structure = await look<object>(page, "structure");
  found.small = await measured("en");
  await width(1_440);
  if (IS_THOROUGH && KINDS.has(name)) {
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

/** What is broken in a window of 390 px, and whether the page is too wide for 320 px, where few letters fit on a line. */
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

/** Examines a page that cannot be loaded again as it is: on a phone, in both themes. */
export async function standing(page: Page): Promise<Pick<Seen, "violations" | "wide">> {
  const seen: Pick<Seen, "violations" | "wide"> = { violations: [], wide: [] };
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const { wide } = await look<{ wide: number }>(page, "sizes");
    if (wide > 0) seen.wide.push(`${width}: ${wide}`);
  }
  await page.evaluate("scrollTo(0, 0)"); // otherwise the header may cover half a button
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

/** The rules with these names or tags that a page violates, each with its element. */
async function violations(page: Page, rules: readonly string[]): Promise<string[]> {
  const options = { runOnly: rules, resultTypes: ["violations"] };
  const call = `axe.run(document, ${JSON.stringify(options)}).then(({ violations }) => violations)`;
  const found = await page.evaluate<{ id: string; nodes: { html: string }[] }[]>(call);
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
