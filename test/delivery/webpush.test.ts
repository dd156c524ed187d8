/** What is sent to push services of browsers, and what their answers mean, row by row. */
import { expect, spyOn, test } from "bun:test";
import { createDecipheriv, createECDH, hkdfSync } from "node:crypto";
import fc from "fast-check";
import { request, verdict } from "../../src/delivery/providers/webpush.ts";
import type { Notification, Push, Verdict } from "../../src/delivery/push/push.ts";
import { examples } from "../support/rounds.ts";
import {
  answered,
  aNotification,
  aPush,
  ENDPOINT,
  isWhole,
  leaks,
  NOW,
  notifications,
  later,
  paused,
} from "./pushes.ts";

const AUTHORIZATION = "vapid t=a.b.c, k=BPublic";

/** A browser, implemented separately here: the keys it subscribes with, and how it reads a body (RFC 8188 §2, RFC 8291 §3.4). */
const browser = createECDH("prime256v1");
browser.generateKeys();
const secret = Buffer.from("0123456789abcdef");
const keys = { p256dh: browser.getPublicKey().toString("base64url"), auth: secret.toString("base64url") };

function read(body: Uint8Array): string {
  const bytes = Buffer.from(body);
  const [salt, size, length] = [bytes.subarray(0, 16), bytes.readUInt32BE(16), bytes.readUInt8(20)];
  const sender = bytes.subarray(21, 21 + length);
  const record = bytes.subarray(21 + length);
  expect(record.length).toBeLessThanOrEqual(size); // services refuse more than one record
  const hkdf = (key: Buffer, from: Buffer, info: Buffer | string, n: number) =>
    Buffer.from(hkdfSync("sha256", key, from, info, n));
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), browser.getPublicKey(), sender]);
  const key = hkdf(browser.computeSecret(sender), secret, info, 32);
  const nonce = hkdf(key, salt, "Content-Encoding: nonce\0", 12);
  const decipher = createDecipheriv("aes-128-gcm", hkdf(key, salt, "Content-Encoding: aes128gcm\0", 16), nonce);
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = padded.findLastIndex((byte) => byte !== 0);
  expect(padded[end]).toBe(2); // the mark of the last record
  return padded.subarray(0, end).toString();
}

const aWebPush = (fields: Parameters<typeof aPush>[0] = {}): Push =>
  aPush({ ...fields, device: { platform: "web", token: ENDPOINT, keys, ...fields.device } });
const send = (push: Push) => request(push, { authorization: AUTHORIZATION, imageHosts: ["h.example"] }, NOW);

interface Declarative {
  web_push: number;
  notification: {
    title: string;
    body: string;
    navigate?: string;
    silent?: boolean;
    data: Record<string, unknown>;
    actions?: object[];
  };
}
const shownOf = (notification: Partial<Notification>, shrunk = 0) =>
  (JSON.parse(read(send(aWebPush({ notification, shrunk })).body as Uint8Array)) as Declarative).notification;

test("a push is one encrypted request with the headers of RFC 8030, 8291 and 8292", () => {
  const { url, headers } = send(aWebPush());
  expect(url).toBe(ENDPOINT);
  expect(headers).toEqual({
    ttl: "3600",
    urgency: "high",
    topic: "AAECAwQFBgcICQoLDA0ODxAREhMUFRYX",
    authorization: AUTHORIZATION,
    "content-type": "application/octet-stream",
    "content-encoding": "aes128gcm",
  });
});

test("the browser reads a declarative message, with everything that a service worker needs", () => {
  expect(JSON.parse(read(send(aWebPush()).body as Uint8Array))).toEqual({
    web_push: 8030,
    notification: {
      ...{
        title: "Backup",
        body: "done",
        navigate: aNotification.url,
        dir: "auto",
        tag: "AAECAwQFBgcICQoLDA0ODxAREhMUFRYX",
      },
      data: {
        ...{ ns: "home", topic: "nas-0123456789abcdefghjkmnpqrs", id: 7, level: "info", priority: "normal" },
        ...{ feedUrl: aNotification.feedUrl, at: NOW - 5_000 },
      },
    },
  });
});

test("buttons open their link, or the message if they would send a request", () => {
  const actions = [
    { label: "Open", url: "https://h.example/" },
    { label: "Stop", url: "https://h.example/stop", method: "POST" },
  ];
  const shown = shownOf({ actions, image: "https://h.example/i", ack: true, count: 3 });
  expect(shown).toMatchObject({
    image: "https://h.example/i",
    actions: [
      { action: "0", title: "Open", navigate: "https://h.example/" },
      { action: "1", title: "Stop", navigate: aNotification.feedUrl },
    ],
    data: { actions, ack: true, count: 3 },
  });
});

test.each(["https://other.example/h.example", "https://h.example:8443/i", "https://h.example.other.example/i"])(
  "the image %s of a host that is not allowed is left out, because the browser would load it",
  (image) => {
    expect(JSON.stringify(shownOf({ image }))).not.toContain(image);
  },
);

test("a tap opens the message where the link is not a page, and the service worker has the address", () => {
  const shown = shownOf({ url: "mailto:a@h.example" });
  expect([shown.navigate, shown.data["url"]]).toEqual([aNotification.feedUrl, "mailto:a@h.example"]);
  const page = shownOf({ url: "https://h.example/" });
  expect([page.navigate, page.data["url"]]).toEqual(["https://h.example/", undefined]);
});

test("low priority makes no sound and wakes no phone", () => {
  for (const priority of ["low", "normal", "high", "urgent"] as const) {
    const isLow = priority === "low";
    expect(shownOf({ priority }).silent).toBe(isLow ? true : undefined);
    expect(send(aWebPush({ notification: { priority } })).headers["urgency"]).toBe(isLow ? "normal" : "high");
  }
});

test("the remaining time is sent, at most four weeks", () => {
  const told = (ms: number) => send(aWebPush({ expiresAt: NOW + ms })).headers["ttl"];
  expect([told(1_999), told(-5), told(30 * 86_400_000)]).toEqual(["1", "0", "2419200"]);
});

test("a text that is too large is cut and marked, and halved each time that it is still too large", () => {
  const body = "日本".repeat(2_000);
  const lengths = [0, 1, 2, 3].map((shrunk) => {
    const shown = shownOf({ body }, shrunk);
    expect([isWhole(shown.body, body), shown.data["more"]]).toEqual([true, true]);
    return Buffer.byteLength(shown.body);
  });
  for (const [i, length] of lengths.slice(1).entries()) expect(length).toBeLessThanOrEqual((lengths[i] ?? 0) / 2 + 3);
  expect(shownOf({}).data).not.toHaveProperty("more");
});

test("no message exceeds 3,000 bytes, and what remains is whole", () => {
  fc.assert(
    fc.property(notifications, fc.nat(3), (notification, shrunk) => {
      const { body, headers } = send(aWebPush({ notification, shrunk }));
      const text = read(body as Uint8Array);
      const { title, body: shown } = (JSON.parse(text) as Declarative).notification;
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(3_000);
      expect(text.isWellFormed() && isWhole(title, notification.title) && isWhole(shown, notification.body)).toBe(true);
      expect(leaks(JSON.stringify(headers) + text, new URL(ENDPOINT).pathname + keys.auth)).toBe(false);
    }),
    { numRuns: examples(300) },
  );
});

test("each push has its own salt and key", () => {
  const [one, other] = [send(aWebPush()).body as Uint8Array, send(aWebPush()).body as Uint8Array];
  for (const [from, to] of [[0, 16], [21, 86]]) expect(one.slice(from, to)).not.toEqual(other.slice(from, to)); // prettier-ignore
});

test("an old endpoint of Google's causes no warning, and a device without keys is not a subscription", () => {
  using warn = spyOn(console, "warn");
  const token = "https://android.googleapis.com/gcm/send/abc";
  expect(send(aWebPush({ device: { token } })).url).toBe(token);
  expect(warn).not.toHaveBeenCalled();
  expect(() => send(aPush())).toThrow("a push subscription has keys");
});

const prune = (proof: string): Verdict => ({ kind: "prune", proof });
const fail = (reason: string): Verdict => ({ kind: "fail", reason });
const apple = (reason: string) => ({ reason });
const mozilla = (errno: number, message: string) => ({ code: 400, errno, error: "Bad Request", message });
const GOOGLE = "https://fcm.googleapis.com/fcm/send/abc";

// prettier-ignore
const ROWS: [number, object | string, Record<string, string>, Verdict][] = [
  [201, "",                                              {},                      { kind: "accepted" }],
  [200, "",                                              {},                      { kind: "accepted" }],
  [202, "",                                              {},                      { kind: "accepted" }],
  [204, "",                                              {},                      { kind: "accepted" }],
  [201, "",                                              { "apns-id": "ID" },     { kind: "accepted", id: "ID" }],
  [201, "", { location: "https://push.example/m/0:1%7a" },                        { kind: "accepted", id: "0:1%7a" }],
  [201, "", { location: `https://push.example/m/${ENDPOINT.slice(-20)}` },        { kind: "accepted" }],
  [301, "", { location: "https://evil.example/" },                                later("status 301", "device")],
  [307, "",                                              {},                      later("status 307", "device")],
  [400, apple("BadWebPushTopic"),                        {},                      fail("BadWebPushTopic")],
  [400, apple("BadTtl"),                                 {},                      fail("BadTtl")],
  [400, apple("BadUrgency"),                             {},                      fail("BadUrgency")],
  [400, apple("BadWebPushRequest"),                      {},                      fail("BadWebPushRequest")],
  [400, mozilla(101, "Missing crypto keys"),             {},                      prune("Missing crypto keys")],
  [400, mozilla(110, "Invalid crypto keys"),             {},                      prune("Invalid crypto keys")],
  [400, mozilla(112, "Invalid TTL"),                     {},                      fail("Invalid TTL")],
  [401, mozilla(109, "VAPID public key mismatch"),       {},                      prune("VAPID public key mismatch")],
  [401, mozilla(109, "Invalid authorization"),           {},                      paused("Invalid authorization", "retry")],
  [403, apple("VapidPkHashMismatch"),                    {},                      prune("VapidPkHashMismatch")],
  [403, apple("BadJwtToken"),                            {},                      paused("BadJwtToken")],
  [403, apple("BadAuthorizationHeader"),                 {},                      paused("BadAuthorizationHeader")],
  [403, apple("BadVapidPublicKey"),                      {},                      paused("BadVapidPublicKey")],
  [403, "",                                              {},                      paused("status 403", "retry")],
  [404, "",                                              {},                      prune("status 404")],
  [410, apple("Unregistered"),                           {},                      prune("Unregistered")],
  [413, apple("PayloadTooLarge"),                        {},                      { kind: "shrink", reason: "PayloadTooLarge" }],
  [429, "",                                              {},                      later("status 429", "device")],
  [429, apple("TooManyRequests"), { "retry-after": "120" },                       later("TooManyRequests", "device", 120_000)],
  [429, "", { date: "Thu, 01 Jan 2015 00:00:00 GMT", "retry-after": "Thu, 01 Jan 2015 00:01:30 GMT" }, later("status 429", "device", 90_000)],
  [429, "", { date: "Thu, 01 Jan 2015 00:00:00 GMT", "retry-after": "Wed, 31 Dec 2014 00:00:00 GMT" }, later("status 429", "device", 0)],
  [408, "",                                              {},                      later("status 408", "device")],
  [502, "",                                              {},                      later("status 502", "device")],
  [503, "",                       { "retry-after": "7" },                         later("status 503", "device", 7_000)],
  [418, "",                                              {},                      fail("status 418")],
];
test.each(ROWS)("%d %j %j", (status, body, headers, then) => {
  expect(verdict(answered(status, body, headers), aWebPush())).toEqual(then);
});

// prettier-ignore
test.each<[number, string, Verdict]>([
  [403, "the key in the authorization header does not match the sender ID", prune("the key in the authorization header does not match the sender ID")],
  [403, "the VAPID credentials do not correspond to the credentials of the subscription", prune("the VAPID credentials do not correspond to the credentials of the subscription")],
  [410, "push subscription has unsubscribed or expired.", prune("push subscription has unsubscribed or expired.")],
  [500, "<html><body>\nsorry",                            later("<html><body>", "device")],
])("%d %j of a browser's own service", (status, body, then) => {
  expect(verdict(answered(status, body), aWebPush({ device: { token: GOOGLE } }))).toEqual(then);
});

test.each([400, 403, 404, 500])("the answer of a host that the operator configured is not shown: %d", (status) => {
  const told = JSON.stringify(verdict(answered(status, "user=alice role=admin\n"), aWebPush()));
  expect(told).toContain(`status ${status}`);
  expect(told).not.toContain("alice");
});

test("Chrome's limit applies to all of its browsers", () => {
  const push = aWebPush({ device: { token: GOOGLE } });
  expect(verdict(answered(429, "", { "retry-after": "5" }), push)).toEqual(later("status 429", "lane", 5_000));
  expect(verdict(answered(503), push)).toEqual(later("status 503", "device"));
});

test("a push that stays too large fails", () => {
  const kinds = [0, 1, 2, 3].map((shrunk) => verdict(answered(413), aWebPush({ shrunk })).kind);
  expect(kinds).toEqual(["shrink", "shrink", "shrink", "fail"]);
});

test("no device is ever removed because of a server error, a redirect or a limit", () => {
  const statuses = fc.oneof(
    fc.integer({ min: 300, max: 399 }),
    fc.integer({ min: 500, max: 599 }),
    fc.constantFrom(408, 413, 429),
  );
  fc.assert(
    fc.property(statuses, fc.oneof(fc.string(), fc.json()), (status, body) => {
      expect(["retry", "shrink"]).toContain(verdict(answered(status, body), aWebPush()).kind);
    }),
  );
});
