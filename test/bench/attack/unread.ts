/** How much memory large answers take that nobody reads. */
import { join } from "node:path";
import type { Socket } from "node:net";
import type { Benchmark, Row } from "../bench.ts";
import { freshDirectory, memory } from "../machine.ts";
import { type Peal, startPeal } from "../servers.ts";
import { type Door, fill, unreading } from "./readers.ts";

const MESSAGES = 200;
const BYTES = 32_000;
const WATCHED_MS = 6_000;
const STEP_MS = 50;
/** Stop here: the point is proven, and other programs need the machine's memory. */
const ENOUGH_BYTES = 1.5e9;
/** The code and the heap that the first answers need do not belong to the unread ones. */
const WARM_UP = 5;

interface Case {
  what: string;
  path: string;
  count: number;
  addresses: readonly string[];
  /** Over a unix socket, as from a proxy on the same machine. */
  isUnix?: boolean;
  target?: string;
}

const ONE = ["203.0.113.7"];
const THREE = ["203.0.113.7", "198.51.100.1", "2001:db8::1"];

export const unreadAnswers: Benchmark = async ({ program, isQuick }) => {
  const rows: Row[] = [];
  const history = `/v1/home/{T}/messages?limit=${MESSAGES}`;
  const many = isQuick ? 300 : 1_000;
  const target = "≤ 64 MB";
  const cases: Case[] = [
    { what: "pages of history", path: history, count: 210, addresses: ONE },
    { what: "pages of history", path: history, count: many, addresses: THREE, target },
    { what: "pages of history", path: history, count: many, addresses: THREE, isUnix: true, target },
    { what: "feed pages", path: "/home/{T}", count: many, addresses: THREE, isUnix: true, target },
    { what: "Atom feeds", path: "/home/{T}/feed.atom", count: many, addresses: THREE, isUnix: true, target },
    { what: "OpenAPI documents", path: "/openapi.json", count: many, addresses: THREE, isUnix: true, target },
  ];
  for (const one of cases) {
    const socket = join(freshDirectory(), "bench.sock");
    await using peal = await startPeal(program, { unix: socket, env: { PEAL_TRUSTED_PROXIES: "127.0.0.1" } });
    const topic = await peal.topic("bench");
    await fill(peal, "bench", MESSAGES, (n) => ({ message: `${n} ${"x ".repeat(BYTES / 2 - 8)}` }));
    const path = one.path.replace("{T}", topic);
    for (let n = 0; n < WARM_UP; n++) await (await fetch(peal.url + path)).text();
    const grown = await growth(peal, one.isUnix === true ? { unix: socket } : peal, { ...one, path });
    const { what, count, addresses, isUnix } = one;
    const where = `${addresses.length === 1 ? "one address" : "three addresses"}${isUnix === true ? ", unix socket" : ""}`;
    rows.push({
      what: `${count} unread ${what}, ${where}: RSS grows by at most`,
      ...{ unit: "MB", peal: grown / 1_048_576, ...(one.target !== undefined && { target: one.target }) },
    });
  }
  return rows;
};

/** By how much the process's memory grew at most, in bytes. */
async function growth({ pid }: Peal, door: Door, { path, count, addresses }: Case): Promise<number> {
  const { resident: before } = await memory(pid);
  let most = before;
  const sockets: Socket[] = [];
  const open = async () => {
    for (let n = 0; n < count && most - before < ENOUGH_BYTES; n++)
      sockets.push(await unreading(door, path, addresses[n % addresses.length] ?? ""));
  };
  const opened = open();
  for (const end = Date.now() + WATCHED_MS; Date.now() < end;) {
    most = Math.max(most, (await memory(pid)).resident);
    await Bun.sleep(STEP_MS);
  }
  await opened;
  for (const socket of sockets) socket.destroy();
  return most - before;
}
