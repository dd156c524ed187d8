/** WebSockets at the addresses of ntfy: text frames, a reader that does not keep up, and how they end (NTFY.md §6). */
import { afterAll, expect, onTestFinished, test } from "bun:test";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answer } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { metric } from "../support/metric.ts";
import { authority } from "../support/push/ca.ts";
import { IS_THOROUGH } from "../support/rounds.ts";
import { inProcess, startPeal } from "../support/server.ts";
import { readSocket } from "./reader.ts";

const LONG = "x".repeat(32_000);

const peal = await startPeal();
afterAll(async () => peal[Symbol.asyncDispose]());
const dropped = async () => metric(peal, "peal_sse_dropped_total");
const connections = async () => metric(peal, "peal_sse_connections");

/** The request of a client that wants a WebSocket. */
const handshake = (path: string) =>
  [
    `GET ${path} HTTP/1.1`,
    "Host: localhost",
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    "\r\n",
  ].join("\r\n");

/** A client that asks for a WebSocket and does not read. */
async function stuck(path: string, request = handshake(path)): Promise<Socket> {
  const { hostname, port } = new URL(peal.url);
  const socket = connect(Number(port), hostname);
  socket.pause();
  await once(socket, "connect");
  socket.write(request);
  socket.on("error", () => undefined);
  return socket;
}

test("each message is a text frame, `open` the first", async () => {
  const topic = await peal.topic("frames");
  await peal.publish(topic, "stored");
  const socket = await readSocket(`${peal.url}/${topic.key}/ws?since=all`);
  await eventually("both", () => socket.texts.length === 2);
  for (const text of ["one", "two\nlines", "drei: ä 🔔"]) await peal.publish(topic, text);
  await eventually("all", () => socket.texts.length === 5);
  expect(socket.objects().map(({ event, topic: of, message }) => [event, of, message])).toEqual([
    ["open", topic.key, undefined],
    ["message", topic.key, "stored"],
    ...["one", "two\nlines", "drei: ä 🔔"].map((text) => ["message", topic.key, text]),
  ] as never);
  await socket.close();
});

test("a poll by WebSocket ends when all is sent", async () => {
  const topic = await peal.topic("poll");
  for (let n = 0; n < 40; n++) await peal.publish(topic, `${n} ${LONG}`);
  const socket = await readSocket(`${peal.url}/${topic.key}/ws?poll=1`);
  await socket.ended;
  expect(socket.objects().map(({ event, message }) => [event, parseInt(message ?? "", 10)])).toEqual(
    Array.from({ length: 40 }, (_, n) => ["message", n]) as never,
  );
});

test("a request without an upgrade is told to use a WebSocket", async () => {
  const topic = await peal.topic("plain");
  const refused = await answer<{ error: string }>(400, await peal.request(`/${topic.key}/ws`));
  expect(refused).toMatchObject({ http: 400 });
  expect(refused.error).toContain("wss://");
  await eventually("nobody counted", async () => (await connections()) === 0);
});

test("a reader that does not keep up is cut off without a close frame; the others go on, and it resumes", async () => {
  const topic = await peal.topic("slow");
  const path = `/${topic.key}/ws`;
  await eventually("no stream of before", async () => (await connections()) === 0);
  const before = await dropped();
  const slow = await stuck(path);
  const healthy = await readSocket(`${peal.url}${path}`);
  await eventually("both", async () => (await connections()) === 2);
  await healthy.opened();
  let published = 0;
  while ((await dropped()) === before) {
    expect(published).toBeLessThan(1_000); // the socket's buffers and 256 KiB hold far less
    const texts = Array.from({ length: 10 }, () => `${++published} ${LONG}`);
    await Promise.all(texts.map(async (text) => peal.publish(topic, text)));
  }
  expect(await connections()).toBe(1);
  await eventually("all at the healthy one", () => healthy.messages().length === published);
  await healthy.close();
  const got: Buffer[] = [];
  slow.on("data", (bytes: Buffer) => got.push(bytes)).resume();
  await once(slow, "close");
  // 0x88: a close frame, at which OkHttp would stop reading and say nothing
  const end = Buffer.concat(got);
  expect([end.at(-4), end.at(-2)]).not.toContain(0x88); // with a code, and without
  const last = healthy.objects().at(-1)?.id ?? "";
  const resumed = await readSocket(`${peal.url}${path}?since=${last}`);
  await resumed.opened();
  await peal.publish(topic, "next");
  await eventually("the next", () => resumed.messages().length === 1);
  await resumed.close();
}, 60_000);

test("a reader that resumes far behind and reads slowly gets all at its own speed", async () => {
  const topic = await peal.topic("behind");
  for (let n = 0; n < 200; n += 10)
    await Promise.all(Array.from({ length: 10 }, async (_, i) => peal.publish(topic, `${n + i} ${LONG}`)));
  await eventually("no stream of before", async () => (await connections()) === 0);
  const before = await dropped();
  const socket = await stuck(`/${topic.key}/ws?since=all`);
  await eventually("its stream", async () => (await connections()) === 1);
  await peal.publish(topic, "last of all");
  let text = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => (text += chunk));
  socket.resume();
  await eventually("the last", () => text.includes("last of all"));
  expect([...text.matchAll(/"event":"message"/g)]).toHaveLength(201);
  expect(await dropped()).toBe(before);
  socket.destroy();
}, 60_000);

test("a poll is whole, however slowly it is read", async () => {
  const topic = await peal.topic("slow-poll");
  for (let n = 0; n < 200; n += 10)
    await Promise.all(Array.from({ length: 10 }, async (_, i) => peal.publish(topic, `${n + i} ${LONG}`)));
  await eventually("no stream of before", async () => (await connections()) === 0);
  const path = `/${topic.key}/json?poll=1`;
  const socket = await stuck(path, `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  await eventually("its stream", async () => (await connections()) === 1);
  let text = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => (text += chunk));
  socket.resume();
  await eventually("its end", () => text.endsWith("\r\n0\r\n\r\n"));
  expect([...text.matchAll(/"event":"message"/g)]).toHaveLength(200);
  await eventually("nobody counted", async () => (await connections()) === 0);
  socket.destroy();
}, 60_000);

test("a client that sends more than a reader may is cut off", async () => {
  const topic = await peal.topic("talks");
  await eventually("no stream of before", async () => (await connections()) === 0);
  const socket = new WebSocket(`${peal.url.replace("http", "ws")}/${topic.key}/ws`);
  const closed = Promise.withResolvers<undefined>();
  socket.addEventListener("close", () => {
    closed.resolve(undefined);
  });
  socket.addEventListener("open", () => {
    socket.send("hello"); // ignored
    socket.send("x".repeat(100_000));
  });
  await closed.promise;
  await eventually("its end", async () => (await connections()) === 0);
});

/** It takes most of a minute, which is what the promise is about. */
const atLength = IS_THOROUGH ? test : test.skip;
atLength(
  "a silent one is pinged before the minute is up, so that no router forgets it",
  async () => {
    const topic = await peal.topic("silent");
    const socket = await stuck(`/${topic.key}/ws`);
    const got: Buffer[] = [];
    const pinged = new Promise<void>((resolve, reject) => {
      socket.on("data", (bytes: Buffer) => {
        got.push(bytes);
        if (Buffer.concat(got).at(-2) === 0x89) resolve(); // a ping without a payload
      });
      socket.on("close", () => {
        reject(new Error("it was closed"));
      });
    });
    socket.resume();
    await pinged;
    socket.destroy();
  },
  60_000,
);

test("a shutdown ends WebSockets at once", async () => {
  await using own = await inProcess();
  const topic = await own.topic("t");
  const socket = await readSocket(`${own.url}/${topic.key}/ws`);
  await socket.opened();
  const restarted = own.restart();
  expect(await socket.ended).toBe(1006);
  await restarted;
  const again = await readSocket(`${own.url}/${topic.key}/ws`);
  await again.opened();
  await again.close();
});

test("behind a proxy on a unix socket there are WebSockets too", async () => {
  const path = join(peal.dataDir, "proxy.sock");
  await using own = await inProcess({ env: { PEAL_LISTEN: `127.0.0.1:0,unix:${path}` } });
  const topic = await own.topic("t");
  const socket = connect(path);
  await once(socket, "connect");
  let text = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => (text += chunk));
  socket.write(handshake(`/${topic.key}/ws`));
  await eventually("open", () => text.includes('"event":"open"'));
  expect(text).toStartWith("HTTP/1.1 101 ");
  await own.publish(topic, "hello");
  await eventually("the message", () => text.includes('"hello"'));
  socket.destroy();
});

test("over https as well", async () => {
  const folder = mkdtempSync(join(tmpdir(), "peal-wss-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const { cert, key } = authority.issue();
  const files = { PEAL_TLS_CERT: join(folder, "tls.crt"), PEAL_TLS_KEY: join(folder, "tls.key") };
  writeFileSync(files.PEAL_TLS_CERT, cert);
  writeFileSync(files.PEAL_TLS_KEY, key);
  await using own = await startPeal({ env: { PEAL_TLS: "files", ...files, PEAL_LISTEN_TLS: "127.0.0.1:0" } });
  const port = await eventually("https", () => /https on (\d+)/.exec(own.output())?.[1]);
  const topic = await own.topic("t");
  const socket = await readSocket(`https://127.0.0.1:${port}/${topic.key}/ws`, { tls: { ca: authority.cert } });
  await socket.opened();
  await own.publish(topic, "hello");
  await eventually("the message", () => socket.messages().length === 1);
  await socket.close();
});
