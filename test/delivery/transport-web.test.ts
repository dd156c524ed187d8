/** Requests to endpoints that untrusted clients registered (DELIVERY.md §4). */
import { expect, test } from "bun:test";
import webpush from "web-push";
import type { TransportOptions } from "../../src/delivery/transport/transport.ts";
import { heldClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { authority, newAuthority, type Certificate } from "../support/push/ca.ts";
import { fakePushService, type FakePushService } from "../support/push/webpush.ts";
import { answered, post, saidOf, transport } from "./sending.ts";

const MIB = 1_048_576;
const hostOf = ({ origin }: FakePushService) => new URL(origin).host;
const to = (service: FakePushService, options: Partial<TransportOptions> = {}) =>
  transport({ hosts: [hostOf(service)], ...options });

test("an encrypted push arrives unchanged", async () => {
  await using service = await fakePushService();
  using on = to(service);
  const { publicKey, privateKey } = webpush.generateVAPIDKeys();
  const { endpoint, keys } = service.subscribe(publicKey);
  const vapidDetails = { subject: "mailto:ops@peal.example", publicKey, privateKey };
  const sealed = webpush.generateRequestDetails({ endpoint, keys }, '{"a":1}', { vapidDetails, TTL: 60, topic: "t" });
  const { status, headers: said } = answered(
    await on.send({ url: endpoint, headers: sealed.headers, body: sealed.body }),
  );
  expect([status, new URL(said["location"] ?? "").origin]).toEqual([201, service.origin]);
  expect(service.onScreen(endpoint)).toEqual([{ a: 1 }]);
  expect(service.received[0]?.headers).toMatchObject({ host: hostOf(service), "accept-encoding": "identity" });
});

test("consecutive requests share a connection, and open a new one when it was cut", async () => {
  await using service = await fakePushService();
  using on = to(service);
  const send = async () => saidOf(await on.send(post(`${service.origin}/x`)));
  expect([await send(), await send(), await send(), service.wire.connections]).toEqual([404, 404, 404, 1]);
  service.wire.cut();
  expect([await send(), service.wire.connections]).toEqual([404, 2]);
});

test("a redirect is an answer, and is not followed", async () => {
  await using service = await fakePushService();
  using on = to(service);
  const [here, there] = [service.subscribe().endpoint, service.subscribe().endpoint];
  for (const status of [301, 302, 303, 307, 308]) {
    service.script.once(here, { status, headers: { location: there }, body: "moved" });
    expect(await on.send(post(here))).toMatchObject({ status, headers: { location: there }, body: "moved" });
  }
  expect(service.received.map(({ endpoint }) => endpoint)).toEqual(Array<string>(5).fill(here));
});

test("of a long answer 16 KiB are kept, and the rest is not read", async () => {
  await using service = await fakePushService();
  using on = to(service);
  const { endpoint } = service.subscribe();
  service.script.once(endpoint, { status: 500, body: "x".repeat(64 * MIB) });
  expect(await on.send(post(endpoint))).toMatchObject({ status: 500, body: "x".repeat(16_384) });
  await eventually("the end of the connection", () => service.wire.open === 0);
  expect(service.wire.bytes).toBeLessThan(16 * MIB); // the machine's buffers between the two
});

test("a compressed answer is not decompressed", async () => {
  await using service = await fakePushService();
  using on = to(service);
  const { endpoint } = service.subscribe();
  const body = Bun.gzipSync(new Uint8Array(8 * MIB));
  service.script.once(endpoint, { status: 400, headers: { "content-encoding": "gzip" }, body });
  expect(await on.send(post(endpoint))).toMatchObject({ status: 400, body: Buffer.from(body).toString() });
});

test("of an endless answer the status counts, once 15 s are over", async () => {
  await using service = await fakePushService();
  const clock = heldClock();
  using on = to(service, { clock });
  const { endpoint } = service.subscribe();
  service.script.once(endpoint, { kind: "drip", status: 410 });
  const slow = on.send(post(endpoint));
  await eventually("some of the answer", () => service.wire.bytes > 3_000);
  clock.advance(15_000);
  const { status, body } = answered(await slow);
  expect([status, body.replaceAll(".", "")]).toEqual([410, ""]);
});

test("a cut connection is reported in a few words, without the endpoint", async () => {
  await using service = await fakePushService();
  using on = to(service);
  const { endpoint } = service.subscribe();
  service.script.once(endpoint, { kind: "reset" });
  expect(await on.send(post(endpoint))).toEqual({ kind: "unreachable", reason: "connection closed" });
});

test("silence is abandoned after 15 s", async () => {
  await using service = await fakePushService();
  const clock = heldClock();
  using on = to(service, { clock });
  const { endpoint } = service.subscribe();
  service.script.once(endpoint, { kind: "silence" });
  const sent = on.send(post(endpoint));
  await eventually("the request", () => service.received.length > 0);
  clock.advance(15_000);
  expect(await sent).toEqual({ kind: "unreachable", reason: "no answer in 15 s" });
});

// prettier-ignore
test.each<[what: string, certificate: () => Certificate, reason: string]>([
  ["that has expired",      () => authority.issue(undefined, { until: Date.now() - 1 }), "certificate not valid: it has expired"],
  ["of another name",       () => authority.issue(["other.example"]),                    "certificate not valid: it is of another name"],
  ["of the address alone",  () => authority.issue(["127.0.0.1"]),                        "certificate not valid: it is of another name"],
  ["of another authority",  () => newAuthority().issue(),                                "certificate not valid: of an authority that is not trusted"],
])("a server with a certificate %s gets no request", async (_, certificate, reason) => {
  await using service = await fakePushService({ certificate: certificate() });
  using on = to(service);
  expect(saidOf(await on.send(post(`${service.origin}/x`)))).toBe(reason);
  expect(service.received).toEqual([]);
});

test("hosts at one address share no connection", async () => {
  const names = ["a.push.example", "b.push.example"];
  await using service = await fakePushService({ certificate: authority.issue(names) });
  const { port } = service.wire;
  const hosts = names.map((name) => `${name}:${port}`);
  using on = transport({ hosts, resolve: async () => ["127.0.0.1"] });
  for (const host of [...hosts, ...hosts]) expect(saidOf(await on.send(post(`https://${host}/x`)))).toBe(404);
  expect(service.received.map(({ headers }) => headers["host"])).toEqual([...hosts, ...hosts]);
  expect(service.wire.connections).toBe(2);
});

test("an endpoint that is no longer allowed gets no request, nor one that never was", async () => {
  await using service = await fakePushService();
  using on = transport({ resolve: async () => ["127.0.0.1"] });
  for (const url of [service.subscribe().endpoint, `https://a@fcm.googleapis.com/x`, "https://127.0.0.1/x"])
    expect(saidOf(await on.send(post(url)))).toStartWith("the endpoint ");
  expect(service.wire.connections).toBe(0);
});
