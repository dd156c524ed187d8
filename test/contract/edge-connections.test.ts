/** Problems on a client's connection stay there: slow, endless and oversized requests, and the request after them. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { listen } from "../events/listen.ts";
import { newCheck } from "../support/checks.ts";
import { answer } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { answers, begin, converse, rawRequest, statuses } from "../support/raw.ts";
import { IS_THOROUGH } from "../support/rounds.ts";
import { startPeal, type Peal } from "../support/server.ts";

const directory = mkdtempSync(join(tmpdir(), "peal-edge-"));
const unix = join(directory, "peal.sock");
let peal: Peal;
beforeAll(async () => (peal = await startPeal({ env: { PEAL_LISTEN: `127.0.0.1:0,unix:${unix}` } })));
afterAll(async () => {
  await peal[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true });
});

const key = () => ({ authorization: `Bearer ${peal.adminKey}` });
const next = rawRequest("GET", "/ready");

test("a body of 10 MB is refused because of its length, with an explanation, and the connection stays open", async () => {
  const body = "x".repeat(10_000_000);
  for (const headers of [key(), {}]) {
    const heard = await converse(peal.url, rawRequest("POST", "/home/hello", headers, body) + next, answers(2));
    expect(statuses(heard)).toEqual(["authorization" in headers ? 413 : 401, 200]);
    expect(heard).toContain("authorization" in headers ? '"too_large"' : '"missing_key"');
  }
});

test("a body of any length is refused with an explanation", async () => {
  const announced = { ...key(), "content-length": "100000000000" };
  const heard = await converse(peal.url, rawRequest("POST", "/home/hello", announced), answers(1));
  expect(statuses(heard)).toEqual([413]);
  expect(heard).toContain('"too_large"');
});

test("a small compressed body that unpacks to a large one is refused, and the connection stays open", async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000)).toString("latin1");
  const request = rawRequest(
    "POST",
    "/home/hello",
    { ...key(), "content-encoding": "gzip", "content-type": "text/plain" },
    bomb,
  );
  const heard = await new Promise<string>((resolve, reject) => {
    let text = "";
    const socket = connect(Number(new URL(peal.url).port), "127.0.0.1", () =>
      socket.write(Buffer.from(request, "latin1")),
    );
    let isNextSent = false;
    socket.on("data", (data) => {
      text += data.toString();
      if (answers(2)(text)) socket.destroy();
      else if (answers(1)(text) && !isNextSent) {
        isNextSent = true;
        socket.write(next);
      }
    });
    socket.on("error", reject);
    socket.on("close", () => {
      resolve(text);
    });
  });
  expect(statuses(heard)).toEqual([413, 200]);
});

test("after every refusal the connection can be used for the next request", async () => {
  const json = { ...key(), "content-type": "application/json", prefer: "handling=strict" };
  const requests: [number, string][] = [
    [400, rawRequest("POST", "/home/hello", json, '{"message":')],
    [422, rawRequest("POST", "/home/hello", json, "{}")],
    [401, rawRequest("POST", "/home/hello", {}, "hi")],
    [404, rawRequest("POST", "/home//hello", key(), "hi")],
    [405, rawRequest("DELETE", "/health", key())],
    [400, rawRequest("POST", "/home/hello", { ...key(), host: "a/b" }, "hi")],
    [415, rawRequest("POST", "/home/hello", { ...key(), "content-encoding": "lzma", prefer: "handling=strict" }, "hi")],
    [201, rawRequest("POST", "/home/hello", json, '{"message":"m"}')],
  ];
  const heard = await converse(peal.url, requests.map(([, text]) => text).join(""), answers(requests.length));
  expect(statuses(heard)).toEqual(requests.map(([status]) => status));
});

// from here to the last of these tests all run at the same time, and take as long as the slowest
const ENDLESS = { "transfer-encoding": "chunked" };
const CHUNK = `10000\r\n${"x".repeat(0x10000)}\r\n`;
// prettier-ignore
const endless: [string, () => Record<string, string>, string, number][] = [
  ["that is read",            () => key(), "/home/hello",           413],
  ["without a key",           () => ({}),  "/home/hello",           401],
  ["to where nothing is",     () => ({}),  "/no/such/path/here",    404],
  ["with a wrong encoding",   () => ({ ...key(), "content-encoding": "lzma", prefer: "handling=strict" }), "/home/hello", 415],
];
test.concurrent.each(endless)(
  "an endless body %s is answered, then cut off",
  async (_, headers, path, status) => {
    const heard = await new Promise<string>((resolve) => {
      let text = "";
      const socket = connect(Number(new URL(peal.url).port), "127.0.0.1", () => {
        socket.write(rawRequest("POST", path, { ...headers(), ...ENDLESS, "content-type": "application/json" }));
      });
      const more = setInterval(() => socket.write(CHUNK), 20);
      socket.on("data", (data) => (text += data.toString()));
      socket.on("error", () => undefined); // the server may close the connection in the middle of a write
      socket.on("close", () => {
        clearInterval(more);
        resolve(text);
      });
    });
    expect(statuses(heard)).toEqual([status]);
  },
  30_000,
);

test.concurrent(
  "a client that sends a header or a body slowly, or nothing, loses its connection and delays no one else",
  async () => {
    const trickle = async (text: string, drop: string) =>
      new Promise<void>((resolve) => {
        const socket = connect(Number(new URL(peal.url).port), "127.0.0.1", () => socket.write(text));
        const drip = setInterval(() => drop !== "" && socket.write(drop), 500);
        socket.on("error", () => undefined);
        socket.on("data", () => undefined);
        socket.on("close", () => {
          clearInterval(drip);
          resolve();
        });
      });
    const late = await begin(peal.url, "POST", "/home/hello", key(), "hi");
    const body = trickle(rawRequest("POST", "/home/hello", { ...key(), "content-length": "1000" }), "a");
    const headers = Promise.all([
      trickle("GET /ready HTTP/1.1\r\nHost: x\r\nA: ", "a"),
      trickle("GET /ready HTTP/1.1\r\nHost: x\r\nA: ", ""),
      trickle("", ""),
    ]);
    await answer(200, await peal.request("/ready"));
    await headers; // a connection that stays open also stalls the test: its time-out is the assertion
    expect(statuses(await late.finish())).toEqual([201]); // a body is given longer, a short one too
    if (IS_THOROUGH) await body; // 30 s
  },
  60_000,
);

test.concurrent(
  "a ping's body that takes longer is received to its end, and the connection stays open",
  async () => {
    const { ping_url } = await newCheck(peal);
    const heard = await new Promise<string>((resolve) => {
      let text = "";
      const socket = connect(Number(new URL(peal.url).port), "127.0.0.1", () => {
        socket.write(rawRequest("POST", `${new URL(ping_url).pathname}/log`, ENDLESS));
      });
      const startedAt = performance.now();
      const more = setInterval(() => {
        const isOver = performance.now() - startedAt > 16_000; // 10 s, and as much as Bun's timers can be late
        socket.write(isOver ? `0\r\n\r\n${rawRequest("GET", "/ready")}` : "1\r\nx\r\n");
        if (isOver) clearInterval(more);
      }, 200);
      socket.on("data", (data) => {
        text += data.toString();
        if (answers(2)(text)) socket.destroy();
      });
      socket.on("error", () => undefined); // the server may close the connection in the middle of a write
      socket.on("close", () => {
        clearInterval(more);
        resolve(text);
      });
    });
    expect(statuses(heard)).toEqual([200, 200]);
  },
  40_000,
);

test.concurrent(
  "an idle stream is kept open by comments",
  async () => {
    const topic = await peal.topic("quiet");
    const streams = [
      await listen(`${peal.url}/home/${topic.key}/events`),
      await listen(`${peal.url}/v1/home/events`, { headers: key() }),
      await listen(`http://localhost/home/${topic.key}/events`, { unix }),
    ];
    // after 15 s an idle connection would be closed; that they come every 15 s is tested in test/events/held
    await eventually("a comment", () => streams.every(({ comments }) => comments >= 1));
    await peal.publish(topic, { message: "at last" });
    await eventually("the message", () => streams.every((stream) => stream.ids().length > 0));
    await Promise.all(streams.map(async (stream) => stream.close()));
  },
  60_000,
);

test("the secrets of this run are not in any log, even at the most verbose level", async () => {
  await using talkative = await startPeal({ env: { PEAL_LOG: "debug" } });
  const topic = await talkative.topic("hello");
  const { key: minted } = await talkative.mint("publish");
  const asked = [
    talkative.publish(topic, { message: "hi" }),
    talkative.request(`/home/${topic.key}`),
    talkative.request(`/home/name/${topic.key}`, { headers: { accept: "text/html" } }),
    talkative.request(`/${topic.key}`),
    talkative.request(`/v1/home/${topic.key}/messages?limit=0`),
    talkative.request(`/v1/home/${topic.key}/messages`, {
      headers: { authorization: `Bearer ${minted}, Bearer ${minted}` },
    }),
    talkative.request(`/v1/home/${topic.key}/nothing`, {
      method: "POST",
      headers: { authorization: `Basic ${btoa(`x:${minted}`)}` },
    }),
    converse(talkative.url, rawRequest("GET", `//${topic.key}?key=${minted}`), answers(1)),
    talkative.request(`/home/${topic.key}/events`, { method: "HEAD", headers: { "user-agent": minted } }),
    talkative.request(`/home/${"x".repeat(9_000)}${topic.key}`),
  ];
  await Promise.all(asked);
  await talkative.kill("SIGTERM");
  const logs = talkative.logs();
  expect(logs).toContain("route=/v1/:ns/:key/messages");
  expect(logs.match(/ request request=/g)?.length).toBeGreaterThanOrEqual(asked.length);
  for (const secret of talkative.secrets) expect(logs.includes(secret)).toBe(false);
});
