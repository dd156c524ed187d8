/** History, black-box: pages, filters, search, one message, deletion (API.md §4). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { answer, type TestMessage, type TestTopic } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { startPeal } from "../support/server.ts";

const peal = await startPeal();
afterAll(async () => peal[Symbol.asyncDispose]());

interface Page {
  messages: TestMessage[];
  has_more: boolean;
  last_id: number;
  truncated?: boolean;
  next_before?: number;
  next_since?: number;
}
const path = ({ namespace, key }: TestTopic, query = "") => `/v1/${namespace}/${key}/messages${query}`;
const page = async (topic: TestTopic, query = "") => answer<Page>(200, await peal.request(path(topic, query)));
const ids = ({ messages }: Page) => messages.map(({ id }) => id);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

async function filled(name: string, count: number, body = (i: number): object => ({ message: `m${i}` })) {
  const topic = await peal.topic(name);
  for (let i = 1; i <= count; i++) await answer(201, await peal.api("POST", `/home/${name}`, body(i)));
  return topic;
}
const topic = await filled("many", 120);

test("an empty topic has an empty page", async () => {
  expect(await page(await peal.topic("empty"))).toEqual({ messages: [], has_more: false, last_id: 0 });
});

// prettier-ignore
const pages: [query: string, ids: number[], more: boolean][] = [
  ["",                          range(71, 120).reverse(), true],
  ["?limit=1",                  [120],                    true],
  ["?limit=200",                range(1, 120).reverse(),  false],
  ["?limit=120",                range(1, 120).reverse(),  false],
  ["?since=0",                  range(1, 50),             true],
  ["?since=70",                 range(71, 120),           false],
  ["?since=69",                 range(70, 119),           true],
  ["?since=118&limit=2",        [119, 120],               false],
  ["?since=120",                [],                       false],
  ["?since=9007199254740991",   [],                       false],
  ["?before=3",                 [2, 1],                   false],
  ["?before=1",                 [],                       false],
  ["?before=0",                 [],                       false],
  ["?before=100&limit=2",       [99, 98],                 true],
  ["?since=10&before=13",       [11, 12],                 false],
  ["?unknown=1",                range(71, 120).reverse(), true],
];
test.each(pages)("page %j", async (query, expected, more) => {
  const found = await page(topic, query);
  expect(ids(found)).toEqual(expected);
  expect(found).toMatchObject({ has_more: more, last_id: 120 });
  expect(found).not.toHaveProperty("truncated");
});

describe("a page of long messages", () => {
  const COUNT = 75;
  let long: TestTopic;
  beforeAll(async () => {
    long = await filled("long", COUNT, (i) => ({ message: `${i} ${"é".repeat(15_000)}`, level: "error" }));
  }, 60_000);

  test.each([
    ["forward", "?limit=200&since=0", "since"],
    ["backward", "?limit=200", "before"],
    ["forward, filtered", "?limit=200&level=error&since=0", "since"],
    ["backward, searched", "?limit=200&q=é", "before"],
  ] as const)("%s: ends at about 1 MiB, and its cursor continues without a gap", async (_, query, cursor) => {
    const seen: number[] = [];
    for (let next = ""; ;) {
      const answer = await peal.request(path(long, query.replace(/&?since=0$/, next === "" ? "$&" : "") + next));
      const text = await answer.text();
      expect(Buffer.byteLength(text)).toBeLessThan(1.2 * 1_048_576);
      const found = JSON.parse(text) as Page;
      seen.push(...ids(found));
      if (!found.has_more) break;
      next = `&${cursor}=${(cursor === "since" ? found.next_since : found.next_before) ?? 0}`;
    }
    expect(cursor === "since" ? seen : seen.reverse()).toEqual(range(1, COUNT));
  });

  test("its entity tag matches, and HEAD returns its length", async () => {
    const whole = await peal.request(path(long, "?limit=200"));
    const length = Buffer.byteLength(await whole.text());
    const etag = whole.headers.get("etag") ?? "";
    expect((await peal.request(path(long, "?limit=200"), { headers: { "if-none-match": etag } })).status).toBe(304);
    const head = await peal.request(path(long, "?limit=200"), { method: "HEAD" });
    expect([head.status, head.headers.get("content-length")]).toEqual([200, String(length)]);
  });
});

test("any sequence of pages forward or backward contains every message once, in order", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 7, max: 200 }), { minLength: 1 }),
      fc.boolean(),
      async (limits, forward) => {
        const seen: number[] = [];
        for (let i = 0, next: number | undefined = forward ? 0 : undefined; ; i++) {
          const from = next === undefined ? "" : `&${forward ? "since" : "before"}=${next}`;
          const found = await page(topic, `?limit=${limits[i % limits.length]}${from}`);
          seen.push(...ids(found));
          next = forward ? found.next_since : found.next_before;
          if (!found.has_more) break;
        }
        expect(forward ? seen : seen.reverse()).toEqual(range(1, 120));
      },
    ),
    { numRuns: 20 },
  );
});

// prettier-ignore
const wrong: [query: string, code: string][] = [
  ...["0", "201", "-1", "x", "1.5", "1e1", "99999999999999999999", " 1", ""].map((n): [string, string] => [`?limit=${n}`, "invalid_limit"]),
  ...["-1", "x", "9007199254740992", "1.0", "0x1", ""].map((n): [string, string] => [`?since=${n}`, "invalid_since"]),
  ["?before=-1",                   "invalid_before"],
  ["?level=fatal",                 "invalid_level"],
  ["?level=info,fatal",            "invalid_level"],
  ["?priority=5",                  "invalid_priority"],
  [`?tag=${"x".repeat(33)}`,       "invalid_tag"],
  [`?q=${"x".repeat(201)}`,        "invalid_q"],
];
test.each(wrong)("%s is refused", async (query, code) => {
  expect(await answer(400, await peal.request(path(topic, query)))).toMatchObject({ code });
});

const levels = ["info", "success", "warning", "error"];
const priorities = ["low", "normal", "high", "urgent"];
const mixed = await filled("mixed", 16, (i) => ({
  message: i === 7 ? "Die Sicherung der Küche ist FERTIG" : i === 8 ? "备份完成 100%_x" : `m${i}`,
  ...(i === 9 && { title: "Küche brennt" }),
  level: levels[i % 4],
  priority: priorities[(i >> 2) % 4],
  tags: i % 2 === 0 ? ["even", `n${i}`] : ["odd"],
  data: { hidden: "needle" },
}));
describe("filters and search", () => {
  // prettier-ignore
  const rows: [query: string, ids: number[]][] = [
    ["?level=error",                    [15, 11, 7, 3]],
    ["?level=error,warning&limit=3",    [15, 14, 11]],
    ["?level=info&since=0",             [4, 8, 12, 16]],
    ["?priority=urgent",                [15, 14, 13, 12]],
    ["?priority=low,high&level=info",   [16, 8]],
    ["?tag=even&since=10",              [12, 14, 16]],
    ["?tag=n4",                         [4]],
    ["?tag=n",                          []],
    ["?tag=odd&before=4",               [3, 1]],
    ["?q=küche",                        [9, 7]],
    ["?q=KÜCHE fertig",                 [7]],
    ["?q=fertig die",                   [7]],
    ["?q=备份",                          [8]],
    ["?q=100%25_x",                     [8]],
    ["?q=needle",                       []],
    ["?q=even",                         []],
    ["?q=m1&level=info&since=0",        [12, 16]],
    ["?q=",                             range(1, 16).reverse()],
  ];
  test.each(rows)("%s", async (query, expected) => {
    const found = await page(mixed, query);
    expect(ids(found)).toEqual(expected);
    expect(found.last_id).toBe(16);
  });
});

describe("one message", () => {
  test("is the same as on the page", async () => {
    const [newest] = (await page(topic, "?limit=1")).messages;
    expect(await answer<TestMessage>(200, await peal.request(path(topic, "/120")))).toEqual(newest as TestMessage);
  });
  test.each(["0", "121", "-1", "x", "1.0", "9".repeat(30), "%27"])("%s is not one", async (id) => {
    expect(await answer(404, await peal.request(path(topic, `/${id}`)))).toMatchObject({ code: "unknown_message" });
  });
  test("after a deletion its id is not used again, and pages continue past it", async () => {
    const some = await filled("some", 3);
    expect((await peal.api("DELETE", path(some, "/3"))).status).toBe(204);
    expect(await answer(404, await peal.api("DELETE", path(some, "/3")))).toMatchObject({ code: "unknown_message" });
    expect(await answer(404, await peal.request(path(some, "/3")))).toMatchObject({ code: "unknown_message" });
    await answer(201, await peal.api("POST", "/home/some", { message: "m" }));
    expect(ids(await page(some, "?since=0"))).toEqual([1, 2, 4]);
  });
  test("can only be deleted with a key", async () => {
    await answer(401, await peal.request(path(topic, "/1"), { method: "DELETE" }));
  });
});

test("an unknown, a rotated and a foreign key all get the same 404", async () => {
  const rotated = await filled("rotated", 1);
  await answer(200, await peal.api("POST", `/v1/home/${rotated.key}/rotate`));
  for (const key of [rotated.key, "x-0123456789abcdefghjkmnpqrs", "many", "%27", "x".repeat(300)])
    for (const suffix of ["", "/1"]) {
      const response = await peal.request(`/v1/home/${key}/messages${suffix}`);
      expect(await answer(404, response)).toMatchObject({ code: "unknown_topic" });
    }
  for (const namespace of ["other", "v1"])
    expect(await answer(404, await peal.request(`/v1/${namespace}/${topic.key}/messages`))).toMatchObject({
      code: "unknown_topic",
    });
});

test("a client that already has the page gets 304 until something changes", async () => {
  const changing = await filled("changing", 2);
  const ask = async (tag: string) => peal.request(path(changing), { headers: { "if-none-match": tag } });
  const tag = (await peal.request(path(changing))).headers.get("etag") ?? "";
  expect(tag).toMatch(/^(W\/)?".+"$/);
  const known = await ask(`"x", W/${tag}`);
  expect([known.status, await known.text(), known.headers.get("etag")]).toEqual([304, "", tag]);
  await answer(201, await peal.api("POST", "/home/changing", { message: "m" }));
  expect((await ask(tag)).status).toBe(200);
  const after = (await ask(tag)).headers.get("etag") ?? "";
  const single = await peal.request(path(changing, "/2"));
  const headers = { "if-none-match": single.headers.get("etag") ?? "" };
  expect((await peal.request(path(changing, "/2"), { headers })).status).toBe(304);
  expect((await peal.api("DELETE", path(changing, "/1"))).status).toBe(204);
  expect((await ask(after)).status).toBe(200);
});

test("HEAD is GET without a body", async () => {
  const response = await peal.request(path(topic), { method: "HEAD" });
  expect([response.status, await response.text()]).toEqual([200, ""]);
});

test("a since that is older than the retention is reported", async () => {
  const short = await filled("short", 5);
  await answer(200, await peal.api("PATCH", `/v1/home/${short.key}`, { retention_messages: 2 }));
  // the server sweeps by itself, and at once when it starts
  await peal.kill("SIGTERM");
  await peal.start();
  const found = await eventually("retention", async () => {
    const seen = await page(short, "?since=1");
    return seen.messages.length === 2 ? seen : undefined;
  });
  expect(found).toMatchObject({ truncated: true, has_more: false, last_id: 5 });
  expect(ids(found)).toEqual([4, 5]);
  expect(await page(short, "?since=3")).not.toHaveProperty("truncated");
  expect(await page(short)).not.toHaveProperty("truncated");
});
