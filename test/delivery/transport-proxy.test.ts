/** Requests through the operator's proxy, where one is configured (PEAL_HTTPS_PROXY). */
import { expect, test } from "bun:test";
import { heldClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { fakeApns, type FakeApns } from "../support/push/apns.ts";
import { authority } from "../support/push/ca.ts";
import { fakeProxy, type FakeProxy } from "../support/push/proxy.ts";
import { fakePushService } from "../support/push/webpush.ts";
import type { Resolve } from "../../src/delivery/transport/resolver.ts";
import type { Transport } from "../../src/delivery/transport/transport.ts";
import { systemClock } from "../../src/util/clock.ts";
import { post, saidOf, tally, transport } from "./sending.ts";

async function apple(): Promise<FakeApns> {
  const apns = await fakeApns();
  apns.script.always("*", { status: 200 });
  return apns;
}
const push = async ({ send }: Transport, { url }: FakeApns) => send(post(`${url}/3/device/aa`), { session: "apns" });
const through = ({ url }: FakeProxy, hosts: string[] = []) => transport({ proxy: url, hosts });

test("HTTP/2 goes through it, on one connection, to the given host", async () => {
  await using apns = await apple();
  await using proxy = await fakeProxy();
  using on = through(proxy);
  expect(saidOf(await push(on, apns))).toBe(200);
  expect(tally(await Promise.all(Array.from({ length: 50 }, async () => push(on, apns))))).toEqual({ 200: 50 });
  expect(proxy.tunnels).toEqual([new URL(apns.url).host]);
  expect(new Set(apns.received.map(({ headers }) => headers[":authority"]))).toEqual(new Set([new URL(apns.url).host]));
});

test("a host that the operator configured is passed on by name, because only the proxy may know it", async () => {
  await using service = await fakePushService();
  await using proxy = await fakeProxy();
  const host = new URL(service.origin).host;
  using on = through(proxy, [host]);
  expect(saidOf(await on.send(post(`${service.origin}/x`)))).toBe(404);
  expect(proxy.tunnels).toEqual([host]);
});

const MOZILLA = "updates.push.services.mozilla.com";
const APPLE = ["a.push.apple.com", "b.push.apple.com"] as const;

/** Push services of browsers behind a proxy; `resolve` resolves them on this machine. */
async function browsers(resolve: Resolve, { names = [MOZILLA], clock = systemClock } = {}) {
  const service = await fakePushService({ certificate: authority.issue(names) });
  const proxy = await fakeProxy({ port: service.wire.port });
  const on = transport({ proxy: proxy.url, resolve, clock });
  const ask = async (host = MOZILLA) => saidOf(await on.send(post(`https://${host}/x`)));
  return {
    ...{ service, proxy, ask },
    [Symbol.asyncDispose]: async () => {
      on.close();
      await proxy[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    },
  };
}
const failing = (code: string) => async () => Promise.reject(Object.assign(new Error("getaddrinfo"), { code }));

test("a browser's push service is resolved and checked locally, and the tunnel leads to the checked address", async () => {
  await using at = await browsers(async () => ["8.8.8.8", "1.1.1.1"]);
  expect(await at.ask()).toBe(404);
  expect(at.proxy.tunnels).toEqual(["8.8.8.8:443"]);
  expect(at.service.received[0]?.headers["host"]).toBe(MOZILLA);
});

test("an IPv6 address is written as the proxy expects it", async () => {
  await using at = await browsers(async () => ["2606:4700::6810:84e5"]);
  expect(await at.ask()).toBe(404);
  expect(at.proxy.tunnels).toEqual(["[2606:4700::6810:84e5]:443"]);
});

// prettier-ignore
test.each([
  ["a private network",              ["10.0.0.1"]],
  ["a public address and a private", ["8.8.8.8", "192.168.1.1"]],
  ["this machine, mapped into IPv6", ["::ffff:127.0.0.1"]],
])("a known host that resolves to %s is not requested through the proxy either", async (_, addresses) => {
  await using at = await browsers(async () => addresses);
  expect(await at.ask()).toBe("the host has an address in a private network");
  expect(at.proxy.wire.connections).toBe(0);
});

test("the server behind the checked address has to be the given host", async () => {
  await using at = await browsers(async () => ["8.8.8.8"], { names: ["somebody.example", "8.8.8.8"] });
  expect(await at.ask()).toBe("certificate not valid: it is of another name");
});

test("hosts at one address share no connection", async () => {
  await using at = await browsers(async () => ["8.8.8.8"], { names: [...APPLE] });
  for (const host of [...APPLE, ...APPLE]) expect(await at.ask(host)).toBe(404);
  expect(at.proxy.tunnels).toEqual(["8.8.8.8:443", "8.8.8.8:443"]);
  expect(at.service.received.map(({ headers }) => headers["host"])).toEqual([...APPLE, ...APPLE]);
});

test("a proxy that accepts only names gets the name, once the addresses were checked", async () => {
  const clock = heldClock();
  const told: string[][] = [["8.8.8.8"]];
  await using at = await browsers(async () => told.at(-1) ?? [], { clock });
  at.proxy.refusesAddresses = true;
  expect(await at.ask()).toBe(404);
  expect(await at.ask()).toBe(404);
  expect(at.proxy.tunnels).toEqual([`${MOZILLA}:443`]);
  expect(at.proxy.refused).toEqual(["8.8.8.8:443"]); // tried once, and not with every push
  told.push(["10.0.0.1"]);
  clock.advance(30_000);
  expect(await at.ask()).toBe("the host has an address in a private network");
});

test("where this machine cannot resolve names, a browser's push service is passed on by name", async () => {
  for (const code of ["ENOTFOUND", "EAI_AGAIN"]) {
    await using at = await browsers(failing(code));
    expect([code, await at.ask()]).toEqual([code, 404]);
    expect(at.proxy.tunnels).toEqual([`${MOZILLA}:443`]);
  }
});

test("a resolver that does not answer costs 2 s, and not for every push", async () => {
  const clock = heldClock();
  let asked = 0;
  const resolve = async () => (asked++, new Promise<string[]>(() => undefined));
  await using at = await browsers(resolve, { clock });
  const first = at.ask();
  await eventually("the look-up", () => asked > 0);
  clock.advance(2_000);
  expect(await first).toBe(404);
  expect(await at.ask()).toBe(404);
  expect(asked).toBe(1);
  clock.advance(60_000);
  const later = at.ask();
  await eventually("another look-up", () => asked > 1);
  clock.advance(2_000);
  expect(await later).toBe(404);
});

test("an endpoint that is not allowed is not requested through the proxy either", async () => {
  await using service = await fakePushService();
  await using proxy = await fakeProxy();
  using on = through(proxy);
  expect(saidOf(await on.send(post(`${service.origin}/x`)))).toStartWith("the endpoint ");
  expect(proxy.wire.connections).toBe(0);
});

test("an answer of the proxy is never mistaken for a push service's answer", async () => {
  await using apns = await apple();
  await using service = await fakePushService();
  await using proxy = await fakeProxy();
  using on = through(proxy, [new URL(service.origin).host]);
  for (const refusal of ["404 Not Found", "407 Proxy Authentication Required", "410 Gone", "502 Bad Gateway"]) {
    proxy.refusal = refusal;
    expect(saidOf(await push(on, apns))).toBe(`the proxy answered ${refusal.slice(0, 3)}`);
    expect(saidOf(await on.send(post(`${service.origin}/x`)))).toBe("the proxy opened no tunnel");
  }
  proxy.refusal = undefined;
  expect(saidOf(await push(on, apns))).toBe(200);
});

test("a proxy that was down is used again when it is back", async () => {
  await using apns = await apple();
  await using proxy = await fakeProxy();
  using on = through(proxy);
  await proxy.wire.stop();
  expect(saidOf(await push(on, apns))).toBe("the proxy cannot be reached");
  await proxy.wire.start();
  expect(saidOf(await push(on, apns))).toBe(200);
});

test("where the host behind it fails, the host is reported and not the proxy", async () => {
  await using apns = await apple();
  await using proxy = await fakeProxy();
  using on = through(proxy);
  apns.script.once("aa", { kind: "goaway", code: 2 });
  expect(saidOf(await push(on, apns))).toBe("connection ended by GOAWAY");
  expect(saidOf(await push(on, apns))).toBe(200);
});
