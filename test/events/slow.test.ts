/** A reader that does not keep up is cut off, costs no memory, and comes back whole (ARCHITECTURE.md §2.6). */
import { expect, test } from "bun:test";
import { readdir, readFile, readlink } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { once } from "node:events";
import { eventually } from "../support/eventually.ts";
import { metric } from "../support/metric.ts";
import { startPeal, type Peal } from "../support/server.ts";
import { listen } from "./listen.ts";

const MEGABYTE = 1024 * 1024;
const LONG = "x".repeat(32_000);

/** A connection that asks for a stream and never reads; `read` starts it, and answers what came in all when it is over. */
async function stuck(peal: Peal, path: string): Promise<{ socket: Socket; read(): Promise<string> }> {
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

const rss = async (peal: Peal): Promise<number> =>
  1024 * Number(/^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${peal.pid}/status`, "utf8"))?.[1]);

/** Sockets that the server holds. */
async function sockets(peal: Peal): Promise<number> {
  const fds = await readdir(`/proc/${peal.pid}/fd`);
  const links = await Promise.all(fds.map(async (fd) => readlink(`/proc/${peal.pid}/fd/${fd}`).catch(() => "")));
  return links.filter((link) => link.startsWith("socket:")).length;
}

test("a reader that falls behind is cut off, and resumes by its last id without a hole", async () => {
  await using peal = await startPeal();
  const topic = await peal.topic("t");
  const path = `/home/${topic.key}/events`;
  const slow = await stuck(peal, path);
  const healthy = await listen(`${peal.url}${path}`);
  await eventually("both streams", async () => (await metric(peal, "peal_sse_connections")) === 2);
  await healthy.ready();

  let published = 0;
  while ((await metric(peal, "peal_sse_dropped_total")) === 0) {
    expect(published).toBeLessThan(1_000); // the socket's buffers and 256 KiB hold far less
    for (let n = 0; n < 10; n++, published++) await peal.publish(topic, LONG);
  }
  const got = [...(await slow.read()).matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
  // of the last message it may have got a piece, without the end that makes it one
  const last = Math.max(0, ...got) - 1;
  expect(got.slice(0, last)).toEqual(Array.from({ length: last }, (_, n) => n + 1));
  const resumed = await listen(`${peal.url}${path}`, { headers: { "last-event-id": String(last) } });
  await eventually("the rest", () => resumed.ids().at(-1) === published);
  expect(resumed.ids()).toEqual(Array.from({ length: published - last }, (_, n) => last + n + 1));
  await eventually("all at the healthy one", () => healthy.ids().at(-1) === published);
  expect(healthy.ids()).toEqual(Array.from({ length: published }, (_, n) => n + 1));
  await Promise.all([healthy.close(), resumed.close()]);
}, 60_000);

test("a reader that resumes far behind and reads slowly is fed as it reads, not cut off", async () => {
  await using peal = await startPeal();
  const topic = await peal.topic("t");
  for (let n = 0; n < 300; n++) await peal.publish(topic, LONG);
  const reader = await stuck(peal, `/home/${topic.key}/events?since=0`);
  await eventually("its stream", async () => (await metric(peal, "peal_sse_connections")) === 1);
  await Promise.all(Array.from({ length: 5 }, async () => peal.publish(topic, "while it is behind")));
  expect(await metric(peal, "peal_sse_dropped_total")).toBe(0);
  let text = "";
  reader.socket.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  reader.socket.resume();
  const ids = () => [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
  await eventually("the last message", () => text.endsWith("\n\n\r\n") && ids().length === 305);
  expect(ids()).toEqual(Array.from({ length: 305 }, (_, n) => n + 1));
  expect(await metric(peal, "peal_sse_dropped_total")).toBe(0);
  reader.socket.destroy();
}, 60_000);

test("five stuck readers and 50 MB published: memory stays, and their sockets are closed in time", async () => {
  await using peal = await startPeal();
  const topic = await peal.topic("t");
  let peak = 0;
  const publish = async (bytes: number) => {
    const publisher = async () => {
      for (let sent = 0; sent < bytes / 4; sent += LONG.length) {
        await peal.publish(topic, LONG);
        peak = Math.max(peak, await rss(peal));
      }
    };
    await Promise.all(Array.from({ length: 4 }, publisher));
  };
  // the peak of publishing itself: it grows by 20 MB over the first 150, with no reader at all (measured)
  await publish(150 * MEGABYTE);
  const before = { peak, sockets: await sockets(peal) };
  const readers = await Promise.all(Array.from({ length: 5 }, async () => stuck(peal, `/home/${topic.key}/events`)));
  await eventually("five streams", async () => (await metric(peal, "peal_sse_connections")) === 5);
  await publish(50 * MEGABYTE);
  expect(await metric(peal, "peal_sse_dropped_total")).toBe(5);
  expect(await metric(peal, "peal_sse_connections")).toBe(0);
  expect((await rss(peal)) - before.peak).toBeLessThan(10 * MEGABYTE);
  await eventually("their end", async () => (await sockets(peal)) <= before.sockets);
  for (const { socket } of readers) socket.destroy();
}, 60_000);
