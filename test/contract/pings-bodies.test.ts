/** What a job says of its run: no body refuses a ping or holds it back (docs/design/CHECKINS.md §2). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { eventsOf, kindsOf, newCheck, ping } from "../support/checks.ts";
import { answer } from "../support/client.ts";
import { heldClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { answers, begin, converse, rawRequest, statuses } from "../support/raw.ts";
import { inProcess, startPeal, type Peal } from "../support/server.ts";

let peal: Peal;
beforeAll(async () => (peal = await startPeal()));
afterAll(async () => peal[Symbol.asyncDispose]());

const OK: [number, string] = [200, "ok"];
const HOUR = 3_600_000;
const HEAD = 2_048;
const TAIL = 8_192;

/** The body of the latest ping, as the API hands it out. */
async function kept(id: string): Promise<{ type: string | null; bytes: Buffer; sent: unknown; headers: Headers }> {
  const event = (await eventsOf(peal, id)).findLast(({ kind }) => kind === "log");
  const response = await peal.api("GET", `/v1/home/checks/${id}/events/${event?.n}/body`);
  expect(response.status).toBe(200);
  return {
    type: response.headers.get("content-type"),
    bytes: Buffer.from(await response.bytes()),
    sent: event?.["body_bytes"],
    headers: response.headers,
  };
}
const counted = (n: number) => Buffer.from(Array.from({ length: n }, (_, i) => 97 + (i % 26)));

describe("a body of", () => {
  test.each([1, HEAD, HEAD + 1, HEAD + TAIL])("%d bytes is kept whole", async (size) => {
    const { id, ping_url } = await newCheck(peal);
    const body = counted(size);
    expect(await ping(peal, `${ping_url}/log`, { method: "POST", body })).toEqual(OK);
    expect(await kept(id)).toMatchObject({ bytes: body, sent: size, type: "text/plain; charset=utf-8" });
  });

  test.each([HEAD + TAIL + 1, 100_000, 1_000_000])("%d bytes keeps its beginning and its end", async (size) => {
    const { id, ping_url } = await newCheck(peal);
    const body = counted(size);
    expect(await ping(peal, `${ping_url}/log`, { method: "POST", body })).toEqual(OK);
    const { bytes, sent } = await kept(id);
    expect([bytes.subarray(0, HEAD), bytes.subarray(-TAIL), sent]).toEqual([
      body.subarray(0, HEAD),
      body.subarray(-TAIL),
      size,
    ]);
    expect(bytes.subarray(HEAD, -TAIL).toString()).toBe(`\n… ${size - HEAD - TAIL} bytes left out …\n`);
  });

  test("none is none", async () => {
    const { id, ping_url } = await newCheck(peal);
    expect(await ping(peal, `${ping_url}/log`, { method: "POST" })).toEqual(OK);
    const [event] = await eventsOf(peal, id);
    expect(event).not.toHaveProperty("body_bytes");
    for (const n of ["1", "2", "x", "01", "99999999999999999999"])
      expect(await answer(404, await peal.api("GET", `/v1/home/checks/${id}/events/${n}/body`))).toMatchObject({
        code: "not_found",
      });
  });
});

// prettier-ignore
const bodies: [string, headers: Record<string, string>, body: Uint8Array][] = [
  ["broken JSON",             { "content-type": "application/json" },                           Buffer.from('{"a":')],
  ["a form of bad escapes",   { "content-type": "application/x-www-form-urlencoded" },          Buffer.from("x %ZZ&=&&")],
  ["broken multipart",        { "content-type": "multipart/form-data; boundary=x" },            Buffer.from("--x\r\nnothing")],
  ["multipart without bound", { "content-type": "multipart/form-data" },                        Buffer.from("--x\r\n")],
  ["no type that exists",     { "content-type": "\"" },                                         Buffer.from("x")],
  ["bad UTF-8",               { "content-type": "text/plain; charset=utf-8" },                  Buffer.from([0xff, 0xfe, 0xc3, 0x28])],
  ["gzip",                    { "content-encoding": "gzip" },                                   gzipSync("x".repeat(1000))],
  ["gzip that is none",       { "content-encoding": "gzip", "content-type": "application/json" }, Buffer.from("no gzip")],
  ["an unknown encoding",     { "content-encoding": "br, zstd" },                               Buffer.from("x")],
  ["NUL and all other bytes", {},                                                               Buffer.from(Array.from({ length: 256 }, (_, i) => i))],
];
test.each(bodies)("%s is kept byte by byte", async (_, headers, body) => {
  const { id, ping_url } = await newCheck(peal);
  for (const method of ["POST", "PUT"])
    expect(await ping(peal, `${ping_url}/log`, { method, headers, body })).toEqual(OK);
  const { bytes, sent } = await kept(id);
  expect([bytes, sent]).toEqual([body, body.length]);
  expect((await eventsOf(peal, id)).filter((event) => event["body_bytes"] === body.length)).toHaveLength(2);
});

test("a body is handed out as something that no browser runs", async () => {
  const { id, ping_url } = await newCheck(peal);
  await ping(peal, `${ping_url}/log`, { method: "POST", body: "<script>alert(1)</script>" });
  const text = await kept(id);
  expect(text.type).toBe("text/plain; charset=utf-8");
  expect(Object.fromEntries(text.headers)).toMatchObject({
    "x-content-type-options": "nosniff",
    "content-security-policy": "sandbox",
    "content-disposition": `inline; filename="${id}-1.txt"`,
  });
  await ping(peal, `${ping_url}/log`, { method: "POST", body: new Uint8Array([60, 0, 62]) });
  const binary = await kept(id);
  expect(binary.type).toBe("application/octet-stream");
  expect(binary.headers.get("content-disposition")).toBe(`attachment; filename="${id}-2.bin"`);
});

test("the end of what a failed job said is in its alert", async () => {
  const { ping_url, topic } = await newCheck(peal, { topic: "told", every: "1d" });
  const said = `${"lost ".repeat(500)}\u001b[31merror: \u001b[0mdisk is full\n`;
  expect(await ping(peal, `${ping_url}/1`, { method: "POST", body: said })).toEqual(OK);
  const [alert] = await peal.history({ namespace: "home", key: topic });
  expect(alert?.message).toContain("lost error: disk is full");
  expect(alert?.message).not.toContain("\u001b");
  expect(alert?.message).not.toContain("lost ".repeat(110));
});

/** Fills without being seen. */
const COLOURS = (bytes: number) => "\u001b[0m".repeat(Math.ceil(bytes / 4));
// prettier-ignore
const leaking: [how: string, said: (url: string, token: string) => string, shown: string][] = [
  ["that the alert has no room for",   (url) => `${"x".repeat(300)} + curl ${url} ${"y".repeat(488)}`,                        "y"],
  ["that is not kept whole",           (_, token) => `${"lost ".repeat(1_000)}${token} it ended${COLOURS(TAIL - 9 - 12)}`,    "… it ended"],
  ["behind all that is kept whole",    (_, token) => `${"x".repeat(HEAD - 10)} ${token} it ended`,                            "… it ended"],
  ["in a word longer than that",       (_, token) => `${`${token},`.repeat(600)}it ended${COLOURS(5_000)}`,                   "it ended"],
];
test.each(leaking)("nothing of a token %s is in the alert", async (_, said, shown) => {
  const { ping_url, topic } = await newCheck(peal, { topic: "told-no-token", every: "1d" });
  const token = ping_url.slice(-26);
  expect(await ping(peal, `${ping_url}/1`, { method: "POST", body: said(ping_url, token) })).toEqual(OK);
  const message = (await peal.history({ namespace: "home", key: topic })).at(-1)?.message ?? "";
  expect(message).toContain(shown);
  for (let at = 0; at + 6 <= token.length; at++) expect(message).not.toContain(token.slice(at, at + 6));
});

/** What came before a body was cut, or its client went away. */
const CUT = "the end: ";
// prettier-ignore
const cut: [how: string, before: number, framing: Record<string, string>, isGone: boolean][] = [
  ["comes no further in 5 s",              0,              { "transfer-encoding": "chunked" }, false],
  ["is announced, and comes no further",   0,              { "content-length": "1000" },       false],
  ["is a megabyte, and goes on",           1_048_576 - 12, { "transfer-encoding": "chunked" }, false],
  ["is announced, and whose client goes",  0,              { "content-length": "1000" },       true],
  ["comes in chunks, and whose client goes", 0,            { "transfer-encoding": "chunked" }, true],
];
test.each(cut)(
  "nothing of a token at the end of a body that %s is in the alert",
  async (_, before, framing, isGone) => {
    const clock = heldClock();
    await using own = await inProcess({ clock });
    const { id, ping_url, topic } = await newCheck(own, { topic: "told-cut", every: "1d" });
    const token = ping_url.slice(-26);
    const said = `${"x ".repeat(before / 2)}${CUT}${token.slice(0, 13)}`;
    const part = "content-length" in framing ? said : `${said.length.toString(16)}\r\n${said}\r\n`;
    const socket = connect(Number(new URL(own.url).port), "127.0.0.1");
    socket.on("error", () => undefined); // the server is gone before it
    const begun = new Promise<void>((resolve) => socket.once("data", () => resolve()));
    const head = rawRequest("POST", `${new URL(ping_url).pathname}/1`, { ...framing, expect: "100-continue" });
    socket.write(head + part);
    await begun;
    if (isGone) socket.destroy();
    await eventually("the ping", async () => {
      clock.advance(50);
      return (await kindsOf(own, id)).length > 0;
    });
    socket.destroy();
    const message = (await own.history({ namespace: "home", key: topic })).at(-1)?.message ?? "";
    expect(message).toEndWith(`${CUT}…`);
    const { n } = (await eventsOf(own, id)).find(({ kind }) => kind === "fail") ?? {};
    expect(await (await own.api("GET", `/v1/home/checks/${id}/events/${n}/body`)).text()).toContain(said.slice(-22));
  },
);

describe("an upload of 50 MB", () => {
  const size = 50_000_000;
  const big = "x".repeat(size);
  const next = rawRequest("GET", "/ready");

  test("is answered, and the connection goes on", async () => {
    const { id, ping_url } = await newCheck(peal);
    const { pathname } = new URL(ping_url);
    const heard = await converse(peal.url, rawRequest("POST", `${pathname}/log`, {}, big) + next, answers(2));
    expect(statuses(heard)).toEqual([200, 200]);
    expect((await kept(id)).sent).toBe(size);
  });

  test("in chunks, too", async () => {
    const { id, ping_url } = await newCheck(peal);
    const { pathname } = new URL(ping_url);
    const head = rawRequest("PUT", `${pathname}/log`, { "transfer-encoding": "chunked" });
    const chunked = `${head}${size.toString(16)}\r\n${big}\r\n0\r\n\r\n`;
    expect(statuses(await converse(peal.url, chunked + next, answers(2)))).toEqual([200, 200]);
    expect((await kept(id)).sent).toBeNumber(); // nobody counted to the end
  });
});

test("a client that waits to be told to go on is told", async () => {
  const { id, ping_url } = await newCheck(peal);
  const { finish } = await begin(peal.url, "POST", `${new URL(ping_url).pathname}/log`, {}, "waited");
  expect(statuses(await finish())).toEqual([200]);
  expect((await kept(id)).bytes.toString()).toBe("waited");
});

/** Sends the head and then `drop` for ever; what it heard until the first answer. */
async function dribble(url: string, target: string, headers: Record<string, string>, drop: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1", () => {
      socket.write(rawRequest("POST", target, headers));
    });
    const more = setInterval(() => drop !== "" && socket.write(drop), 5);
    let heard = "";
    socket.on("data", (data) => {
      heard += data.toString();
      if (answers(1)(heard)) socket.destroy();
    });
    socket.on("error", () => undefined); // the server is gone in the middle of a write
    socket.on("close", () => {
      clearInterval(more);
      resolve(heard);
    });
  });
}

const CHUNKED = { "transfer-encoding": "chunked" };
// prettier-ignore
test.each([
  ["that comes by drops",              CHUNKED,                      "1\r\nx\r\n", ["ok", "log"]],
  ["that is announced and never comes", { "content-length": "1000" }, "",           ["ok"]],
  ["of drops of what is announced",    { "content-length": "1000" }, "x",          ["ok", "log"]],
])("a body %s holds its ping back for 5 s at most", async (_, headers, drop, kinds) => {
  const clock = heldClock();
  await using own = await inProcess({ clock });
  const { id, ping_url } = await newCheck(own);
  let isAnswered = false;
  const heard = dribble(own.url, new URL(ping_url).pathname, headers, drop).finally(() => (isAnswered = true));
  await eventually("the ping", async () => {
    clock.advance(10);
    return (await kindsOf(own, id)).length > 0;
  });
  clock.advance(4_000);
  expect([await kindsOf(own, id), isAnswered]).toEqual([["ok"], false]);
  clock.advance(1_000);
  expect(statuses(await heard)).toEqual([200]);
  expect(await kindsOf(own, id)).toEqual(kinds);
});

test.concurrent(
  "a body that takes longer is received to its end, and the connection goes on",
  async () => {
    const { ping_url } = await newCheck(peal);
    const heard = await new Promise<string>((resolve) => {
      let text = "";
      const socket = connect(Number(new URL(peal.url).port), "127.0.0.1", () => {
        socket.write(rawRequest("POST", `${new URL(ping_url).pathname}/log`, CHUNKED));
      });
      const startedAt = performance.now();
      const more = setInterval(() => {
        const isOver = performance.now() - startedAt > 16_000; // 10 s, and as much as a timer of Bun is late
        socket.write(isOver ? `0\r\n\r\n${rawRequest("GET", "/ready")}` : "1\r\nx\r\n");
        if (isOver) clearInterval(more);
      }, 200);
      socket.on("data", (data) => {
        text += data.toString();
        if (answers(2)(text)) socket.destroy();
      });
      socket.on("error", () => undefined); // the server is gone in the middle of a write
      socket.on("close", () => {
        clearInterval(more);
        resolve(text);
      });
    });
    expect(statuses(heard)).toEqual([200, 200]);
  },
  40_000,
);

test("a body without an end is answered as soon as a megabyte of it is there, before any time has passed", async () => {
  await using own = await inProcess({ clock: heldClock() });
  const { id, ping_url } = await newCheck(own);
  const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
  expect(statuses(await dribble(own.url, `${new URL(ping_url).pathname}/log`, CHUNKED, chunk))).toEqual([200]);
  expect((await eventsOf(own, id))[0]?.["body_bytes"]).toBeGreaterThanOrEqual(1_048_576);
});

describe("a ping counts when its headers have come, whatever its body takes", () => {
  /** A check that has to hear of its job within an hour, and a ping that keeps its body back, so long before that. */
  async function heldBack(suffix: string, ms: number, settings: object = {}) {
    const clock = heldClock();
    const own = await inProcess({ clock });
    const { id, ping_url, topic } = await newCheck(own, {
      ...{ every: "1h", grace: 0, armed: true, max_run: "1h" },
      ...settings,
    });
    clock.advance(HOUR - ms);
    const { finish } = await begin(own.url, "POST", `${new URL(ping_url).pathname}${suffix}?rid=a`, {}, "said late");
    return { [Symbol.asyncDispose]: async () => own[Symbol.asyncDispose](), own, clock, id, topic, finish };
  }

  // prettier-ignore
  const pings: [kind: string, suffix: string, ms: number][] = [
    ["ok",    "",       1_000],
    ["ok",    "",       300],
    ["ok",    "",       50],
    ["start", "/start", 50],
    ["fail",  "/1",     1_000],
    ["fail",  "/1",     50],
  ];
  test.each(pings)("%s, by `%s`, %d ms before it would be late", async (kind, suffix, ms) => {
    await using late = await heldBack(suffix, ms, { fail_after: 2 });
    const { own, clock, id, finish } = late;
    const deadline = clock.now() + ms;
    await eventually("the ping", async () => {
      if (clock.now() < deadline - 50) clock.advance(10);
      return (await kindsOf(own, id)).length > 0;
    });
    clock.advance(2_000);
    await eventually("nothing to be due", async () => ((await own.running.deps.store.checks.nextAt()) ?? 0) > deadline);
    expect(statuses(await finish())).toEqual([200]);
    const events = await eventsOf(own, id);
    expect(events).toMatchObject([
      { kind, rid: "a" },
      { kind: "log", rid: "a", body_bytes: 9 },
    ]);
    expect(events[0]).not.toHaveProperty("body_bytes");
  });

  test.each([
    [10_000, true],
    [50, false],
  ])("%d ms before, the alert of a fail waits for what is said: %p", async (ms, isWaiting) => {
    await using late = await heldBack("/1", ms);
    const { own, clock, id, topic, finish } = late;
    if (isWaiting) clock.advance(1_000);
    else await eventually("the ping", async () => (await kindsOf(own, id)).length > 0);
    expect(statuses(await finish())).toEqual([200]);
    expect(await kindsOf(own, id)).toEqual(["fail", "down", ...(isWaiting ? [] : ["log"])]);
    const [alert] = await own.history({ namespace: "home", key: topic });
    expect(alert?.message.includes("said late")).toBe(isWaiting);
  });
});

test("the body of a stranger is not waited for", async () => {
  await using own = await inProcess({ clock: heldClock() });
  const heard = await dribble(own.url, "/v1/ping/0123456789abcdefghjkmnpqrs/log", CHUNKED, "1\r\nx\r\n");
  expect(statuses(heard)).toEqual([404]);
});

test("a client that goes away in the middle of its body has pinged", async () => {
  const { id, ping_url } = await newCheck(peal);
  const target = `${new URL(ping_url).pathname}/log`;
  const socket = connect(Number(new URL(peal.url).port), "127.0.0.1");
  socket.write(`${rawRequest("POST", target, { "content-length": "1000", expect: "100-continue" })}half of it`);
  await new Promise<void>((resolve) => socket.once("data", () => resolve())); // it has begun
  socket.destroy();
  await eventually("what it said", async () => (await eventsOf(peal, id)).at(-1)?.["body_bytes"]);
  expect(await kept(id)).toMatchObject({ bytes: Buffer.from("half of it"), sent: 10 });
});
