/** When a lane sends, and what its answers mean for it (docs/design/DELIVERY.md §3, §5). */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Brake } from "../../src/delivery/brake.ts";
import { Breaker } from "../../src/delivery/breaker.ts";
import type { DeviceRow } from "../../src/devices/device.ts";
import { type Addressee, type Answer, Lane } from "../../src/delivery/lane.ts";
import { MINUTE, SECOND } from "./pendings.ts";

describe("the breaker", () => {
  const failed = (times: number, now = 0) => {
    const breaker = new Breaker();
    for (let n = 0; n < times; n++) breaker.fail(now, false);
    return breaker;
  };
  test("opens with the fifth failure in a row", () => {
    expect([failed(4).isOpen, failed(5).isOpen]).toEqual([false, true]);
    const breaker = failed(4);
    breaker.succeed();
    breaker.fail(0, false);
    expect(breaker.isOpen).toBe(false);
  });

  test("is probed after 5, 15, 30, 60 s, and then each minute", () => {
    const breaker = failed(5);
    const waits = [];
    for (let now = breaker.probeAt ?? 0, n = 0; n < 6; n++) {
      breaker.fail(now, true);
      waits.push((breaker.probeAt ?? 0) - now);
      now = breaker.probeAt ?? 0;
    }
    expect([failed(5).probeAt, ...waits]).toEqual([5, 15, 30, 60, 60, 60, 60].map((s) => s * SECOND));
    breaker.succeed();
    expect([breaker.isOpen, breaker.probes]).toEqual([false, 0]);
  });

  test("is not kept shut for longer by what was sent before it opened", () => {
    const breaker = failed(50, 1);
    expect([breaker.probeAt, breaker.probes]).toEqual([1 + 5 * SECOND, 0]);
  });
});

describe("the brake", () => {
  // prettier-ignore
  test.each([
    // what                         good  bad  is pulled
    ["five of five",                0,    5,   true],
    ["four of four",                0,    4,   false],
    ["five of 24: over a fifth",    19,   5,   true],
    ["five of 25: a fifth",         20,   5,   false],
    ["ten of a hundred",            90,   10,  false],
  ])("%s", (_, good, bad, isPulled) => {
    const brake = new Brake();
    for (let n = 0; n < good; n++) brake.note(undefined, 0);
    let last = false;
    for (let n = 0; n < bad; n++) last = brake.note(row(n), 0);
    expect(last).toBe(isPulled);
  });

  test("counts devices: one that comes back and is gone again, however often, is one", () => {
    const brake = new Brake();
    for (let n = 0; n < 20; n++) expect(brake.note(row(n % 4), n * SECOND)).toBe(false);
    expect(brake.note(row(4), 20 * SECOND)).toBe(true);
  });

  test("forgets what was 10 min ago, and all that was before it was released", () => {
    const brake = new Brake();
    for (let n = 0; n < 4; n++) brake.note(row(n), 0);
    expect(brake.note(row(4), 10 * MINUTE)).toBe(false);
    for (let n = 5; n < 8; n++) brake.note(row(n), 10 * MINUTE);
    expect(brake.note(row(8), 10 * MINUTE)).toBe(true);
    brake.release();
    expect(brake.note(row(9), 10 * MINUTE)).toBe(false);
  });
});

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

describe("a lane", () => {
  test("has 50 in flight of Apple's and Google's, 8 of a browser's push service", () => {
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

  test("is one probe a minute while it is paused, at once with other credentials, and open with what is accepted", () => {
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

  test("rests as a whole where the push service says so", () => {
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

  test.each(["prune", "retry"] as const)("takes a foreign device for one (%s) only where others are accepted", (as) => {
    const lane = new Lane("fcm", 0);
    expect(sent(lane, foreign(as), 0)).toBe("pause");
    expect(sent(lane, accepted, MINUTE)).toBe("accepted");
    expect(sent(lane, foreign(as), MINUTE)).toBe(as);
    lane.renew(MINUTE);
    expect(sent(lane, foreign(as), MINUTE)).toBe("pause");
  });

  test("tries others soon after one that may be foreign, and such ones when nobody else waits", () => {
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

  test("tries nobody soon after a refusal that is the operator's fault, and all again with other credentials", () => {
    const lane = new Lane("fcm", 0);
    sent(lane, foreign("prune"), 0, 1);
    sent(lane, refused, SECOND, 2);
    expect([lane.opensAt(SECOND), suspects(lane)]).toEqual([61 * SECOND, [1]]);
    lane.renew(2 * SECOND);
    expect([lane.opensAt(2 * SECOND), lane.suspects.size]).toEqual([2 * SECOND, 0]);
  });

  test("asks no more than once a minute while it is paused, also where too much is sent or nobody answers", () => {
    const quota: Answer = { verdict: { kind: "retry", scope: "lane", reason: "QUOTA_EXCEEDED" }, status: 429 };
    const lane = new Lane("fcm", 0);
    sent(lane, refused, 0);
    for (const [n, answer] of [quota, unanswered, quota].entries()) {
      sent(lane, answer, (n + 1) * MINUTE);
      expect(lane.opensAt(0)).toBeGreaterThanOrEqual((n + 2) * MINUTE);
    }
  });

  test("waits for no probe once it is open", () => {
    const lane = new Lane("fcm", 0);
    const before = lane.begin(0);
    sent(lane, refused, 0);
    expect([lane.begin(MINUTE)?.isProbe, lane.begin(MINUTE)]).toEqual([true, undefined]);
    if (before !== undefined) lane.hear(accepted, { ...before, ...to(1) }, MINUTE);
    expect(lane.begin(MINUTE)).toEqual({ isProbe: false });
  });

  test("believes no loss of many, and begins anew once one is accepted", () => {
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

  test("believes the loss of tokens that were never accepted, which anybody can make up, also while it is braked", () => {
    const lane = new Lane("fcm", 0);
    for (let n = 0; n < 20; n++) expect(sent(lane, gone, 0, n, false)).toBe("prune");
    expect(lane.status.kind).toBe("open");
    for (let n = 0; n < 10; n++) sent(lane, gone, 0, n);
    expect(lane.status.kind).toBe("paused");
    expect(sent(lane, gone, MINUTE, 1, false)).toBe("prune");
    expect(lane.status.kind).toBe("paused");
  });

  test("learns nothing from what was never sent", () => {
    const lane = new Lane("fcm", 0);
    sent(lane, refused, 0);
    expect(sent(lane, { verdict: { kind: "fail", reason: "internal_error" } }, MINUTE)).toBe("fail");
    expect(lane.status.kind).toBe("paused");
  });

  test("opens again, whatever it was answered", () => {
    const answers = fc.constantFrom(accepted, refused, unanswered, gone, foreign("prune"), foreign("retry"));
    fc.assert(
      fc.property(fc.array(fc.tuple(answers, fc.integer({ min: 0, max: 2 * MINUTE })), { maxLength: 60 }), (steps) => {
        const lane = new Lane("apns:production", 0);
        let now = 0;
        for (const [answer, ms] of steps) {
          now += ms;
          sent(lane, answer, now);
          expect(lane.opensAt(now)).toBeLessThanOrEqual(now + MINUTE);
        }
        expect(sent(lane, accepted, now + MINUTE)).toBe("accepted");
        expect(lane.status).toEqual({ kind: "open" });
      }),
    );
  });
});

const HOUR = 60 * MINUTE;
