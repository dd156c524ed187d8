/** The fake of Apple decides as Apple does: requests come from jose and fetch, which do not know it. */
import { expect, test } from "bun:test";
import { importPKCS8, SignJWT } from "jose";
import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { heldClock } from "../support/clock.ts";
import { fakeApns, gone, refused, type FakeApns } from "../support/push/apns.ts";
import { answered, saidOf, tally, transport } from "./sending.ts";

const TOKEN = "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0";
const ID = "eabeae54-14a8-11e5-b60b-1697f925ec7b";
const MINUTE = 60_000;
const clock = heldClock();

/** A provider token. `at`: its `iat`, in ms. */
async function jwt(apns: FakeApns, { at = clock.now(), key = apns.key, kid = apns.keyId, iss = apns.teamId } = {}) {
  const token = new SignJWT().setProtectedHeader({ alg: "ES256", kid }).setIssuer(iss);
  return token.setIssuedAt(at / 1000).sign(await importPKCS8(key, "ES256"));
}

interface Change {
  token?: string;
  jwt?: string;
  headers?: Record<string, string>;
  body?: string;
  path?: string;
  session?: string;
}

async function push(apns: FakeApns, on: ReturnType<typeof transport>, change: Change = {}) {
  const { token = TOKEN, headers = {}, body = '{"aps":{"alert":"a"}}', path = `/3/device/${token}` } = change;
  const usual = {
    ...{
      authorization: `bearer ${change.jwt ?? (await jwt(apns))}`,
      "apns-topic": apns.topic,
      "apns-push-type": "alert",
    },
    ...{ "apns-id": ID, "apns-collapse-id": "c", "apns-priority": "10", "apns-expiration": "0" },
  };
  const answer = await on.send(
    { url: `${apns.url}${path}`, headers: { ...usual, ...headers }, body },
    { session: change.session ?? "a" },
  );
  const { status, body: text, headers: said } = answered(answer);
  expect(said["apns-id"]).toBe(headers["apns-id"] ?? ID);
  const { reason = "" } = text === "" ? {} : (JSON.parse(text) as { reason?: string });
  return `${status} ${reason}`.trimEnd();
}

const strangersKey = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({
  type: "pkcs8",
  format: "pem",
});

// prettier-ignore
test.each<[what: string, change: Change | ((apns: FakeApns) => Promise<Change>), answer: string]>([
  ["a push as it should be",            {},                                                               "200"],
  ["a payload of 4096 bytes",           { body: JSON.stringify({ aps: { alert: "a".repeat(4076) } }) },   "200"],
  ["a payload of 4097 bytes",           { body: JSON.stringify({ aps: { alert: "a".repeat(4077) } }) },   "413 PayloadTooLarge"],
  ["no payload",                        { body: "" },                                                     "400 PayloadEmpty"],
  ["a payload without aps",             { body: '{"a":1}' },                                              "400 PayloadEmpty"],
  ["another path",                      { path: "/3/devices/aa" },                                        "404 BadPath"],
  ["a token that is not hex",           { token: "xyz1" },                                                "400 BadDeviceToken"],
  ["another app's topic",               { headers: { "apns-topic": "example.other" } },                   "400 DeviceTokenNotForTopic"],
  ["no topic",                          { headers: { "apns-topic": "" } },                                "400 MissingTopic"],
  ["a push type that is none",          { headers: { "apns-push-type": "loud" } },                        "400 InvalidPushType"],
  ["a priority that is none",           { headers: { "apns-priority": "11" } },                           "400 BadPriority"],
  ["an expiration that is none",        { headers: { "apns-expiration": "-1" } },                         "400 BadExpirationDate"],
  ["a collapse id of 65 bytes",         { headers: { "apns-collapse-id": "c".repeat(65) } },              "400 BadCollapseId"],
  ["an id in upper case",               { headers: { "apns-id": ID.toUpperCase() } },                     "400 BadMessageId"],
  ["no provider token",                 { headers: { authorization: "" } },                               "403 MissingProviderToken"],
  ["a provider token that is none",     { jwt: "a.b.c" },                                                 "403 InvalidProviderToken"],
  ["a token of another key",            async (apns) => ({ jwt: await jwt(apns, { key: strangersKey }) }), "403 InvalidProviderToken"],
  ["a token of another key id",         async (apns) => ({ jwt: await jwt(apns, { kid: "OTHERKEY01" }) }), "403 InvalidProviderToken"],
  ["a token of another team",           async (apns) => ({ jwt: await jwt(apns, { iss: "OTHERTEAM1" }) }), "403 InvalidProviderToken"],
  ["a token of an hour ago",            async (apns) => ({ jwt: await jwt(apns, { at: clock.now() - 60 * MINUTE }) }), "200"],
  ["a token of more than an hour ago",  async (apns) => ({ jwt: await jwt(apns, { at: clock.now() - 61 * MINUTE }) }), "403 ExpiredProviderToken"],
  ["a token of a clock that is ahead",  async (apns) => ({ jwt: await jwt(apns, { at: clock.now() + 10 * MINUTE }) }), "403 InvalidProviderToken"],
])("%s is answered as by Apple", async (_, change, answer) => {
  await using apns = await fakeApns({ clock });
  using on = transport();
  expect(await push(apns, on, typeof change === "function" ? await change(apns) : change)).toBe(answer);
});

test("its settings contain a key that can be read", async () => {
  await using apns = await fakeApns();
  expect(createPrivateKey(apns.env["PEAL_APNS_KEY"] ?? "").asymmetricKeyDetails?.namedCurve).toBe("prime256v1");
  expect(apns.env).toMatchObject({ PEAL_APNS_URL: apns.url, PEAL_APNS_TOPIC: apns.topic });
});

test("a connection takes another provider token only every 20 minutes", async () => {
  const held = heldClock();
  await using apns = await fakeApns({ clock: held });
  using on = transport();
  const at = async () => push(apns, on, { jwt: await jwt(apns, { at: held.now() }) });
  expect(await at()).toBe("200");
  held.advance(20 * MINUTE - 1000);
  expect(await at()).toBe("429 TooManyProviderTokenUpdates");
  expect(await push(apns, on, { jwt: apns.tokens[0] ?? "" })).toBe("200");
  held.advance(1000);
  expect(await at()).toBe("200");
  expect(apns.tokens.length).toBe(3);
});

test("a device shows the last push of each collapse id, and only what was accepted", async () => {
  await using apns = await fakeApns({ clock });
  using on = transport();
  const token = await jwt(apns);
  const shown = async (collapse: string, alert: string) =>
    push(apns, on, { jwt: token, headers: { "apns-collapse-id": collapse }, body: JSON.stringify({ aps: { alert } }) });
  await shown("disk", "80 %");
  await shown("ups", "on battery");
  await shown("disk", "90 %");
  apns.script.once(TOKEN, { status: 503, reason: "ServiceUnavailable" });
  await shown("disk", "95 %");
  expect(apns.onScreen(TOKEN)).toEqual([{ aps: { alert: "90 %" } }, { aps: { alert: "on battery" } }]);
  expect(apns.accepted(TOKEN).length).toBe(3);
  expect(apns.received.at(-1)).toMatchObject({ status: 503, reason: "ServiceUnavailable", id: ID, collapseId: "disk" });
});

test("scripted answers come in this order: for the device, for any device, the permanent one", async () => {
  await using apns = await fakeApns({ clock });
  using on = transport();
  apns.script.always("*", refused("TooManyRequests"));
  apns.script.once("*", refused("Shutdown"));
  apns.script.once(TOKEN, gone(5), refused("BadDeviceToken"));
  const answers = [];
  for (let i = 0; i < 4; i++) answers.push(await push(apns, on));
  expect(answers).toEqual(["410 Unregistered", "400 BadDeviceToken", "503 Shutdown", "429 TooManyRequests"]);
  apns.script.clear();
  expect(await push(apns, on)).toBe("200");
});

test("410 contains the time when the app was removed", async () => {
  await using apns = await fakeApns({ clock });
  using on = transport();
  apns.script.once(TOKEN, gone(1_437_179_036_000));
  const { body } = answered(
    await on.send({ url: `${apns.url}/3/device/${TOKEN}`, headers: {}, body: "{}" }, { session: "a" }),
  );
  expect(JSON.parse(body)).toEqual({ reason: "Unregistered", timestamp: 1_437_179_036_000 });
});

test("a connection allows one stream until a push was accepted, and then many", async () => {
  await using apns = await fakeApns({ clock });
  apns.latencyMs = 20;
  apns.script.always("*", refused("BadDeviceToken"));
  using on = transport();
  const token = await jwt(apns);
  const many = async (n: number) =>
    Promise.all(
      Array.from({ length: n }, async () =>
        on.send({ url: `${apns.url}/3/device/aa`, headers: { authorization: token }, body: "{}" }, { session: "a" }),
      ),
    );
  await many(1);
  await many(3);
  expect(apns.connections.map(({ peak }) => peak)).toSatisfy((peaks) => Math.max(...peaks) === 1);
  apns.script.always("*", { status: 200 });
  await many(1);
  expect(tally(await many(30))).toEqual({ 200: 30 });
  expect(Math.max(...apns.connections.map(({ peak }) => peak))).toBeGreaterThan(1);
});

test("it restarts on the same port and keeps its state", async () => {
  await using apns = await fakeApns({ clock });
  using on = transport();
  await push(apns, on);
  await apns.wire.stop();
  expect(saidOf(await on.send({ url: apns.url, headers: {}, body: "{}" }, { session: "b" }))).toBe(
    "connection refused",
  );
  await apns.wire.start();
  expect(await push(apns, on, { session: "b" })).toBe("200");
  expect(apns.received.length).toBe(2);
});
