/** Event streams over HTTP (API.md §4), as a reader sees them. */
import { afterAll, expect, test } from "bun:test";
import { answer } from "../support/client.ts";
import { heldClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { inProcess } from "../support/server.ts";
import { metric } from "../support/metric.ts";
import { listen } from "./listen.ts";

const clock = heldClock();
const peal = await inProcess({ clock });
afterAll(async () => peal[Symbol.asyncDispose]());
const bearer = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });

test("a stream states its position, then sends each message once, with its id and the JSON of history", async () => {
  const topic = await peal.topic("backups");
  await peal.publish(topic, { message: "before" });
  const stream = await listen(`${peal.url}/home/${topic.key}/events`);
  expect(await stream.ready()).toEqual({ namespace: "home", topic: topic.key, last_id: 1 });
  expect(stream.retry).toBe(3000);
  const headers = ["content-type", "cache-control", "x-accel-buffering"].map((name) =>
    stream.response.headers.get(name),
  );
  expect(headers).toEqual(["text/event-stream", "no-store", "no"]);

  for (const message of ["one", "two\nlines", "three\u2028 \u0085"]) await peal.publish(topic, { message });
  await eventually("three messages", () => stream.ids().length === 3);
  expect(stream.ids()).toEqual([2, 3, 4]);
  const history = await peal.history(topic);
  expect(stream.events.slice(1).map(({ data }) => data)).toEqual(history.slice(1));
  await stream.close();
});

test("a reader resumes by Last-Event-ID, which takes precedence over ?since=, or by ?since=", async () => {
  const topic = await peal.topic("resumed");
  for (let n = 1; n <= 250; n++) await peal.publish(topic, `message ${n}`);
  const url = `${peal.url}/home/${topic.key}/events`;
  const all = Array.from({ length: 250 }, (_, n) => n + 1);
  const readers = [
    { stream: await listen(`${url}?since=0`), from: 0 },
    { stream: await listen(`${url}?since=249`), from: 249 },
    { stream: await listen(`${url}?since=7`, { headers: { "last-event-id": "100" } }), from: 100 },
  ];
  for (const { stream, from } of readers) {
    await eventually("the end", () => stream.ids().at(-1) === 250);
    expect(stream.ids()).toEqual(all.slice(from));
    await stream.close();
  }
});

test("a resume id greater than the last is answered with reset, and the stream continues from there", async () => {
  const topic = await peal.topic("ahead");
  await peal.publish(topic, "one");
  const stream = await listen(`${peal.url}/home/${topic.key}/events`, { headers: { "last-event-id": "900" } });
  expect(await stream.ready()).toMatchObject({ last_id: 1, reset: true });
  await peal.publish(topic, "two");
  await eventually("the next", () => stream.ids().length > 0);
  expect(stream.ids()).toEqual([2]);
  await stream.close();
});

test.each(["-1", "x", "1.5", "1e3", "99999999999999999"])("since=%s is refused", async (since) => {
  const topic = await peal.topic(`since${since}`);
  const { headers } = bearer(peal.adminKey);
  for (const path of [`/home/${topic.key}/events`, "/v1/home/events"])
    for (const response of [
      await peal.request(`${path}?since=${since}`, { headers }),
      await peal.request(path, { headers: { ...headers, "last-event-id": since } }),
    ])
      expect(await answer(400, response)).toMatchObject({ code: "invalid_since" });
});

test("filters take level, priority and tag, alone and together, live and on resume", async () => {
  const topic = await peal.topic("filtered");
  const publish = async () => {
    await peal.publish(topic, { message: "a", level: "error", priority: "urgent", tags: ["disk", "nas"] });
    await peal.publish(topic, { message: "b", level: "error", tags: ["disk"] });
    await peal.publish(topic, { message: "c", level: "warning", priority: "urgent" });
    await peal.publish(topic, { message: "d" });
  };
  // prettier-ignore
  const rows: [string, number[]][] = [
    ["level=error",                         [1, 2]],
    ["level=error,warning",                 [1, 2, 3]],
    ["priority=urgent",                     [1, 3]],
    ["tag=disk",                            [1, 2]],
    ["tag=disk&priority=urgent",            [1]],
    ["tag=none",                            []],
  ];
  await publish();
  const readers = await Promise.all(
    rows.map(async ([query, ids]) => ({
      ids,
      stream: await listen(`${peal.url}/home/${topic.key}/events?since=0&${query}`),
    })),
  );
  const whole = await listen(`${peal.url}/home/${topic.key}/events?since=0`);
  await publish();
  await eventually("all of them", () => whole.ids().length === 8);
  for (const { ids, stream } of readers) {
    const expected = [...ids, ...ids.map((id) => id + 4)];
    await eventually(`${expected.length} messages`, () => stream.ids().length >= expected.length);
    expect(stream.ids()).toEqual(expected);
    await stream.close();
  }
  await whole.close();
  for (const [query, code] of [
    ["level=loud", "invalid_level"],
    ["priority=5", "invalid_priority"],
    [`tag=${"x".repeat(33)}`, "invalid_tag"],
  ])
    expect(await answer(400, await peal.request(`/home/${topic.key}/events?${query}`))).toMatchObject({ code });
});

test.each(["rotate", "delete"])("%s of a topic ends its streams with gone, after what was published", async (how) => {
  const [topic, other] = [await peal.topic(`ends-${how}`), await peal.topic(`goes-on-${how}`)];
  const stream = await listen(`${peal.url}/home/${topic.key}/events`);
  const bystander = await listen(`${peal.url}/home/${other.key}/events`);
  await Promise.all([stream.ready(), bystander.ready()]);
  await peal.publish(topic, "the last one");
  if (how === "rotate") await peal.api("POST", `/v1/home/${topic.key}/rotate`);
  else await peal.api("DELETE", `/v1/home/${topic.key}`);
  await stream.ended;
  expect(stream.events.map(({ event }) => event)).toEqual(["ready", "message", "gone"]);
  const again = await peal.request(`/home/${topic.key}/events`);
  expect([again.status, ((await again.json()) as { code: string }).code]).toEqual([404, "unknown_topic"]);
  await peal.publish(other, "goes on");
  await eventually("the other topic's message", () => bystander.ids().length === 1);
  await bystander.close();
});

test("the streams of a new topic key continue when the old one's end", async () => {
  const topic = await peal.topic("rekeyed");
  const old = await listen(`${peal.url}/home/${topic.key}/events`);
  await old.ready();
  const { key } = (await (await peal.api("POST", `/v1/home/${topic.key}/rotate`)).json()) as { key: string };
  const stream = await listen(`${peal.url}/home/${key}/events`);
  await Promise.all([old.ended, stream.ready()]);
  await peal.publish(topic, "to the new key");
  await eventually("the message", () => stream.ids().length === 1);
  await stream.close();
});

test("an unknown topic, a foreign namespace and a wrong form answer 404 unknown_topic", async () => {
  const topic = await peal.topic("known");
  const unknown = topic.key.slice(0, -1) + (topic.key.endsWith("0") ? "1" : "0");
  for (const path of [`/home/${unknown}/events`, `/other/${topic.key}/events`, "/home/known/events"]) {
    const response = await peal.request(path);
    expect([path, response.status]).toEqual([path, 404]);
  }
});

test("HEAD answers like GET and opens no stream", async () => {
  const topic = await peal.topic("asked");
  const paths: [string, RequestInit][] = [
    [`/home/${topic.key}/events`, {}],
    ["/v1/home/events", bearer(peal.adminKey)],
  ];
  for (const [path, init] of paths) {
    const response = await peal.request(path, { ...init, method: "HEAD" });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    expect(await response.text()).toBe("");
  }
  await eventually("none", async () => (await metric(peal, "peal_sse_connections")) === 0); // the previous ones end
});

test("over the limit per address and in total: 429 too_many_streams, until one ends", async () => {
  await using peal = await inProcess({ env: { PEAL_LIMITS_STREAMS: "2:3" } });
  const topic = await peal.topic("t");
  const url = `${peal.url}/home/${topic.key}/events`;
  const from = (address: string) => ({ headers: { "x-forwarded-for": address } });
  const refused = async (address: string) => {
    const response = await peal.request(url, from(address));
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).not.toBeNull();
    expect(await response.json()).toMatchObject({ code: "too_many_streams" });
  };
  const first = await listen(url, from("192.0.2.1"));
  const others = [await listen(url, from("192.0.2.1"))];
  await refused("192.0.2.1");
  others.push(await listen(url, from("2001:db8::1")));
  await refused("198.51.100.7"); // the third stream used up the total
  await first.close();
  await eventually("room", async () => (await metric(peal, "peal_sse_connections")) === 2);
  others.push(await listen(url, from("2001:db8::2"))); // in the same /64, whose second it is
  await refused("2001:db8:0:0:1::3");
  await Promise.all(others.map(async (stream) => stream.close()));
});

test("a deleted message resets no reader, even where the clock was set back before it", async () => {
  const topic = await peal.topic("set-back");
  const feeds = [`${peal.url}/home/${topic.key}/events`, `${peal.url}/v1/home/events`];
  const headers = { authorization: `Bearer ${peal.adminKey}` };
  await peal.publish(topic, "one");
  clock.jump(-7_200_000);
  const live = await Promise.all(feeds.map(async (url) => listen(url, { headers })));
  for (const stream of live) await stream.ready();
  await peal.publish(topic, "two");
  for (const stream of live) await eventually("the message", () => stream.ids().length === 1);
  expect((await peal.api("DELETE", `/v1/home/${topic.key}/messages/2`)).status).toBe(204);
  for (const stream of live) await stream.close();
  const back = await Promise.all(
    feeds.map(async (url, i) =>
      listen(url, { headers: { ...headers, "last-event-id": live[i]?.events.at(-1)?.lastEventId ?? "" } }),
    ),
  );
  const told = await Promise.all(back.map(async (stream) => stream.ready()));
  for (const stream of back) await stream.close();
  for (const ready of told) expect(ready).not.toHaveProperty("reset");
});

test("a stopping server tells each stream when to reconnect", async () => {
  await using peal = await inProcess();
  const topic = await peal.topic("t");
  const url = `${peal.url}/home/${topic.key}/events`;
  const streams = await Promise.all(Array.from({ length: 20 }, async () => listen(url)));
  await Promise.all(streams.map(async (stream) => stream.ready()));
  await peal.restart();
  await Promise.all(streams.map(async ({ ended }) => ended));
  const retries = streams.map(({ retry }) => retry ?? 0);
  expect(new Set(retries).size).toBeGreaterThan(4); // not all at the same time
  expect(Math.max(...retries)).toBeLessThanOrEqual(5_000);
  const back = await listen(url);
  expect(await back.ready()).toMatchObject({ last_id: 0 });
  await back.close();
});

test("every reader gets the messages in the same order", async () => {
  const topic = await peal.topic("together");
  const url = `${peal.url}/home/${topic.key}/events`;
  const readers = [await listen(url), await listen(`${url}?since=0`), await listen(`${url}?level=info`)];
  await Promise.all(readers.map(async (reader) => reader.ready()));
  await Promise.all(Array.from({ length: 500 }, async (_, n) => peal.publish(topic, `message ${n}`)));
  await eventually("all", () => readers.every((reader) => reader.ids().length === 500));
  const texts = readers.map(({ events }) =>
    events.slice(1).map(({ data }) => `${String(data["id"])} ${String(data["message"])}`),
  );
  expect(texts[1]).toEqual(texts[0] ?? []);
  expect(texts[2]).toEqual(texts[0] ?? []);
  await Promise.all(readers.map(async (reader) => reader.close()));
});
