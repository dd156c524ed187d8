/** Large answers that are read slowly or not at all: a limited number is in progress, the rest waits (API.md §7). */
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import type { Server } from "bun";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAnswers } from "../../src/http/answers.ts";
import { createMetrics } from "../../src/telemetry/metrics.ts";
import type { TestTopic } from "../support/client.ts";
import { heldClock } from "../support/clock.ts";
import { withContext } from "../support/context.ts";
import { eventually } from "../support/eventually.ts";
import { residentBytes } from "../support/memory.ts";
import { rawRequest } from "../support/raw.ts";
import { inProcess, startPeal, type TestServer } from "../support/server.ts";
import { turns } from "../support/turns.ts";

/**
 * From http/answers.ts: the limit of a network while less than half of all places are held, which is also the limit of
 * a site; and the overall limit.
 */
const AT_ONCE = 16;
const IN_ALL = 48;
const WAIT_MS = 10_000;
/** How long a place may be held before waiting clients can end it. */
const LONG_MS = 15_000;
const MESSAGES = 40;
const LONG = "x".repeat(32_000);

const directory = mkdtempSync(join(tmpdir(), "peal-unread-"));
afterAll(() => {
  rmSync(directory, { recursive: true, force: true });
});

/** Makes a topic whose pages of history are as large as possible. */
async function filled(peal: TestServer): Promise<TestTopic> {
  const topic = await peal.topic("long");
  for (let n = 0; n < MESSAGES; n++) await peal.publish(topic, { message: LONG });
  return topic;
}

interface Reader {
  /** What was received so far. */
  heard(): string;
  /** Whether the server has closed the connection. */
  isOver(): boolean;
  /** Reads the answer to its end. */
  read(): void;
}

/**
 * Readers over a unix socket, which buffers 200 KB where loopback buffers megabytes. They read the first bytes and then
 * stop. Dispose of them before the server, which waits for its connections when it stops.
 */
function readersAt(path: string) {
  const sockets: Socket[] = [];
  const ask = (target: string, from: string, accept = "application/json"): Reader => {
    const socket = connect(path);
    sockets.push(socket);
    let heard = "";
    let isReading = false;
    let isOver = false;
    socket.on("close", () => (isOver = true));
    socket.on("data", (data) => {
      heard += data.toString("latin1");
      if (!isReading) socket.pause();
    });
    socket.on("error", () => undefined);
    socket.write(rawRequest("GET", target, { accept, "x-forwarded-for": from }));
    return {
      heard: () => heard,
      isOver: () => isOver,
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

test("a network gets a few large answers at a time; the rest waits its turn, but not forever", async () => {
  const clock = heldClock();
  const unix = join(directory, "waits.sock");
  await using peal = await inProcess({ clock, env: { PEAL_LISTEN: `127.0.0.1:0,unix:${unix}` } });
  using readers = readersAt(unix);
  const topic = await filled(peal);
  const history = `/v1/home/${topic.key}/messages`;
  const begun = (all: readonly Reader[]) => all.filter((one) => one.heard() !== "");

  const own = Array.from({ length: 3 * AT_ONCE }, () => readers.ask(`${history}?limit=200`, "203.0.113.7"));
  await eventually("the first answers", () => begun(own).length >= AT_ONCE);
  // small answers, and those to other networks, are not held up
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
  expect(asPage.heard()).toMatch(/^HTTP\/1.1 429 [^]*retry-after: 5\r\n[^]*Too many requests/i);
}, 60_000);

/** Requests from a site, spread over four of its networks. */
const ofSite = (site: number) => Array.from({ length: AT_ONCE }, (_, n) => `2001:db8:${site}:${n % 4}::${n + 1}`);

test("the networks of a site together have no more places than one may have alone", async () => {
  const unix = join(directory, "site.sock");
  await using peal = await inProcess({ env: { PEAL_LISTEN: `127.0.0.1:0,unix:${unix}` } });
  using readers = readersAt(unix);
  const history = `/v1/home/${(await filled(peal)).key}/messages?limit=200`;
  const addresses = Array.from({ length: IN_ALL }, (_, n) => `2001:db8:1:${n % 12}::1`);
  const own = addresses.map((address) => readers.ask(history, address));
  const begun = () => own.filter((one) => one.heard() !== "").length;
  await eventually("the first answers", () => begun() >= AT_ONCE);
  const other = readers.ask(history, "2001:db8:2::1");
  await eventually("the other's answer", () => other.heard() !== "");
  await turns();
  expect(begun()).toBe(AT_ONCE);
}, 60_000);

test("where slow readers hold every place, the longest of theirs is ended for a client that has none", async () => {
  const clock = heldClock();
  const unix = join(directory, "slow.sock");
  await using peal = await inProcess({ clock, env: { PEAL_LISTEN: `127.0.0.1:0,unix:${unix}` } });
  using readers = readersAt(unix);
  const history = `/v1/home/${(await filled(peal)).key}/messages?limit=200`;
  const slow: Reader[] = [];
  for (const address of [1, 2, 3].flatMap(ofSite)) {
    const one = readers.ask(history, address);
    await eventually("a slow answer", () => one.heard() !== "");
    slow.push(one);
  }
  expect(slow).toHaveLength(IN_ALL);

  clock.advance(LONG_MS - WAIT_MS + 1);
  const other = readers.ask(history, "203.0.113.7");
  await turns();
  clock.advance(WAIT_MS - 2);
  await turns();
  expect(other.heard()).toBe("");
  clock.advance(1);
  await eventually("the other's answer", () => other.heard() !== "");
  for (const one of [other, ...slow]) one.read();
  const isWhole = (one: Reader) => one.heard().endsWith("\r\n0\r\n\r\n");
  await eventually("the ends", () => [other, ...slow].every((one) => isWhole(one) || one.isOver()));
  expect(other.heard()).toMatch(/^HTTP\/1.1 200 /);
  expect(slow.map(isWhole)).toEqual(slow.map((_, n) => n !== 0));
}, 60_000);

test("an answer that takes long to make is not made before there is a place for it", async () => {
  const unix = join(directory, "made.sock");
  const clock = heldClock();
  const answers = createAnswers({ clock, metrics: createMetrics({ version: "1", startedAt: 0 }) });
  let [begun, made] = [0, 0];
  const handle = async (request: Request, server: Server<unknown>) => {
    withContext(request, {
      server,
      address: "203.0.113.7",
      origin: "http://peal.test",
      isProxied: true,
      mayName: true,
    });
    return answers.send(request, async (fits) => {
      begun++;
      if (!fits(MESSAGES * LONG.length)) return undefined;
      made++;
      return { body: LONG.repeat(MESSAGES) };
    });
  };
  using servers = new DisposableStack();
  servers.use(Bun.serve({ unix, fetch: handle }));
  using readers = readersAt(unix);
  const own = Array.from({ length: AT_ONCE + 3 }, () => readers.ask("/", ""));
  await eventually("all of them", () => begun === own.length);
  await eventually("the first answers", () => own.filter((one) => one.heard() !== "").length === AT_ONCE);
  expect(made).toBe(AT_ONCE);
  own.find((one) => one.heard() !== "")?.read();
  await eventually("the next one", () => made === AT_ONCE + 1);
}, 60_000);

test("100 unread answers from three addresses cost no more than 64 MiB", async () => {
  const unix = join(directory, "memory.sock");
  await using peal = await startPeal({ env: { PEAL_LISTEN: `127.0.0.1:0,unix:${unix}` } });
  using readers = readersAt(unix);
  const topic = await filled(peal);
  const history = `/v1/home/${topic.key}/messages?limit=200`;
  for (let n = 0; n < 3; n++) await (await peal.request(history)).text();
  const before = await residentBytes(peal.pid);
  const asked = Array.from({ length: 100 }, (_, n) => readers.ask(history, `203.0.113.${n % 3}`));
  await eventually("the first answers", () => asked.filter((one) => one.heard() !== "").length >= 3 * AT_ONCE);
  const last = readers.ask("/health", "203.0.113.9"); // queued behind all the others
  await eventually("the last answer", () => last.heard() !== "");
  expect((await residentBytes(peal.pid)) - before).toBeLessThan(64 * 1_048_576);
}, 60_000);
