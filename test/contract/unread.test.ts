/** Large answers that nobody reads take no memory of others: so many are on their way at once, the rest waits (API.md §7). */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestTopic } from "../support/client.ts";
import { heldClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { rawRequest } from "../support/raw.ts";
import { inProcess, startPeal, type TestServer } from "../support/server.ts";
import { turns } from "../support/turns.ts";

/** Of one network, as http/answers.ts has it. */
const AT_ONCE = 4;
const WAIT_MS = 10_000;
const MESSAGES = 40;
const LONG = "x".repeat(32_000);

const directory = mkdtempSync(join(tmpdir(), "peal-unread-"));
afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
});

/** A topic whose pages of history are as large as they get. */
async function filled(peal: TestServer): Promise<TestTopic> {
  const topic = await peal.topic("long");
  for (let n = 0; n < MESSAGES; n++) await peal.publish(topic, { message: LONG });
  return topic;
}

interface Reader {
  /** What came so far. */
  heard(): string;
  /** Reads on, to the end of the answer. */
  read(): void;
}

/**
 * Readers over a unix socket, which takes 200 KB at once, where loopback takes megabytes. They read the first bytes, then no
 * more. To be disposed of before the server is: it waits for its connections when it stops.
 */
function readersAt(path: string) {
  const sockets: Socket[] = [];
  const ask = (target: string, from: string, accept = "application/json"): Reader => {
    const socket = connect(path);
    sockets.push(socket);
    let heard = "";
    let isReading = false;
    socket.on("data", (data) => {
      heard += data.toString("latin1");
      if (!isReading) socket.pause();
    });
    socket.on("error", () => undefined);
    socket.write(rawRequest("GET", target, { accept, "x-forwarded-for": from }));
    return {
      heard: () => heard,
      read: () => {
        isReading = true;
        socket.resume();
      },
    };
  };
  return {
    ask,
    [Symbol.dispose]: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

test("of one network a few large answers are on their way; the rest waits its turn, and not for ever", async () => {
  const clock = heldClock();
  const unix = join(directory, "waits.sock");
  await using peal = await inProcess({ clock, env: { PEAL_LISTEN: `127.0.0.1:0,unix:${unix}` } });
  using readers = readersAt(unix);
  const topic = await filled(peal);
  const history = `/v1/home/${topic.key}/messages`;
  const begun = (all: readonly Reader[]) => all.filter((one) => one.heard() !== "");

  const own = Array.from({ length: 3 * AT_ONCE }, () => readers.ask(`${history}?limit=200`, "203.0.113.7"));
  await eventually("the first answers", () => begun(own).length >= AT_ONCE);
  // what is small, and what other networks ask for, goes on
  const small = readers.ask(`${history}?limit=0`, "203.0.113.7");
  const page = readers.ask(`/home/${topic.key}?before=1`, "203.0.113.7", "text/html");
  const other = readers.ask(`${history}?limit=200`, "198.51.100.1");
  await eventually("the others", () => begun([small, page, other]).length === 3);
  await turns();
  expect(begun(own)).toHaveLength(AT_ONCE);

  const [first] = begun(own);
  first?.read();
  await eventually("the next one", () => begun(own).length > AT_ONCE);
  expect(begun(own)).toHaveLength(AT_ONCE + 1);

  const asPage = readers.ask(`${history}?limit=200`, "203.0.113.7", "text/html");
  await turns();
  clock.advance(WAIT_MS);
  await eventually("an answer to all", () => begun([...own, asPage]).length === own.length + 1);
  const refused = own.map((one) => one.heard()).filter((heard) => heard.startsWith("HTTP/1.1 429"));
  expect(refused).toHaveLength(own.length - AT_ONCE - 1);
  for (const heard of refused) expect(heard).toMatch(/retry-after: 5\r\n[^]*"code":"rate_limited"/i);
  expect(asPage.heard()).toMatch(/^HTTP\/1.1 429 [^]*retry-after: 5\r\n[^]*That was too fast/i);
}, 60_000);

test("100 unread answers from three addresses cost no more than 64 MiB", async () => {
  const unix = join(directory, "memory.sock");
  await using peal = await startPeal({ env: { PEAL_LISTEN: `127.0.0.1:0,unix:${unix}` } });
  using readers = readersAt(unix);
  const topic = await filled(peal);
  const history = `/v1/home/${topic.key}/messages?limit=200`;
  for (let n = 0; n < 3; n++) await (await peal.request(history)).text();
  const before = await resident(peal.pid);
  const asked = Array.from({ length: 100 }, (_, n) => readers.ask(history, `203.0.113.${n % 3}`));
  await eventually("the first answers", () => asked.filter((one) => one.heard() !== "").length >= 3 * AT_ONCE);
  const last = readers.ask("/health", "203.0.113.9"); // behind all the others
  await eventually("the last answer", () => last.heard() !== "");
  expect((await resident(peal.pid)) - before).toBeLessThan(64 * 1_048_576);
}, 60_000);

/** Bytes of memory that a process holds. */
const resident = async (pid: number): Promise<number> =>
  1024 * Number(/^VmRSS:\s+(\d+) kB/m.exec(await Bun.file(`/proc/${pid}/status`).text())?.[1]);
