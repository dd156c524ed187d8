/** What becomes of a delivery, and what that means for its device. */
import { describe, expect, test } from "bun:test";
import type { Lane } from "../../../src/delivery/delivery.ts";
import type { Settled } from "../../../src/store/deliveries.ts";
import { heldClock } from "../../support/clock.ts";
import { range, type OpenEngine } from "./engine.ts";
import { HOUR, LANE, onTheWay, subscribers } from "./subscribing.ts";

type Outcome = Settled["outcome"];

export const delivering = (open: OpenEngine) => {
  describe("a delivery", () => {
    // prettier-ignore
    const outcomes: [string, Outcome, object][] = [
      ["accepted",             { kind: "accepted", providerId: "p", status: 201 },                                { state: "accepted", attempts: 1, acceptedAt: 5, settledAt: 5, providerId: "p", lastStatus: 201 }],
      ["accepted, repeated",   { kind: "accepted", providerId: "p", status: 200, repeatAt: 60 },                  { state: "pending", attempts: 1, acceptedAt: 5, dueAt: 60, providerId: "p", lastStatus: 200, counted: "accepted" }],
      ["tried again",          { kind: "later", dueAt: 9, isAttempt: true, status: 503, reason: "unavailable" },  { state: "pending", attempts: 1, dueAt: 9, lastStatus: 503, lastReason: "unavailable" }],
      ["held",                 { kind: "later", dueAt: 9, isAttempt: false, reason: "quiet hours" },              { state: "pending", attempts: 0, dueAt: 9, lastReason: "quiet hours" }],
      ["refused",              { kind: "failed", status: 400, reason: "BadTopic" },                               { state: "failed", attempts: 1, settledAt: 5, lastStatus: 400, lastReason: "BadTopic" }],
      ["not even tried",       { kind: "failed", reason: "not allowed" },                                         { state: "failed", attempts: 0, settledAt: 5, lastReason: "not allowed" }],
      ["too late",             { kind: "expired", reason: "too late" },                                           { state: "expired", attempts: 0, settledAt: 5, lastReason: "too late" }],
      ["cancelled",            { kind: "cancelled", reason: "muted" },                                            { state: "cancelled", attempts: 0, settledAt: 5, lastReason: "muted" }],
      ["repeated no more",     { kind: "accepted" },                                                              { state: "accepted", attempts: 0, acceptedAt: 5, settledAt: 5 }],
    ];
    test.each(outcomes)("that was %s is recorded and counted accordingly", async (_, outcome, then) => {
      await using peal = await subscribers(open, {}, heldClock(0));
      const { device, read } = await onTheWay(peal);
      const before = await read();
      peal.clock.advance(5);
      await peal.settle(device, outcome);
      const after = await read();
      const { counted = after.state, ...told } = { counted: undefined, ...then };
      const counts = { ...{ pending: 0, accepted: 0, failed: 0, expired: 0, cancelled: 0 }, [counted]: 1 };
      expect(after).toEqual({ ...before, ...told, counts });
    });

    test("that has ended does not change any more", async () => {
      await using peal = await subscribers(open);
      const { device, read } = await onTheWay(peal);
      const [one] = await peal.waiting(device);
      await peal.settle(device, { kind: "accepted" });
      const ended = await read();
      for (const [, outcome] of outcomes) await peal.store.deliveries.settle([{ rows: one ? [one.row] : [], outcome }]);
      expect(await read()).toEqual(ended);
    });

    test("that was accepted and is repeated ends as accepted, whatever becomes of the repeat", async () => {
      for (const outcome of [
        { kind: "accepted", status: 200 },
        { kind: "cancelled", reason: "unsubscribed" },
        { kind: "failed", status: 410, reason: "gone" },
        { kind: "expired", reason: "late" },
      ] as const) {
        // prettier-ignore
        await using peal = await subscribers(open);
        const { device, read } = await onTheWay(peal);
        const acceptedAt = peal.clock.now();
        const again: Outcome = { kind: "accepted", repeatAt: acceptedAt + 60 };
        for (let n = 0; n < 3; n++) await peal.settle(device, again);
        await peal.settle(device, { kind: "later", dueAt: acceptedAt + 60, isAttempt: true, reason: "unavailable" });
        expect((await peal.waiting(device))[0]).toMatchObject({ acceptedAt, dueAt: acceptedAt + 60 });
        expect(await read()).toMatchObject({ state: "pending", counts: { accepted: 1, pending: 0 } });
        peal.clock.advance(60);
        await peal.settle(device, outcome);
        expect(await read()).toMatchObject({ state: "accepted", acceptedAt, counts: { accepted: 1, pending: 0 } });
      }
    });

    test("updates its device: what succeeded, what did not, and where it is tried from now on", async () => {
      await using peal = await subscribers(open);
      const { device } = await onTheWay(peal);
      const now = peal.clock.now();
      const later: Outcome = { kind: "later", dueAt: now, isAttempt: true, status: 400, reason: "BadDeviceToken" };
      const movedTo = { environment: "sandbox", lane: "apns:sandbox" } as const;
      await peal.settle(device, later, { error: "Apple does not know it here", movedTo });
      const lastError = { at: now, text: "Apple does not know it here" };
      const moved = { ...device, environment: "sandbox", wasMoved: true, lastError };
      expect((await peal.read(device)).device).toEqual(moved as typeof device);
      expect(await peal.store.deliveries.lanes()).toEqual(["apns:sandbox"]);
      await peal.settle(moved as typeof device, { kind: "accepted" }, { succeeded: true });
      expect((await peal.read(device)).device).toEqual({ ...moved, lastSuccessAt: now } as typeof device);
      await peal.store.devices.patch(device.id, { token: "of the same app" });
      expect((await peal.read(device)).device).toMatchObject({ environment: "sandbox", wasMoved: false });
    });

    test("to a lost device is cancelled, with everything that waits for it, however much", async () => {
      await using peal = await subscribers(open);
      const { device } = await onTheWay(peal);
      const topic = await peal.fill("alerts", 250);
      await peal.expand();
      const { seq } = (await peal.store.messages.find(topic.id, 3)) ?? { seq: 0 };
      await peal.settle(device, { kind: "failed", status: 410, reason: "gone" }, { lost: "the app was removed" });
      expect(await peal.store.deliveries.lanes()).toEqual([]);
      const { deliveries } = await peal.store.deliveries.ofMessage(seq, { limit: 1 });
      expect(deliveries).toMatchObject([
        { state: "cancelled", lastReason: "the app was removed", device: { id: device.id } },
      ]);
    });

    test("that reports its device as present, failed, lost or elsewhere has no effect once the device has registered again", async () => {
      await using peal = await subscribers(open);
      const { device } = await onTheWay(peal);
      peal.clock.advance(1);
      const { device: now } = await peal.device("t");
      const movedTo = { environment: "sandbox", lane: "apns:sandbox" } as const;
      const later: Outcome = { kind: "later", dueAt: peal.clock.now(), isAttempt: true, reason: "410" };
      await peal.settle(device, later, { lost: "gone", movedTo });
      await peal.settle(device, later, { error: "of its old token" });
      await peal.settle(device, later, { succeeded: true });
      expect((await peal.read(device)).device).toEqual(now);
      expect(await peal.store.deliveries.lanes()).toEqual([LANE]);
    });

    test("expires when its time is over, a slice at a time; one that was repeated counts as accepted", async () => {
      await using peal = await subscribers(open);
      const { device } = await onTheWay(peal);
      await peal.settle(device, { kind: "accepted", repeatAt: peal.clock.now() });
      await peal.device("t", [await peal.topic("other")], { platform: "android" });
      for (const name of ["alerts", "other", "other"]) await peal.publish(name);
      await peal.expand();
      const { deliveries } = peal.store;
      const end = peal.clock.now() + HOUR;
      expect(await deliveries.nextExpiry()).toBe(end);
      expect(await deliveries.expire(end - 1, 9)).toEqual(new Map());
      const expired = new Map<Lane, number>();
      for (let calls = 0; calls < 2; calls++)
        for (const [lane, count] of await deliveries.expire(end, 2))
          expired.set(lane, (expired.get(lane) ?? 0) + count);
      expect(expired).toEqual(new Map<Lane, number>([[LANE, 1], ["fcm", 2]])); // prettier-ignore
      expect([await deliveries.nextExpiry(), await deliveries.lanes()]).toEqual([undefined, []]);
      const page = await peal.store.messages.pageNamespace(peal.home.id, 0, 9);
      const read = await Promise.all(page.map(async ({ message: { seq } }) => deliveries.ofMessage(seq, { limit: 1 })));
      const states = ["accepted", "expired", "expired", "expired"] as const;
      const none = { pending: 0, accepted: 0, failed: 0, expired: 0, cancelled: 0 };
      expect(read.map(({ deliveries: [one] }) => one?.state)).toEqual([...states]);
      expect(read.map(({ counts }) => counts)).toEqual(states.map((state) => ({ ...none, [state]: 1 })));
    });

    test("is reported as shown once", async () => {
      await using peal = await subscribers(open);
      const { device, message, read } = await onTheWay(peal);
      const shownAt = peal.clock.now();
      for (let times = 0; times < 2; times++) {
        await peal.store.deliveries.shown(device.row, message.seq);
        peal.clock.advance(5);
      }
      await peal.store.deliveries.shown(device.row, message.seq + 1);
      expect((await read()).shownAt).toBe(shownAt);
    });

    test("of a message is listed page by page", async () => {
      await using peal = await subscribers(open);
      const topic = await peal.topic();
      const ids = [];
      for (const n of range(1, 5)) ids.push((await peal.device(`t${n}`, [topic], { name: `phone ${n}` })).device.id);
      const { message } = await peal.publish("alerts");
      await peal.expand();
      const seen = [];
      for (let after = 0, hasMore = true; hasMore;) {
        const page = await peal.store.deliveries.ofMessage(message.seq, { after, limit: 2 });
        seen.push(...page.deliveries.map(({ device }) => device));
        after = page.deliveries.at(-1)?.row ?? 0;
        hasMore = page.hasMore;
      }
      expect(seen).toMatchObject(ids.map((id, index) => ({ id, platform: "ios", name: `phone ${index + 1}` })));
    });
  });
};
