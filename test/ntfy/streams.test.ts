/** Streams and polls at the addresses of ntfy, as its clients see them (NTFY.md §6). */
import { afterAll, expect, onTestFinished, test } from "bun:test";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answer } from "../support/client.ts";
import { heldClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { metric } from "../support/metric.ts";
import { inProcess, type InProcess } from "../support/server.ts";
import { poll, readLines, readSocket } from "./reader.ts";

const clock = heldClock();
const peal = await inProcess({ clock });
afterAll(async () => peal[Symbol.asyncDispose]());
const bearer = (key = peal.adminKey) => ({ headers: { authorization: `Bearer ${key}` } });
const seconds = () => Math.floor(clock.now() / 1000);
const gone = async (path: string) => {
  expect((await peal.api("DELETE", path)).status).toBe(204);
};
const texts = async (url: string, init = {}) => (await poll(url, init)).map(({ message }) => message);

test("a stream says `open`, then each message on a line, with an id that another poll knows", async () => {
  const topic = await peal.topic("lines");
  const url = `${peal.url}/${topic.key}/json`;
  const stream = await readLines(url);
  await stream.opened();
  await peal.publish(topic, { message: "one", title: "Backup", priority: "high", tags: ["disk"] });
  await peal.publish(topic, { message: "two\nlines" });
  await eventually("both", () => stream.messages().length === 2);
  const [open, one, two] = stream.objects();
  expect(open).toEqual({
    id: expect.stringMatching(/^\w{12}$/) as string,
    time: seconds(),
    event: "open",
    topic: topic.key,
  });
  expect(one).toMatchObject({
    event: "message",
    topic: topic.key,
    time: seconds(),
    message: "one",
    title: "Backup",
    priority: 4,
    tags: ["disk"],
  });
  expect(two?.message).toBe("two\nlines");
  expect(await poll(`${url}?poll=1&since=${one?.id}`)).toEqual([two] as never);
  const names = ["content-type", "cache-control", "x-accel-buffering", "access-control-allow-origin"];
  expect(names.map((name) => stream.response.headers.get(name))).toEqual([
    ...["application/x-ndjson; charset=utf-8", "no-store", "no", "*"],
  ]);
  await stream.close();
});

test("`keepalive` comes every 45 s, on a WebSocket a ping instead", async () => {
  const held = heldClock();
  await using own = await inProcess({ clock: held });
  const topic = await own.topic("t");
  const url = `${own.url}/${topic.key}`;
  const [json, sse] = [await readLines(`${url}/json`), await readLines(`${url}/sse`)];
  const [raw, ws] = [await readLines(`${url}/raw`), await readSocket(`${url}/ws`)];
  const streams = [json, sse, raw, ws];
  await Promise.all(streams.map(async (stream) => stream.opened()));
  for (let beats = 1; beats <= 2; beats++) {
    held.advance(44_999);
    expect(json.texts).toHaveLength(beats);
    held.advance(1);
    await eventually("a keepalive", () => json.texts.length === beats + 1);
  }
  const kept = json.objects().at(-1);
  expect(kept).toMatchObject({ event: "keepalive", topic: topic.key, time: Math.floor(held.now() / 1000) });
  await eventually("those of the others", () => raw.texts.length === 3 && sse.texts.includes("event: keepalive"));
  expect(raw.texts).toEqual(["", "", ""]);
  expect(ws.texts).toHaveLength(1);
  await Promise.all(streams.map(async (stream) => stream.close()));
});

test("as server-sent events a message fires `onmessage`, and a browser that connects again resumes by its id", async () => {
  const topic = await peal.topic("sse");
  const url = `${peal.url}/${topic.key}/sse`;
  const stream = await readLines(url);
  await stream.opened();
  for (const message of ["one", "two"]) await peal.publish(topic, message);
  await eventually("both", () => stream.texts.filter((text) => text.startsWith("id: ")).length === 2);
  expect(stream.response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  const [event, open, blank, id, data] = stream.texts;
  expect([event, blank]).toEqual(["event: open", ""]);
  expect(JSON.parse(open?.replace("data: ", "") ?? "")).toMatchObject({ event: "open" });
  expect(JSON.parse(data?.replace("data: ", "") ?? "")).toMatchObject({
    event: "message",
    message: "one",
    id: id?.replace("id: ", ""),
  });
  await stream.close();
  const again = await readLines(url, { headers: { "last-event-id": id?.replace("id: ", "") ?? "" } });
  await eventually("the second", () => again.texts.some((text) => text.includes('"two"')));
  expect(again.texts.some((text) => text.includes('"one"'))).toBe(false);
  await again.close();
});

test("raw lines are the texts alone, each on one line", async () => {
  const topic = await peal.topic("raw");
  await peal.publish(topic, { title: "T", message: "one\nline" });
  await peal.publish(topic, "two");
  const response = await peal.request(`/${topic.key}/raw?poll=1`);
  expect([response.headers.get("content-type"), await response.text()]).toEqual([
    ...["text/plain; charset=utf-8", "one line\ntwo\n"],
  ]);
});

test("a HEAD is answered with the headers of a stream, and opens none", async () => {
  const topic = await peal.topic("head");
  const before = await metric(peal, "peal_sse_connections");
  const response = await peal.request(`/${topic.key}/json`, { method: "HEAD" });
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/x-ndjson; charset=utf-8"]);
  expect(await metric(peal, "peal_sse_connections")).toBe(before);
});

test("`since` takes all, none, latest, an id, a unix time and a duration", async () => {
  const topic = await peal.topic("since");
  const times: number[] = [];
  for (let n = 1; n <= 5; n++) {
    clock.advance(60_000);
    await peal.publish(topic, `${n}`);
    times.push(seconds());
  }
  const url = `${peal.url}/${topic.key}/json?poll=1`;
  const stored = await poll(url);
  const [first, , third, , fifth] = stored.map(({ id }) => id);
  // prettier-ignore
  const rows: [string, string[]][] = [
    ["all",                 ["1", "2", "3", "4", "5"]],
    ["",                    ["1", "2", "3", "4", "5"]], // a poll
    ["none",                []],
    ["latest",              ["5"]],
    [String(first),         ["2", "3", "4", "5"]],
    [String(third),         ["4", "5"]],
    [String(fifth),         []],
    ["000000000000",        ["1", "2", "3", "4", "5"]], // of another server
    [String(times[2]),      ["3", "4", "5"]],
    [String((times[2] ?? 0) + 1), ["4", "5"]],
    ["0",                   ["1", "2", "3", "4", "5"]],
    ["9999999999",          []],
    ["2m",                  ["3", "4", "5"]],
    ["1m59s",               ["4", "5"]],
    ["12h",                 ["1", "2", "3", "4", "5"]],
  ];
  for (const [since, expected] of rows) {
    expect([since, await texts(`${url}&since=${since}`)]).toEqual([since, expected]);
    const header = { headers: { "x-poll": "yes", "x-since": since } };
    expect([since, await texts(`${peal.url}/${topic.key}/json`, header)]).toEqual([since, expected]);
    const stream = await readLines(`${peal.url}/${topic.key}/json?since=${since === "" ? "all" : since}`);
    await eventually(
      `all since ${since}`,
      () => stream.messages().length === expected.length && stream.texts.length > 0,
    );
    expect(stream.messages()).toEqual(expected);
    await stream.close();
  }
  for (const since of ["x", "1.5", "-5m", "10 parsecs"]) {
    const refused = await peal.request(`/${topic.key}/json?since=${encodeURIComponent(since)}`);
    expect(await answer(400, refused)).toMatchObject({ code: 40008, http: 400 });
  }
});

test("a stream without `since` begins with what comes next", async () => {
  const topic = await peal.topic("next");
  await peal.publish(topic, "before");
  const stream = await readLines(`${peal.url}/${topic.key}/json`);
  await stream.opened();
  await peal.publish(topic, "after");
  await eventually("it", () => stream.messages().length > 0);
  expect(stream.messages()).toEqual(["after"]);
  await stream.close();
});

test("a message that was deleted is still a place to resume at, and an id that is none of ours means all", async () => {
  const topic = await peal.topic("deleted");
  for (let n = 1; n <= 4; n++) await peal.publish(topic, `${n}`);
  const url = `${peal.url}/${topic.key}/json?poll=1`;
  const second = (await poll(url))[1]?.id ?? "";
  await gone(`/v1/home/${topic.key}/messages/2`);
  expect(await texts(`${url}&since=${second}`)).toEqual(["3", "4"]);
  expect(await texts(`${url}&since=${second.split("").toReversed().join("")}`)).toEqual(["1", "3", "4"]);
});

test("ids of what a restore took back mean all, although their numbers are given again", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "peal-restored-"));
  const copy = `${dataDir}-copy`;
  onTestFinished(() => {
    for (const folder of [dataDir, copy]) rmSync(folder, { recursive: true });
  });
  const env = { PEAL_ADMIN_KEY: peal.adminKey };
  let topic = { namespace: "", key: "", name: "" };
  const during = async (life: (own: InProcess, url: string) => Promise<void>) => {
    await using own = await inProcess({ dataDir, env });
    if (topic.key === "") topic = await own.topic("t");
    await life(own, `${own.url}/${topic.key}/json?poll=1`);
  };
  await during(async (own) => {
    await own.publish(topic, "kept");
  });
  cpSync(dataDir, copy, { recursive: true });
  let lost = "";
  await during(async (own, url) => {
    await own.publish(topic, "lost");
    lost = (await poll(url))[1]?.id ?? "";
    expect(await texts(`${url}&since=${lost}`)).toEqual([]);
  });
  rmSync(dataDir, { recursive: true });
  cpSync(copy, dataDir, { recursive: true });
  await during(async (own, url) => {
    expect(await texts(`${url}&since=${lost}`)).toEqual(["kept"]);
    await own.publish(topic, "with its number");
    const [, again] = await poll(url);
    expect(again?.id).not.toBe(lost);
    expect(await texts(`${url}&since=${lost}`)).toEqual(["kept", "with its number"]);
  });
});

test("filters take a whole text, a title, one of some priorities and all of some tags", async () => {
  const topic = await peal.topic("filters");
  await peal.publish(topic, { message: "a", title: "Disk", priority: "high", tags: ["disk", "nas"] });
  await peal.publish(topic, { message: "b", level: "error", priority: "urgent" });
  await peal.publish(topic, { message: "c" });
  await peal.publish(topic, { message: "d", priority: "low", tags: ["disk"] });
  const url = `${peal.url}/${topic.key}/json?poll=1`;
  const ids = (await poll(url)).map(({ id }) => id);
  // prettier-ignore
  const rows: [string, Record<string, string>, string[]][] = [
    ["message=a",             {},                             ["a"]],
    ["m=A",                   {},                             []],
    ["title=Disk",            {},                             ["a"]],
    ["priority=4",            {},                             ["a"]],
    ["prio=high,urgent",      {},                             ["a", "b"]],
    ["p=3",                   {},                             ["c"]],
    ["p=default,min",         {},                             ["c", "d"]],
    ["tags=disk",             {},                             ["a", "d"]],
    ["ta=disk,nas",           {},                             ["a"]],
    ["tags=rotating_light",   {},                             ["b"]],
    ["",                      { "X-Priority": "5" },          ["b"]],
    ["",                      { Priority: "u=1, i" },         ["a", "b", "c", "d"]], // a browser's own
    ["",                      { Tags: "disk", Title: "Disk" }, ["a"]],
    [`id=${ids[2]}`,          {},                             ["c"]],
    ["id=000000000000",       {},                             []],
    [`id=${ids[2]}&p=4`,      {},                             []],
  ];
  for (const [query, headers, expected] of rows)
    expect([query, await texts(`${url}&${query}`, { headers })]).toEqual([query, expected]);
  const stream = await readLines(`${peal.url}/${topic.key}/json?p=5`);
  await stream.opened();
  await peal.publish(topic, "not urgent");
  await peal.publish(topic, { message: "urgent", priority: "urgent" });
  await eventually("the urgent one", () => stream.messages().length > 0);
  expect(stream.messages()).toEqual(["urgent"]);
  await stream.close();
  expect(await answer(400, await peal.request(`/${topic.key}/json?poll=1&priority=x`))).toMatchObject({ http: 400 });
});

test("messages that wait for their time come with `scheduled=1` alone, with that time", async () => {
  const topic = await peal.topic("waiting");
  await peal.publish(topic, "now");
  await answer(201, await peal.api("POST", `/home/${topic.name}`, { message: "later", delay: 3600 }));
  const url = `${peal.url}/${topic.key}/json?poll=1`;
  expect(await texts(url)).toEqual(["now"]);
  const all = await poll(`${url}&scheduled=1`);
  expect(all.map(({ message, time }) => [message, time])).toEqual([
    ["now", seconds()],
    ["later", seconds() + 3600],
  ]);
  expect(all[1]?.id).toMatch(/^[0-9A-Za-z]{12}$/);
  const stream = await readLines(`${peal.url}/${topic.key}/json?since=all&sched=1`);
  await eventually("both", () => stream.messages().length === 2);
  await stream.close();
});

test("several topics in one address come in the order in which they were published, stored or live", async () => {
  const [a, b, c] = [await peal.topic("several-a"), await peal.topic("several-b"), await peal.topic("several-c")];
  for (const [n, topic] of [a, b, b, a, c, a].entries()) await peal.publish(topic, `${n}`);
  const url = `${peal.url}/${a.key},${b.key}/json`;
  const stored = await poll(`${url}?poll=1`);
  expect(stored.map(({ message, topic }) => [message, topic])).toEqual([
    ...[
      ["0", a.key],
      ["1", b.key],
      ["2", b.key],
      ["3", a.key],
      ["5", a.key],
    ],
  ] as never);
  const stream = await readLines(`${url}?since=${stored[1]?.id}`);
  await eventually("the rest", () => stream.messages().length === 3);
  for (const [n, topic] of [b, c, a, b].entries()) await peal.publish(topic, `live ${n}`);
  await eventually("live ones", () => stream.messages().length === 6);
  expect(stream.messages()).toEqual(["2", "3", "5", "live 0", "live 2", "live 3"]);
  expect(stream.objects()[0]).toMatchObject({ event: "open", topic: `${a.key},${b.key}` });
  // of a topic that is not among those asked for, its id still says when
  expect(await texts(`${url}?poll=1&since=${(await poll(`${peal.url}/${c.key}/json?poll=1`))[0]?.id}`)).toEqual([
    ...["5", "live 0", "live 2", "live 3"],
  ]);
  expect(await texts(`${url}?poll=1&since=latest`)).toEqual(["live 2", "live 3"]);
  await stream.close();
});

test("below /ntfy a topic goes by the name that it was asked for, with a key", async () => {
  const [a, b] = [await peal.topic("named-a"), await peal.topic("named-b")];
  await peal.publish(a, "one");
  await peal.publish(b, "two");
  const base = `${peal.url}/ntfy/home`;
  const topicsOf = async (asked: string) =>
    (await poll(`${base}/${asked}/json?poll=1`, bearer())).map(({ topic }) => topic);
  expect(await topicsOf("named-a")).toEqual(["named-a"]);
  expect(await topicsOf("named-a,named-b")).toEqual(["named-a", "named-b"]);
  expect(await topicsOf(`${a.key},named-b`)).toEqual([a.key, "named-b"]);
  expect(await topicsOf(`${a.key},named-a`)).toHaveLength(1);
  expect((await fetch(`${base}/named-a/json?poll=1`)).status).toBe(401);
});

test("a stream by name ends with its key, one by topic keys when one of them no longer works", async () => {
  const [a, b] = [await peal.topic("ends-a"), await peal.topic("ends-b")];
  const { id, key } = await peal.mint("full");
  const byName = await readLines(`${peal.url}/ntfy/home/ends-a/json`, bearer(key));
  const byKeys = await readSocket(`${peal.url}/${a.key},${b.key}/ws`);
  await Promise.all([byName.opened(), byKeys.opened()]);
  await gone(`/v1/keys/${id}`);
  await byName.ended;
  await gone(`/v1/home/${b.key}`);
  await byKeys.ended;
  expect((await peal.request(`/${b.key}/json`)).status).toBe(403);
});

test("streams of ntfy's clients count as peal's own, and are refused in ntfy's form over the cap", async () => {
  await using own = await inProcess({ env: { PEAL_LIMITS_STREAMS: "2:3" } });
  const topic = await own.topic("t");
  const url = `${own.url}/${topic.key}`;
  const streams = [await readLines(`${url}/json`), await readSocket(`${url}/ws`)];
  expect(await metric(own, "peal_sse_connections")).toBe(2);
  const refused = await own.request(`/${topic.key}/json`);
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "5"]);
  expect(await refused.json()).toMatchObject({ code: 42903, http: 429 });
  expect(await readSocket(`${url}/ws`).catch(String)).toContain("closed");
  await Promise.all(streams.map(async (stream) => stream.close()));
  await eventually("their end", async () => (await metric(own, "peal_sse_connections")) === 0);
});

test("a long message is cut to what ntfy's command reads, with the address of the whole", async () => {
  const topic = await peal.topic("long");
  await peal.publish(topic, { message: '"'.repeat(32_000) });
  const response = await peal.request(`/${topic.key}/json?poll=1`);
  const text = await response.text();
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(60_001);
  expect((JSON.parse(text) as { message: string }).message).toContain(`…\n${peal.url}/home/${topic.key}`);
});

test("1,000 messages come in one poll, in order", async () => {
  const topic = await peal.topic("thousand");
  for (let n = 0; n < 1_000; n += 50)
    await Promise.all(Array.from({ length: 50 }, async (_, i) => peal.publish(topic, `${n + i} ${"x".repeat(2_000)}`)));
  const history = await peal.history(topic);
  expect(await texts(`${peal.url}/${topic.key}/json?poll=1`)).toEqual(history.map(({ message }) => message));
});
