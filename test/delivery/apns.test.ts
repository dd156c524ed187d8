/** What is sent to Apple, and what its answers mean, row by row of its documentation. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { request, verdict } from "../../src/delivery/providers/apns.ts";
import type { Notification, Verdict } from "../../src/delivery/push/push.ts";
import { examples } from "../support/rounds.ts";
import { answered, APNS_TOKEN, aPush, isWhole, NOW, notifications, later, paused } from "./pushes.ts";

const auth = { origin: "https://api.push.apple.com", topic: "com.example.peal", token: "a.b.c", isCritical: false };

interface Payload {
  aps: { alert: { title: string; body: string }; [key: string]: unknown };
  [key: string]: unknown;
}
const payloadOf = (notification: Partial<Notification>, { isCritical = false, shrunk = 0 } = {}): Payload =>
  JSON.parse(request(aPush({ notification, shrunk }), { ...auth, isCritical }).body as string) as Payload;

test("a push is one request with all of Apple's headers", () => {
  expect(request(aPush(), auth)).toEqual({
    url: `https://api.push.apple.com/3/device/${APNS_TOKEN}`,
    headers: {
      authorization: "bearer a.b.c",
      "apns-topic": "com.example.peal",
      "apns-push-type": "alert",
      "apns-priority": "5",
      "apns-id": "0f0e0d0c-0b0a-8908-8706-050403020100",
      "apns-collapse-id": "AAECAwQFBgcICQoLDA0ODxAREhMUFRYX",
      "apns-expiration": String((NOW + 3_600_000) / 1000),
      "content-type": "application/json",
    },
    body: JSON.stringify({
      aps: {
        alert: { title: "Backup", body: "done" },
        sound: "default",
        "thread-id": "nas-0123456789abcdefghjkmnpqrs",
        "interruption-level": "active",
        "relevance-score": 0.5,
      },
      ns: "home",
      topic: "nas-0123456789abcdefghjkmnpqrs",
      id: 7,
      url: "https://peal.example/home/nas-0123456789abcdefghjkmnpqrs?before=8#m7",
    }),
  });
});

test("the remaining time is sent in whole seconds, and never as 0, which would mean a single try", () => {
  const told = (expiresAt: number) => request(aPush({ expiresAt }), auth).headers["apns-expiration"];
  expect([told(NOW + 999), told(NOW + 1_000), told(0)]).toEqual([String(NOW / 1000), String(NOW / 1000 + 1), "1"]);
});

const CRITICAL = { critical: 1, name: "default", volume: 1 };

// prettier-ignore
test.each([
  // level      priority  critical   interruption      priority  sound
  ["info",    "low",    false, "passive",        "5",  undefined],
  ["info",    "normal", false, "active",         "5",  "default"],
  ["info",    "high",   false, "active",         "10", "default"],
  ["success", "normal", false, "active",         "5",  "default"],
  ["warning", "low",    false, "passive",        "5",  undefined],
  ["warning", "normal", false, "active",         "10", "default"],
  ["error",   "low",    false, "passive",        "5",  undefined],
  ["error",   "normal", false, "time-sensitive", "10", "default"],
  ["error",   "high",   true,  "time-sensitive", "10", "default"],
  ["info",    "urgent", false, "time-sensitive", "10", "default"],
  ["info",    "urgent", true,  "critical",       "10", CRITICAL],
] as const)("%s, %s, critical %p interrupts as %s", (level, priority, isCritical, interruption, apnsPriority, sound) => {
  const { aps } = payloadOf({ level, priority }, { isCritical });
  expect([aps["interruption-level"], aps["sound"]]).toEqual([interruption, sound]);
  const { headers } = request(aPush({ notification: { level, priority } }), auth);
  expect(headers["apns-priority"]).toBe(apnsPriority);
});

test("relevance grows with priority", () => {
  const scores = (["low", "normal", "high", "urgent"] as const).map(
    (priority) => payloadOf({ priority }).aps["relevance-score"],
  );
  expect(scores).toEqual([0.25, 0.5, 0.75, 1]);
});

test("an image allows the app's extension to load it", () => {
  const payload = payloadOf({ image: "https://h.example/i.png" });
  expect([payload.aps["mutable-content"], payload["image"]]).toEqual([1, "https://h.example/i.png"]);
});

test("a text that is too large is cut, and halved each time that Apple still finds it too large", () => {
  const body = "👨‍👩‍👧‍👦".repeat(1_000);
  const lengths = [0, 1, 2, 3].map((shrunk) => {
    const shown = payloadOf({ body }, { shrunk }).aps.alert.body;
    expect(isWhole(shown, body)).toBe(true);
    return Buffer.byteLength(shown);
  });
  expect(lengths[0]).toBeGreaterThan(3_500);
  for (const [i, length] of lengths.slice(1).entries()) expect(length).toBeLessThanOrEqual((lengths[i] ?? 0) / 2 + 25);
});

test("an endless grapheme is cut between two code points", () => {
  for (let before = 0; before < 4; before++) {
    const body = `${"x".repeat(before)}👩${"\u200d👩".repeat(2_000)}`;
    for (const shrunk of [0, 3]) {
      const sent = request(aPush({ notification: { body }, shrunk }), auth).body as string;
      expect(Buffer.byteLength(sent)).toBeLessThanOrEqual(4_096);
      expect(sent).not.toContain("\\ud");
    }
  }
});

test("a token cannot leave its place in the URL", () => {
  const { pathname } = new URL(request(aPush({ device: { token: "../x?a#b" } }), auth).url);
  expect(pathname).toBe("/3/device/..%2Fx%3Fa%23b");
});

test("no payload is above 4,096 bytes, and none is cut inside a grapheme", () => {
  fc.assert(
    fc.property(notifications, fc.nat(3), (notification, shrunk) => {
      const { body, headers, url } = request(aPush({ notification, shrunk }), auth);
      const { aps } = JSON.parse(body as string) as Payload;
      expect(Buffer.byteLength(body as string)).toBeLessThanOrEqual(4_096);
      expect((body as string).isWellFormed()).toBe(true);
      expect(aps.alert).toSatisfy(
        ({ title, body: text }) => isWhole(title, notification.title) && isWhole(text, notification.body),
      );
      expect(JSON.stringify(headers) + (body as string)).not.toContain(APNS_TOKEN);
      expect(new URL(url).origin).toBe(auth.origin);
    }),
    { numRuns: examples(500) },
  );
});

const DEVICE = "device";
const LANE = "lane";
const fail = (reason: string): Verdict => ({ kind: "fail", reason });

// prettier-ignore
const ROWS: [number, string, Verdict][] = [
  [400, "BadDeviceToken",              { kind: "move", reason: "BadDeviceToken" }],
  [400, "DeviceTokenNotForTopic",      paused("DeviceTokenNotForTopic", "prune")],
  [400, "BadCollapseId",               fail("BadCollapseId")],
  [400, "BadExpirationDate",           fail("BadExpirationDate")],
  [400, "BadMessageId",                fail("BadMessageId")],
  [400, "BadPriority",                 fail("BadPriority")],
  [400, "BadTopic",                    fail("BadTopic")],
  [400, "InvalidPushType",             fail("InvalidPushType")],
  [400, "DuplicateHeaders",            fail("DuplicateHeaders")],
  [400, "MissingTopic",                fail("MissingTopic")],
  [400, "MissingDeviceToken",          fail("MissingDeviceToken")],
  [400, "PayloadEmpty",                fail("PayloadEmpty")],
  [404, "BadPath",                     fail("BadPath")],
  [405, "MethodNotAllowed",            fail("MethodNotAllowed")],
  [400, "TopicDisallowed",             paused("TopicDisallowed")],
  [403, "Forbidden",                   paused("Forbidden")],
  [403, "BadCertificate",              paused("BadCertificate")],
  [403, "BadCertificateEnvironment",   paused("BadCertificateEnvironment")],
  [403, "MissingProviderToken",        paused("MissingProviderToken")],
  [403, "InvalidProviderToken",        paused("InvalidProviderToken")],
  [403, "UnrelatedKeyIdInToken",       paused("UnrelatedKeyIdInToken")],
  [403, "BadEnvironmentKeyIdInToken",  paused("BadEnvironmentKeyIdInToken")],
  [403, "BadEnvironmentKeyInToken",    paused("BadEnvironmentKeyInToken")],
  [403, "SomethingNew",                paused("SomethingNew", "retry")],
  [403, "ExpiredProviderToken",        { kind: "reauthorize", reason: "ExpiredProviderToken" }],
  [400, "IdleTimeout",                 later("IdleTimeout", DEVICE, 1_000)],
  [413, "PayloadTooLarge",             { kind: "shrink", reason: "PayloadTooLarge" }],
  [429, "TooManyRequests",             later("TooManyRequests", DEVICE)],
  [429, "TooManyProviderTokenUpdates", later("TooManyProviderTokenUpdates", LANE, 60_000)],
  [500, "InternalServerError",         later("InternalServerError", DEVICE)],
  [503, "ServiceUnavailable",          later("ServiceUnavailable", DEVICE)],
  [503, "Shutdown",                    later("Shutdown", LANE, 2_000)],
  [418, "SomethingNew",                fail("SomethingNew")],
];
test.each(ROWS)("%d %s", (status, reason, then) => {
  expect(verdict(answered(status, { reason }), aPush())).toEqual(then);
});

test("200 is accepted under Apple's id", () => {
  expect(verdict(answered(200, "", { "apns-id": "ID" }), aPush())).toEqual({ kind: "accepted", id: "ID" });
  expect(verdict(answered(200), aPush())).toEqual({ kind: "accepted" });
});

test("a token that both environments refused is invalid", () => {
  const push = aPush({ device: { wasMoved: true } });
  expect(verdict(answered(400, { reason: "BadDeviceToken" }), push)).toEqual({
    kind: "prune",
    proof: "BadDeviceToken",
  });
});

// prettier-ignore
test.each([
  ["Unregistered", NOW + 1,   "prune"],
  ["ExpiredToken", NOW + 1,   "prune"],
  ["Unregistered", NOW,       "retry"],
  ["Unregistered", NOW - 1,   "retry"],
  ["ExpiredToken", NOW - 1,   "retry"],
  ["Unregistered", undefined, "fail"],
])("410 %s counts only for a token that is older: %p", (reason, timestamp, kind) => {
  const push = aPush({ device: { registeredAt: NOW } });
  expect(verdict(answered(410, { reason, timestamp }), push).kind).toBe(kind as Verdict["kind"]);
});

test("a push that stays too large fails", () => {
  const kinds = [0, 1, 2, 3].map(
    (shrunk) => verdict(answered(413, { reason: "PayloadTooLarge" }), aPush({ shrunk })).kind,
  );
  expect(kinds).toEqual(["shrink", "shrink", "shrink", "fail"]);
});

test("Retry-After is obeyed", () => {
  const headers = { "retry-after": "90" };
  for (const reason of ["TooManyRequests", "ServiceUnavailable", "Shutdown"])
    expect(verdict(answered(503, { reason }, headers), aPush())).toMatchObject({ kind: "retry", afterMs: 90_000 });
});

test("only Apple's own answers count as proof", () => {
  for (const status of [301, 302, 408, 500, 502, 504])
    expect(verdict(answered(status, "<html>"), aPush())).toEqual(later(`status ${status}`, DEVICE));
  for (const body of ["", "null", "[]", "7", '{"reason":7}', '{"reason":{}}'])
    expect(verdict(answered(400, body), aPush())).toEqual(fail("status 400"));
});
