/** Through the operator's proxy, where there is one (PEAL_HTTPS_PROXY). */
import { expect, test } from "bun:test";
import { fakeApns, type FakeApns } from "../support/push/apns.ts";
import { fakeProxy, type FakeProxy } from "../support/push/proxy.ts";
import { fakePushService } from "../support/push/webpush.ts";
import type { Transport } from "../../src/delivery/transport.ts";
import { post, saidOf, tally, transport } from "./sending.ts";

async function apple(): Promise<FakeApns> {
  const apns = await fakeApns();
  apns.script.always("*", { status: 200 });
  return apns;
}
const push = async ({ send }: Transport, { url }: FakeApns) => send(post(`${url}/3/device/aa`), { session: "apns" });
const through = ({ url }: FakeProxy, hosts: string[] = []) => transport({ proxy: url, hosts });

test("HTTP/2 goes through it, on one connection, to the host that it names", async () => {
  await using apns = await apple();
  await using proxy = await fakeProxy();
  using on = through(proxy);
  expect(saidOf(await push(on, apns))).toBe(200);
  expect(tally(await Promise.all(Array.from({ length: 50 }, async () => push(on, apns))))).toEqual({ 200: 50 });
  expect(proxy.tunnels).toEqual([new URL(apns.url).host]);
  expect(new Set(apns.received.map(({ headers }) => headers[":authority"]))).toEqual(new Set([new URL(apns.url).host]));
});

test("web push goes through it too, by its name: the proxy looks it up", async () => {
  await using service = await fakePushService();
  await using proxy = await fakeProxy();
  const host = new URL(service.origin).host;
  using on = through(proxy, [host]);
  expect(saidOf(await on.send(post(`${service.origin}/x`)))).toBe(404);
  expect(proxy.tunnels).toEqual([host]);
});

test("an endpoint that is not allowed is asked for through no proxy", async () => {
  await using service = await fakePushService();
  await using proxy = await fakeProxy();
  using on = through(proxy);
  expect(saidOf(await on.send(post(`${service.origin}/x`)))).toStartWith("the endpoint ");
  expect(proxy.wire.connections).toBe(0);
});

test("what the proxy answers is never taken for a push service's answer", async () => {
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

test("a proxy that is down is found when it is up", async () => {
  await using apns = await apple();
  await using proxy = await fakeProxy();
  using on = through(proxy);
  await proxy.wire.stop();
  expect(saidOf(await push(on, apns))).toBe("the proxy cannot be reached");
  await proxy.wire.start();
  expect(saidOf(await push(on, apns))).toBe(200);
});

test("where the host behind it fails, that is told and not the proxy", async () => {
  await using apns = await apple();
  await using proxy = await fakeProxy();
  using on = through(proxy);
  apns.script.once("aa", { kind: "goaway", code: 2 });
  expect(saidOf(await push(on, apns))).toBe("connection ended by GOAWAY");
  expect(saidOf(await push(on, apns))).toBe(200);
});
