/** What streams cost: the memory of an idle one, and of readers that never read. */
import { connect, type Socket } from "node:net";
import { once } from "node:events";
import { eventually } from "../support/eventually.ts";
import type { Benchmark, Row } from "./bench.ts";
import { memory, sockets } from "./machine.ts";
import { startPeal, type Program } from "./servers.ts";
import { openStreams } from "./streams.ts";

const SETTLE_MS = 3_000;
const LONG = "x".repeat(32_000);
const STUCK = 5;
const PUBLISHED_BYTES = 50e6;

export const idleStreams: Benchmark = async ({ program, isQuick }) => {
  const rows: Row[] = [];
  for (const count of countsOf(isQuick)) {
    const { resident, anonymous, open } = await idle(program, count, eventsOf);
    rows.push(
      {
        ...{ what: `${count} idle streams, resident each`, unit: "KB", peal: resident },
        ...(count === 5_000 && { target: "≤ 6 KB" }),
      },
      { what: `${count} idle streams, anonymous each`, unit: "KB", peal: anonymous },
      { what: `streams held of ${count}`, unit: "", peal: open, ...(count === 10_000 && { target: "10000" }) },
    );
  }
  return rows;
};

/** Streams of ntfy's clients, beside as many of peal's own. */
export const idleLines: Benchmark = async ({ program, isQuick }) => {
  const rows: Row[] = [];
  for (const count of countsOf(isQuick)) {
    const events = await idle(program, count, eventsOf);
    const lines = await idle(program, count, (topic) => `/${topic}/json`);
    for (const kind of ["resident", "anonymous"] as const)
      rows.push({
        ...{ what: `${count} idle streams of lines, ${kind} each`, unit: "KB", peal: lines[kind] },
        beside: [{ what: "its own events", value: events[kind] }],
        target: "ratio ≤ 1.2",
      });
    rows.push({ what: `streams of lines held of ${count}`, unit: "", peal: lines.open, target: String(count) });
  }
  return rows;
};

const countsOf = (isQuick: boolean): number[] => (isQuick ? [1_000] : [5_000, 10_000]);
const eventsOf = (topic: string): string => `/home/${topic}/events`;

/** What each of so many streams costs, in KB, and how many were held. */
async function idle(program: Program, count: number, pathOf: (topic: string) => string) {
  await using peal = await startPeal(program);
  const url = peal.url + pathOf(await peal.topic("bench"));
  (await openStreams(url, 100)).close(); // the code that is loaded for the first streams is not part of their cost
  await Bun.sleep(SETTLE_MS);
  const before = await memory(peal.pid);
  const streams = await openStreams(url, count);
  await Bun.sleep(SETTLE_MS);
  const after = await memory(peal.pid);
  const { open } = streams;
  streams.close();
  const each = (kind: "resident" | "anonymous") => (after[kind] - before[kind]) / count / 1024;
  return { resident: each("resident"), anonymous: each("anonymous"), open };
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
