/** What readers ask for at the addresses of ntfy: from where on, which messages, those that wait too (NTFY.md §6). */
import { afterAll, expect, onTestFinished, test } from "bun:test";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answer } from "../support/client.ts";
import { heldClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { inProcess, type InProcess } from "../support/server.ts";
import { poll, readLines } from "./reader.ts";
import { bearer } from "./sending.ts";

const clock = heldClock();
const peal = await inProcess({ clock });
afterAll(async () => peal[Symbol.asyncDispose]());
const seconds = () => Math.floor(clock.now() / 1000);
const gone = async (path: string) => {
  expect((await peal.api("DELETE", path)).status).toBe(204);
};
const texts = async (url: string, init = {}) => (await poll(url, init)).map(({ message }) => message);
const later = async ({ name }: { name: string }, message: object) =>
  answer(201, await peal.api("POST", `/home/${name}`, { delay: 3600, ...message }));

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
  await later(topic, { message: "later" });
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

test("several topics are read from a time on, from the first message of any of them that is as new", async () => {
  const [a, b] = [await peal.topic("timed-a"), await peal.topic("timed-b")];
  const times: number[] = [];
  for (const [n, topic] of [a, b, a, b].entries()) {
    clock.advance(60_000);
    await peal.publish(topic, `${n}`);
    times.push(seconds());
  }
  const url = `${peal.url}/${a.key},${b.key}/json?poll=1`;
  expect(await texts(`${url}&since=${times[1]}`)).toEqual(["1", "2", "3"]);
  expect(await texts(`${url}&since=${(times[1] ?? 0) + 1}`)).toEqual(["2", "3"]);
  expect(await texts(`${url}&since=1m`)).toEqual(["2", "3"]);
  expect(await texts(`${url}&since=${(times[3] ?? 0) + 1}`)).toEqual([]);
  expect(await texts(`${url}&since=none`)).toEqual([]);
});

test("each parameter goes by all the names that ntfy's documentation lists, in a header and in the query", async () => {
  const topic = await peal.topic("parameters");
  await peal.publish(topic, { message: "one", title: "A", priority: "high", tags: ["x"] });
  await peal.publish(topic, "two");
  await later(topic, { message: "later" });
  const url = `${peal.url}/${topic.key}/json`;
  const first = (await poll(`${url}?poll=1`))[0]?.id ?? "";
  // prettier-ignore
  const rows: [names: string, value: string, expected: string[]][] = [
    ["x-poll poll po",              "yes",   ["one", "two"]],
    ["x-since since si",            first,   ["two"]],
    ["x-scheduled scheduled sched", "true",  ["one", "two", "later"]],
    ["x-id id",                     first,   ["one"]],
    ["x-message message m",         "one",   ["one"]],
    ["x-title title t",             "A",     ["one"]],
    ["x-priority priority prio p",  "max,4", ["one"]],
    ["x-tags tags tag ta",          "x",     ["one"]],
  ];
  for (const [names, value, expected] of rows)
    for (const name of names.split(" ")) {
      const isPoll = value === "yes";
      expect([name, await texts(`${url}?${isPoll ? "" : "poll=1&"}${name}=${value}`)]).toEqual([name, expected]);
      const headers = { ...(!isPoll && { "x-poll": "1" }), [name]: value };
      expect([name, await texts(url, { headers })]).toEqual([name, expected]);
    }
});

test("what becomes of a message on the phone passes every filter", async () => {
  const topic = await peal.topic("passing");
  const url = `${peal.url}/${topic.key}`;
  const queries = ["p=5", "tags=x", "m=none", "t=none", "id=000000000000"];
  const streams = await Promise.all(queries.map(async (query) => readLines(`${url}/json?${query}`)));
  await Promise.all(streams.map(async (stream) => stream.opened()));
  const headers = bearer(peal.adminKey);
  await fetch(`${url}/disk`, { method: "POST", body: "full", headers });
  await fetch(`${url}/disk`, { method: "DELETE", headers });
  await fetch(`${url}/disk/clear`, { method: "PUT", headers });
  for (const stream of streams) {
    await eventually("both events", () => stream.texts.length >= 3);
    expect(stream.objects().map(({ event }) => event)).toEqual(["open", "message_delete", "message_clear"]);
    await stream.close();
  }
});

test("neither an id nor what waits is told to readers of other topics", async () => {
  const [mine, other] = [await peal.topic("mine"), await peal.topic("other")];
  await peal.publish(mine, "mine");
  await peal.publish(other, "other");
  await later(mine, { message: "mine, later" });
  await later(other, { message: "other, later" });
  const id = (await poll(`${peal.url}/${other.key}/json?poll=1`))[0]?.id ?? "";
  const url = `${peal.url}/${mine.key}/json?poll=1`;
  expect(await texts(`${url}&id=${id}`)).toEqual([]);
  expect(await texts(`${url}&sched=1`)).toEqual(["mine", "mine, later"]);
});

test("filters hold for what waits as well, and none of hundreds is left out", async () => {
  const topic = await peal.topic("hundreds");
  const numbers = Array.from({ length: 230 }, (_, n) => n);
  await Promise.all(numbers.map(async (n) => later(topic, { message: `${n}`, tags: [n < 3 ? "few" : "many"] })));
  const url = `${peal.url}/${topic.key}/json?poll=1&sched=1`;
  const all = (await texts(url)).map(Number);
  expect(all.toSorted((one, two) => one - two)).toEqual(numbers);
  expect((await texts(`${url}&tags=few`)).toSorted()).toEqual(["0", "1", "2"]);
  expect(await texts(`${url}&since=none`)).toEqual([]);
});
