/** When a push is tried, and for how long (DELIVERY.md §2, §3). */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Lane } from "../../src/delivery/delivery.ts";
import { expiryOf, laneOf, planOf, planTest, platformOf, repeatAt, retryAt } from "../../src/delivery/push/plan.ts";
import type { Device } from "../../src/devices/device.ts";
import type { Draft } from "../../src/drafts/draft.ts";
import { aDevice, aMessage, aTopic, HOUR, MINUTE, NOW, SECOND } from "./pendings.ts";

describe("how long a push is worth sending", () => {
  // prettier-ignore
  test.each<[string, Partial<Draft>, number]>([
    ["of level info",            { level: "info" },                          12 * HOUR],
    ["success",                  { level: "success" },                       12 * HOUR],
    ["warning",                  { level: "warning", priority: "high" },     24 * HOUR],
    ["error",                    { level: "error" },                         48 * HOUR],
    ["urgent, whatever level",   { level: "info", priority: "urgent" },      72 * HOUR],
    ["with a ttl of its own",    { level: "error", ttl: 60 },                MINUTE],
    ["with data that looks so",  { level: "error", data: { ttl: 60 } },      48 * HOUR],
  ])("%s", (_, draft, ms) => {
    const message = aMessage(1, draft);
    expect(expiryOf(message)).toBe(message.createdAt + ms);
    expect(planOf({ message, topic: aTopic, device: aDevice }).expiresAt).toBe(message.createdAt + ms);
  });
});

// prettier-ignore
test.each<[Partial<Device>, Lane]>([
  [{ platform: "ios" },                                                          "apns:production"],
  [{ platform: "ios", environment: "sandbox" },                                  "apns:sandbox"],
  [{ platform: "android", token: "x:y" },                                        "fcm"],
  [{ platform: "web", token: "https://web.push.apple.com/QK" },                  "webpush:https://web.push.apple.com"],
  [{ platform: "web", token: "https://push.example:8443/up?token=1" },           "webpush:https://push.example:8443"],
])("the lane of %p is %s", (device, lane) => {
  expect(laneOf({ ...aDevice, ...device })).toBe(lane);
  expect(platformOf(lane)).toBe(device.platform ?? aDevice.platform);
});

test("urgent messages and tests go before others, and a test is worth sending for 5 min", () => {
  const planned = (draft: Partial<Draft>) => planOf({ message: aMessage(1, draft), topic: aTopic, device: aDevice });
  expect([planned({ priority: "urgent" }).isUrgent, planned({ priority: "high" }).isUrgent]).toEqual([true, false]);
  const expected = { lane: "apns:production", isUrgent: true, expiresAt: NOW + 5 * MINUTE };
  expect(planTest(NOW)(aDevice)).toEqual(expected as ReturnType<ReturnType<typeof planTest>>);
});

describe("a retry", () => {
  const failed = { lane: "apns:production", isUrgent: false, attempts: 0 } as const;
  const wait = (failure: Partial<Parameters<typeof retryAt>[0]>, random: number) =>
    retryAt({ ...failed, ...failure }, NOW, random) - NOW;

  test.each([
    [0, SECOND],
    [1, 4 * SECOND],
    [2, 16 * SECOND],
    [3, 64 * SECOND],
    [4, 256 * SECOND],
    [5, 15 * MINUTE],
    [500, 15 * MINUTE],
  ])("after %i others comes at a random time within a limit that grows to 15 min", (attempts, longest) => {
    expect(wait({ attempts }, 0.999_999_9)).toBe(longest);
    expect(wait({ attempts }, 0)).toBe(Math.ceil(longest / 16));
  });

  // prettier-ignore
  test.each<[string, Partial<Parameters<typeof retryAt>[0]>, number]>([
    ["FCM",                           { lane: "fcm" },                                10 * SECOND],
    ["FCM with an error of its own",  { lane: "fcm", status: 503 },                   10 * SECOND],
    ["FCM's quota",                   { lane: "fcm", status: 429 },                   MINUTE],
    ["Apple's errors",                { status: 500 },                                15 * MINUTE],
    ["Apple's errors, urgent",        { status: 503, isUrgent: true },                30 * SECOND],
    ["too many for a device",         { status: 429 },                                MINUTE],
    ["too many for a browser",        { status: 429, lane: "webpush:https://a.example" }, MINUTE],
    ["what the push service says",    { status: 503, afterMs: 120 * SECOND },         120 * SECOND],
    ["even if it is sooner",          { status: 503, lane: "fcm", afterMs: 2_000 },   2_000],
  ])("waits at least as long as required: %s", (_, failure, least) => {
    expect(wait(failure, 0)).toBe(least);
    expect(wait(failure, 0.999_999_9)).toBe(least + Math.ceil(SECOND / 16));
  });

  // prettier-ignore
  test.each<[string, Partial<Parameters<typeof retryAt>[0]>]>([
    ["Apple's refusals",           { status: 499 }],
    ["no answer of Apple's",       {}],
    ["a browser's service",        { status: 500, lane: "webpush:https://a.example" }],
  ])("has no minimum: %s", (_, failure) => {
    expect(wait(failure, 0)).toBe(Math.ceil(SECOND / 16));
  });

  test("never comes before the time that the push service named, and their number is bounded", () => {
    const lane = fc.constantFrom<Lane>("apns:production", "fcm", "webpush:https://push.example");
    const answer = fc.record({
      status: fc.constantFrom(undefined, 429, 500, 503),
      afterMs: fc.option(fc.integer({ min: 0, max: 2 * HOUR }), { nil: undefined }),
      random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    });
    fc.assert(
      fc.property(
        lane,
        fc.boolean(),
        fc.infiniteStream(answer),
        fc.integer({ min: MINUTE, max: 72 * HOUR }),
        (lane, isUrgent, answers, ttl) => {
          let now = NOW;
          let attempts = 0;
          for (const { status, afterMs, random } of answers) {
            const at = retryAt({ lane, isUrgent, attempts, status, afterMs }, now, random);
            expect(at).toBeInteger();
            expect(at).toBeGreaterThanOrEqual(now + (afterMs ?? 1));
            if (afterMs === undefined && status === undefined && lane !== "fcm")
              expect(at).toBeLessThanOrEqual(now + 15 * MINUTE);
            attempts++;
            now = at;
            if (now >= NOW + ttl) break;
          }
          // whatever the random values: the first six, then one per 15 min / 16
          expect(attempts).toBeLessThanOrEqual(7 + ttl / ((15 * MINUTE) / 16));
        },
      ),
    );
  });
});

describe("a message that requires an acknowledgement", () => {
  const urgent = aMessage(1, { priority: "urgent", ack: true });
  const { createdAt } = urgent;
  const long = { createdAt, expiresAt: createdAt + 72 * HOUR };
  // prettier-ignore
  test.each([
    ["is repeated after a minute",      urgent, long,                                  NOW,                             NOW + MINUTE],
    ["for an hour",                     urgent, long,                                  createdAt + HOUR - MINUTE - 1,   createdAt + HOUR - 1],
    ["no longer",                       urgent, long,                                  createdAt + HOUR - MINUTE,       undefined],
    ["nor beyond its time",             urgent, { createdAt, expiresAt: NOW + MINUTE }, NOW,                             undefined],
    ["any other is not",                aMessage(1, { priority: "urgent" }), long,     NOW,                             undefined],
  ])("%s", (_, message, delivery, now, at) => {
    expect(repeatAt(message, delivery, now)).toBe(at);
  });
});
