/** Requests to Apple and Google over HTTP/2, through everything that can happen to connections (DELIVERY.md §4). */
import { expect, test } from "bun:test";
import type { Transport } from "../../src/delivery/transport/transport.ts";
import { heldClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { authority, newAuthority } from "../support/push/ca.ts";
import { fakeApns, refused, type ApnsOptions, type FakeApns } from "../support/push/apns.ts";
import { fakePushService } from "../support/push/webpush.ts";
import { post, saidOf, tally, transport } from "./sending.ts";

const TOKEN = "a1b2c3";
const session = "apns";

/** A fake that accepts everything: its decisions have their own tests. */
async function apple(options: ApnsOptions = {}): Promise<FakeApns> {
  const apns = await fakeApns(options);
  apns.script.always("*", { status: 200 });
  return apns;
}
const push = async ({ send }: Transport, { url }: FakeApns, token = TOKEN) =>
  send(post(`${url}/3/device/${token}`, { "apns-id": token }), { session });
const pushes = async (n: number, on: Transport, apns: FakeApns) =>
  Promise.all(Array.from({ length: n }, async (_, i) => push(on, apns, i.toString(16).padStart(4, "0"))));
const inFlight = async (n: number, apns: FakeApns, before: number) =>
  eventually("requests under way", () => apns.received.length >= before + n);

test("an answer has its status, headers and body", async () => {
  await using apns = await apple();
  using on = transport();
  apns.script.once(TOKEN, { ...refused("BadDeviceToken"), headers: { "retry-after": "7" } });
  expect(await push(on, apns)).toMatchObject({
    ...{ status: 400, body: '{"reason":"BadDeviceToken"}', headers: { "apns-id": TOKEN, "retry-after": "7" } },
  });
  expect(apns.received[0]?.headers).toMatchObject({
    ...{ ":method": "POST", ":authority": new URL(apns.url).host, "accept-encoding": "identity" },
    "user-agent": expect.stringMatching(/^peal\//) as string,
  });
});

test("200 requests at once cope with a server that allows one stream until the first success", async () => {
  await using apns = await apple();
  apns.latencyMs = 5;
  using on = transport();
  expect(tally(await pushes(200, on, apns))).toEqual({ 200: 200 });
  expect(apns.received.length).toBe(200);
});

test("300 requests at once cope with a server that allows 100 streams", async () => {
  await using apns = await apple({ streams: 100 });
  using on = transport();
  await push(on, apns);
  apns.latencyMs = 200;
  expect(tally(await pushes(300, on, apns))).toEqual({ 200: 300 });
  expect(Math.max(...apns.connections.map(({ peak }) => peak))).toBe(100);
});

test("a server may be given by its address", async () => {
  await using apns = await apple();
  using on = transport();
  const url = `https://127.0.0.1:${apns.wire.port}/3/device/${TOKEN}`;
  expect(saidOf(await on.send(post(url), { session }))).toBe(200);
});

test("consecutive requests share a connection", async () => {
  await using apns = await apple();
  using on = transport();
  for (let i = 0; i < 5; i++) await push(on, apns);
  expect(apns.connections.length).toBe(1);
});

test("sessions share nothing, and a renewed one starts on a new connection", async () => {
  await using apns = await apple();
  using on = transport();
  const numbers = async (name: string) => {
    await on.send(post(`${apns.url}/3/device/${TOKEN}`), { session: name });
    return apns.received.at(-1)?.connection;
  };
  expect([await numbers("one"), await numbers("other"), await numbers("one")]).toEqual([1, 2, 1]);
  on.reconnect("one");
  expect([await numbers("one"), await numbers("other")]).toEqual([3, 2]);
});

// the new connection allows one stream again, which Bun 1.4.5 learns too late: the rest is refused, and left to the
// engine
test("requests that a GOAWAY without error leaves unprocessed are sent elsewhere or refused, and none is accepted twice", async () => {
  await using apns = await apple();
  using on = transport();
  await push(on, apns);
  apns.script.once("0003", { kind: "goaway", code: 0, reason: '{"reason":"Shutdown"}' });
  const { 200: taken = 0, "stream refused": left = 0 } = tally(await pushes(20, on, apns));
  expect(taken + left).toBe(20);
  expect(apns.received.filter(({ status }) => status === 200).length).toBe(1 + taken);
  expect(apns.connections.length).toBeGreaterThan(1);
  expect(tally(await pushes(20, on, apns))).toEqual({ 200: 20 });
});

test("requests in flight at a GOAWAY without error are answered", async () => {
  await using apns = await apple();
  using on = transport();
  await push(on, apns);
  apns.latencyMs = 50;
  const under = pushes(21, on, apns);
  await inFlight(21, apns, 1);
  apns.goaway(0);
  expect(tally(await under)).toEqual({ 200: 21 });
});

// prettier-ignore
test.each<[what: string, harm: (apns: FakeApns) => void, reason: string]>([
  ["a GOAWAY with an error", (apns) => apns.goaway(2, "x"), "connection ended by GOAWAY"],
  ["a cut connection",       (apns) => apns.wire.cut(),     "connection closed"],
])("%s ends the requests in flight, and the next one is answered", async (_, harm, reason) => {
  await using apns = await apple();
  using on = transport();
  await push(on, apns);
  apns.latencyMs = 10_000; // so that none of them is answered before
  const under = pushes(21, on, apns);
  await inFlight(21, apns, 1);
  harm(apns);
  expect(tally(await under)).toEqual({ [reason]: 21 });
  apns.latencyMs = 0;
  expect(saidOf(await push(on, apns))).toBe(200);
});

test("a reset stream is one failure, and does not affect its connection", async () => {
  await using apns = await apple();
  using on = transport();
  apns.script.once(TOKEN, { kind: "reset" });
  expect(saidOf(await push(on, apns))).toBe("stream or connection ended");
  expect(saidOf(await push(on, apns))).toBe(200);
});

test("a connection that no longer carries anything is abandoned after one time-out", async () => {
  await using apns = await apple();
  const clock = heldClock();
  using on = transport({ clock });
  await push(on, apns);
  apns.wire.freeze();
  const lost = push(on, apns);
  clock.advance(15_000);
  expect(saidOf(await lost)).toBe("no answer in 15 s");
  expect(saidOf(await push(on, apns))).toBe(200);
  expect(apns.connections.length).toBe(2);
});

test("an answer at the last moment counts", async () => {
  await using apns = await apple();
  const clock = heldClock();
  using on = transport({ clock });
  apns.latencyMs = 30;
  const late = push(on, apns);
  await inFlight(1, apns, 0);
  clock.advance(14_999);
  expect(saidOf(await late)).toBe(200);
});

test("a server that accepts connections and never answers is abandoned after 15 s, and found when it is back", async () => {
  await using apns = await apple();
  apns.wire.isHole = true;
  const clock = heldClock();
  using on = transport({ clock });
  const lost = pushes(3, on, apns);
  await eventually("a connection", () => apns.wire.connections > 0);
  clock.advance(15_000);
  expect(tally(await lost)).toEqual({ "no answer in 15 s": 3 });
  apns.wire.isHole = false;
  expect(saidOf(await push(on, apns))).toBe(200);
});

test("a request that is not answered does not hold up others", async () => {
  await using apns = await apple();
  const clock = heldClock();
  using on = transport({ clock });
  await push(on, apns);
  apns.script.once("dead", { kind: "silence" });
  const lost = push(on, apns, "dead");
  await inFlight(1, apns, 1);
  expect(tally(await pushes(20, on, apns))).toEqual({ 200: 20 });
  clock.advance(15_000);
  expect(saidOf(await lost)).toBe("no answer in 15 s");
});

test("a server that is down refuses, and is found when it is back", async () => {
  await using apns = await apple();
  using on = transport();
  await push(on, apns);
  await apns.wire.stop();
  // the first one may be sent before the client knows that the old connection ended
  await eventually("a refusal", async () => saidOf(await push(on, apns)) === "connection refused");
  await apns.wire.start();
  expect(saidOf(await push(on, apns))).toBe(200);
});

test("a server that does not support HTTP/2 is reported as such", async () => {
  await using service = await fakePushService();
  using on = transport();
  expect(saidOf(await on.send(post(`${service.origin}/x`), { session }))).toBe("speaks no HTTP/2");
});

test("a server with the wrong certificate gets no request", async () => {
  await using apns = await apple();
  using on = transport({ ca: newAuthority().cert });
  expect(saidOf(await push(on, apns))).toStartWith("certificate not valid: ");
  expect(apns.received).toEqual([]);
});

/** More than the handshake before it, but less than is read of an answer. */
const HALF = `{"reason":${" ".repeat(10_000)}`;
/** Requests an answer whose body stalls halfway; `isThere`: whether its beginning has arrived. */
function halfOf(on: Transport, apns: FakeApns, status: number) {
  const { bytes } = apns.wire;
  apns.script.once(TOKEN, { kind: "half", code: status, body: HALF });
  const answer = push(on, apns);
  return { answer, isThere: async () => eventually("half of it", () => apns.wire.bytes - bytes > HALF.length) };
}

// Apple's 400 may mean a token of the other environment, one of another app, or a mistake of this server
test.each([
  [400, "connection closed"],
  [200, "200"],
])("%d whose body is cut off counts as %s", async (status, said) => {
  await using apns = await apple();
  using on = transport();
  const half = halfOf(on, apns, status);
  await half.isThere();
  apns.wire.cut();
  expect(String(saidOf(await half.answer))).toBe(said);
});

test("a new connection cuts off no answer on the old one", async () => {
  await using apns = await apple();
  using on = transport();
  const half = halfOf(on, apns, 403);
  await half.isThere();
  on.reconnect(session);
  expect(saidOf(await push(on, apns))).toBe(200);
  apns.connections[0]?.finish('"InvalidProviderToken"}');
  expect(await half.answer).toMatchObject({ status: 403, body: `${HALF}"InvalidProviderToken"}` });
});

test("requests in flight end when the transport is closed", async () => {
  await using apns = await apple();
  apns.script.once(TOKEN, { kind: "silence" });
  using on = transport();
  const lost = push(on, apns);
  await inFlight(1, apns, 0);
  on.close();
  expect(saidOf(await lost)).toBe("the server stops");
});

test("a process trusts what NODE_EXTRA_CA_CERTS names, and ignores HTTPS_PROXY in its environment", async () => {
  await using apns = await apple();
  await using service = await fakePushService();
  const { endpoint } = service.subscribe();
  const source = new URL("../../src", import.meta.url).pathname;
  const program = `
    import { createTransport } from "${source}/delivery/transport/transport.ts";
    import { systemClock } from "${source}/util/clock.ts";
    const hosts = [new URL(process.argv[2]).host];
    const { send } = createTransport({ hosts, proxy: undefined, clock: systemClock });
    const request = (url) => ({ url, headers: {}, body: "{}" });
    console.log(JSON.stringify([
      await send(request(process.argv[1] + "/3/device/aa"), { session: "apns" }),
      await send(request(process.argv[2])),
    ].map((answer) => answer.status ?? answer)));
    process.exit(0);`;
  const closed = "http://127.0.0.1:1";
  const child = Bun.spawn([process.execPath, "-e", program, apns.url, endpoint], {
    env: {
      ...process.env,
      NODE_EXTRA_CA_CERTS: authority.file,
      HTTPS_PROXY: closed,
      https_proxy: closed,
      NO_PROXY: "",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  expect(await new Response(child.stdout).json()).toEqual([200, 403]);
});
