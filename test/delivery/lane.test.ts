/** When a lane sends, and how the answers change its state (DELIVERY.md §3, §5). */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { DeviceRow } from "../../src/devices/device.ts";
import { type Addressee, type Answer, Lane } from "../../src/delivery/lanes/lane.ts";
import { HOUR, MINUTE, SECOND } from "./pendings.ts";

const row = (n: number) => n as DeviceRow;
const to = (device: number, isProven = true): Addressee => ({ device: row(device), isProven });
const sent = (lane: Lane, answer: Answer, now: number, device = 1, isProven = true) => {
  const place = lane.begin(now);
  if (place === undefined) return undefined;
  const judged = lane.hear(answer, { ...place, ...to(device, isProven) }, now);
  lane.end(place);
  return judged.kind;
};
const suspects = (lane: Lane): number[] => [...lane.suspects];
const accepted: Answer = { verdict: { kind: "accepted" }, status: 200 };
const refused: Answer = { verdict: { kind: "pause", reason: "R", tell: "mend R" }, status: 403 };
const unanswered: Answer = { verdict: { kind: "retry", scope: "lane", reason: "timeout" } };
const gone: Answer = { verdict: { kind: "prune", proof: "Unregistered" }, status: 410 };
const foreign = (as: "prune" | "retry"): Answer => ({
  verdict: { kind: "pause", reason: "R", tell: "mend R", ifOthersAccepted: as },
  status: 400,
});

/** A lane that got this answer `times` times in a row. */
const after = (answer: Answer, times: number) => {
  const lane = new Lane("fcm", 0);
  for (let device = 0; device < times; device++) sent(lane, answer, 0, device);
  return lane;
};
const later = (status?: number): Answer => ({
  verdict: { kind: "retry", scope: "device", reason: "R" },
  ...(status !== undefined && { status }),
});

describe("a lane", () => {
  test("has 50 in flight for Apple and Google, 8 for a browser's push service", () => {
    for (const [name, most] of [
      ["fcm", 50],
      ["apns:sandbox", 50],
      ["webpush:https://a.example", 8],
    ] as const) {
      const lane = new Lane(name, 0);
      const places = Array.from({ length: most }, () => lane.begin(0));
      expect(places.every((place) => place?.isProbe === false)).toBe(true);
      expect([lane.begin(0), lane.opensAt(0)]).toEqual([undefined, undefined]);
      const [place] = places;
      if (place !== undefined) lane.end(place);
      expect(lane.begin(0)).toEqual({ isProbe: false });
    }
  });

  test("sends one probe a minute while it is paused, one at once with other credentials, and opens when a push is accepted", () => {
    const lane = new Lane("fcm", 0);
    expect(sent(lane, refused, 0)).toBe("pause");
    expect(lane.status).toEqual({ kind: "paused", reason: "R", tell: "mend R" });
    expect([lane.begin(MINUTE - 1), lane.opensAt(0)]).toEqual([undefined, MINUTE]);
    const probe = lane.begin(MINUTE);
    expect([probe, lane.begin(MINUTE)]).toEqual([{ isProbe: true }, undefined]);
    if (probe !== undefined) lane.hear(unanswered, { ...probe, ...to(1) }, MINUTE);
    if (probe !== undefined) lane.end(probe);
    expect([lane.opensAt(MINUTE), lane.status.kind]).toEqual([2 * MINUTE, "paused"]);
    lane.renew(MINUTE);
    expect(sent(lane, accepted, MINUTE)).toBe("accepted");
    expect(lane.status).toEqual({ kind: "open" });
  });

  test("rests as a whole where the push service requires it", () => {
    const lane = new Lane("fcm", 0);
    const quota = (afterMs?: number): Answer => ({
      verdict: { kind: "retry", scope: "lane", reason: "QUOTA_EXCEEDED", ...(afterMs !== undefined && { afterMs }) },
      status: 429,
    });
    sent(lane, quota(90 * SECOND), 0);
    expect([lane.begin(90 * SECOND - 1), lane.begin(90 * SECOND)]).toEqual([undefined, { isProbe: false }]);
    sent(lane, quota(), 90 * SECOND);
    expect(lane.opensAt(90 * SECOND)).toBe(150 * SECOND);
    sent(lane, quota(365 * 24 * HOUR), 150 * SECOND);
    expect(lane.opensAt(150 * SECOND)).toBe(150 * SECOND + HOUR);
    expect(lane.status.kind).toBe("open");
  });

  test("is not forgotten while it has to rest", () => {
    const lane = new Lane("fcm", 0);
    const places = Array.from({ length: 5 }, () => lane.begin(0));
    const busy: Answer = {
      verdict: { kind: "retry", scope: "lane", reason: "busy", afterMs: 5 * MINUTE },
      status: 503,
    };
    for (const place of places) {
      if (place === undefined) throw new Error("the lane is not open");
      lane.hear(busy, { ...place, ...to(1) }, 0);
      lane.end(place);
    }
    expect(lane.status.kind).toBe("unreachable");
    expect([lane.isForgotten(5 * MINUTE - 1), lane.isForgotten(5 * MINUTE)]).toEqual([false, true]);
  });

  test.each(["prune", "retry"] as const)("treats a device as foreign (%s) only where others are accepted", (as) => {
    const lane = new Lane("fcm", 0);
    expect(sent(lane, foreign(as), 0)).toBe("pause");
    expect(sent(lane, accepted, MINUTE)).toBe("accepted");
    expect(sent(lane, foreign(as), MINUTE)).toBe(as);
    lane.renew(MINUTE);
    expect(sent(lane, foreign(as), MINUTE)).toBe("pause");
  });

  test("tries others soon after one that may be foreign, and suspects only when nothing else waits", () => {
    const lane = new Lane("fcm", 0);
    expect([sent(lane, foreign("prune"), 0, 1), sent(lane, foreign("prune"), SECOND, 2)]).toEqual(["pause", "pause"]);
    expect([suspects(lane), lane.opensAt(SECOND), lane.suspectsAt]).toEqual([[1, 2], 2 * SECOND, 61 * SECOND]);
    expect(sent(lane, foreign("prune"), 2 * SECOND, 1)).toBe("pause");
    expect(suspects(lane)).toEqual([2, 1]);
    expect([sent(lane, gone, 3 * SECOND, 3), lane.status.kind, lane.opensAt(0)]).toEqual([
      "prune",
      "paused",
      4 * SECOND,
    ]);
    expect([sent(lane, accepted, 4 * SECOND, 4), lane.status.kind, lane.suspects.size]).toEqual([
      "accepted",
      "open",
      0,
    ]);
  });

  test("tries none soon after a refusal that is the operator's fault, and all again with other credentials", () => {
    const lane = new Lane("fcm", 0);
    sent(lane, foreign("prune"), 0, 1);
    sent(lane, refused, SECOND, 2);
    expect([lane.opensAt(SECOND), suspects(lane)]).toEqual([61 * SECOND, [1]]);
    lane.renew(2 * SECOND);
    expect([lane.opensAt(2 * SECOND), lane.suspects.size]).toEqual([2 * SECOND, 0]);
  });

  test("tries at most once a minute while it is paused, even where a push is too large or remains unanswered", () => {
    const quota: Answer = { verdict: { kind: "retry", scope: "lane", reason: "QUOTA_EXCEEDED" }, status: 429 };
    const lane = new Lane("fcm", 0);
    sent(lane, refused, 0);
    for (const [n, answer] of [quota, unanswered, quota].entries()) {
      sent(lane, answer, (n + 1) * MINUTE);
      expect(lane.opensAt(0)).toBeGreaterThanOrEqual((n + 2) * MINUTE);
    }
  });

  test("does not wait for a probe once it is open", () => {
    const lane = new Lane("fcm", 0);
    const before = lane.begin(0);
    sent(lane, refused, 0);
    expect([lane.begin(MINUTE)?.isProbe, lane.begin(MINUTE)]).toEqual([true, undefined]);
    if (before !== undefined) lane.hear(accepted, { ...before, ...to(1) }, MINUTE);
    expect(lane.begin(MINUTE)).toEqual({ isProbe: false });
  });

  test("disbelieves the loss of many devices, and starts over once one is accepted", () => {
    const lane = new Lane("fcm", 0);
    expect([1, 2, 3, 4, 5].map((n) => sent(lane, gone, 0, n))).toEqual(["prune", "prune", "prune", "prune", "brake"]);
    expect(lane.status.kind).toBe("paused");
    expect([sent(lane, gone, MINUTE), sent(lane, refused, 2 * MINUTE), sent(lane, gone, HOUR)]).toEqual([
      "brake",
      "pause",
      "brake",
    ]);
    expect(sent(lane, accepted, HOUR + MINUTE)).toBe("accepted");
    expect(sent(lane, gone, HOUR + MINUTE)).toBe("prune");
  });

  test("believes the loss of tokens that were never accepted, which anyone can invent, even while it is braked", () => {
    const lane = new Lane("fcm", 0);
    for (let n = 0; n < 20; n++) expect(sent(lane, gone, 0, n, false)).toBe("prune");
    expect(lane.status.kind).toBe("open");
    for (let n = 0; n < 10; n++) sent(lane, gone, 0, n);
    expect(lane.status.kind).toBe("paused");
    expect(sent(lane, gone, MINUTE, 1, false)).toBe("prune");
    expect(lane.status.kind).toBe("paused");
  });

  test("keeps the device that triggers the brake as a suspect, and tries others soon", () => {
    const lane = new Lane("fcm", 0);
    for (let device = 0; device < 5; device++) sent(lane, gone, 0, device);
    expect([suspects(lane), lane.opensAt(0), lane.suspectsAt]).toEqual([[4], SECOND, MINUTE]);
  });

  test("does not count devices as lost that were accepted or not tried", () => {
    const lane = new Lane("fcm", 0);
    for (let device = 0; device < 10; device++) sent(lane, accepted, 0, device);
    expect(sent(lane, gone, 0)).toBe("prune");

    const other = new Lane("fcm", 0);
    const places = Array.from({ length: 25 }, () => other.begin(0));
    const judged = places.map((place, n) => {
      if (place === undefined) throw new Error("no place");
      return other.hear(n < 20 ? unanswered : gone, { ...place, ...to(n) }, 0).kind;
    });
    expect(judged.slice(20)).toEqual(["prune", "prune", "prune", "prune", "brake"]);
  });

  test("forgets lost devices with the brake or other credentials, and with no other pause", () => {
    const lane = new Lane("fcm", 0);
    for (let n = 0; n < 5; n++) sent(lane, gone, 0, n);
    expect([sent(lane, accepted, SECOND), sent(lane, gone, SECOND)]).toEqual(["accepted", "prune"]);

    const renewed = after(gone, 4);
    renewed.renew(0);
    expect(sent(renewed, gone, 0, 4)).toBe("prune");

    const paused = after(gone, 4);
    expect([sent(paused, refused, 0), sent(paused, accepted, MINUTE)]).toEqual(["pause", "accepted"]);
    expect(sent(paused, gone, MINUTE, 4)).toBe("brake");
  });

  test("opens again for an answer that blames the device, when it was paused for the operator's fault", () => {
    const lane = after(refused, 1);
    expect([sent(lane, gone, MINUTE, 1, false), lane.status.kind]).toEqual(["prune", "open"]);
    expect(lane.hasAccepted).toBe(false);
    expect(sent(lane, foreign("prune"), MINUTE)).toBe("pause"); // nothing has been accepted yet
  });

  test("is paused when the operator is at fault, whatever was accepted", () => {
    const lane = after(accepted, 1);
    expect([lane.hasAccepted, sent(lane, refused, 0)]).toEqual([true, "pause"]);
  });

  test("continues to wait when the answer to an earlier push arrives late", () => {
    const lane = new Lane("fcm", 0);
    const before = lane.begin(0);
    sent(lane, refused, 0);
    if (before !== undefined) lane.hear(unanswered, { ...before, ...to(1) }, 30 * SECOND);
    expect(lane.opensAt(30 * SECOND)).toBe(MINUTE);
    expect(lane.begin(MINUTE)?.isProbe).toBe(true);
    if (before !== undefined) lane.end(before);
    expect(lane.begin(MINUTE)).toBeUndefined(); // the probe is still in flight
  });

  // prettier-ignore
  test.each([
    // status    unreachable  suspects
    [undefined,  true,        5],
    [302,        true,        5],
    [399,        true,        5],
    [400,        false,       0],
    [429,        false,       0],
    [499,        false,       0],
    [500,        true,        5],
    [503,        true,        5],
  ])("that is answered %p five times, to be tried later, is unreachable: %p", (status, isUnreachable, suspected) => {
    const lane = after(later(status), 5);
    expect(lane.status).toEqual(isUnreachable ? { kind: "unreachable", reason: "R" } : { kind: "open" });
    expect(lane.suspects.size).toBe(suspected);
  });

  test.each([
    ["accepts", accepted],
    ["refuses", later(400)],
  ] as const)("is not unreachable while it %s something in between", (_, answer) => {
    const lane = after(unanswered, 4);
    sent(lane, answer, 0);
    sent(lane, unanswered, 0);
    expect(lane.status).toEqual({ kind: "open" });
  });

  test("is known to work once a device was accepted, now or earlier", () => {
    expect(new Lane("fcm", 0).isProven).toBe(false);
    const lane = new Lane("fcm", 0);
    sent(lane, unanswered, 0, 1, false);
    expect(lane.isProven).toBe(false);
    sent(lane, unanswered, 0, 2, true);
    sent(lane, unanswered, 0, 3, false);
    expect(lane.isProven).toBe(true);
    const other = new Lane("fcm", 0);
    sent(other, accepted, 0, 1, false);
    sent(other, unanswered, 0, 1, false);
    expect(other.isProven).toBe(true);
  });

  test("is forgotten after an hour, or once it is not open, but never with a push in flight", () => {
    const lane = new Lane("fcm", MINUTE);
    expect([lane.isForgotten(HOUR + MINUTE), lane.isForgotten(HOUR + MINUTE + 1)]).toEqual([false, true]);
    const place = lane.begin(2 * MINUTE);
    expect(lane.isForgotten(2 * HOUR)).toBe(false);
    if (place !== undefined) lane.end(place);
    expect([lane.isForgotten(HOUR + 2 * MINUTE), lane.isForgotten(HOUR + 2 * MINUTE + 1)]).toEqual([false, true]);
  });

  test.each([
    ["what is the operator's to mend", "fcm", refused, false],
    ["what may be the fault of a device", "fcm", foreign("retry"), true],
    ["what an address of a browser says, which anybody makes up", "webpush:https://push.example", refused, true],
  ] as const)("that is paused: %s", (_, name, answer, isForgotten) => {
    const lane = new Lane(name, 0);
    expect(sent(lane, answer, 0)).toBe("pause");
    expect(lane.isForgotten(100 * HOUR)).toBe(isForgotten);
  });

  test("takes 5,000 pushes a second", () => {
    const lane = new Lane("fcm", 0);
    const drain = (now: number) => {
      let count = 0;
      for (let place = lane.begin(now); place !== undefined; place = lane.begin(now), count++) lane.end(place);
      return count;
    };
    expect([drain(100), lane.opensAt(100)]).toEqual([5_000, 100.2]);
    expect([drain(100.2), drain(SECOND + 100.2), drain(HOUR)]).toEqual([1, 5_000, 5_000]);
  });

  test("remembers 10,000 suspects, those refused most recently", () => {
    const lane = new Lane("fcm", 0);
    for (let n = 0; n < 10_000; n++) sent(lane, foreign("prune"), n * SECOND, n);
    expect(lane.suspects.size).toBe(10_000);
    sent(lane, foreign("prune"), 10_000 * SECOND, 10_000);
    expect([lane.suspects.size, suspects(lane)[0], suspects(lane).at(-1)]).toEqual([10_000, 1, 10_000]);
  });

  test("learns nothing from pushes that were never sent", () => {
    const lane = new Lane("fcm", 0);
    sent(lane, refused, 0);
    expect(sent(lane, { verdict: { kind: "fail", reason: "internal_error" } }, MINUTE)).toBe("fail");
    expect(lane.status.kind).toBe("paused");
  });

  test("opens again eventually, whatever the answers were", () => {
    const answers = fc.constantFrom(accepted, refused, unanswered, gone, foreign("prune"), foreign("retry"));
    fc.assert(
      fc.property(fc.array(fc.tuple(answers, fc.integer({ min: 0, max: 2 * MINUTE })), { maxLength: 60 }), (steps) => {
        const lane = new Lane("apns:production", 0);
        let now = 0;
        for (const [n, [answer, ms]] of steps.entries()) {
          now += ms;
          sent(lane, answer, now, n);
          expect(lane.opensAt(now)).toBeLessThanOrEqual(now + MINUTE);
        }
        expect(sent(lane, accepted, now + MINUTE)).toBe("accepted");
        expect(lane.status).toEqual({ kind: "open" });
      }),
    );
  });
});
