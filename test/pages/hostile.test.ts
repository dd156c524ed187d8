/** Text of strangers, through every field, on everything that readers see (WEB.md §1): it is shown and has no effect. */
import { beforeAll, describe, expect, test } from "bun:test";
import { markdown } from "../../src/pages/elements/markdown.tsx";
import { textsOf } from "../../src/pages/texts/languages.ts";
import { actOn, newCheck, type TestCheck } from "../support/checks.ts";
import { apnsToken, register, type TestDevice } from "../support/devices.ts";
import { CORPUS } from "../support/hostile.ts";
import { SAME_SITE, signedIn } from "../support/signin.ts";
import { answer, type TestMessage, type TestTopic } from "../support/client.ts";
import { look, open, startBrowsing } from "./browser.ts";

const { peal, browser, visit } = await startBrowsing();
let topic: TestTopic;
let stored: TestMessage[];

beforeAll(async () => {
  topic = await peal.topic("hostile");
  await peal.api("PATCH", `/v1/home/${topic.key}`, { description: CORPUS.join(" ").slice(0, 1_000) });
  for (const [i, text] of CORPUS.entries()) {
    const short = characters(text, 32);
    const inUrl = `https://e.org/${encodeURIComponent(i)}?q=${text.replace(/\s/g, "")}#${short.replace(/\s/g, "")}`;
    const sent = await peal.api("POST", "/home/hostile", {
      title: text,
      message: text,
      tags: [short, `t${i}`],
      url: inUrl,
      image: inUrl,
      actions: [
        { label: characters(text, 40), url: inUrl },
        { label: short, url: inUrl, method: "POST" },
      ],
      dedup_key: text.slice(0, 100),
      status: "firing",
      format: i % 2 === 0 ? "text" : "markdown",
      data: { [text]: text },
    });
    expect([text, sent.status]).toEqual([text, 201]);
  }
  stored = (await peal.history(topic)).toReversed();
});
/** A page without a policy: the server's own pages accept no HTML from a script. */
const blank = async () => visit("about:blank");

/** The first `n` characters, none of them split. */
const characters = (text: string, n: number): string => Array.from(text).slice(0, n).join("");

/** The whole corpus in one field. */
const ALL = CORPUS.join(" ");
const strings = (value: unknown): string[] => value as string[];

test.each([true, false])(
  "on the feed page nothing of it runs and all of it can be read (script: %p)",
  async (javaScriptEnabled) => {
    await using opened = await open(browser, { javaScriptEnabled });
    const { page } = opened;
    await page.goto(topic.url);
    const cards = await look<object[]>(page, "cards");
    expect(cards.length).toBe(CORPUS.length);
    for (const [i, { title, message, tags, format }] of stored.entries())
      expect(cards[i]).toEqual({
        heading: title as string,
        body: format === "text" ? message : undefined,
        tags: strings(tags),
        foreign: 0,
        handlers: [],
        links: [],
      });
    expect(await page.title()).toBe("hostile · peal");
    expect(await page.evaluate("'pwned' in window")).toBe(false);
  },
);

test("no event on any element of a card triggers anything", async () => {
  const page = await visit(topic.url);
  await look(page, "provoke");
  expect(await page.evaluate("'pwned' in window")).toBe(false);
});

describe("in the dashboard", () => {
  let cookie: string;
  const checks: TestCheck[] = [];
  const devices: TestDevice[] = [];
  /** The ids of keys, of people and of forwards, in the order of `names`. */
  const [keys, people, forwards]: [string[], string[], string[]] = [[], [], []];
  /** What a name may contain: no line breaks or control characters, and something visible. */
  const names = CORPUS.map((text) => characters(text.replace(/\p{C}|\s+|\p{Z}/gu, " ").trim(), 60)).filter(
    (text) => text !== "",
  );

  beforeAll(async () => {
    cookie = await signedIn(peal);
    for (const name of names) {
      const check = await newCheck(peal, { name, every: 3_600, tags: [characters(name, 32)] });
      await peal.request(`${new URL(check.ping_url).pathname}/fail`, { method: "POST", body: ALL });
      checks.push(check);
      devices.push(await register(peal, { platform: "ios", token: apnsToken(), name }, [topic]));
      keys.push((await answer<{ id: string }>(201, await peal.api("POST", "/v1/keys", { name, scope: "publish" }))).id);
      const made = await peal.local("/-/local/people", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ name: characters(name, 40), admin: false }),
      });
      people.push((await answer<{ id: string }>(201, made)).id);
      const settings = { server: "https://apprise.example", key: "home", tag: name };
      const forward = await peal.api("POST", "/v1/home/forwards", { kind: "apprise", name, settings });
      forwards.push((await answer<{ id: string }>(201, forward)).id);
    }
    await peal.publish(await peal.topic("hello"), { title: ALL.slice(0, 200), message: ALL });
    await actOn(peal, checks[0]?.id ?? "", "pause");
  });

  const LISTS = ["", "topics", "checks", "devices", "keys", "deliveries", "settings", "checks/new", "topics/new"];

  test("nothing of it runs on any page, and every list shows it unchanged", async () => {
    await using opened = await open(browser, { session: { cookie, url: peal.url } });
    const { page } = opened;
    const tabs = ["", "/publish", "/share", "/devices", "/settings", "/mute", "/delete", "/replace"];
    const [[check = [], ...moreChecks], [device = [], ...moreDevices], [forward = [], ...moreForwards]] = [
      checks.map(({ id }) => ["", "/edit", "/rotate", "/delete"].map((tab) => `checks/${id}${tab}`)),
      devices.map(({ ref }) => ["", "/delete"].map((tab) => `devices/${ref}${tab}`)),
      forwards.map((id) => ["", "/forward"].map((tab) => `devices/${id}${tab}`)),
    ];
    const [[asked = [], ...moreAsked], alone] = [
      keys.map((id, n) => [
        `keys/${id}/revoke`,
        `keys?made=${id}`,
        ...["", "/remove"].map((tab) => `settings/people/${people[n] ?? ""}${tab}`),
      ]),
      ["settings/people/new", "settings/password", "settings/namespaces/home/delete", "setup/message", "setup/phone"],
    ];
    const searches = ["topics", "checks", "deliveries"].map((list) => `${list}?q=${encodeURIComponent(ALL)}`);
    for (const path of [
      ...LISTS,
      ...tabs.map((tab) => `topics/${topic.key}${tab}`),
      ...check,
      ...device,
      ...forward,
      ...asked,
      ...alone,
      `confirm?to=${encodeURIComponent(`/-/keys?label=${ALL}`)}`,
      `keys?label=${encodeURIComponent(ALL)}&made=${encodeURIComponent(ALL)}`,
      ...searches,
    ]) {
      const answer = await page.goto(`${peal.url}/-/${path}`);
      const ran = await page.evaluate("'pwned' in window");
      expect([path, answer?.status(), await look(page, "suspects"), ran]).toEqual([path, 200, [], false]);
    }
    // the same pages for all others: their contents are examined without loading them
    const more = [...moreChecks, ...moreDevices, ...moreForwards, ...moreAsked].flat();
    const pages = await Promise.all(
      more.map(async (path) => (await peal.request(`/-/${path}`, { headers: { cookie, accept: "text/html" } })).text()),
    );
    const reader = await blank();
    for (const [n, html] of pages.entries())
      expect([more[n], await look(reader, "suspects", html)]).toEqual([more[n], []]);
    for (const [path, shown] of [
      ["checks", names],
      ["devices", names],
      ["keys", names],
    ] as const) {
      await page.goto(`${peal.url}/-/${path}`);
      const text = (await page.locator("main").textContent())?.replace(/\s+/g, " ") ?? "";
      expect([path, shown.filter((one) => !text.includes(one.replace(/\s+/g, " ")))]).toEqual([path, []]);
    }
  });

  test("code that ran would be noticed", async () => {
    const html = "<p onclick=x>a</p><script>1</script><a href='javascript:x'>b</a><img src=x><a href='/-/'>c</a>";
    expect(await look<string[]>(await blank(), "suspects", html)).toHaveLength(4);
  });

  // prettier-ignore
  test.each([
    ["/-/topics/new",           ["name", "description"]],
    ["/-/checks/new",           ["name", "cron", "timezone", "grace", "topic", "kind"]],
    ["/-/keys",                 ["label", "scope", "namespace", "ends"]],
    ["/-/devices/new",          ["topic", "name", "to-server", "to-user"]],
    ["/-/settings/people/new",  ["name"]],
    ["/-/settings/namespaces",  ["namespace"]],
    ["/-/login",                ["name", "to"]],
  ])("a form at %s that is shown again contains it as text", async (path, fields) => {
    const hostile = Object.fromEntries(fields.map((field) => [field, ALL]));
    const headers = { cookie, accept: "text/html", ...SAME_SITE };
    const body = new URLSearchParams({ ns: "home", sees: "all", kind: "ntfy", ...hostile });
    const answer = await peal.request(path, { method: "POST", headers, body });
    const html = await answer.text();
    expect([answer.status, html.includes("window.pwned=1")]).toEqual([422, true]);
    expect(html).toContain('aria-invalid="true"');
    expect(await look(await blank(), "suspects", html)).toEqual([]);
  });
});

interface Atom {
  root: string;
  /** How many there are of id, title and updated. */
  head: number[];
  self: string;
  entries: { content: string; type: string; terms: string[]; has: number[] }[];
}

test("Atom is XML with the same contents", async () => {
  const answer = await peal.request(`/home/${topic.key}/feed.atom`);
  expect(answer.headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
  const xml = await answer.text();
  const parsed = await look<Atom>(await blank(), "atom", xml);
  expect(parsed.root).toBe("http://www.w3.org/2005/Atom feed");
  expect([parsed.head, parsed.self]).toEqual([[1, 1, 1], `${peal.url}/home/${topic.key}/feed.atom`]);
  expect(parsed.entries.length).toBe(CORPUS.length);
  for (const [i, { message, tags, level, format }] of stored.entries()) {
    const entry = parsed.entries[i];
    expect(entry?.has).toEqual([1, 1, 1]);
    expect(entry?.terms).toEqual([level as string, ...strings(tags)].map(legal));
    if (format === "text") expect([entry?.type, entry?.content]).toEqual(["text", legal(message)]);
    else
      expect([
        entry?.type,
        /<(?!\/?(p|a|code|strong|em|h4|h5|blockquote|ul|ol|li|pre|hr)\b)/.test(entry?.content ?? ""),
      ]).toEqual(["html", false]);
  }
});

/** Without what XML 1.0 cannot contain; its parser turns tabs in attributes into spaces. */
const legal = (text: string): string => text.replace(/[\ufffe\uffff]/g, "").replace(/[\u0000-\u0008]/g, "");

test("JSON Feed has the same texts", async () => {
  const answer = await peal.request(`/home/${topic.key}/feed.json`);
  expect(answer.headers.get("content-type")).toBe("application/feed+json; charset=utf-8");
  const feed = (await answer.json()) as { version: string; feed_url: string; items: Record<string, unknown>[] };
  expect([feed.version, feed.feed_url]).toEqual([
    "https://jsonfeed.org/version/1.1",
    `${peal.url}/home/${topic.key}/feed.json`,
  ]);
  expect(feed.items.length).toBe(CORPUS.length);
  for (const [i, { id, message, tags, format, created_at }] of stored.entries()) {
    const item = feed.items[i] ?? {};
    expect([item["tags"], item["date_published"]]).toEqual([tags, created_at]);
    expect(item["id"]).toBe(`${peal.url}/home/${topic.key}?before=${id + 1}#m${id}`);
    if (format === "text") expect(item["content_text"]).toBe(message);
    else expect(item["content_html"]).not.toMatch(/<script|javascript:|<img|<svg/);
  }
});

// prettier-ignore
test.each([
  ["quotes",             ">".repeat(32_000)],
  ["lists",              "1. ".repeat(10_000)],
  ["both",               "> - ".repeat(8_000)],
  ["emphasis",           `${"*a ".repeat(5_000)}x${" a*".repeat(5_000)}`],
  ["emphasis, unspaced", `${"*".repeat(16_000)}x${"*".repeat(16_000)}`],
  ["strikethrough",      `${"~~a ".repeat(4_000)}x${" a~~".repeat(4_000)}`],
])("markdown that nests without end is shown as it was sent: %s", (_, text) => {
  expect(depthOf(markdown(text, textsOf("en")).html)).toBeLessThan(3);
});

test("markdown nests as deep as anyone would write it", () => {
  const list = Array.from({ length: 12 }, (_, i) => `${"  ".repeat(i)}- > **level** *${i}*`).join("\n");
  expect(depthOf(markdown(list, textsOf("en")).html)).toBeGreaterThan(24);
});

/** How deep elements are nested, at most. */
function depthOf(html: string): number {
  let depth = 0;
  return Math.max(0, ...Array.from(html.matchAll(/<(\/?)\w/g), ([, end]) => (depth += end === "/" ? -1 : 1)));
}

test("feeds are sent again only when they changed", async () => {
  for (const name of ["feed.atom", "feed.json"]) {
    const path = `/home/${topic.key}/${name}`;
    const etag = (await peal.request(path)).headers.get("etag") ?? "";
    const again = await peal.request(path, { headers: { "if-none-match": etag } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    expect(again.headers.get("access-control-allow-origin")).toBe("*");
  }
});

test("events contain it in one line of data each", async () => {
  const controller = new AbortController();
  const stream = await peal.request(`/home/${topic.key}/events?since=0`, { signal: controller.signal });
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of (stream.body ?? []) as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    if ((text.match(/^event: message$/gm)?.length ?? 0) >= CORPUS.length && text.endsWith("\n\n")) break;
  }
  controller.abort();
  // split by LF only: a pattern's `.` and `$` stop at U+2028 too, which ends no line of a stream
  const frames = text.split("\n\n").map((frame) => frame.split("\n"));
  const messages = frames.filter((lines) => lines.includes("event: message"));
  const data = messages.map((lines) => lines.filter((line) => line.startsWith("data: ")).map((line) => line.slice(6)));
  expect(data.map((lines) => JSON.parse(lines.join()) as TestMessage)).toEqual(stored.toReversed());
  const events = new Set(frames.flat().filter((line) => line.startsWith("event:")));
  expect([...events].toSorted()).toEqual(["event: message", "event: ready"]);
});
