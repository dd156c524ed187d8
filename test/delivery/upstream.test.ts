/** The iPhone app of ntfy is woken by another server, which learns nothing of the message (NTFY.md §3). */
import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { deliveriesOf, send } from "../support/devices.ts";
import { eventually } from "../support/eventually.ts";
import { keptLog } from "../support/log.ts";
import { startNtfy } from "../support/ntfy.ts";
import { fakeService } from "../support/push/service.ts";
import { inProcess, type InProcess } from "../support/server.ts";
import { testWith } from "../support/tools.ts";
import { heldClock } from "../support/clock.ts";
import type { TestTopic } from "../support/client.ts";
import { delivering, heardOf, HOUR, MINUTE, SECOND } from "./delivering.ts";

const BASE = "https://peal.example.com";
const hash = ({ key }: TestTopic) => createHash("sha256").update(`${BASE}/${key}`).digest("hex");
const poll = async (peal: Pick<InProcess, "request">, { key }: TestTopic, query = "poll=1") =>
  (await (await peal.request(`/${key}/json?${query}`)).text())
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as { id: string; event: string; message?: string });

test("a topic that was polled is told to the upstream: its hash and the id of the message, and nothing else", async () => {
  await using service = await fakeService(() => ({ status: 200, body: '{"id":"abcdefghijkl"}' }));
  const env = { ...service.env, PEAL_NTFY_UPSTREAM: service.origin, PEAL_BASE_URL: BASE };
  await using at = await delivering({ env });
  const [read, unread] = [await at.peal.topic("nas"), await at.peal.topic("lab")];
  await poll(at.peal, read);
  at.clock.advance(SECOND);
  await eventually("it to be noted", async () => (await subscribers(at.peal, read)) === 1);
  await at.publish(unread, "nobody reads this");
  const id = await at.publish(read, "the disk is full", { title: "NAS" });
  await at.all("accepted", read, id);
  expect(service.received).toHaveLength(1);
  const [{ method, path, headers, body } = { method: "", path: "", headers: {} as Record<string, string>, body: "" }] =
    service.received;
  expect([method, path, body]).toEqual(["POST", `/${hash(read)}`, ""]);
  expect(JSON.stringify(headers)).not.toContain("disk");
  const pollId = headers["x-poll-id"] ?? "";
  expect(await poll(at.peal, read, `poll=1&id=${pollId}`)).toMatchObject([{ id: pollId, message: "the disk is full" }]);
});

const subscribers = async (peal: InProcess, { key }: TestTopic): Promise<number> => {
  const { devices } = (await (await peal.api("GET", `/v1/home/${key}/devices`)).json()) as { devices: unknown[] };
  return devices.length;
};

test("an outage and its limit lose nothing: each message is told once it takes requests again", async () => {
  await using service = await fakeService(() => ({ status: 200 }));
  const env = { ...service.env, PEAL_NTFY_UPSTREAM: service.origin, PEAL_BASE_URL: BASE };
  await using at = await delivering({ env });
  const topic = await at.peal.topic("nas");
  await poll(at.peal, topic);
  at.clock.advance(SECOND);
  await eventually("it to be noted", async () => (await subscribers(at.peal, topic)) === 1);
  await service.wire.stop();
  const ids: number[] = [];
  for (let n = 0; n < 8; n++) ids.push(await at.publish(topic, `event ${n}`));
  await at.pass(5 * MINUTE);
  service.script.once(`/${hash(topic)}`, { status: 429, headers: { "retry-after": "60" } });
  await service.wire.start();
  await at.until("all", async () => {
    const all = await Promise.all(ids.map(async (id) => deliveriesOf(at.peal, topic, id)));
    return all.every(({ counts }) => counts["accepted"] === 1);
  });
  const told = service.received.filter(({ status }) => status === 200).map(({ headers }) => headers["x-poll-id"]);
  expect(new Set(told).size).toBe(ids.length);
});

test("a topic that nobody polled for 30 days is told no more, and nothing of it is left once it is switched off", async () => {
  await using service = await fakeService();
  using folder = aFolder();
  const clock = heldClock();
  const env = { ...service.env, PEAL_NTFY_UPSTREAM: service.origin, PEAL_BASE_URL: BASE };
  const shared = { clock, dataDir: folder.path };
  const peal = await inProcess({ ...shared, env });
  const [one, two] = [await peal.topic("nas"), await peal.topic("lab")];
  for (const topic of [one, two]) await poll(peal, topic);
  clock.advance(SECOND);
  await eventually("both", async () => (await subscribers(peal, one)) + (await subscribers(peal, two)) === 2);
  for (let day = 0; day < 31; day++) {
    clock.advance(24 * HOUR);
    await poll(peal, two);
    clock.advance(SECOND);
    await peal.request("/ready");
  }
  await eventually("one to be left", async () => (await subscribers(peal, one)) === 0);
  expect(await subscribers(peal, two)).toBe(1);
  await peal[Symbol.asyncDispose]();
  await using off = await inProcess({ ...shared, env: { PEAL_BASE_URL: BASE, PEAL_ADMIN_KEY: peal.adminKey } });
  await eventually("none to be left", async () => (await subscribers(off, two)) === 0);
});

test("what was polled in the last second before a stop is remembered, and other settings hold from the start on", async () => {
  await using before = await fakeService();
  await using after = await fakeService();
  using folder = aFolder();
  const env = { PEAL_FORWARD_HOSTS: "127.0.0.1", PEAL_BASE_URL: BASE };
  const first = await inProcess({ dataDir: folder.path, env: { ...env, PEAL_NTFY_UPSTREAM: before.origin } });
  const topic = await first.topic("nas");
  await poll(first, topic);
  await first[Symbol.asyncDispose]();
  const moved = { ...env, PEAL_NTFY_UPSTREAM: after.origin, PEAL_ADMIN_KEY: first.adminKey };
  await using peal = await inProcess({ dataDir: folder.path, env: moved });
  await peal.publish(topic, { message: "the disk is full" });
  await eventually("the new one to be told", () => after.received.some(({ path }) => path === `/${hash(topic)}`));
  expect(before.received).toEqual([]);
});

test("if it refuses, everybody whose topics are read hears of it, and nobody else", async () => {
  await using service = await fakeService(() => ({ status: 403 }));
  const env = { ...service.env, PEAL_NTFY_UPSTREAM: service.origin, PEAL_BASE_URL: BASE };
  await using at = await delivering({ env });
  const topic = await at.peal.topic("nas");
  const { store } = at.peal.running.deps;
  const other = await store.namespaces.create("other");
  if (other === "name_taken") throw new Error(other);
  await poll(at.peal, topic);
  at.clock.advance(SECOND);
  await eventually("it to be noted", async () => (await subscribers(at.peal, topic)) === 1);
  await at.publish(topic, "the disk is full");
  const [told] = await at.until("it to be told", async () => {
    const heard = await heardOf(at);
    return heard.length > 0 ? heard : undefined;
  });
  expect(told).toMatchObject({ status: "firing", message: expect.stringContaining("PEAL_NTFY_UPSTREAM") as string });
  expect(await store.topics.list(other.id, { archived: false, limit: 1 })).toEqual([]);
});

function aFolder(): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), "peal-upstream-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) };
}

describe("without the address of this server", () => {
  test("nothing is sent, and the start says so", async () => {
    await using service = await fakeService();
    const clock = heldClock();
    const { log, lines } = keptLog(clock);
    await using peal = await inProcess({ clock, log, env: { ...service.env, PEAL_NTFY_UPSTREAM: service.origin } });
    const topic = await peal.topic("nas");
    await poll(peal, topic);
    clock.advance(SECOND);
    await peal.publish(topic, { message: "x" });
    expect(lines.some((line) => line.includes("PEAL_NTFY_UPSTREAM needs PEAL_BASE_URL"))).toBe(true);
    expect([service.received.length, await subscribers(peal, topic)]).toEqual([0, 0]);
  });
});

testWith("ntfy")("the real ntfy hears of it as of its own kind", async () => {
  await using far = await startNtfy();
  const env = { PEAL_FORWARD_HOSTS: new URL(far.url).host, PEAL_NTFY_UPSTREAM: far.url, PEAL_BASE_URL: BASE };
  await using peal = await inProcess({ env });
  const topic = await peal.topic("nas");
  await poll(peal, topic);
  await eventually("it to be noted", async () => (await subscribers(peal, topic)) === 1);
  const stream = await fetch(`${far.url}/${hash(topic)}/json`);
  const reader = (stream.body ?? new ReadableStream<Uint8Array>()).pipeThrough(new TextDecoderStream()).getReader();
  await reader.read();
  await peal.publish(topic, { message: "the disk is full" });
  const { value = "" } = await reader.read();
  await reader.cancel();
  expect(JSON.parse(value)).toMatchObject({ event: "poll_request", topic: hash(topic) });
  expect(value).not.toContain("disk");
});

test("nobody opens the built-in device", async () => {
  await using service = await fakeService();
  const env = { ...service.env, PEAL_NTFY_UPSTREAM: service.origin, PEAL_BASE_URL: BASE };
  await using peal = await inProcess({ env });
  const topic = await peal.topic("nas");
  await poll(peal, topic);
  const [device] = await eventually("it", async () => {
    const { devices } = (await (await peal.api("GET", `/v1/home/${topic.key}/devices`)).json()) as {
      devices: { ref: string }[];
    };
    return devices.length === 1 ? devices : undefined;
  });
  expect((await send(peal, "GET", `/v1/devices/${device?.ref}`)).status).toBe(404);
  expect((await peal.api("GET", `/v1/home/forwards/${device?.ref}`)).status).toBe(404);
  expect(await (await peal.api("GET", "/v1/home/forwards")).json()).toEqual({ forwards: [] });
});
