/** A reader that does not keep up is cut off, uses no memory, and resumes without loss (ARCHITECTURE.md §2.6). */
import { afterAll, expect, test } from "bun:test";
import { readdir, readFile, readlink } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { once } from "node:events";
import { eventually } from "../support/eventually.ts";
import { metric } from "../support/metric.ts";
import { IS_THOROUGH } from "../support/rounds.ts";
import { startPeal } from "../support/server.ts";
import { listen } from "./listen.ts";

const MEGABYTE = 1024 * 1024;
/**
 * MB. Publishing alone grows the peak by 20 over the first 150, without a reader (measured); five readers may not hold
 * 5 * PUBLISHED.
 */
const [BEFORE, PUBLISHED, GROWTH] = IS_THOROUGH ? [150, 50, 10] : [20, 12, 30];
const LONG = "x".repeat(32_000);

const peal = await startPeal();
afterAll(async () => peal[Symbol.asyncDispose]());
const dropped = async () => metric(peal, "peal_sse_dropped_total");
const connections = async () => metric(peal, "peal_sse_connections");

/** A connection that requests a stream and does not read; `read` starts reading, and resolves to everything that came. */
async function stuck(path: string): Promise<{ socket: Socket; read(): Promise<string> }> {
  const { hostname, port } = new URL(peal.url);
  const socket = connect(Number(port), hostname);
  socket.pause();
  await once(socket, "connect");
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
  return {
    socket,
    read: async () => {
      let text = "";
      socket.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      socket.on("error", () => undefined).resume();
      await once(socket, "close");
      return text;
    },
  };
}

const rss = async (): Promise<number> =>
  1024 * Number(/^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${peal.pid}/status`, "utf8"))?.[1]);

/** How many sockets the server has open. */
async function sockets(): Promise<number> {
  const fds = await readdir(`/proc/${peal.pid}/fd`);
  const links = await Promise.all(fds.map(async (fd) => readlink(`/proc/${peal.pid}/fd/${fd}`).catch(() => "")));
  return links.filter((link) => link.startsWith("socket:")).length;
}

test("a reader that falls behind is cut off, and resumes by its last id without a gap", async () => {
  const topic = await peal.topic("cut-off");
  const path = `/home/${topic.key}/events`;
  await eventually("no stream of before", async () => (await connections()) === 0);
  const before = await dropped();
  const slow = await stuck(path);
  const healthy = await listen(`${peal.url}${path}`);
  await eventually("both streams", async () => (await connections()) === 2);
  await healthy.ready();

  let published = 0;
  while ((await dropped()) === before) {
    expect(published).toBeLessThan(1_000); // the socket's buffers and 256 KiB hold far less
    await Promise.all(Array.from({ length: 10 }, async () => peal.publish(topic, LONG)));
    published += 10;
  }
  const got = [...(await slow.read()).matchAll(/^id: (\d+)-[0-9a-z-]+\nevent: message$/gm)].map(([, id]) => Number(id));
  // it may have got a part of the last message, without the end that completes it
  const last = Math.max(0, ...got) - 1;
  expect(got.slice(0, last)).toEqual(Array.from({ length: last }, (_, n) => n + 1));
  const resumed = await listen(`${peal.url}${path}`, { headers: { "last-event-id": String(last) } });
  await eventually("the rest", () => resumed.ids().at(-1) === published);
  expect(resumed.ids()).toEqual(Array.from({ length: published - last }, (_, n) => last + n + 1));
  await eventually("all at the healthy one", () => healthy.ids().at(-1) === published);
  expect(healthy.ids()).toEqual(Array.from({ length: published }, (_, n) => n + 1));
  await Promise.all([healthy.close(), resumed.close()]);
}, 60_000);

test("a reader that resumes far behind and reads slowly gets data at its own speed, and is not cut off", async () => {
  const topic = await peal.topic("far-behind");
  for (let n = 0; n < 300; n += 10)
    await Promise.all(Array.from({ length: 10 }, async () => peal.publish(topic, LONG)));
  await eventually("no stream of before", async () => (await connections()) === 0);
  const before = await dropped();
  const reader = await stuck(`/home/${topic.key}/events?since=0`);
  await eventually("its stream", async () => (await connections()) === 1);
  await Promise.all(Array.from({ length: 5 }, async () => peal.publish(topic, "while it is behind")));
  expect(await dropped()).toBe(before);
  let text = "";
  reader.socket.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  reader.socket.resume();
  const ids = () => [...text.matchAll(/^id: (\d+)-[0-9a-z-]+\nevent: message$/gm)].map(([, id]) => Number(id));
  await eventually("the last message", () => text.endsWith("\n\n\r\n") && ids().length === 305);
  expect(ids()).toEqual(Array.from({ length: 305 }, (_, n) => n + 1));
  expect(await dropped()).toBe(before);
  reader.socket.destroy();
}, 60_000);

test(`five stuck readers and ${PUBLISHED} MB published: memory does not grow, and their sockets are closed in time`, async () => {
  const topic = await peal.topic("stuck");
  let peak = 0;
  const publish = async (bytes: number) => {
    const publisher = async () => {
      for (let sent = 0; sent < bytes / 4; sent += LONG.length) {
        await peal.publish(topic, LONG);
        peak = Math.max(peak, await rss());
      }
    };
    await Promise.all(Array.from({ length: 4 }, publisher));
  };
  await publish(BEFORE * MEGABYTE);
  await eventually("no stream of before", async () => (await connections()) === 0);
  const before = { peak, sockets: await sockets(), dropped: await dropped() };
  const readers = await Promise.all(Array.from({ length: 5 }, async () => stuck(`/home/${topic.key}/events`)));
  await eventually("five streams", async () => (await connections()) === 5);
  await publish(PUBLISHED * MEGABYTE);
  expect([(await dropped()) - before.dropped, await connections()]).toEqual([5, 0]);
  expect((await rss()) - before.peak).toBeLessThan(GROWTH * MEGABYTE);
  await eventually("their end", async () => (await sockets()) <= before.sockets);
  for (const { socket } of readers) socket.destroy();
}, 240_000); // 200 MB are written to the disk, which other processes may be using
