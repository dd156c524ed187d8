/** The fake push service decides as those of browsers do: requests come from web-push, which does not know it. */
import { expect, test } from "bun:test";
import { importPKCS8, SignJWT } from "jose";
import { createECDH, generateKeyPairSync } from "node:crypto";
import webpush from "web-push";
import { heldClock } from "../support/clock.ts";
import { opened } from "../support/push/encrypted.ts";
import { fakePushService, type FakePushService, type TestSubscription } from "../support/push/webpush.ts";
import { answered, transport } from "./sending.ts";

const DAY_S = 86_400;
const clock = heldClock();
const NOW = clock.now() / 1000;

const pair = generateKeyPairSync("ec", { namedCurve: "P-256" });
const { x = "", y = "" } = pair.publicKey.export({ format: "jwk" });
const publicKey = Buffer.concat([Buffer.from([4]), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]).toString(
  "base64url",
);

async function vapid(service: FakePushService, claims: { aud?: string; exp?: number; sub?: string } = {}) {
  const payload = { aud: service.origin, exp: NOW + DAY_S / 2, sub: "mailto:ops@peal.example", ...claims };
  const key = await importPKCS8(pair.privateKey.export({ type: "pkcs8", format: "pem" }), "ES256");
  return `vapid t=${await new SignJWT(payload).setProtectedHeader({ alg: "ES256", typ: "JWT" }).sign(key)}, k=${publicKey}`;
}

/** The text as web-push encrypts it. */
function sealed({ endpoint, keys }: TestSubscription, text: string): Buffer {
  return webpush.generateRequestDetails({ endpoint, keys }, text, { vapidDetails: null as never }).body;
}

async function push(
  service: FakePushService,
  to: TestSubscription,
  change: { headers?: Record<string, string>; body?: Buffer } = {},
) {
  using on = transport({ hosts: [new URL(service.origin).host] });
  const { body = sealed(to, '{"title":"a"}'), headers = {} } = change;
  const usual = { authorization: await vapid(service), ttl: "60", "content-encoding": "aes128gcm" };
  const answer = answered(await on.send({ url: to.endpoint, headers: { ...usual, ...headers }, body }));
  return `${answer.status} ${answer.body}`.trimEnd();
}

// prettier-ignore
test.each<[what: string, headers: Record<string, string>, answer: string]>([
  ["a push as it should be",        {},                                          "201"],
  ["all headers",                   { urgency: "high", topic: "a".repeat(32) },  "201"],
  ["no TTL",                        { ttl: "" },                                 "400 TTL is missing"],
  ["an urgency that is none",       { urgency: "urgent" },                       "400 BadUrgency"],
  ["a topic of 33 characters",      { topic: "a".repeat(33) },                   "400 BadWebPushTopic"],
  ["a topic beyond base64url",      { topic: "disk full" },                      "400 BadWebPushTopic"],
  ["another encoding",              { "content-encoding": "aesgcm" },            "400 Content-Encoding has to be aes128gcm"],
  ["no VAPID",                      { authorization: "" },                       '403 {"reason":"BadAuthorizationHeader"}'],
])("%s is answered as by a push service", async (_, headers, answer) => {
  await using service = await fakePushService({ clock });
  expect(await push(service, service.subscribe(publicKey), { headers })).toBe(answer);
});

// prettier-ignore
test.each<[what: string, claims: { aud?: string; exp?: number; sub?: string }, isTaken: boolean]>([
  ["for a day",             { exp: NOW + DAY_S },                       true],
  ["for more than a day",   { exp: NOW + DAY_S + 60 },                  false],
  ["that has ended",        { exp: NOW },                               false],
  ["of another origin",     { aud: "https://other.example" },           false],
  ["of a site",             { sub: "https://peal.example" },            true],
  ["of this machine",       { sub: "mailto:ops@localhost" },            false],
  ["of this machine's site", { sub: "https://localhost:8080" },         false],
  ["of nobody",             { sub: "" },                                false],
])("VAPID %s", async (_, claims, isTaken) => {
  await using service = await fakePushService({ clock });
  const authorization = await vapid(service, claims);
  const answer = await push(service, service.subscribe(), { headers: { authorization } });
  expect(answer).toBe(isTaken ? "201" : '403 {"reason":"BadJwtToken"}');
});

test("a subscription for another key accepts no push, nor one signed with another key", async () => {
  await using service = await fakePushService({ clock });
  const other = webpush.generateVAPIDKeys().publicKey;
  expect(await push(service, service.subscribe(other))).toBe('403 {"reason":"VapidPkHashMismatch"}');
  const authorization = (await vapid(service)).replace(publicKey, other);
  expect(await push(service, service.subscribe(other), { headers: { authorization } })).toBe(
    '403 {"reason":"BadJwtToken"}',
  );
});

test("what was not encrypted for the subscription is refused, and so is too much", async () => {
  await using service = await fakePushService({ clock });
  const [to, other] = [service.subscribe(), service.subscribe()];
  expect(await push(service, to, { body: sealed(other, "a") })).toBe("400 cannot be decrypted");
  expect(await push(service, to, { body: Buffer.from("plain") })).toBe("400 cannot be decrypted");
  expect(await push(service, to, { body: sealed(to, "a".repeat(3993)) })).toBe("201");
  expect(await push(service, to, { body: sealed(to, "a".repeat(3994)) })).toBe("413 payload too large");
});

test("the example of RFC 8291 is decrypted", () => {
  // https://www.rfc-editor.org/rfc/rfc8291#appendix-A
  const receiver = createECDH("prime256v1");
  receiver.setPrivateKey("q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94", "base64url");
  const auth = Buffer.from("BTBZMqHH6r4Tts7J_aSIgg", "base64url");
  const body =
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN";
  expect(opened(Buffer.from(body, "base64url"), receiver, auth)?.toString()).toBe(
    "When I grow up, I want to be a watermelon",
  );
});

test("a browser that unsubscribed is gone, and one that never subscribed is unknown", async () => {
  await using service = await fakePushService({ clock });
  const to = service.subscribe();
  expect(await push(service, { ...to, endpoint: `${service.origin}/push/nobody` })).toBe("404 no such subscription");
  service.unsubscribe(to.endpoint);
  expect(await push(service, to)).toBe("410 unsubscribed");
});

test("a browser shows the last push of each topic, and each without one", async () => {
  await using service = await fakePushService({ clock });
  const to = service.subscribe();
  const shown = async (title: string, headers: Record<string, string> = {}) =>
    push(service, to, { headers, body: sealed(to, JSON.stringify({ title })) });
  await shown("80 %", { topic: "disk" });
  await shown("one");
  await shown("two");
  await shown("90 %", { topic: "disk" });
  expect(service.onScreen(to.endpoint)).toEqual([{ title: "90 %" }, { title: "one" }, { title: "two" }]);
  expect(service.received[0]).toMatchObject({
    status: 201,
    plaintext: '{"title":"80 %"}',
    vapid: { aud: service.origin },
  });
});
