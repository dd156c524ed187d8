/** Streams and polls at the addresses of ntfy, as its clients see them (NTFY.md §6). What they ask for is in asked.test.ts. */
import { afterAll, expect, test } from "bun:test";
import { answer } from "../support/client.ts";
import { heldClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { metric } from "../support/metric.ts";
import { inProcess } from "../support/server.ts";
import { poll, readLines, readSocket } from "./reader.ts";
import { bearer } from "./sending.ts";

const clock = heldClock();
const peal = await inProcess({ clock });
afterAll(async () => peal[Symbol.asyncDispose]());
const headers = bearer(peal.adminKey);
const seconds = () => Math.floor(clock.now() / 1000);
const gone = async (path: string) => {
  expect((await peal.api("DELETE", path)).status).toBe(204);
};
const texts = async (url: string) => (await poll(url)).map(({ message }) => message);

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

test("`keepalive` comes every 45 s, but not on a WebSocket, which is pinged (sockets.test.ts)", async () => {
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

test("as server-sent events a message fires `onmessage`, and a browser that connects again resumes by its id, whatever its address says", async () => {
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
  const again = await readLines(`${url}?since=all`, { headers: { "last-event-id": id?.replace("id: ", "") ?? "" } });
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
  await eventually("no stream of before", async () => (await metric(peal, "peal_sse_connections")) === 0);
  const response = await peal.request(`/${topic.key}/json`, { method: "HEAD" });
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/x-ndjson; charset=utf-8"]);
  expect(await metric(peal, "peal_sse_connections")).toBe(0);
});

test("below /ntfy a topic goes by the name that it was asked for, with a key", async () => {
  const [a, b] = [await peal.topic("named-a"), await peal.topic("named-b")];
  await peal.publish(a, "one");
  await peal.publish(b, "two");
  const base = `${peal.url}/ntfy/home`;
  const topicsOf = async (asked: string) =>
    (await poll(`${base}/${asked}/json?poll=1`, { headers })).map(({ topic }) => topic);
  expect(await topicsOf("named-a")).toEqual(["named-a"]);
  expect(await topicsOf("named-a,named-b")).toEqual(["named-a", "named-b"]);
  expect(await topicsOf(`${a.key},named-b`)).toEqual([a.key, "named-b"]);
  expect(await topicsOf(`${a.key},named-a`)).toHaveLength(1);
  expect((await fetch(`${base}/named-a/json?poll=1`)).status).toBe(401);
});

test("a stream by name ends with its key, one by topic keys when one of them no longer works", async () => {
  const [a, b] = [await peal.topic("ends-a"), await peal.topic("ends-b")];
  const { id, key } = await peal.mint("full");
  const byName = await readLines(`${peal.url}/ntfy/home/ends-a/json`, { headers: bearer(key) });
  const byKeys = await readSocket(`${peal.url}/${a.key},${b.key}/ws`);
  await Promise.all([byName.opened(), byKeys.opened()]);
  await gone(`/v1/keys/${id}`);
  await byName.ended;
  await gone(`/v1/home/${b.key}`);
  expect(await byKeys.ended).toBe(1006); // without a close frame, at which the apps' library would stop reading
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

test("a stream by name ends when its key expires", async () => {
  await peal.topic("expires");
  const expires_at = new Date(clock.now() + 1_000).toISOString();
  const { key } = await answer<{ key: string }>(201, await peal.api("POST", "/v1/keys", { scope: "read", expires_at }));
  const stream = await readLines(`${peal.url}/ntfy/home/expires/json`, { headers: bearer(key) });
  await stream.opened();
  clock.advance(60_000);
  await stream.ended;
});

test("each shape tells what becomes of a message on the phone, without a text", async () => {
  const topic = await peal.topic("taken-back");
  const url = `${peal.url}/${topic.key}`;
  await fetch(`${url}/disk`, { method: "POST", body: "full", headers });
  await fetch(`${url}/disk`, { method: "DELETE", headers });
  const [full, deleted] = (await (await fetch(`${url}/json?poll=1`)).text()).split("\n");
  expect(JSON.parse(full ?? "")).toMatchObject({ event: "message", message: "full", sequence_id: "disk" });
  expect(JSON.parse(deleted ?? "")).toEqual({
    ...{ id: expect.any(String) as string, time: seconds(), expires: expect.any(Number) as number },
    ...{ event: "message_delete", topic: topic.key, sequence_id: "disk" },
  });
  expect(await (await fetch(`${url}/raw?poll=1`)).text()).toBe("full\n\n");
  // as a message, so that `onmessage` hears it
  expect((await (await fetch(`${url}/sse?poll=1`)).text()).trim().split("\n\n").at(-1)).toMatch(/^id: \w{12}\ndata: /);
  const socket = await readSocket(`${url}/ws?poll=1`);
  await socket.ended;
  expect(socket.texts).toEqual([full ?? "", deleted ?? ""]);
});

test("each reader gets URLs at the address that it came by", async () => {
  const topic = await peal.topic("addresses");
  const addresses = [peal.url, peal.url.replace("127.0.0.1", "localhost")];
  const streams = await Promise.all(addresses.map(async (address) => readLines(`${address}/${topic.key}/json`)));
  await Promise.all(streams.map(async (stream) => stream.opened()));
  await fetch(`${peal.url}/${topic.key}`, { method: "PUT", body: "bytes", headers: { ...headers, filename: "a.txt" } });
  await peal.publish(topic, { message: '"'.repeat(32_000) }); // cut, with a link
  for (const [n, stream] of streams.entries()) {
    await eventually("both", () => stream.messages().length === 2);
    const [, file, long] = stream.objects();
    expect(file).toMatchObject({
      attachment: { url: expect.stringContaining(`${addresses[n]}/home/${topic.key}/`) as string },
    });
    expect(long?.message).toContain(`…\n${addresses[n]}/home/${topic.key}?`);
    await stream.close();
  }
});
