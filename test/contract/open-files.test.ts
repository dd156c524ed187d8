/** With few open files allowed (`ulimit -n`), streams and idle connections never use up what requests need. */
import { expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import fc from "fast-check";
import { filesFor, streamsWithin } from "../../src/server/open-files.ts";
import { listen, type Listening } from "../events/listen.ts";
import { newCheck, ping } from "../support/checks.ts";
import { eventually } from "../support/eventually.ts";
import { metric } from "../support/metric.ts";
import { startPeal, type Peal } from "../support/server.ts";

/** Of 64 files, peal itself uses 32, and a quarter of the rest is reserved for requests. */
const ROOM = 24;

test("the soft limit is raised to the hard one at the start", async () => {
  await using peal = await startPeal({ ulimit: "-S -n 64" });
  const topic = await peal.topic("t");
  const streams = await Promise.all(
    Array.from({ length: 80 }, async () => listen(`${peal.url}/home/${topic.key}/events`)),
  );
  expect(await metric(peal, "peal_sse_connections")).toBe(80);
  expect(peal.logs()).not.toContain("the limit on open files is too low");
  await Promise.all(streams.map(async (stream) => stream.close()));
});

test("with a hard limit of 64, streams are refused before other requests are, and those still work", async () => {
  await using peal = await startPeal({ ulimit: "-n 64", env: { PEAL_LIMITS_STREAMS: "0:20000" } });
  expect(peal.logs()).toContain("the limit on open files is too low");
  expect(peal.logs()).toMatch(/ open_files=64 streams=20000 room_for=24 advice=".*21032.*PEAL_LIMITS_STREAMS/);
  const topic = await peal.topic("t");
  const check = await newCheck(peal);
  const url = `${peal.url}/home/${topic.key}/events`;
  const streams: Listening[] = [];
  for (let n = 0; n < ROOM; n++) streams.push(await listen(url));
  for (let n = 0; n < 3 * ROOM; n++) {
    const refused = await fetch(url);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "30"]);
    expect(await refused.json()).toMatchObject({ code: "no_room_for_streams" });
  }
  expect(peal.logs().match(/event streams are refused/g)).toHaveLength(1);
  for (let n = 0; n < 5; n++) {
    const published = await Promise.all(Array.from({ length: 8 }, async () => peal.publish(topic, "done")));
    expect(published).not.toContain(null);
  }
  expect((await ping(peal, check.ping_url))[0]).toBe(200);
  const pages: [string, number][] = [
    ["/health", 200],
    ["/-/", 303], // redirects to the sign-in
    [`/home/${topic.key}`, 200],
  ];
  for (const [path, status] of pages) expect([path, (await peal.request(path)).status]).toEqual([path, status]);
  expect((await peal.local("/health")).status).toBe(200);
  for (const stream of streams) await eventually("all messages", () => stream.ids().length === 40);
  await streams.pop()?.close();
  await eventually("room", async () => (await metric(peal, "peal_sse_connections")) < ROOM);
  streams.push(await listen(url));
  await Promise.all(streams.map(async (stream) => stream.close()));
});

/** Opens connections that begin a request and never end it. Refused ones are not among them. */
async function dawdlers(peal: Peal, count: number): Promise<Socket[]> {
  const begin = async () =>
    new Promise<Socket | undefined>((resolve) => {
      const socket = connect(Number(new URL(peal.url).port), "127.0.0.1");
      socket.on("error", () => resolve(undefined));
      socket.once("connect", () => {
        socket.write("GET / HT", () => resolve(socket));
      });
    });
  return (await Promise.all(Array.from({ length: count }, begin))).filter((socket) => socket !== undefined);
}

test("idle connections that use up all open files are refused instead of waited for, until they close", async () => {
  await using peal = await startPeal({ ulimit: "-n 64" });
  const topic = await peal.topic("t");
  const stream = await listen(`${peal.url}/home/${topic.key}/events`);
  const idle = await dawdlers(peal, 100);
  await eventually("a word of it", () => peal.logs().includes("connections are refused"));
  const refusal = await fetch(`${peal.url}/ready`).catch((error: unknown) => error);
  expect(refusal).toHaveProperty("code", "ECONNREFUSED");
  expect((await peal.local("/health")).status).toBe(200); // the operator still gets through
  for (const socket of idle) socket.destroy();
  await eventually("an answer", async () => (await fetch(`${peal.url}/ready`).catch(() => null))?.ok);
  expect(await peal.publish(topic, "again")).not.toBeNull();
  await eventually("the message", () => stream.ids().length === 1); // the stream stayed open all the time
  await stream.close();
  expect(await peal.kill("SIGTERM")).toBe(0);
});

test("connections that were answered and stay open give way to new ones", async () => {
  await using peal = await startPeal({ ulimit: "-n 64" });
  const kept = await dawdlers(peal, 45);
  await Promise.all(
    kept.map(async (socket) => {
      const answered = new Promise((resolve) => socket.once("data", resolve));
      socket.write("TP/1.1\r\nHost: peal\r\n\r\n");
      await answered;
    }),
  );
  const later = await dawdlers(peal, 20);
  const [last] = later.slice(-1);
  const answered = new Promise<string>((resolve) => last?.once("data", (data: Buffer) => resolve(data.toString())));
  last?.write("TP/1.1\r\nHost: peal\r\n\r\n");
  expect(await answered).toStartWith("HTTP/1.1 ");
  for (const socket of [...kept, ...later]) socket.destroy();
});

test("streams leave enough open files for the rest, and the advice in the log is sufficient", () => {
  fc.assert(
    fc.property(fc.nat(100_000), (streams) => {
      expect(streamsWithin(filesFor(streams))).toBeGreaterThanOrEqual(streams);
      expect(streamsWithin(filesFor(streams) - 1)).toBeLessThanOrEqual(streams);
    }),
  );
  expect([0, 20, 64, 1_024, 65_536, Infinity].map(streamsWithin)).toEqual([0, 0, 24, 744, 64_504, Infinity]);
});
