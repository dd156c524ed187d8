/** What becomes of deliveries that were tried, or are not to be tried (DELIVERY.md §2, §3). */
import { describe, expect, test } from "bun:test";
import type { Outcome, Pending } from "../../src/delivery/delivery.ts";
import type { Judged } from "../../src/delivery/lanes/lane.ts";
import { restMs, settle, sift } from "../../src/delivery/push/outcome.ts";
import { aDevice, aPending, aTopic, HOUR, MINUTE, NOW, type Other, SECOND } from "./pendings.ts";

const tried = (pending: Pending, judged: Judged, more: { status?: number; isDown?: boolean } = {}) =>
  settle({ choice: { chosen: [pending], superseded: [] }, judged, isDown: false, ...more }, NOW, 0);
const outcomeOf = (...args: Parameters<typeof tried>): Outcome | undefined => tried(...args)[0]?.outcome;
const retry: Judged = { kind: "retry", scope: "device", reason: "R" };
const page = { priority: "urgent", ack: true } as const;
const repeated = aPending(1, page, { acceptedAt: NOW - MINUTE });
/** A message that was not acknowledged for an hour. */
const late = { ...repeated, createdAt: NOW - HOUR };

describe("a push that was tried", () => {
  // prettier-ignore
  test.each<[string, Pending, Judged, Outcome]>([
    ["is accepted",                 aPending(1),                              { kind: "accepted", id: "x" }, { kind: "accepted", providerId: "x", status: 200 }],
    ["is repeated",                 aPending(1, page),                        { kind: "accepted" },          { kind: "accepted", status: 200, repeatAt: NOW + MINUTE }],
    ["waits",                       aPending(1),                              retry,                         { kind: "later", dueAt: NOW + 63, isAttempt: true, status: 200, reason: "R" }],
    ["as long as it is told",       aPending(1),                              { ...retry, afterMs: MINUTE }, { kind: "later", dueAt: NOW + MINUTE, isAttempt: true, status: 200, reason: "R" }],
    ["but not beyond its time",     aPending(1, {}, { expiresAt: NOW + 63 }), retry,                         { kind: "expired", status: 200, reason: "R" }],
    ["nor beyond its repeats",      late,                                     retry,                         { kind: "accepted", status: 200 }],
    ["but is not called accepted", { ...late, acceptedAt: undefined } as unknown as Pending, retry,        { kind: "later", dueAt: NOW + 63, isAttempt: true, status: 200, reason: "R" }],
    ["waits for the operator",      aPending(1, {}, { dueAt: NOW - 7 }),      { kind: "pause", reason: "R", tell: "" }, { kind: "later", dueAt: NOW - 7, isAttempt: false, status: 200, reason: "R" }],
    ["is to a device that is gone", aPending(1),                              { kind: "prune", proof: "R" }, { kind: "failed", status: 200, reason: "R" }],
    ["is refused",                  aPending(1),                              { kind: "fail", reason: "R" }, { kind: "failed", status: 200, reason: "R" }],
    ["was accepted all the same",   repeated,                                 { kind: "fail", reason: "R" }, { kind: "accepted", status: 200 }],
  ])("%s", (_, pending, judged, outcome) => {
    expect(outcomeOf(pending, judged, { status: 200 })).toEqual(outcome);
  });

  test("does not count as a try while its push service is down", () => {
    const pending = aPending(1, {}, { dueAt: NOW - SECOND });
    const asBefore: Outcome = { kind: "later", dueAt: NOW - SECOND, isAttempt: false, reason: "R" };
    expect(tried(pending, retry, { isDown: true })).toEqual([{ rows: [pending.row], outcome: asBefore }]);
    // the service said when to retry, and other pushes find out whether it is back
    const told: Outcome = { ...asBefore, dueAt: NOW + MINUTE, status: 503 };
    expect(outcomeOf(pending, { ...retry, afterMs: MINUTE }, { isDown: true, status: 503 })).toEqual(told);
  });

  test("counts as refused even while its lane is paused: its device rests as long as required, and it keeps its place", () => {
    const { dueAt } = aPending(1);
    const waits: Outcome = { kind: "later", dueAt, isAttempt: true, status: 429, reason: "R" };
    expect(outcomeOf(aPending(1), retry, { isDown: true, status: 429 })).toEqual(waits);
    expect([restMs(retry, 429), restMs(retry, 503)]).toEqual([MINUTE, undefined]);
    expect(restMs({ kind: "retry", scope: "device", reason: "R", afterMs: 90_000 }, 429)).toBe(90_000);
    expect(restMs({ kind: "retry", scope: "lane", reason: "R" }, 429)).toBeUndefined();
    const late = { kind: "expired", status: 429, reason: "R" } as const;
    expect(outcomeOf(aPending(1, {}, { expiresAt: NOW + MINUTE }), retry, { status: 429 })).toEqual(late);
  });

  test.each([
    [399, false],
    [400, true],
    [499, true],
    [500, false],
  ])("that is answered %i while its push service is down counts as a try: %p", (status, isAttempt) => {
    expect(outcomeOf(aPending(1), retry, { isDown: true, status })).toMatchObject({ isAttempt });
  });

  test("ends the pushes that it supersedes once it is accepted", () => {
    const [next, old, shown] = [aPending(3), aPending(2), aPending(1, {}, { acceptedAt: NOW })];
    const choice = { chosen: [next] as const, superseded: [old, shown] };
    const settled = settle({ choice, judged: { kind: "accepted" }, isDown: false }, NOW, 0);
    expect(settled.map(({ outcome }) => outcome)).toEqual([
      { kind: "accepted" },
      { kind: "cancelled", reason: "a newer one took its place" },
      { kind: "accepted" },
    ]);
    expect(settle({ choice, judged: retry, isDown: false }, NOW, 0).length).toBe(1);
  });

  test("in a digest counts as many tries as the most tried of them, and is not repeated", () => {
    const choice = { chosen: [aPending(2, page), aPending(1, page, { attempts: 2 })] as const, superseded: [] };
    const settled = (judged: Judged) => settle({ choice, judged, isDown: false }, NOW, 0).map(({ outcome }) => outcome);
    expect(settled({ kind: "accepted" })).toEqual([{ kind: "accepted" }, { kind: "accepted" }]);
    const waits: Outcome = { kind: "later", dueAt: NOW + SECOND, isAttempt: true, reason: "R" };
    expect(settled(retry)).toEqual([waits, waits]);
  });

  test.each(["production", "sandbox"] as const)(
    "of the other environment than %s is tried there at once",
    (environment) => {
      const pending = aPending(1, {}, { device: { ...aDevice, environment } });
      const other = environment === "sandbox" ? "production" : "sandbox";
      const [settled] = tried(pending, { kind: "move", reason: "BadDeviceToken" }, { status: 400 });
      expect(settled?.outcome).toEqual({
        kind: "later",
        dueAt: NOW,
        isAttempt: true,
        status: 400,
        reason: "BadDeviceToken",
      });
      expect(settled?.news?.movedTo).toEqual({ environment: other, lane: `apns:${other}` });
    },
  );

  // prettier-ignore
  test.each([
    ["android", "FCM answered 400: R"],
    ["web",     "The push service answered 400: R"],
  ] as const)("to %s names its push service when it fails", (platform, error) => {
    const pending = aPending(1, {}, { device: { ...aDevice, platform } });
    expect(tried(pending, { kind: "fail", reason: "R" }, { status: 400 })[0]?.news?.error).toBe(error);
  });

  test("records what was learned about its device, as of that time", () => {
    const { row, registeredAt } = aPending(1).device;
    const device = { row, registeredAt };
    const news = (judged: Judged, status?: number) =>
      tried(aPending(1), judged, status === undefined ? {} : { status })[0]?.news;
    expect(news({ kind: "accepted" }, 200)).toEqual({ device, succeeded: true });
    expect(news({ kind: "prune", proof: "Unregistered" }, 410)).toEqual({ device, lost: "Unregistered" });
    expect(news({ kind: "fail", reason: "BadTopic" }, 400)).toEqual({ device, error: "APNs answered 400: BadTopic" });
    expect(news(retry)).toEqual({ device, error: "APNs could not be reached: R" });
    expect(news({ kind: "move", reason: "R" }, 400)).toEqual({
      device,
      movedTo: { environment: "sandbox", lane: "apns:sandbox" },
    });
    expect(news({ kind: "brake", reason: "R", tell: "" }, 410)?.lost).toBeUndefined();
    expect(news({ kind: "pause", reason: "R", tell: "" }, 403)).toBeUndefined();
  });
});

describe("a push that is not sent", () => {
  const sifted = (pending: Pending) => {
    const { choice, settled } = sift([pending], NOW);
    return [choice?.chosen.length, settled[0]?.outcome.kind];
  };
  // prettier-ignore
  test.each<[string, Pending, (number | string | undefined)[]]>([
    ["nothing else",           aPending(1),                                               [1, undefined]],
    ["what is not due",        aPending(1, {}, { dueAt: NOW + 1 }),                       [undefined, undefined]],
    ["nor looked at before",   aPending(1, {}, { dueAt: NOW + 1, subscription: undefined }), [undefined, undefined]],
    ["but then",               aPending(1, {}, { dueAt: NOW, subscription: undefined }), [undefined, "cancelled"]],
    ["what is too late",       aPending(1, {}, { expiresAt: NOW }),                       [undefined, "expired"]],
    ["what was unsubscribed",  aPending(1, {}, { subscription: undefined }),              [undefined, "cancelled"]],
    ["a repeat of that",       aPending(1, page, { subscription: undefined, acceptedAt: NOW }), [undefined, "accepted"]],
  ])("%s", (_, pending, expected) => {
    const seen = sifted(pending);
    expect(seen).toEqual(expected as typeof seen);
  });

  describe("that a service rings for by itself", () => {
    const forward = { namespaceId: aTopic.namespaceId, kind: "pushover", host: "h", account: "0", settings: {} };
    const device = { ...aDevice, platform: "forward", forward: { ...forward, secrets: [] } } as const;
    const ringing = (other: Other = {}) =>
      aPending(1, page, { device, acceptedAt: NOW - MINUTE, providerId: "r", ...other });
    // prettier-ignore
    test.each<[string, Other]>([
      ["was acknowledged or deleted", { message: undefined }],
      ["is muted",                    { subscription: { mutedUntil: NOW + 1 } }],
      ["was unsubscribed",            { subscription: undefined }],
    ])("is ended there as well if it %s", (_, other) => {
      const { choice, settled } = sift([ringing(other)], NOW);
      expect([choice?.chosen[0].row, choice?.chosen[0].message, settled]).toEqual([ringing().row, undefined, []]);
    });

    test("is asked about if it is due, and left if it is not", () => {
      expect(sift([ringing()], NOW).choice?.chosen[0].message).toBeDefined();
      expect(sift([ringing({ dueAt: NOW + 1, subscription: undefined })], NOW)).toEqual({ settled: [] });
    });
  });

  test("a push that quiet hours hold", () => {
    const device = { ...aDevice, quietHours: { from: "12:00", to: "13:00", timezone: "UTC" } };
    const waits = { kind: "later", dueAt: NOW + HOUR, isAttempt: false, reason: "quiet hours" } as const;
    expect(sift([aPending(1, {}, { device })], NOW).settled[0]?.outcome).toEqual(waits);
  });
});
