/** What streams cost: the memory of an idle one, and of readers that never read. */
import { connect, type Socket } from "node:net";
import { once } from "node:events";
import { eventually } from "../support/eventually.ts";
import type { Bench, Benchmark, Row } from "./bench.ts";
import { memory, sockets } from "./machine.ts";
import { startPeal } from "./servers.ts";
import { openStreams } from "./streams.ts";

const SETTLE_MS = 3_000;
const LONG = "x".repeat(32_000);
const STUCK = 5;
const PUBLISHED_BYTES = 50e6;

export const idleStreams: Benchmark = async (bench) => idle(bench, (topic) => `/home/${topic}/events`);
/** Streams of ntfy's clients. */
export const idleLines: Benchmark = async (bench) => idle(bench, (topic) => `/${topic}/json`);

async function idle({ program, isQuick }: Bench, pathOf: (topic: string) => string): Promise<Row[]> {
  const rows: Row[] = [];
  for (const count of isQuick ? [1_000] : [5_000, 10_000]) {
    await using peal = await startPeal(program);
    const url = peal.url + pathOf(await peal.topic("bench"));
    (await openStreams(url, 100)).close(); // the code that is loaded for the first streams is not part of their cost
    await Bun.sleep(SETTLE_MS);
    const before = await memory(peal.pid);
    const streams = await openStreams(url, count);
    await Bun.sleep(SETTLE_MS);
    const after = await memory(peal.pid);
    const each = (kind: "resident" | "anonymous") => (after[kind] - before[kind]) / count / 1024;
    rows.push(
      {
        what: `${count} idle streams, resident each`,
        unit: "KB",
        peal: each("resident"),
        ...(count === 5_000 && { target: "≤ 6 KB" }),
      },
      { what: `${count} idle streams, anonymous each`, unit: "KB", peal: each("anonymous") },
      { what: `streams held of ${count}`, unit: "", peal: streams.open, ...(count === 10_000 && { target: "10000" }) },
    );
    streams.close();
  }
  return rows;
}

export const stuckReaders: Benchmark = async ({ program }) => {
  await using peal = await startPeal(program);
  const path = `/home/${await peal.topic("bench")}/events`;
  const publish = async (bytes: number) => {
    for (let sent = 0; sent < bytes; sent += LONG.length) await peal.publish("bench", LONG);
  };
  await publish(3 * PUBLISHED_BYTES); // publishing alone makes the process grow for a while, even without a reader
  const held = sockets(peal.pid);
  const before = await memory(peal.pid);
  const openedAt = performance.now();
  const readers = await Promise.all(Array.from({ length: STUCK }, async () => stuckReader(peal.url, path)));
  await eventually("the stuck streams", () => sockets(peal.pid) >= held + STUCK);
  const [gone] = await Promise.all([
    eventually("their end", () => (sockets(peal.pid) <= held ? performance.now() - openedAt : undefined)),
    publish(PUBLISHED_BYTES),
  ]);
  const after = await memory(peal.pid);
  for (const socket of readers) socket.destroy();
  const grown = (after.resident - before.resident) / 1e6;
  return [
    { what: `${STUCK} stuck readers, 50 MB published: RSS grows by`, unit: "MB", peal: grown, target: "< 10 MB" },
    { what: "their sockets are closed, after they were opened", unit: "s", peal: gone / 1000 },
  ];
};

async function stuckReader(url: string, path: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).pause();
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
  return socket;
}
