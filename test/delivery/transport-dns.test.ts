/** What an untrusted host resolves to is checked, and the connection then goes to the checked address (DELIVERY.md §4). */
import { expect, test } from "bun:test";
import { createResolver } from "../../src/delivery/transport/resolver.ts";
import type { Transport } from "../../src/delivery/transport/transport.ts";
import { heldClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { authority } from "../support/push/ca.ts";
import { fakePushService } from "../support/push/webpush.ts";
import { post, saidOf, transport } from "./sending.ts";

const PRIVATE = "the host has an address in a private network";

/** A resolver that gives these answers in turn and then repeats the last one; it counts its calls. */
function answers(...inTurn: readonly (readonly string[])[]) {
  const rest = [...inTurn];
  const told = { times: 0, resolve: async () => (told.times++, (rest.length > 1 ? rest.shift() : rest[0]) ?? []) };
  return told;
}

// prettier-ignore
test.each<[what: string, addresses: string[]]>([
  ["this machine",                     ["127.0.0.1"]],
  ["this machine, in IPv6",            ["::1"]],
  ["this machine, mapped into IPv6",   ["::ffff:127.0.0.1"]],
  ["a private network",                ["192.168.1.1"]],
  ["the metadata of a cloud",          ["169.254.169.254"]],
  ["a unique local address",           ["fd00::1"]],
  ["a public address and a private",   ["8.8.8.8", "10.0.0.1"]],
  ["a private address and a public",   ["10.0.0.1", "8.8.8.8"]],
])("a known host that resolves to %s is not contacted", async (_, addresses) => {
  using on = transport({ resolve: async () => addresses });
  expect(saidOf(await on.send(post("https://evil.push.apple.com/x")))).toBe(PRIVATE);
});

test("the operator's host may be in a private network, and is connected to at the checked address", async () => {
  await using service = await fakePushService({ certificate: authority.issue(["push.home.example"]) });
  const host = `push.home.example:${service.wire.port}`;
  // nothing listens there: a second look-up before connecting would lead there
  const { resolve } = answers(["127.0.0.1"], ["127.0.0.9"]);
  using on = transport({ hosts: [host], resolve });
  for (let i = 0; i < 3; i++) expect(saidOf(await on.send(post(`https://${host}/x`)))).toBe(404);
  expect(service.received[0]?.headers["host"]).toBe(host);
});

test("an answer that changes is checked like the first one", async () => {
  const clock = heldClock();
  const told = answers(["8.8.8.8"], ["127.0.0.1"]);
  const { addresses } = createResolver(told.resolve, clock);
  expect(await addresses("a.push.apple.com", false)).toEqual(["8.8.8.8"]);
  clock.advance(29_999);
  expect(await addresses("a.push.apple.com", false)).toEqual(["8.8.8.8"]);
  expect(told.times).toBe(1);
  clock.advance(1);
  expect(await addresses("a.push.apple.com", false)).toBe(PRIVATE);
});

test("permission for the operator's host to be private does not extend to others with the same answer", async () => {
  const { addresses } = createResolver(async () => ["10.0.0.1"], heldClock());
  expect(await addresses("push.home.example", true)).toEqual(["10.0.0.1"]);
  expect(await addresses("push.home.example", false)).toBe(PRIVATE);
});

test("a thousand invented names are cached, and no more", async () => {
  const told = answers(["8.8.8.8"]);
  const { addresses } = createResolver(told.resolve, heldClock());
  for (let i = 0; i <= 1000; i++) await addresses(`a${i}.push.apple.com`, false);
  await addresses("a1000.push.apple.com", false);
  expect(told.times).toBe(1001);
  await addresses("a0.push.apple.com", false);
  expect(told.times).toBe(1002);
});

test("where nothing listens at an address the next one is tried", async () => {
  await using service = await fakePushService();
  const host = new URL(service.origin).host;
  using on = transport({ hosts: [host], resolve: async () => ["127.0.0.9", "::1", "127.0.0.1"] });
  expect(saidOf(await on.send(post(`${service.origin}/x`)))).toBe(404);
});

test("a host that was not reached is looked up again", async () => {
  await using service = await fakePushService();
  const host = new URL(service.origin).host;
  const { resolve } = answers(["127.0.0.9"], ["127.0.0.1"]);
  using on = transport({ hosts: [host], resolve });
  expect(saidOf(await on.send(post(`${service.origin}/x`)))).toBe("connection refused");
  expect(saidOf(await on.send(post(`${service.origin}/x`)))).toBe(404);
});

// prettier-ignore
test.each([
  ["ENOTFOUND", "no such host"],
  ["EAI_AGAIN", "the name could not be looked up"],
])("a look-up that ends in %s is reported as %s, and is tried again", async (code, reason) => {
  let times = 0;
  const resolve = async () => {
    times++;
    throw Object.assign(new Error("getaddrinfo"), { code });
  };
  using on = transport({ resolve });
  for (let i = 1; i <= 2; i++) {
    expect(await on.send(post("https://a.push.apple.com/secret"))).toEqual({ kind: "unreachable", reason });
    expect(times).toBe(i);
  }
});

test.each<[of: string, ask: (on: Transport) => Promise<unknown>]>([
  ["a request", async (on) => on.send(post("https://a.push.apple.com/x"))],
  ["a conversation", async (on) => on.converse("smtps://mail.example:465", async () => "talked")],
])("a look-up of %s that never ends is abandoned after 15 s", async (_, ask) => {
  const clock = heldClock();
  const asked: string[] = [];
  const resolve = async (host: string) => {
    asked.push(host);
    return new Promise<string[]>(() => undefined);
  };
  using on = transport({ clock, resolve });
  const sent = ask(on);
  await eventually("the look-up", () => asked.length > 0);
  clock.advance(15_000);
  expect(await sent).toEqual({ kind: "unreachable", reason: "no answer in 15 s" });
});
