/** Every page in every width and theme: nothing sticks out, everything is reached and seen by keyboard (WEB.md §1, §6). */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { startPeal, type Peal } from "../support/server.ts";
import { launch, look, noComplaints, open } from "./browser.ts";
import { walk } from "./walk.ts";

let peal: Peal;
let fresh: Peal;
let browser: Browser;
let paths: Map<string, string>;

const LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft".repeat(3);

beforeAll(async () => {
  [peal, fresh, browser] = await Promise.all([startPeal(), startPeal({ unclaimed: true }), launch()]);
  const [full, empty] = [await peal.topic("everything"), await peal.topic("empty")];
  const wide = `| ${"column | ".repeat(20)}\n|${"-|".repeat(20)}\n| ${"value | ".repeat(20)}`;
  for (const body of [
    { title: LONG.slice(0, 256), message: LONG, level: "error", priority: "urgent", dedup_key: "a", status: "firing" },
    { title: "again", message: LONG, level: "warning", dedup_key: "a", status: "firing", tags: [LONG.slice(0, 32)] },
    {
      message: "a    b\n".repeat(40),
      level: "success",
      url: `https://${"long.".repeat(20)}example.org/`,
      priority: "low",
    },
    {
      message: `# Head\n\n${wide}\n\n\`\`\`\n${LONG}\n\`\`\`\n\n> quote ${LONG}`,
      format: "markdown",
      timestamp: "2026-01-01T00:00:00Z",
    },
    {
      message: "x",
      image: `https://${"long.".repeat(20)}example.org/1.jpg`,
      tags: Array.from({ length: 16 }, (_, i) => `${LONG.slice(0, 28)}${i}`),
      actions: [
        { label: LONG.slice(0, 40), url: "https://e.org/" },
        { label: LONG.slice(0, 40), url: `https://e.org/${LONG}`, method: "POST" },
      ],
    },
  ])
    expect((await peal.api("POST", "/home/everything", body)).status).toBe(201);
  paths = new Map([
    ["feed", full.url],
    ["older messages", `${full.url}?before=3`],
    ["a tag and a search without a hit", `${full.url}?tag=${LONG.slice(0, 32)}&q=${LONG.slice(0, 100)}`],
    ["empty feed", empty.url],
    ["home", `${peal.url}/-/`],
    ["docs", `${peal.url}/docs`],
    ["not found", `${peal.url}/home/${full.key.slice(0, -2)}00`],
    ["unclaimed", `${fresh.url}/home/x`],
    ["claim", `${fresh.url}/-/setup`],
  ]);
});
afterEach(noComplaints);
afterAll(async () => {
  await browser.close();
  await Promise.all([peal[Symbol.asyncDispose](), fresh[Symbol.asyncDispose]()]);
});

const ERROR_PAGES = /the server responded with a status of (404|503)/;

test.each([320, 390, 1_440])("no page is wider than a window of %p px, open or folded", async (width) => {
  await using opened = await open(browser, {
    viewport: { width, height: 800 },
    hasTouch: width < 500,
    expected: ERROR_PAGES,
  });
  for (const [name, url] of paths) {
    await opened.page.goto(url);
    expect([name, await look(opened.page, "overflow")]).toEqual([name, 0]);
    await look(opened.page, "unfold");
    expect([name, await look(opened.page, "overflow")]).toEqual([name, 0]);
  }
});

/** Contrast of two colours as computed styles write them (WCAG 2.2, 1.4.3). */
function contrast(a: string, b: string): number {
  const luminance = (colour: string) => {
    const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
      const c = Number(part) / 255;
      return c <= 0.040_45 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x);
  return (light + 0.05) / (dark + 0.05);
}

interface Inked {
  text: string;
  ink: string;
  ground: string;
}

test.each(["light", "dark"] as const)(
  "every text stands out from its ground at least 4.5 to 1, %s",
  async (colorScheme) => {
    await using opened = await open(browser, { colorScheme, expected: ERROR_PAGES });
    for (const [name, url] of paths) {
      await opened.page.goto(url);
      const texts = await look<Inked[]>(opened.page, "inked");
      expect(texts.length).toBeGreaterThan(3);
      const pale = texts.filter(({ ink, ground }) => contrast(ink, ground) < 4.5);
      expect([name, pale]).toEqual([name, []]);
    }
  },
);

test("each page has one h1, landmarks, a language, names for all controls, and no id twice", async () => {
  await using opened = await open(browser, { expected: ERROR_PAGES });
  for (const [name, url] of paths) {
    await opened.page.goto(url);
    const found = await look(opened.page, "structure");
    expect([name, found]).toEqual([name, { h1: 1, main: 1, lang: "en", nameless: [], twice: [], dangling: [] }]);
  }
});

test.each(["light", "dark"] as const)(
  "the keyboard reaches every control, and one sees where it is (%s)",
  async (colorScheme) => {
    await using opened = await open(browser, { colorScheme, expected: ERROR_PAGES });
    const { page } = opened;
    for (const name of ["feed", "empty feed", "claim", "home"]) {
      await page.goto(paths.get(name) ?? "");
      await walk(page, name);
    }
  },
);

test("with touch every control is at least 24 px, buttons 32", async () => {
  await using opened = await open(browser, {
    viewport: { width: 390, height: 800 },
    hasTouch: true,
    expected: ERROR_PAGES,
  });
  for (const [name, url] of paths) {
    await opened.page.goto(url);
    const small = await look(opened.page, "small");
    expect([name, small]).toEqual([name, []]);
  }
});
