/** What a job says about its run: no body makes a ping fail or delays it (CHECKINS.md §2). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { eventsOf, newCheck, ping } from "../support/checks.ts";
import { answer } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { answers, begin, converse, rawRequest, statuses } from "../support/raw.ts";
import { startPeal, type Peal } from "../support/server.ts";

let peal: Peal;
beforeAll(async () => (peal = await startPeal()));
afterAll(async () => peal[Symbol.asyncDispose]());

const OK: [number, string] = [200, "ok"];
const HEAD = 2_048;
const TAIL = 8_192;

/** The body of the latest ping, as the API returns it. */
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

  test("zero length is not kept", async () => {
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
test.each(bodies)("%s is kept byte for byte", async (_, headers, body) => {
  const { id, ping_url } = await newCheck(peal);
  for (const method of ["POST", "PUT"])
    expect(await ping(peal, `${ping_url}/log`, { method, headers, body })).toEqual(OK);
  const { bytes, sent } = await kept(id);
  expect([bytes, sent]).toEqual([body, body.length]);
  expect((await eventsOf(peal, id)).filter((event) => event["body_bytes"] === body.length)).toHaveLength(2);
});

test("a body is served as something that browsers do not run", async () => {
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

test("the end of a failed job's output is in its alert", async () => {
  const { ping_url, topic } = await newCheck(peal, { topic: "told", every: "1d" });
  const said = `${"lost ".repeat(500)}\u001b[31merror: \u001b[0mdisk is full\n`;
  expect(await ping(peal, `${ping_url}/1`, { method: "POST", body: said })).toEqual(OK);
  const [alert] = await peal.history({ namespace: "home", key: topic });
  expect(alert?.message).toContain("lost error: disk is full");
  expect(alert?.message).not.toContain("\u001b");
  expect(alert?.message).not.toContain("lost ".repeat(110));
});

/** Fills this many bytes without being visible. */
const COLOURS = (bytes: number) => "\u001b[0m".repeat(Math.ceil(bytes / 4));
// prettier-ignore
const leaking: [how: string, said: (url: string, token: string) => string, shown: string][] = [
  ["that the alert has no room for",   (url) => `${"x".repeat(300)} + curl ${url} ${"y".repeat(488)}`,                        "y"],
  ["that is not kept whole",           (_, token) => `${"lost ".repeat(1_000)}${token} it ended${COLOURS(TAIL - 9 - 12)}`,    "… it ended"],
  ["behind all that is kept whole",    (_, token) => `${"x".repeat(HEAD - 10)} ${token} it ended`,                            "… it ended"],
  ["in a word longer than that",       (_, token) => `${`${token},`.repeat(600)}it ended${COLOURS(5_000)}`,                   "it ended"],
];
test.each(leaking)("the alert contains no part of a token %s", async (_, said, shown) => {
  const { ping_url, topic } = await newCheck(peal, { topic: "told-no-token", every: "1d" });
  const token = ping_url.slice(-26);
  expect(await ping(peal, `${ping_url}/1`, { method: "POST", body: said(ping_url, token) })).toEqual(OK);
  const message = (await peal.history({ namespace: "home", key: topic })).at(-1)?.message ?? "";
  expect(message).toContain(shown);
  for (let at = 0; at + 6 <= token.length; at++) expect(message).not.toContain(token.slice(at, at + 6));
});

describe("an upload of 50 MB", () => {
  const size = 50_000_000;
  const big = "x".repeat(size);
  const next = rawRequest("GET", "/ready");

  test("is answered, and the connection stays open", async () => {
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
    expect((await kept(id)).sent).toBeNumber(); // the bytes were not counted to the end
  });
});

test("a client that waits for 100 Continue gets it", async () => {
  const { id, ping_url } = await newCheck(peal);
  const { finish } = await begin(peal.url, "POST", `${new URL(ping_url).pathname}/log`, {}, "waited");
  expect(statuses(await finish())).toEqual([200]);
  expect((await kept(id)).bytes.toString()).toBe("waited");
});

test("a client that disconnects in the middle of its body has pinged", async () => {
  const { id, ping_url } = await newCheck(peal);
  const target = `${new URL(ping_url).pathname}/log`;
  const socket = connect(Number(new URL(peal.url).port), "127.0.0.1");
  socket.write(`${rawRequest("POST", target, { "content-length": "1000", expect: "100-continue" })}half of it`);
  await new Promise<void>((resolve) => socket.once("data", () => resolve())); // the answer has begun
  socket.destroy();
  await eventually("what it said", async () => (await eventsOf(peal, id)).at(-1)?.["body_bytes"]);
  expect(await kept(id)).toMatchObject({ bytes: Buffer.from("half of it"), sent: 10 });
});
