/** What is sent to Google, and what its answers mean, row by row of its documentation. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { type FcmAuth, request, verdict } from "../../src/delivery/providers/fcm.ts";
import type { Notification, Push, Verdict } from "../../src/delivery/push/push.ts";
import { examples } from "../support/rounds.ts";
import { answered, aPush, FCM_TOKEN, isWhole, leaks, NOW, notifications, later, paused } from "./pushes.ts";

const auth: FcmAuth = {
  origin: "https://fcm.googleapis.com",
  project: "home-1234",
  token: "ya29.secret",
  style: "data",
  imageHosts: ["h.example"],
};

const anAndroidPush = (fields: Parameters<typeof aPush>[0] = {}): Push =>
  aPush({ ...fields, device: { platform: "android", token: FCM_TOKEN, ...fields.device } });

interface Sent {
  token: string;
  data: Record<string, string>;
  notification?: { title: string; body: string; image?: string };
  android: { priority: string; ttl: string; collapse_key?: string; notification?: Record<string, unknown> };
}
const sentOf = (push: Push, style: FcmAuth["style"] = "data"): Sent =>
  (JSON.parse(request(push, { ...auth, style }, NOW).body as string) as { message: Sent }).message;
const dataOf = (notification: Partial<Notification>) => sentOf(anAndroidPush({ notification })).data;

const COMMON = {
  ...{ level: "info", priority: "normal", ns: "home", topic: "nas-0123456789abcdefghjkmnpqrs", id: "7" },
  url: "https://peal.example/home/nas-0123456789abcdefghjkmnpqrs?before=8#m7",
  ...{ tag: "AAECAwQFBgcICQoLDA0ODxAREhMUFRYX", at: "2026-01-15T11:59:55.000Z" },
};

test("by default the app gets the text as data and shows it", () => {
  const { url, headers } = request(anAndroidPush(), auth, NOW);
  expect(url).toBe("https://fcm.googleapis.com/v1/projects/home-1234/messages:send");
  expect(headers).toEqual({ authorization: "Bearer ya29.secret", "content-type": "application/json" });
  expect(sentOf(anAndroidPush())).toEqual({
    token: FCM_TOKEN,
    data: { title: "Backup", body: "done", ...COMMON, topic_name: "nas", feed_url: COMMON.url },
    android: { priority: "HIGH", ttl: "3600s" },
  });
});

test("everything else of a notification is data too, as strings", () => {
  const actions = [{ label: "Stop", url: "https://h.example/", method: "POST" }];
  expect(dataOf({ image: "https://h.example/i", actions, ack: true, count: 17 })).toMatchObject({
    ...{ image: "https://h.example/i", actions: JSON.stringify(actions), ack: "true", count: "17" },
  });
});

test("Android loads an image by itself, so it only gets those of allowed hosts; an app decides for itself", () => {
  const push = anAndroidPush({ notification: { image: "https://other.example/i" } });
  expect(sentOf(push, "notification").notification).toEqual({ title: "Backup", body: "done" });
  expect(sentOf(push).data["image"]).toBe("https://other.example/i");
});

test("for an app that does not know peal, Android shows the notification", () => {
  expect(sentOf(anAndroidPush({ notification: { image: "https://h.example/i" } }), "notification")).toEqual({
    token: FCM_TOKEN,
    notification: { title: "Backup", body: "done", image: "https://h.example/i" },
    data: COMMON,
    android: {
      ...{ priority: "HIGH", ttl: "3600s" },
      notification: {
        ...{ tag: COMMON.tag, notification_priority: "PRIORITY_DEFAULT", default_sound: true, event_time: COMMON.at },
      },
    },
  });
});

// prettier-ignore
test.each([
  ["low",    "NORMAL", "PRIORITY_LOW",     false],
  ["normal", "HIGH",   "PRIORITY_DEFAULT", true],
  ["high",   "HIGH",   "PRIORITY_HIGH",    true],
  ["urgent", "HIGH",   "PRIORITY_MAX",     true],
] as const)("priority %s is %s", (priority, sent, shown, sound) => {
  const { android } = sentOf(anAndroidPush({ notification: { priority } }), "notification");
  expect([android.priority, android.notification?.["notification_priority"], android.notification?.["default_sound"]]).toEqual([
    sent,
    shown,
    sound,
  ]);
});

test("only pushes that may be replaced have a collapse key, because Google keeps four of them per device", () => {
  expect(sentOf(anAndroidPush()).android.collapse_key).toBeUndefined();
  expect(sentOf(anAndroidPush({ isCollapsible: true })).android.collapse_key).toBe(COMMON.tag);
});

test("the remaining time is sent, at most four weeks", () => {
  const told = (ms: number) => sentOf(anAndroidPush({ expiresAt: NOW + ms })).android.ttl;
  expect([told(1_999), told(-5), told(30 * 86_400_000)]).toEqual(["1s", "0s", "2419200s"]);
});

test("a text that is too large is cut, and the push says so", () => {
  const body = "é".repeat(5_000);
  const data = dataOf({ body });
  expect(isWhole(data["body"] ?? "", body)).toBe(true);
  expect(data["more"]).toBe("true");
  expect(dataOf({})).not.toHaveProperty("more");
});

test("no message exceeds 4,096 bytes, data are strings, and no key is reserved by Google", () => {
  fc.assert(
    fc.property(notifications, fc.nat(3), fc.constantFrom("data", "notification"), (notification, shrunk, style) => {
      const push = anAndroidPush({ notification, shrunk });
      const { body, headers, url } = request(push, { ...auth, style }, NOW);
      const { token, ...rest } = sentOf(push, style);
      expect(Buffer.byteLength(JSON.stringify(rest))).toBeLessThanOrEqual(4_096);
      expect((body as string).isWellFormed()).toBe(true);
      expect(Object.values(rest.data).every((value) => typeof value === "string")).toBe(true);
      expect(Object.keys(rest.data).filter((key) => /^(from$|message_type$|google|gcm)/.test(key))).toEqual([]);
      const shown = rest.notification ?? rest.data;
      expect(isWhole(shown["body"], notification.body) && isWhole(shown["title"], notification.title)).toBe(true);
      expect([token, leaks(url + JSON.stringify(headers), FCM_TOKEN)]).toEqual([FCM_TOKEN, false]);
    }),
    { numRuns: examples(500) },
  );
});

const FCM_ERROR = "type.googleapis.com/google.firebase.fcm.v1.FcmError";
/** An error as Google writes it; `code` is FCM's own. */
const error = (
  status: string,
  { code, message = "", details = [] }: { code?: string; message?: string; details?: object[] } = {},
) => ({
  error: {
    status,
    message,
    details: [...(code === undefined ? [] : [{ "@type": FCM_ERROR, errorCode: code }]), ...details],
  },
});
const violated = (field: string) => ({
  "@type": "type.googleapis.com/google.rpc.BadRequest",
  fieldViolations: [{ field, description: "wrong" }],
});
const quota = (subject: string) => ({
  "@type": "type.googleapis.com/google.rpc.QuotaFailure",
  violations: [{ subject, description: "too much" }],
});
const NO_TOKEN = "The registration token is not a valid FCM registration token";

// prettier-ignore
const ROWS: [number, object, Record<string, string>, Verdict][] = [
  [400, error("INVALID_ARGUMENT", { code: "INVALID_ARGUMENT", details: [violated("message.token")] }), {}, { kind: "prune", proof: "INVALID_ARGUMENT" }],
  [400, error("INVALID_ARGUMENT", { code: "INVALID_ARGUMENT", message: NO_TOKEN }),                    {}, { kind: "prune", proof: "INVALID_ARGUMENT" }],
  [400, error("INVALID_ARGUMENT", { code: "INVALID_ARGUMENT", message: "Message is too big" }),        {}, { kind: "shrink", reason: "INVALID_ARGUMENT" }],
  [400, error("INVALID_ARGUMENT", { details: [violated("message.android.ttl")], message: "Bad ttl" }), {}, { kind: "fail", reason: "INVALID_ARGUMENT: Bad ttl" }],
  [400, error("INVALID_ARGUMENT"),                                                                     {}, { kind: "fail", reason: "INVALID_ARGUMENT" }],
  [400, error("FAILED_PRECONDITION"),                                                                  {}, { kind: "fail", reason: "FAILED_PRECONDITION" }],
  [401, error("UNAUTHENTICATED"),                                                                      {}, { kind: "reauthorize", reason: "UNAUTHENTICATED" }],
  [401, error("UNAUTHENTICATED", { code: "THIRD_PARTY_AUTH_ERROR" }),                                  {}, paused("THIRD_PARTY_AUTH_ERROR", "retry")],
  [403, error("PERMISSION_DENIED", { code: "SENDER_ID_MISMATCH" }),                                    {}, paused("SENDER_ID_MISMATCH", "prune")],
  [403, error("PERMISSION_DENIED", { message: "API is disabled" }),                                    {}, paused("PERMISSION_DENIED", undefined, "PERMISSION_DENIED: API is disabled")],
  [404, error("NOT_FOUND"),                                                                            {}, paused("NOT_FOUND")],
  [404, {},                                                                                            {}, paused("status 404")],
  [404, error("NOT_FOUND", { code: "UNREGISTERED" }),                                                  {}, { kind: "prune", proof: "UNREGISTERED" }],
  [413, {},                                                                                            {}, { kind: "shrink", reason: "status 413" }],
  [429, error("RESOURCE_EXHAUSTED", { code: "QUOTA_EXCEEDED" }),                                       {}, later("QUOTA_EXCEEDED", "lane")],
  [429, error("RESOURCE_EXHAUSTED", { code: "QUOTA_EXCEEDED" }),                  { "retry-after": "90" }, later("QUOTA_EXCEEDED", "lane", 90_000)],
  [429, error("RESOURCE_EXHAUSTED", { code: "QUOTA_EXCEEDED" }),                   { "retry-after": "5" }, later("QUOTA_EXCEEDED", "lane", 60_000)],
  [429, error("RESOURCE_EXHAUSTED", { code: "QUOTA_EXCEEDED", details: [quota("device:abc")] }),       {}, later("QUOTA_EXCEEDED", "device")],
  [429, error("RESOURCE_EXHAUSTED", { code: "QUOTA_EXCEEDED", details: [quota("project:abc")] }),      {}, later("QUOTA_EXCEEDED", "lane")],
  [429, error("RESOURCE_EXHAUSTED"),                                                                   {}, later("RESOURCE_EXHAUSTED", "lane")],
  [429, {},                                                                                            {}, later("status 429", "lane")],
  [500, error("INTERNAL", { code: "INTERNAL" }),                                                       {}, later("INTERNAL", "device")],
  [503, error("UNAVAILABLE", { code: "UNAVAILABLE" }),                                                 {}, later("UNAVAILABLE", "device")],
  [503, error("UNAVAILABLE", { code: "UNAVAILABLE" }),                            { "retry-after": "30" }, later("UNAVAILABLE", "device", 30_000)],
  [503, error("UNAVAILABLE", { code: "UNAVAILABLE" }),                             { "retry-after": "1" }, later("UNAVAILABLE", "device", 10_000)],
  [302, {},                                                                                            {}, later("status 302", "device")],
  [418, {},                                                                                            {}, { kind: "fail", reason: "status 418" }],
];
test.each(ROWS)("%d %j %j", (status, body, headers, then) => {
  expect(verdict(answered(status, body, headers), anAndroidPush())).toEqual(then);
});

test("200 is accepted under Google's name for the message", () => {
  const name = "projects/home-1234/messages/0:1500415314455276%31bd1c9631bd1c96";
  expect(verdict(answered(200, { name }), anAndroidPush())).toEqual({ kind: "accepted", id: name });
  expect(verdict(answered(200, "no JSON"), anAndroidPush())).toEqual({ kind: "accepted" });
});

test("a date in Retry-After is counted by the clock of the server that sent it", () => {
  const after = (headers: Record<string, string>) => {
    const made = verdict(answered(503, {}, headers), anAndroidPush());
    return made.kind === "retry" ? made.afterMs : made;
  };
  const date = "Thu, 01 Jan 2015 00:00:00 GMT";
  expect(after({ date, "retry-after": "Thu, 01 Jan 2015 00:02:00 GMT" })).toBe(120_000);
  expect(after({ date, "retry-after": "Wed, 31 Dec 2014 00:00:00 GMT" })).toBe(10_000);
  for (const value of ["soon", "-5", "1e9", "", "9".repeat(30)])
    expect(after({ date, "retry-after": value })).toBeUndefined();
  expect(after({ "retry-after": date })).toBeUndefined();
});

test("a push that stays too large fails", () => {
  const kinds = [0, 1, 2, 3].map((shrunk) => verdict(answered(413), anAndroidPush({ shrunk })).kind);
  expect(kinds).toEqual(["shrink", "shrink", "shrink", "fail"]);
});

test("an error of any other shape does no harm", () => {
  const values = fc.oneof(
    fc.jsonValue(),
    fc.record({ error: fc.jsonValue() }),
    fc.record({ error: fc.record({ details: fc.jsonValue() }) }),
  );
  fc.assert(
    fc.property(values, fc.integer({ min: 300, max: 599 }), (body, status) => {
      expect(verdict(answered(status, JSON.stringify(body)), anAndroidPush()).kind).not.toBe("accepted");
      expect(verdict(answered(status, JSON.stringify(body)), anAndroidPush()).kind).not.toBe("prune");
    }),
  );
});
