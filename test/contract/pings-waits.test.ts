/** A body never delays its ping for long, and an incomplete one leaks nothing into the alert (CHECKINS.md §2). */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect } from "node:net";
import { eventsOf, kindsOf, newCheck } from "../support/checks.ts";
import { heldClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { answers, begin, rawRequest, statuses } from "../support/raw.ts";
import { inProcess, type InProcess } from "../support/server.ts";

const HOUR = 3_600_000;

/** A server whose clock only moves when a test moves it. */
const clock = heldClock();
let held: InProcess;
beforeAll(async () => (held = await inProcess({ clock })));
afterAll(async () => held[Symbol.asyncDispose]());

/** Begins the text that was sent before the body was cut off or the client disconnected. */
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
  "the alert contains no part of a token at the end of a body that %s",
  async (_, before, framing, isGone) => {
    const { id, ping_url, topic } = await newCheck(held, { topic: "told-cut", every: "1d" });
    const token = ping_url.slice(-26);
    const said = `${"x ".repeat(before / 2)}${CUT}${token.slice(0, 13)}`;
    const part = "content-length" in framing ? said : `${said.length.toString(16)}\r\n${said}\r\n`;
    const socket = connect(Number(new URL(held.url).port), "127.0.0.1");
    socket.on("error", () => undefined); // the server may close the connection first
    const begun = new Promise<void>((resolve) => socket.once("data", () => resolve()));
    const head = rawRequest("POST", `${new URL(ping_url).pathname}/1`, { ...framing, expect: "100-continue" });
    socket.write(head + part);
    await begun;
    if (isGone) socket.destroy();
    await eventually("the ping", async () => {
      clock.advance(50);
      return (await kindsOf(held, id)).length > 0;
    });
    socket.destroy();
    const message = (await held.history({ namespace: "home", key: topic })).at(-1)?.message ?? "";
    expect(message).toEndWith(`${CUT}…`);
    const { n } = (await eventsOf(held, id)).find(({ kind }) => kind === "fail") ?? {};
    expect(await (await held.api("GET", `/v1/home/checks/${id}/events/${n}/body`)).text()).toContain(said.slice(-22));
  },
);

/** Sends the head and then `drop` repeatedly; returns what was received up to the first answer. */
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
    socket.on("error", () => undefined); // the server may close the connection in the middle of a write
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
])("a body %s delays its ping by 5 s at most", async (_, headers, drop, kinds) => {
  const { id, ping_url } = await newCheck(held);
  let isAnswered = false;
  const heard = dribble(held.url, new URL(ping_url).pathname, headers, drop).finally(() => (isAnswered = true));
  await eventually("the ping", async () => {
    clock.advance(10);
    return (await kindsOf(held, id)).length > 0;
  });
  clock.advance(4_000);
  expect([await kindsOf(held, id), isAnswered]).toEqual([["ok"], false]);
  clock.advance(1_000);
  expect(statuses(await heard)).toEqual([200]);
  expect(await kindsOf(held, id)).toEqual(kinds);
});

test("a body without an end is answered once a megabyte of it has arrived, without any delay", async () => {
  const { id, ping_url } = await newCheck(held);
  const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
  expect(statuses(await dribble(held.url, `${new URL(ping_url).pathname}/log`, CHUNKED, chunk))).toEqual([200]);
  expect((await eventsOf(held, id))[0]?.["body_bytes"]).toBeGreaterThanOrEqual(1_048_576);
});

describe("a ping counts from the arrival of its headers, however long its body takes", () => {
  /** Makes a check that must be pinged within an hour, and a ping with its body held back that comes `ms` before that. */
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
  ])("%d ms before, the alert of a fail waits for its body: %p", async (ms, isWaiting) => {
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

test("an unknown client's body is not waited for", async () => {
  const heard = await dribble(held.url, "/v1/ping/0123456789abcdefghjkmnpqrs/log", CHUNKED, "1\r\nx\r\n");
  expect(statuses(heard)).toEqual([404]);
});
