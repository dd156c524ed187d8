/** Retrying what failed or expired; searching deliveries and devices; and counts by outcome. */
import { describe, expect, test } from "bun:test";
import type { Outcome } from "../../../src/delivery/delivery.ts";
import type { DeliveryFilter, DeliveryPlace } from "../../../src/store/deliveries.ts";
import { deviceRef } from "../../../src/util/ids.ts";
import { heldClock } from "../../support/clock.ts";
import { range, type OpenEngine } from "./engine.ts";
import { HOUR, onTheWay, plan, subscribers, type Subscribers } from "./subscribing.ts";

const FAILED: Outcome = { kind: "failed", status: 400, reason: "BadTopic" };
const EXPIRED: Outcome = { kind: "expired", reason: "its time ran out" };
const NONE = { accepted: 0, failed: 0, expired: 0, cancelled: 0 };

/** All pages of a list, as the names of the devices. */
async function named({ store }: Subscribers, filter: DeliveryFilter, limit: number): Promise<(string | undefined)[]> {
  const found = [];
  for (let from: DeliveryPlace | undefined, isFirst = true; isFirst || from !== undefined; isFirst = false) {
    const page = await store.deliveries.list(filter, { limit, ...(from && { from }) });
    found.push(...page.listed.map(({ delivery }) => delivery.device?.name));
    from = page.next;
  }
  return found;
}

export const retrying = (open: OpenEngine) => {
  describe("a retry", () => {
    // prettier-ignore
    const ends: [string, Outcome, { retried: number; left: number }][] = [
      ["failed",       FAILED,                                 { retried: 1, left: 0 }],
      ["came too late", EXPIRED,                               { retried: 1, left: 0 }],
      ["was accepted", { kind: "accepted" },                   { retried: 0, left: 0 }],
      ["was not sent", { kind: "cancelled", reason: "muted" }, { retried: 0, left: 0 }],
    ];
    test.each(ends)("of what %s makes it wait again, or leaves it unchanged", async (_, outcome, expected) => {
      const clock = heldClock(HOUR);
      await using peal = await subscribers(open, {}, clock);
      const { device, message, read } = await onTheWay(peal);
      await peal.settle(device, outcome);
      const ended = await read();
      clock.advance(5 * HOUR);
      const retry = async () =>
        peal.store.deliveries.retry(message.seq, (to) => ({ ...plan(to), expiresAt: clock.now() + HOUR }));
      expect(await retry()).toEqual(expected);
      const after = await read();
      if (expected.retried === 0) {
        expect(after).toEqual(ended);
        return;
      }
      expect(after).toMatchObject({
        row: ended.row,
        state: "pending",
        dueAt: clock.now(),
        expiresAt: clock.now() + HOUR,
      });
      expect(after).not.toHaveProperty("settledAt");
      expect(after.counts).toEqual({ ...NONE, pending: 1 });
      expect(await peal.store.deliveries.days(0)).toEqual(new Map([[0, NONE]]));
      expect(await retry()).toEqual({ retried: 0, left: 0 });
      await peal.settle(device, { kind: "accepted" });
      expect((await read()).counts).toEqual({ ...NONE, accepted: 1, pending: 0 });
    });

    test("leaves out devices that are lost, unsubscribed or removed, and everything that was acknowledged", async () => {
      await using peal = await subscribers(open);
      const topic = await peal.topic();
      const made = [];
      for (const token of ["lost", "left", "removed", "there"]) made.push((await peal.device(token, [topic])).device);
      const { message } = await peal.publish("alerts");
      await peal.expand();
      for (const device of made) await peal.settle(device, FAILED);
      const [lost, left, removed, there] = made;
      if (!lost || !left || !removed || !there) throw new Error("not made");
      await peal.store.deliveries.settle([{ rows: [], outcome: FAILED, news: { device: lost, lost: "gone" } }]);
      await peal.store.devices.unsubscribe(left.id, { namespace: topic.namespace, key: topic.key });
      await peal.store.devices.remove(removed.id);
      expect(await peal.store.deliveries.retry(message.seq, plan, lost.row)).toEqual({ retried: 0, left: 1 });
      expect(await peal.store.deliveries.retry(message.seq, plan, there.row)).toEqual({ retried: 1, left: 0 });
      await peal.settle(there, FAILED);
      expect(await peal.store.deliveries.retry(message.seq, plan)).toEqual({ retried: 1, left: 3 });
      await peal.settle(there, FAILED);
      await peal.store.deliveries.acknowledge(topic.id, message);
      expect(await peal.store.deliveries.retry(message.seq, plan)).toEqual({ retried: 0, left: 4 });
    });

    test("of many is split into many commits", async () => {
      await using peal = await subscribers(open);
      const topic = await peal.topic();
      for (const n of range(1, 250)) await peal.device(`t${n}`, [topic]);
      const { message } = await peal.publish("alerts");
      await peal.expand();
      const due = await peal.store.deliveries.due("apns:production", Number.MAX_SAFE_INTEGER, 250);
      await peal.store.deliveries.settle([{ rows: due.map(({ row }) => row), outcome: FAILED }]);
      let commits = 0;
      peal.store.onCommit(() => commits++);
      expect(await peal.store.deliveries.retry(message.seq, plan)).toEqual({ retried: 250, left: 0 });
      expect(commits).toBe(4);
    });
  });

  describe("deliveries", () => {
    test("are found by message, device, topic, namespace, state and any combination, the newest message first", async () => {
      await using peal = await subscribers(open);
      const [nas, power] = [await peal.topic("nas"), await peal.topic("power")];
      const a = (await peal.device("a", [nas, power], { name: "a" })).device;
      const b = (await peal.device("b", [nas], { name: "b", platform: "android" })).device;
      await peal.publish("power");
      const { message } = await peal.publish("nas");
      await peal.expand();
      await peal.settle(a, FAILED); // of the newest message, to nas
      await peal.settle(b, { kind: "accepted" });
      // prettier-ignore
      const asked: [DeliveryFilter, string[]][] = [
        [{}, ["a", "b", "a"]],
        [{ device: a.row }, ["a", "a"]],
        [{ topicId: power.id }, ["a"]],
        [{ seq: message.seq }, ["a", "b"]],
        [{ namespaces: [peal.home.id] }, ["a", "b", "a"]],
        [{ namespaces: [] }, []],
        [{ state: "failed" }, ["a"]],
        [{ state: "accepted" }, ["b"]],
        [{ state: "pending" }, ["a"]],
        [{ state: "failed", topicId: power.id }, []],
        [{ is: ({ lane }) => lane === "fcm" }, ["b"]],
      ];
      for (const [filter, names] of asked)
        for (const limit of [1, 2, 10]) expect([filter, await named(peal, filter, limit)]).toEqual([filter, names]);
      expect(await peal.store.deliveries.waiting()).toEqual({ waiting: 1, held: 0, isMore: false });
      await peal.settle(a, { kind: "later", dueAt: 9, isAttempt: false, reason: "quiet hours" });
      expect(await peal.store.deliveries.waiting([peal.home.id])).toEqual({ waiting: 0, held: 1, isMore: false });
      expect(await peal.store.deliveries.waiting([])).toEqual({ waiting: 0, held: 0, isMore: false });
    });

    test("are counted by the day on which they ended, and a test does not count", async () => {
      const clock = heldClock(0);
      await using peal = await subscribers(open, {}, clock);
      const { device } = await onTheWay(peal);
      await peal.settle(device, FAILED);
      clock.advance(24 * HOUR);
      await peal.publish("alerts");
      await peal.expand();
      await peal.settle(device, { kind: "accepted" });
      await peal.store.deliveries.addTest(device.id, () => ({ lane: "fcm", isUrgent: true, expiresAt: 1e12 }));
      const days = new Map([[0, { ...NONE, failed: 1 }], [1, { ...NONE, accepted: 1 }]]); // prettier-ignore
      expect(await peal.store.deliveries.days(0, [peal.home.id])).toEqual(days);
      expect([...(await peal.store.deliveries.days(1)).keys()]).toEqual([1]);
      expect(await peal.store.deliveries.days(0, [])).toEqual(new Map());
    });
  });

  describe("devices", () => {
    test("are found by ref, platform and namespace, the latest first, lost ones separately", async () => {
      await using peal = await subscribers(open);
      const topic = await peal.topic();
      const made = [];
      for (const n of range(1, 5))
        made.push(
          await peal.device(`${n}`, n === 3 ? [] : [topic], { platform: n === 2 ? "android" : "ios", name: `${n}` }),
        );
      const first = made[0]?.device;
      if (first === undefined) throw new Error("not made");
      expect((await peal.store.devices.byRef(deviceRef(first.id)))?.device).toEqual(first);
      expect(await peal.store.devices.byRef("nobody")).toBeUndefined();
      await peal.store.deliveries.settle([{ rows: [], outcome: FAILED, news: { device: first, lost: "gone" } }]);
      const list = async (filter: object, limit: number) => {
        const names: string[] = [];
        for (let after: string | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
          const page = await peal.store.devices.list(
            { isLost: false, ...filter },
            { limit, ...(after !== undefined && { after }) },
          );
          names.push(...page.devices.map(({ device, topics }) => `${device.name} ${topics}`));
          after = page.next;
        }
        return names;
      };
      for (const limit of [1, 2, 9]) {
        expect(await list({}, limit)).toEqual(["5 1", "4 1", "3 0", "2 1"]);
        expect(await list({ platform: "android" }, limit)).toEqual(["2 1"]);
        expect(await list({ namespaces: [peal.home.id] }, limit)).toEqual(["5 1", "4 1", "2 1"]);
        expect(await list({ namespaces: [] }, limit)).toEqual([]);
        expect(await list({ isLost: true }, limit)).toEqual(["1 1"]);
      }
    });

    test("do not start over after one that was removed meanwhile", async () => {
      await using peal = await subscribers(open);
      const { devices } = peal.store;
      await peal.device("old");
      const { device } = await peal.device("young");
      const { next = "" } = await devices.list({ isLost: false }, { limit: 1 });
      expect(next).toBe(deviceRef(device.id));
      await devices.remove(device.id);
      expect(await devices.list({ isLost: false }, { limit: 1, after: next })).toEqual({ devices: [] });
    });
  });
};
