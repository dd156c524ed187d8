/** No reader blocks the event loop: of what readers request, each turn renders one slice (ARCHITECTURE.md §2.6). */
import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { inProcess, type InProcess } from "../support/server.ts";
import { systemClock } from "../../src/util/clock.ts";
import type { TestTopic } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { turns } from "../support/turns.ts";

const MESSAGES = 50;
const FORMS = ["", "?since=0", "/feed.atom", "/feed.json"];

let peal: InProcess;
let topic: TestTopic;
let now = 0;
beforeAll(async () => {
  // everything seems to take a second, so that each slice is used up at once
  const env = { PEAL_TRUSTED_PROXIES: "127.0.0.1" };
  peal = await inProcess({ env, clock: { ...systemClock, monotonic: () => (now += 1_000) } });
  topic = await peal.topic("turns");
  for (let i = 1; i <= MESSAGES; i++) await peal.publish(topic, { message: `**no ${i}**`, format: "markdown" });
});
afterAll(async () => peal[Symbol.asyncDispose]());

/** The texts that are rendered while `work` runs; `work` gets the growing list. */
async function renderedBy(work: (texts: readonly string[]) => Promise<unknown>): Promise<string[]> {
  const { render } = Bun.markdown;
  const texts: string[] = [];
  const spy = spyOn(Bun.markdown, "render").mockImplementation((text, ...rest) => {
    if (typeof text === "string") texts.push(text);
    return render(text, ...rest);
  });
  try {
    await work(texts);
  } finally {
    spy.mockRestore();
  }
  return texts;
}

/** The turns of the event loop in which markdown was rendered while `work` ran, one entry for each body. */
async function turnsOf(work: () => Promise<unknown>): Promise<number[]> {
  const { render } = Bun.markdown;
  const seen: number[] = [];
  let turn = 0;
  let counting = setImmediate(function count() {
    turn++;
    counting = setImmediate(count);
  });
  const spy = spyOn(Bun.markdown, "render").mockImplementation((...args) => {
    seen.push(turn);
    return render(...args);
  });
  try {
    await work();
  } finally {
    spy.mockRestore();
    clearImmediate(counting);
  }
  return seen;
}

test("slow bodies are rendered one per turn, however many readers ask", async () => {
  const turns = await turnsOf(async () =>
    Promise.all(
      FORMS.map(async (form) => {
        const answer = await peal.request(`/home/${topic.key}${form}`);
        expect(await answer.text()).toContain(`no ${MESSAGES}`);
      }),
    ),
  );
  expect(turns.length).toBe(FORMS.length * MESSAGES);
  expect(new Set(turns).size).toBe(turns.length);
});

test.each(["feed.atom", "feed.json"])(
  "a client that already has %s gets 304 before anything is rendered",
  async (name) => {
    const path = `/home/${topic.key}/${name}`;
    const etag = (await peal.request(path)).headers.get("etag") ?? "";
    const turns = await turnsOf(async () => {
      const again = await peal.request(path, { headers: { "if-none-match": etag } });
      expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag]);
    });
    expect(turns).toEqual([]);
  },
);

/** Makes a topic of Markdown that contains the topic's name and is long enough to be cached. */
async function longTopic(name: string, count: number): Promise<TestTopic> {
  const made = await peal.topic(name);
  const text = (i: number) => `${name} ${i} ${"*long* ".repeat(500)}`;
  for (let i = 1; i <= count; i++) await peal.publish(made, { message: text(i), format: "markdown" });
  return made;
}

const feedOf = async ({ key }: TestTopic, from: string, init: RequestInit = {}): Promise<string> =>
  (await peal.request(`/home/${key}`, { ...init, headers: { "x-forwarded-for": from } })).text();

/** Resolves when nothing more was rendered for many turns. */
async function quiet(texts: readonly string[]): Promise<void> {
  for (let last = -1; last !== texts.length;) {
    last = texts.length;
    await turns();
  }
}

test("nothing is rendered for clients that have left", async () => {
  const left = await longTopic("left", 20);
  const texts = await renderedBy(async (sofar) => {
    const gone = new AbortController();
    const readers = ["203.0.113.7", "203.0.113.7", "203.0.113.8", "2001:db8::1"].map(async (from) =>
      feedOf(left, from, { signal: gone.signal }).catch(() => "gone"),
    );
    await eventually("the first card", () => sofar.length > 0);
    gone.abort();
    expect(new Set(await Promise.all(readers))).toEqual(new Set(["gone"]));
    await quiet(sofar);
  });
  expect(texts.length).toBeLessThan(20); // of one page; no other was begun
  expect(await clientsGone()).toBe(4);
});

/** Requests whose client had left, as the metrics count them. */
async function clientsGone(): Promise<number> {
  const text = await (await peal.request("/metrics")).text();
  return Number(/peal_http_requests_total\{status="499"\} (\d+)/.exec(text)?.[1] ?? 0);
}

test("for one address one page is rendered at a time, and networks take turns card by card", async () => {
  const names = ["noise-a", "noise-b", "noise-c", "calm"];
  const [a, b, c, calm] = await Promise.all(names.map(async (name) => longTopic(name, 40)));
  if (a === undefined || b === undefined || c === undefined || calm === undefined) throw new Error("no topics");
  const all = [a, b, c, calm];
  await Promise.all(all.map(async ({ key }) => peal.request(`/v1/home/${key}/messages?limit=1`))); // four connections
  const texts = await renderedBy(async (sofar) => {
    const noise = [a, b, c].map(async (topic) => feedOf(topic, "203.0.113.7"));
    await eventually("the first card", () => sofar.length > 0);
    await Promise.all([...noise, feedOf(calm, "198.51.100.1")]);
  });
  const order = texts.map((text) => text.split(" ", 1)[0] ?? "");
  const pages = order.filter((name) => name !== "calm");
  expect(pages.filter((name, n) => name !== pages[n - 1])).toHaveLength(3); // each completely, then the next
  const among = order.slice(order.indexOf("calm"), order.lastIndexOf("calm"));
  const ofStranger = among.filter((name) => name === "calm").length;
  expect(among.length - ofStranger).toBeLessThanOrEqual(ofStranger + 1);
});

test("a long text is rendered once, whoever reads it and in whatever form", async () => {
  const kept = await longTopic("kept", 5);
  const texts = await renderedBy(async () => {
    for (const form of [...FORMS, ...FORMS]) {
      const answer = await peal.request(`/home/${kept.key}${form}`);
      expect([answer.status, (await answer.text()).includes("long")]).toEqual([200, true]);
    }
  });
  expect(texts).toHaveLength(5);
});
