/**
 * Every page in a real browser, on the compiled binary: accessible in both themes (axe-core), no wider than its window,
 * usable with fingers, without console errors, without dead links, and complete in German (WEB.md §1, §6).
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { de } from "../../src/pages/texts/de.ts";
import { en } from "../../src/pages/texts/en.ts";
import { IS_THOROUGH } from "../support/rounds.ts";
import { startPeal } from "../support/server.ts";
import { PASSWORD, person } from "../support/signin.ts";
import { closeWindows, noComplaints, open, sharedBrowser } from "./browser.ts";
import { everyPage, type EveryPage } from "./everypage.ts";
import { arrive, AXE, KINDS, lookAt, standing, tabsIn, type EachPage, type Seen } from "./lookat.ts";
import { overlong } from "./overlong.ts";
import { STATES } from "./states.ts";
import { walk } from "./walk.ts";

let every: EveryPage;
let pages: readonly EachPage[];
/** The pages that are opened in a browser: all, or a few in a short run. */
let opened: readonly EachPage[];
let browser: Browser;
/** What was seen on each page, by its name; a page is loaded once, and examined in all widths and themes. */
const seen = new Map<string, Seen>();

beforeAll(async () => {
  [every, browser] = await Promise.all([everyPage(), sharedBrowser()]);
  const long = await overlong(every.servers.full);
  pages = [...every.pages, ...every.placed("full", long)];
  opened = IS_THOROUGH ? pages : pages.filter(({ name }) => FEW_PAGES.has(name));
  const waiting = [...opened];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      await using tabs = new AsyncDisposableStack();
      const of = tabsIn(browser, tabs);
      for (let listed = waiting.shift(); listed !== undefined; listed = waiting.shift())
        seen.set(listed.name, await lookAt(await of(listed), listed));
    }),
  );
}, 900_000);
afterEach(noComplaints);
afterAll(async () => {
  await closeWindows(browser);
  await every[Symbol.asyncDispose]();
});

/** The pages for a short run, whose layouts differ most. */
const FEW_PAGES: ReadonlySet<string> = new Set([
  ...["feed", "claim", "overview", "topic-publish", "checks", "check-down", "check-new"],
  ...["device-android", "settings", "hook-map"],
]);
/** The states of pages (`states.ts`) for a short run. */
const FEW_STATES: ReadonlySet<string> = new Set(["keys-made", "check-new-wrong", "feed-open"]);

/** Parallel tabs: more than one, so that no processor idles, and few, because other test files run too. */
const AT_ONCE = 2;

/** The pages on which `of` finds something, with what it finds. */
const wrong = (of: (seen: Seen) => unknown): Record<string, unknown> =>
  Object.fromEntries(
    [...seen].map(([name, one]): [string, unknown] => [name, of(one)]).filter(([, found]) => found !== undefined),
  );
const some = <T>(list: readonly T[]): readonly T[] | undefined => (list.length > 0 ? list : undefined);

test("each page exists, and says so", () => {
  expect(seen.size).toBe(opened.length);
  expect([...(IS_THOROUGH ? KINDS : FEW_PAGES)].filter((name) => !seen.has(name))).toEqual([]);
  expect(wrong(({ instead }) => instead)).toEqual({});
});

test("no page violates WCAG 2.2 AA or a best practice, in both themes, on a phone and on a desktop", () => {
  expect(wrong(({ violations: broken }) => some(broken))).toEqual({});
});

test("no page is wider than a window of 320, 390 or 1,440 px, folded or not, nor one of 320 px in German", () => {
  expect(wrong(({ wide }) => some(wide))).toEqual({});
});

test("with text of twice the size no page is wider than a phone, cuts off a control, or breaks a short word", () => {
  expect(wrong(({ cramped }) => some(cramped))).toEqual({});
});

test("with touch every control is 44 px high", () => {
  expect(wrong(({ small }) => some(small))).toEqual({});
});

test("each page has one h1, landmarks, a language, names for all controls, no id twice, and loads one script and one style", () => {
  const sound = { h1: 1, main: 1, lang: "en", nameless: [], twice: [], dangling: [], scripts: 1, styles: 1 };
  expect(wrong(({ structure }) => (Bun.deepEquals(structure, sound) ? undefined : structure))).toEqual({});
});

test("no paragraph contains what would end it: a form, a list, a block", async () => {
  const ended = /<p\b[^>]*>(?:(?!<\/p>).)*?<(?:form|div|ul|ol|dl|table|details|section|article|pre|h[1-6]|p)\b[^>]*>/s;
  const found = (await read()).map(({ name, html }) => [name, ended.exec(html)?.[0]]);
  expect(found.length).toBeGreaterThan(50);
  expect(found.filter(([, broken]) => broken !== undefined)).toEqual([]);
});

test("each link and form of each page leads to something that exists", async () => {
  const targets = new Map<string, { href: string; cookie: string; method: string; at: string }>();
  for (const { url, cookie, name, html } of await read())
    for (const [tag, kind] of html.matchAll(/<(a|link|form|button)\b[^>]*>/g)) {
      const address = / (?:href|action|formaction)="([^"]*)"/.exec(tag)?.[1];
      if (address === undefined) continue;
      const { href, origin } = new URL(address.replaceAll("&amp;", "&").replace(/#.*/, ""), url);
      const method = kind === "button" || tag.includes('method="post"') ? "POST" : "GET";
      if (origin === new URL(url).origin && href !== url)
        targets.set(`${method} ${href} ${cookie}`, { href, cookie, method, at: `${name}: ${method} ${href}` });
    }
  const isThere = async ({ href, cookie, method }: { href: string; cookie: string; method: string }) => {
    // forms are not sent: OPTIONS tells whether they could be
    const asked = method === "POST" ? "OPTIONS" : method;
    const answer = await fetch(href, {
      ...{ method: asked, headers: { cookie, accept: "text/html" }, redirect: "manual" },
    });
    await answer.body?.cancel();
    return method === "POST" ? answer.headers.get("allow")?.includes("POST") === true : answer.status < 400;
  };
  expect(targets.size).toBeGreaterThan(200);
  expect([...targets.values()].filter(({ method }) => method === "POST").length).toBeGreaterThan(40);
  const all = [...targets.values()];
  const found = await fewAtOnce(all, isThere);
  expect(all.filter((_, n) => found[n] !== true).map(({ at }) => at)).toEqual([]);
});

test("each page of the dashboard is linked from another", async () => {
  // links that differ only in an id count as one
  const kindOf = (href: string): string =>
    new URL(href).pathname.replace(
      /(?<=\/-\/(?:topics|checks|devices|keys|settings\/people|settings\/namespaces)\/)(?!new)[^/]+/,
      ":id",
    );
  const linked = new Map<string, Set<string>>();
  for (const { html, url } of await read())
    for (const [, address = ""] of html.matchAll(/<a\b[^>]* href="([^"]*)"/g)) {
      const kind = kindOf(new URL(address.replaceAll("&amp;", "&"), url).href);
      linked.set(kind, (linked.get(kind) ?? new Set()).add(kindOf(url)));
    }
  const isAlone = (kind: string) => [...(linked.get(kind) ?? [])].every((from) => from === kind);
  const kinds = new Set(pages.filter(({ status }) => status !== 404).map(({ url }) => kindOf(url)));
  const dashboard = [...kinds].filter((kind) => kind.startsWith("/-/"));
  expect(dashboard.length).toBeGreaterThan(25);
  // only redirects lead to these
  expect(dashboard.filter(isAlone).toSorted()).toEqual(["/-/confirm", "/-/login"]);
});

/** All pages as an English reader gets them. */
const read = async () =>
  fewAtOnce(pages, async (page) => ({ ...page, html: await htmlOf(page.url, page.cookie, "en") }));

/** Does the work for each, a few at a time: of hundreds at once the server would close those that wait too long. */
async function fewAtOnce<T, R>(all: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const done: R[] = [];
  for (let n = 0; n < all.length; n += 8) done.push(...(await Promise.all(all.slice(n, n + 8).map(work))));
  return done;
}

async function htmlOf(url: string, cookie: string, language: string): Promise<string> {
  const headers = { accept: "text/html", "accept-language": language, cookie: `${cookie}; zone=Europe/Berlin` };
  return (await fetch(url, { headers, redirect: "manual" })).text();
}

describe("in German", () => {
  const textsOf = (value: unknown): string[] =>
    typeof value === "string"
      ? [value]
      : typeof value === "object" && value !== null
        ? Object.values(value).flatMap(textsOf)
        : [];
  const own = new Set(textsOf(de));
  /** Names of fields in tools that have only an English interface (recipes.ts). */
  const FIELDS = ["Body", "Command"];
  /** The texts that only the English catalogue contains, without bare names. */
  const foreign = new Set(textsOf(en).filter((text) => !own.has(text) && /\p{L}{3}/u.test(text))).difference(
    new Set(FIELDS),
  );

  /** The texts between tags, and those in attributes that are read out. */
  const said = (html: string): string[] =>
    [
      ...html
        .replace(/<pre[^]*?<\/pre>|<button[^>]* lang="[^]*?<\/button>/g, "")
        .matchAll(/>([^<]+)<|\b(?:aria-label|title|placeholder)="([^"]+)"/g),
    ]
      .map(([, text = "", attribute = ""]) => decoded(text + attribute).trim())
      .filter((text) => text !== "");
  const decoded = (text: string): string =>
    text
      .replaceAll("&quot;", '"')
      .replaceAll("&#39;", "'")
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&amp;", "&");
  /** The structure of a page: its elements in order, without those that only mark words in a sentence. */
  const frame = (html: string): string[] =>
    [
      ...html.matchAll(
        /<(main|nav|section|article|aside|h1|h2|h3|form|input|select|textarea|button|ul|ol|li|table|tr|td|details|summary)\b/g,
      ),
    ].map(([, tag = ""]) => tag);

  test("every page contains no English, and has the same parts", async () => {
    const left: string[] = [];
    // the reference page describes words that programs send, which are English
    for (const { url, cookie, name } of pages.filter((one) => one.name !== "docs")) {
      const [english, german] = await Promise.all([htmlOf(url, cookie, "en"), htmlOf(url, cookie, "de")]);
      left.push(
        ...said(german)
          .filter((text) => foreign.has(text))
          .map((text) => `${name}: ${text}`),
      );
      expect([name, frame(german)]).toEqual([name, frame(english)]);
    }
    expect(left).toEqual([]);
  });
});

test("the keyboard reaches every control of the main pages, and the focus is visible", async () => {
  await using tabs = new AsyncDisposableStack();
  const of = tabsIn(browser, tabs);
  const few = ["long-feed", "claim", "topic-settings", "check-down"];
  const others = ["feed-empty", "overview", "topics", "checks", "device-android", "keys"];
  for (const name of IS_THOROUGH ? [...few, ...others] : few) {
    const listed = pages.find((one) => one.name === name);
    if (listed === undefined) throw new Error(`no page is called ${name}`);
    const page = await of(listed);
    expect(await arrive(page, listed)).toBeUndefined();
    await walk(page, name);
  }
}, 60_000);

test("without JavaScript one can sign in, make a topic, publish to it, and delete it after a confirmation", async () => {
  await using opened = await open(browser, { javaScriptEnabled: false });
  const { page } = opened;
  const { url } = every.servers.empty;
  const press = async (name: string | RegExp) => page.getByRole("button", { name }).click();
  await page.goto(`${url}/-/topics/new`);
  await page.getByLabel("Name").fill("mara");
  await page.getByLabel("Password").fill(PASSWORD);
  await press("Sign in");
  await page.getByRole("heading", { level: 1, name: "New topic" }).waitFor();
  await page.getByRole("textbox", { name: "Name" }).fill("backups");
  await press("Create topic");
  await page.getByLabel("Or write a message").fill("Written by hand");
  await press("Publish");
  await page.getByRole("heading", { name: "Written by hand" }).waitFor();
  await page.getByRole("link", { name: "Settings" }).last().click();
  await page.getByRole("link", { name: "Delete topic" }).click();
  await page.getByRole("heading", { level: 1, name: "Delete topic “backups”?" }).waitFor();
  await page.getByRole("textbox").fill("backups");
  await press("Delete 1 message");
  await page.waitForURL(`${url}/-/topics`);
  expect(await page.getByRole("main").textContent()).toContain("backups");
  expect(await page.getByRole("link", { name: "backups" }).count()).toBe(0);
});

test("the page for someone whom a proxy names but the server does not know violates no rule either", async () => {
  await using peal = await startPeal({ env: { PEAL_AUTH_HEADER: "remote-user" } });
  await person(peal);
  await using opened = await open(browser, {
    hasTouch: true,
    expected: / 403 /,
    extraHTTPHeaders: { "remote-user": "x" },
  });
  const { page } = opened;
  await page.addInitScript(AXE);
  await page.goto(`${peal.url}/-/login`);
  await page.getByRole("heading", { name: "There’s no one named “x”" }).waitFor();
  expect(await standing(page)).toEqual({ violations: [], wide: [] });
});

// last, because some of them change the servers
test("no state of a page after an action violates a rule, or is wider than its window", async () => {
  const broken: string[] = [];
  for (const { name, page: from, make } of STATES.filter(({ name }) => IS_THOROUGH || FEW_STATES.has(name))) {
    const listed = pages.find((one) => one.name === from);
    if (listed === undefined) throw new Error(`${name} begins on no page`);
    await using opened = await open(browser, {
      hasTouch: true,
      expected: /a status of (403|422)|ERR_INTERNET_DISCONNECTED|ERR_FAILED/,
      session: listed,
    });
    const { page } = opened;
    await page.addInitScript(AXE);
    await page.goto(listed.url);
    const word = page.locator("[data-connection]");
    if ((await word.count()) > 0) await word.filter({ hasText: "Live" }).waitFor({ state: "attached" });
    await make(page);
    const { violations, wide } = await standing(page);
    broken.push(...[...violations, ...wide].map((one) => `${name}: ${one}`));
  }
  expect(broken).toEqual([]);
}, 120_000);
