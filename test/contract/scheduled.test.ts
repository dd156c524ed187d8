/** Delayed messages, black-box: answered, listed, cancelled, sent at their time (API.md §2, §3). */
import { afterAll, expect, test } from "bun:test";
import { answer, asDelayed, TIME } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { startPeal } from "../support/server.ts";
import { listen } from "../events/listen.ts";

const peal = await startPeal();
afterAll(async () => peal[Symbol.asyncDispose]());

type Waiting = Record<string, unknown> & { scheduled: { id: string; deliver_at: string } };
interface Page {
  scheduled: Waiting[];
  has_more: boolean;
  next_after?: string;
}
const one = ({ scheduled }: Waiting) => `/v1/home/scheduled/${scheduled.id}`;
const seconds = (n: number) => new Date(Date.now() + n * 1_000).toISOString();
const unknown = async (response: Response | Promise<Response>) =>
  expect(await answer(404, await response)).toMatchObject({ code: "unknown_scheduled" });

test.concurrent("a delayed message has no id until it is sent; a cancelled one is never sent", async () => {
  const topic = await peal.topic("later");
  const delay = async (body: object) => answer<Waiting>(201, await peal.api("POST", "/home/later", body));
  const cancelled = await delay({ message: "cancelled", delay: 3 });
  const earliest = seconds(3);
  const made = await delay({ message: "m", delay: 3, title: "T" });
  const latest = seconds(3);
  const { topic_url, created_topic, ...waiting } = made;
  expect([topic_url, created_topic]).toEqual([topic.url, false]);
  expect(waiting).toEqual({
    ...asDelayed(topic),
    ...{ message: "m", title: "T", scheduled: made.scheduled, created_at: expect.stringMatching(TIME) as string },
  });
  const { deliver_at } = made.scheduled;
  expect(earliest <= deliver_at && deliver_at <= latest).toBe(true);
  expect(await answer<Waiting>(200, await peal.api("GET", one(made)))).toEqual(waiting);
  const { scheduled } = await answer<Page>(200, await peal.api("GET", "/v1/home/scheduled"));
  expect(scheduled).toContainEqual(waiting);

  expect((await peal.api("DELETE", one(cancelled))).status).toBe(204);
  await unknown(peal.api("GET", one(cancelled)));
  await unknown(peal.api("DELETE", one(cancelled)));
  await unknown(peal.api("GET", "/v1/home/scheduled/%27"));
  expect(await answer(201, await peal.api("POST", "/home/later", { message: "now" }))).toMatchObject({ id: 1 });

  const last = await delay({ message: "last", at: seconds(3.5) });
  await eventually("the last", async () => (await peal.history(topic)).length === 3);
  const history = await peal.history(topic);
  expect(history.map(({ id, message, source }) => [id, message, source])).toEqual([
    [1, "now", "api"],
    [2, "m", "schedule"],
    [3, "last", "schedule"],
  ]);
  expect(history[1]).toMatchObject({ title: "T" });
  const sent = history.slice(1).map(({ created_at }) => created_at);
  expect([deliver_at <= (sent[0] ?? ""), last.scheduled.deliver_at <= (sent[1] ?? "")]).toEqual([true, true]);
  await unknown(peal.api("GET", one(made)));
});

test.concurrent("a delayed message makes its topic, and a live reader gets it when it is sent", async () => {
  const made = await answer<Waiting & { topic: string; created_topic: boolean }>(
    201,
    await peal.api("POST", "/home/fresh", { message: "m", delay: 3 }),
  );
  expect(made.created_topic).toBe(true);
  const stream = await listen(`${peal.url}/home/${made.topic}/events`);
  expect(await stream.ready()).toMatchObject({ last_id: 0 });
  await eventually("the message", () => stream.ids().length === 1);
  expect(stream.events.at(-1)?.data).toMatchObject({ id: 1, message: "m", source: "schedule" });
  await stream.close();
});

test.concurrent("a retry after the time of the message gets the first answer", async () => {
  const topic = await peal.topic("retried");
  const body = { message: "m", delay: 1 };
  const send = async () => peal.api("POST", "/home/retried", body, { "idempotency-key": "later" });
  const first = await answer<Waiting>(201, await send());
  await eventually("the message", async () => (await peal.history(topic)).length === 1);
  const again = await send();
  expect(again.headers.get("idempotent-replay")).toBe("true");
  expect(await answer<Waiting>(201, again)).toEqual(first);
  expect(await peal.history(topic)).toHaveLength(1);
});

// prettier-ignore
const forms: [string, path: string, headers: Record<string, string>, seconds: number][] = [
  ["the query",            "/home/forms?delay=90",    {},                    90],
  ["a duration there",     "/home/forms?delay=1h30m", {},                    5_400],
  ["ntfy's Delay",         "/home/forms",             { Delay: "30m" },      1_800],
  ["ntfy's In",            "/home/forms",             { In: "2 days" },      172_800],
  ["ntfy's X-Delay",       "/home/forms",             { "X-Delay": "10s" },  10],
];
test.each(forms)("a delay in %s waits as well", async (_, path, headers, delay) => {
  const earliest = seconds(delay);
  const sent = { method: "POST", body: "m", headers: { authorization: `Bearer ${peal.adminKey}`, ...headers } };
  const { scheduled } = await answer<Waiting>(201, await peal.request(path, sent));
  expect(earliest <= scheduled.deliver_at && scheduled.deliver_at <= seconds(delay)).toBe(true);
});

test("a time is stored with the message, given as RFC 3339 or as unix time in ntfy's At; one in the past means now", async () => {
  const at = new Date(Math.floor(Date.now() / 1_000) * 1_000 + 3_600_000).toISOString();
  const text = async (headers: Record<string, string>) =>
    peal.api("POST", "/home/timed", "m", { "content-type": "text/plain", ...headers });
  const answers = [
    await peal.api("POST", "/home/timed", { message: "m", at }),
    await text({ At: at }),
    await text({ At: String(Date.parse(at) / 1_000) }),
  ];
  for (const response of answers) expect((await answer<Waiting>(201, response)).scheduled.deliver_at).toBe(at);
  const past = await answer<object>(201, await peal.api("POST", "/home/timed", { message: "m", at: seconds(-60) }));
  expect(past).toMatchObject({ id: 1, source: "api" });
});

test("one that waits for a deleted topic is deleted with it", async () => {
  const { key } = await peal.topic("deleted");
  const made = await answer<Waiting>(201, await peal.api("POST", "/home/deleted", { message: "m", delay: 600 }));
  expect((await peal.api("DELETE", `/v1/home/${key}`)).status).toBe(204);
  await unknown(peal.api("GET", one(made)));
});

test("they are listed page by page, the next one first", async () => {
  await using own = await startPeal();
  const list = async (query: string) => own.api("GET", `/v1/home/scheduled${query}`);
  expect(await answer<Page>(200, await list(""))).toEqual({ scheduled: [], has_more: false });
  for (const minutes of [30, 10, 20, 10, 10])
    await answer(201, await own.api("POST", "/home/later", { message: `${minutes}`, delay: minutes * 60 }));
  const seen = [];
  for (let query = "?limit=2", more = true; more;) {
    const page = await answer<Page>(200, await list(query));
    seen.push(...page.scheduled.map(({ message }) => message));
    more = page.has_more;
    query = `?limit=2&after=${page.next_after ?? ""}`;
  }
  expect(seen).toEqual(["10", "10", "10", "20", "30"]);
  for (const [query, code] of [
    ["limit=0", "invalid_limit"],
    ["limit=101", "invalid_limit"],
    ["after=x", "invalid_after"],
    ["after=1", "invalid_after"],
    ["after=1.x", "invalid_after"],
  ])
    expect(await answer(400, await list(`?${query}`))).toMatchObject({ code });
});

test("only keys that manage the namespace may see them", async () => {
  const made = await answer<Waiting>(201, await peal.api("POST", "/home/mine", { message: "m", delay: 600 }));
  for (const [method, path] of [
    ["GET", "/v1/home/scheduled"],
    ["GET", one(made)],
    ["DELETE", one(made)],
  ] as const) {
    expect(await answer(401, await peal.request(path, { method }))).toMatchObject({ code: "missing_key" });
    const foreign = await peal.api(method, path.replace("home", "other"));
    expect(await answer(403, foreign)).toMatchObject({ code: "wrong_namespace" });
  }
});
