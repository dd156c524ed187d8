/** A file is deleted with the last message that names it, and not before: bytes on disk are counted (docs/publish.md). */
import { afterAll, expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { draftOf } from "../../src/messages/message.ts";
import { metric } from "../support/metric.ts";
import type { Topic } from "../../src/topics/topic.ts";
import { sha256 } from "../../src/util/ids.ts";
import { answer, type TestTopic } from "../support/client.ts";
import { heldClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { bytesOnDisk, form, noise, onDisk, sent, type WithFiles } from "../support/files.ts";
import { inProcess } from "../support/server.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;
const clock = heldClock(Date.now());
const peal = await inProcess({ clock, env: { PEAL_FILES: "1MB:1GB:14d" } });
afterAll(async () => peal[Symbol.asyncDispose]());
const { store } = peal.running.deps;

let seed = 1_000;
let names = 0;
/** Makes a topic with messages, each with this many files of 1,000 bytes that no other message has. */
async function topicWith(...files: number[]): Promise<{ topic: TestTopic; id: Topic["id"] }> {
  const topic = await peal.topic(`t${++names}`);
  const found = await store.topics.byKey("home", topic.key);
  for (const count of files)
    await form(peal, `/home/${topic.name}`, [
      ["message", "m"],
      ...Array.from({ length: count }, (_, n): [string, Uint8Array, string] => [`f${n}`, noise(1_000, ++seed), `${n}.bin`]), // prettier-ignore
    ]);
  if (found === undefined) throw new Error("no topic");
  return { topic, id: found.id };
}
/** Expects this many bytes of files after a sweep and one more, on disk and in the store's sum. */
async function settled(bytes: number, known = bytes): Promise<void> {
  await eventually(`${bytes} bytes`, () => {
    clock.advance(1_000); // sweeps wait for each other on the clock
    return bytesOnDisk(peal.dataDir) === bytes;
  });
  await sweptTo(bytes);
  expect(store.files.total().bytes).toBe(known);
  expect(await metric(peal, "peal_files_bytes")).toBe(known);
}

/** The same without moving the clock, so deleted messages can still be restored. */
async function sweptTo(bytes: number): Promise<void> {
  await peal.running.deps.files.sweep();
  expect(bytesOnDisk(peal.dataDir)).toBe(bytes);
}

test("with the message", async () => {
  const { topic } = await topicWith(2, 1);
  await settled(3_000);
  expect((await peal.api("DELETE", `/v1/home/${topic.key}/messages/1`)).status).toBe(204);
  await settled(1_000);
  await peal.api("DELETE", `/v1/home/${topic.key}/messages/2`);
  await settled(0);
});

test("also when they could not be moved into place at first", async () => {
  const { topic } = await topicWith();
  const bytes = noise(1_000, ++seed);
  const folder = join(peal.dataDir, "files", sha256(bytes).slice(0, 2));
  await rm(folder, { recursive: true, force: true });
  writeFileSync(folder, ""); // a file where the folder should be
  const refused = await sent(peal, `/home/${topic.name}`, bytes, { Filename: "a.bin" });
  expect(refused).toMatchObject({
    message: "a.bin",
    ignored: [{ message: expect.stringContaining("disk") as string }],
  });
  await rm(folder);
  expect((await sent(peal, `/home/${topic.name}`, bytes, { Filename: "a.bin" })).attachments).toHaveLength(1);
  await settled(1_000);
  await peal.api("DELETE", `/v1/home/${topic.key}/messages/2`);
  await settled(0);
});

test("not while another message in any topic names the same file; twice in one message counts twice", async () => {
  const same = noise(5_000, 1);
  const [one, two] = [await topicWith(), await topicWith()];
  await form(peal, `/home/${one.topic.name}`, [["message", "m"], ["f", same, "a.bin"], ["g", same, "b.bin"]]); // prettier-ignore
  const other = await sent(peal, `/home/${two.topic.name}`, same, { Filename: "c.bin" });
  await settled(5_000);
  await peal.api("DELETE", `/v1/home/${one.topic.key}/messages/1`);
  await settled(5_000);
  expect((await peal.request(other.attachments?.[0]?.url ?? "")).status).toBe(200);
  await peal.api("DELETE", `/v1/home/${two.topic.key}/messages/1`);
  await settled(0);
});

test("with the topic", async () => {
  const { topic } = await topicWith(1, 2);
  await settled(3_000);
  expect((await peal.api("DELETE", `/v1/home/${topic.key}`)).status).toBe(204);
  await settled(0);
});

test("with the namespace", async () => {
  const headers = { "content-type": "application/json" };
  const local = async (path: string, body: object) =>
    answer<{ key: string }>(201, await peal.local(path, { method: "POST", headers, body: JSON.stringify(body) }));
  await local("/-/local/namespaces", { name: "guest" });
  const { key } = await local("/v1/keys?namespace=guest", { scope: "full" });
  await sent(peal, "/guest/a", noise(1_000, 77), { Filename: "a.bin", authorization: `Bearer ${key}` });
  await settled(1_000);
  const found = await store.namespaces.byName("guest");
  if (found === undefined) throw new Error("no namespace");
  await store.namespaces.remove(found.id);
  await settled(0);
});

test("with the message that retention takes", async () => {
  const { topic } = await topicWith(1, 1);
  await peal.api("PATCH", `/v1/home/${topic.key}`, { retention_messages: 1 });
  await settled(1_000);
  await peal.api("PATCH", `/v1/home/${topic.key}`, { retention_messages: null, retention_days: 1 });
  clock.advance(DAY + MINUTE);
  await settled(0);
});

test("when they expire: the message stays, and says when that was", async () => {
  const { topic } = await topicWith(1);
  const [before] = (await peal.history(topic)) as WithFiles[];
  const url = before?.attachments?.[0]?.url ?? "";
  expect(before?.attachments?.[0]?.expires_at).toBe(new Date(Date.parse(before?.created_at ?? "") + 14 * DAY).toISOString()); // prettier-ignore
  clock.advance(14 * DAY - MINUTE);
  await settled(1_000);
  expect((await peal.request(url)).status).toBe(200);
  const page = async () => (await peal.request(`/home/${topic.key}`, { headers: { accept: "text/html" } })).text();
  expect(await page()).toContain(url.slice(peal.url.length));
  clock.advance(2 * MINUTE);
  await settled(0);
  expect((await peal.request(url)).status).toBe(404);
  expect((await peal.history(topic))[0]).toMatchObject({ attachments: before?.attachments ?? [] });
  expect(await page()).toContain("0.bin</bdi>: the file has expired");
});

test("a deleted message gets them back when it is restored, otherwise they are deleted", async () => {
  const { topic, id } = await topicWith(1, 1);
  const [first] = (await peal.history(topic)) as WithFiles[];
  const url = first?.attachments?.[0]?.url ?? "";
  await store.messages.discard(id, 1);
  await store.messages.discard(id, 2);
  expect((await peal.request(url)).status).toBe(404); // it cannot be read in the meantime
  await sweptTo(2_000);
  expect(await store.messages.restore(id, 1)).toBeTrue();
  expect((await peal.request(url)).status).toBe(200);
  const kept = await store.messages.find(id, 1);
  expect(kept && draftOf(kept).attachments).toHaveLength(1);
  clock.advance(MINUTE);
  await settled(1_000);
  await peal.api("DELETE", `/v1/home/${topic.key}/messages/1`);
  await settled(0);
});

test("a delayed message keeps them until it is sent, and from then on for the usual time", async () => {
  const { topic } = await topicWith();
  const waiting = await sent(peal, `/home/${topic.name}?delay=20d`, noise(1_000, 5), { Filename: "a.bin" });
  const cancelled = await sent(peal, `/home/${topic.name}?delay=20d`, noise(1_000, 6), { Filename: "b.bin" });
  const { id } = cancelled["scheduled"] as { id: string };
  await settled(2_000);
  expect((await peal.api("DELETE", `/v1/home/scheduled/${id}`)).status).toBe(204);
  await settled(1_000);
  clock.advance(20 * DAY);
  const seen = await eventually("the message", async () => (await peal.history(topic)).at(0) as WithFiles | undefined);
  expect(seen.attachments).toEqual(waiting.attachments ?? []);
  expect((await peal.request(seen.attachments?.[0]?.url ?? "")).status).toBe(200);
  await settled(1_000);
  clock.advance(14 * DAY + MINUTE);
  await settled(0);
});

test("what a crash left behind is deleted after an hour: files that no row names, or that are incomplete", async () => {
  const HOUR = 60 * MINUTE;
  const { topic } = await topicWith(1);
  await settled(1_000);
  // the next search for leftovers is in an hour at the latest
  const left = (folder: string, name: string, ageThen: number) => {
    const at = (clock.now() + HOUR - ageThen) / 1_000;
    mkdirSync(join(peal.dataDir, "files", folder), { recursive: true });
    writeFileSync(join(peal.dataDir, "files", folder, name), "left");
    utimesSync(join(peal.dataDir, "files", folder, name), at, at);
  };
  const [old, young] = [HOUR + MINUTE, HOUR / 2];
  left("incoming", "old", old);
  left("ab", "ab".repeat(32), old);
  left("incoming", "young", young);
  left("ab", "abcd".repeat(16), young);
  clock.advance(HOUR);
  await settled(1_008, 1_000);
  expect(onDisk(peal.dataDir).flatMap(({ name, isWhole }) => (isWhole ? [] : [name])).toSorted()).toEqual(["abcd".repeat(16), "young"]); // prettier-ignore
  clock.advance(HOUR);
  await settled(1_000);
  await peal.api("DELETE", `/v1/home/${topic.key}/messages/1`);
});

test("a file that is being written is not a leftover, whatever the clock says", async () => {
  const { files } = peal.running.deps;
  async function* withSweep() {
    yield noise(500, ++seed);
    clock.advance(2 * 60 * MINUTE);
    await files.sweep();
    yield noise(500, ++seed);
  }
  const made = await files.take({ name: "a.bin", type: "" }, withSweep());
  if ("reason" in made) throw new Error(made.reason);
  expect(made.size).toBe(1_000);
  await files.letGo([made]);
});
