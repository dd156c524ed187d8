/** Tests of a device, acknowledgements, and how long outcomes are kept. */
import { describe, expect, test } from "bun:test";
import type { Device } from "../../../src/devices/device.ts";
import { ACK_UNDO_MS, type Settled } from "../../../src/store/deliveries.ts";
import type { Topic } from "../../../src/topics/topic.ts";
import { range, type OpenEngine } from "./engine.ts";
import { FOREVER, HOUR, LANE, onTheWay, plan, refOf, subscribers, type Subscribers } from "./subscribing.ts";

type Outcome = Settled["outcome"];

const DAY = 24 * HOUR;

export const receipts = (open: OpenEngine) => {
  describe("a test", () => {
    const testOf = async (peal: Subscribers, id: string) =>
      peal.store.deliveries.addTest(id, (device) => ({ lane: `apns:${device.environment}`, isUrgent: true, expiresAt: peal.clock.now() + HOUR })); // prettier-ignore

    test("is announced, sent like everything else, and the latest one is returned", async () => {
      await using peal = await subscribers(open);
      const { device } = await peal.device("t");
      const { deliveries } = peal.store;
      expect(await deliveries.lastTest(device.row)).toBeUndefined();
      peal.heard.length = 0;
      expect(await testOf(peal, device.id)).toEqual({ lane: LANE });
      expect(peal.heard).toEqual([{ kind: "outbox" }, { kind: "delivery" }]);
      const [waiting, ...rest] = await peal.waiting(device);
      expect(waiting).toMatchObject({ kind: "test", isUrgent: true, device });
      expect([rest.length, waiting && "message" in waiting]).toEqual([0, false]);
      await peal.settle(device, { kind: "failed", status: 403, reason: "InvalidProviderToken" });
      expect(await deliveries.lastTest(device.row)).toMatchObject({ state: "failed", lastStatus: 403 });
      expect(await testOf(peal, "0".repeat(26))).toBeUndefined();
    });

    test("replaces a waiting one", async () => {
      await using peal = await subscribers(open);
      const { device } = await onTheWay(peal);
      await testOf(peal, device.id);
      const first = await peal.store.deliveries.lastTest(device.row);
      await testOf(peal, device.id);
      const waiting = await peal.waiting(device);
      expect(waiting.map(({ kind }) => kind)).toEqual(["test", "message"]);
      expect(waiting[0]?.row).not.toBe(first?.row ?? waiting[0]?.row ?? 0);
      expect(await peal.store.deliveries.lastTest(device.row)).toMatchObject({ state: "pending" });
    });
  });

  describe("an acknowledgement", () => {
    test("ends everything that waits of its message, however much, and records when", async () => {
      await using peal = await subscribers(open);
      const topic = await peal.topic();
      const devices = [];
      for (const n of range(1, 250)) devices.push((await peal.device(`t${n}`, [topic])).device);
      const { message } = await peal.publish("alerts");
      await peal.publish("alerts", { message: "other" });
      await peal.expand();
      const { deliveries } = peal.store;
      const [first] = devices;
      const [, repeated] = (first && (await peal.waiting(first))) ?? [];
      const outcome: Outcome = { kind: "accepted", repeatAt: peal.clock.now() + 60 };
      await deliveries.settle([{ rows: repeated ? [repeated.row] : [], outcome }]);
      expect(await deliveries.acknowledgedAt(message.seq)).toBeUndefined();
      const before = (await deliveries.ofMessage(message.seq, { limit: 1 })).counts;
      expect(before).toEqual({ pending: 249, accepted: 1, failed: 0, expired: 0, cancelled: 0 });
      const at = peal.clock.now();
      expect(await deliveries.acknowledge(topic.id, message)).toBe(true);
      peal.clock.advance(5);
      expect(await deliveries.acknowledge(topic.id, message)).toBe(false);
      expect(await deliveries.acknowledgedAt(message.seq)).toBe(at);
      const { counts } = await deliveries.ofMessage(message.seq, { limit: 1 });
      expect(counts).toEqual({ pending: 0, accepted: 1, failed: 0, expired: 0, cancelled: 249 });
      for (const device of devices.slice(0, 2)) expect(await peal.texts(device)).toEqual(["other"]);
    });

    test("before the fan-out prevents it, and is refused for a deleted message", async () => {
      await using peal = await subscribers(open);
      const topic = await peal.topic();
      const { device } = await peal.device("t", [topic]);
      const { message } = await peal.publish("alerts");
      const gone = (await peal.publish("alerts")).message;
      await peal.store.messages.remove(topic.id, gone.id);
      expect(await peal.store.deliveries.acknowledge(topic.id, message)).toBe(true);
      expect(await peal.store.deliveries.acknowledge(topic.id, gone)).toBe(false);
      await peal.expand();
      expect(await peal.waiting(device)).toEqual([]);
    });
  });

  describe("an acknowledgement that is undone", () => {
    test("makes everything that it ended wait again, however much, and is deleted", async () => {
      await using peal = await subscribers(open);
      const topic = await peal.topic();
      const devices = [];
      for (const n of range(1, 250)) devices.push((await peal.device(`t${n}`, [topic])).device);
      const { message } = await peal.publish("alerts");
      await peal.expand();
      const { deliveries } = peal.store;
      const counts = async () => (await deliveries.ofMessage(message.seq, { limit: 1 })).counts;
      const [first, second] = devices;
      if (first === undefined || second === undefined) throw new Error("there are no devices");
      await peal.settle(first, { kind: "accepted", repeatAt: peal.clock.now() + 60_000 });
      await peal.settle(second, { kind: "failed", reason: "test" });
      const before = await counts();
      expect(before).toEqual({ pending: 248, accepted: 1, failed: 1, expired: 0, cancelled: 0 });
      await deliveries.acknowledge(topic.id, message, "Mara");
      peal.clock.advance(ACK_UNDO_MS);
      peal.heard.length = 0;
      expect(await deliveries.unacknowledge(topic.id, message)).toBe(true);
      expect(peal.heard).toContainEqual({ kind: "outbox" });
      expect(await deliveries.acknowledgedAt(message.seq)).toBeUndefined();
      expect(await counts()).toEqual(before);
      expect(await peal.texts(first)).toHaveLength(1); // it was accepted before, and rings again
      expect(await peal.texts(second)).toEqual([]);
      expect(await deliveries.unacknowledge(topic.id, message)).toBe(false);
      expect(await deliveries.acknowledge(topic.id, message)).toBe(true);
      expect(await counts()).toEqual({ ...before, pending: 0, cancelled: 248 });
    });

    test("continues a fan-out that it stopped, to those who had subscribed before the publish", async () => {
      await using peal = await subscribers(open);
      const topic = await peal.topic();
      const { device } = await peal.device("early", [topic]);
      const { message } = await peal.publish("alerts");
      await peal.store.deliveries.acknowledge(topic.id, message);
      const late = (await peal.device("late", [topic])).device;
      await peal.expand();
      expect(await peal.store.deliveries.unacknowledge(topic.id, message)).toBe(true);
      await peal.expand();
      expect([(await peal.waiting(device)).length, (await peal.waiting(late)).length]).toEqual([1, 0]);
    });

    test("is final after two minutes, and cannot be undone by way of another topic", async () => {
      await using peal = await subscribers(open);
      const { topic, message } = await onTheWay(peal);
      const other = await peal.topic("other");
      await peal.store.deliveries.acknowledge(topic.id, message);
      expect(await peal.store.deliveries.unacknowledge(other.id, message)).toBe(false);
      peal.clock.advance(ACK_UNDO_MS + 1);
      expect(await peal.store.deliveries.unacknowledge(topic.id, message)).toBe(false);
      expect(await peal.store.deliveries.acknowledgedAt(message.seq)).toBeDefined();
    });
  });

  describe("the sweep", () => {
    test("deletes deliveries that ended a week ago and keeps their counts, as long as the message exists", async () => {
      await using peal = await subscribers(open);
      const { topic, device, message } = await onTheWay(peal);
      await peal.settle(device, { kind: "accepted", repeatAt: peal.clock.now() });
      await peal.settle(device, { kind: "cancelled", reason: "unsubscribed" });
      peal.clock.advance(DAY);
      const young = (await peal.publish("alerts")).message;
      await peal.store.deliveries.expand((to) => ({ ...plan(to), expiresAt: FOREVER }), 9);
      const pending = (await peal.publish("alerts")).message;
      await peal.store.deliveries.expand((to) => ({ ...plan(to), expiresAt: FOREVER }), 9);
      const [newest, oldest] = await peal.waiting(device);
      if (newest === undefined || oldest === undefined) throw new Error("nothing is pending");
      await peal.store.deliveries.settle([{ rows: [oldest.row], outcome: { kind: "failed", reason: "test" } }]);
      peal.clock.advance(6 * DAY + 1);
      const of = async ({ seq }: { seq: number }) => {
        const { deliveries, counts } = await peal.store.deliveries.ofMessage(seq, { limit: 9 });
        return [deliveries.length, counts.pending, counts.accepted, counts.failed];
      };
      expect(await peal.store.sweep({ days: 0, messages: 0 }, 1_000)).toBe(false);
      expect([await of(message), await of(young), await of(pending)]).toEqual([[0, 0, 1, 0], [1, 0, 0, 1], [1, 1, 0, 0]]); // prettier-ignore
      await peal.store.messages.remove(topic.id, message.id);
      expect(await of(message)).toEqual([0, 0, 0, 0]);
    });

    test("deletes a device that was lost a month ago, and no other", async () => {
      await using peal = await subscribers(open);
      const { device } = await onTheWay(peal);
      const other = (await peal.device("other", [await peal.topic("other")])).device;
      const gone: Outcome = { kind: "failed", status: 410, reason: "gone" };
      await peal.settle(device, gone, { lost: "gone" });
      peal.clock.advance(30 * DAY);
      expect(await peal.store.sweep({ days: 0, messages: 0 }, 1_000)).toBe(false);
      expect(await peal.store.devices.find(device.id)).toBeDefined();
      peal.clock.advance(1);
      expect(await peal.store.sweep({ days: 0, messages: 0 }, 1_000)).toBe(false);
      expect(await peal.store.devices.find(device.id)).toBeUndefined();
      expect(await peal.store.devices.find(other.id)).toBeDefined();
    });

    const sweep = async (peal: Subscribers) => {
      expect(await peal.store.sweep({ days: 0, messages: 0 }, 1_000)).toBe(false);
    };

    test("deletes a device that has followed nothing for a month, with the test that waits for it", async () => {
      await using peal = await subscribers(open);
      const topic = await peal.topic();
      const { device } = await peal.device("t");
      const follower = (await peal.device("follower", [topic])).device;
      peal.clock.advance(30 * DAY);
      await sweep(peal);
      const expiresAt = FOREVER;
      await peal.store.deliveries.addTest(device.id, () => ({ lane: LANE, isUrgent: true, expiresAt }));
      peal.clock.advance(1);
      await sweep(peal);
      expect(await peal.store.devices.find(device.id)).toBeUndefined();
      expect(await peal.store.deliveries.lanes()).toEqual([]);
      expect(await peal.store.devices.find(follower.id)).toBeDefined();
    });

    const lives: [string, (peal: Subscribers, device: Device) => Promise<unknown>][] = [
      ["is registered again", async (peal) => peal.device("t")],
      ["is changed", async (peal, { id }) => peal.store.devices.patch(id, { name: "Pixel" })],
      ["sends another token", async (peal, { id }) => peal.store.devices.patch(id, { token: "other" })],
    ];
    test.each(lives)("restarts that month when the device %s", async (_, live) => {
      await using peal = await subscribers(open);
      const { device } = await peal.device("t");
      peal.clock.advance(20 * DAY);
      await live(peal, device);
      peal.clock.advance(30 * DAY);
      await sweep(peal);
      expect(await peal.store.devices.find(device.id)).toBeDefined();
      peal.clock.advance(1);
      await sweep(peal);
      expect(await peal.store.devices.find(device.id)).toBeUndefined();
    });

    const ends: [string, (peal: Subscribers, topic: Topic, device: Device) => Promise<unknown>][] = [
      ["unsubscribes", async (peal, topic, { id }) => peal.store.devices.unsubscribe(id, refOf(topic))],
      ["is dropped by a rotation", async (peal, { id }) => peal.store.topics.rotate(id)],
      [
        "is left by a topic that is deleted",
        async (peal, { id }) => {
          await peal.store.topics.remove(id);
          await sweep(peal);
        },
      ],
    ];
    test.each(ends)("counts it from the end of its last subscription, when the device %s", async (_, end) => {
      await using peal = await subscribers(open);
      const [topic, last] = [await peal.topic("one"), await peal.topic("two")];
      const { device } = await peal.device("t", [topic]);
      await peal.store.devices.subscribe(device.id, refOf(last));
      await end(peal, topic, device);
      peal.clock.advance(60 * DAY);
      await sweep(peal);
      expect(await peal.store.devices.find(device.id)).toBeDefined();
      await end(peal, last, device);
      peal.clock.advance(30 * DAY);
      await sweep(peal);
      expect(await peal.store.devices.find(device.id)).toBeDefined();
      peal.clock.advance(1);
      await sweep(peal);
      expect(await peal.store.devices.find(device.id)).toBeUndefined();
    });

    test("deletes at most the given number of rows", async () => {
      await using peal = await subscribers(open);
      const topic = await peal.topic();
      const devices = [];
      for (const n of range(1, 5)) devices.push((await peal.device(`t${n}`, [topic])).device);
      await peal.publish("alerts");
      await peal.expand();
      for (const device of devices) await peal.settle(device, { kind: "failed", reason: "410" }, { lost: "gone" });
      const before = { settledBefore: FOREVER, lostBefore: FOREVER, idleBefore: 0 };
      let calls = 0;
      while (await peal.store.deliveries.purge(before, 2)) calls++;
      expect(calls).toBeGreaterThanOrEqual(5); // 5 deliveries and 5 subscriptions
      expect((await peal.store.devices.counts()).filter(({ count }) => count > 0)).toEqual([]);
    });
  });

  test("the backlog is listed by lane, and what is stored survives a restart", async () => {
    await using peal = await subscribers(open);
    const { topic } = await onTheWay(peal);
    const oldestAt = peal.clock.now();
    peal.clock.advance(5);
    await peal.device("t", [topic], { platform: "android" });
    await peal.publish("alerts");
    await peal.expand();
    expect(await peal.store.deliveries.backlog()).toEqual([
      { lane: LANE, count: 2, oldestAt },
      { lane: "fcm", count: 1, oldestAt: oldestAt + 5 },
    ]);
    expect(await peal.store.deliveries.kept("vapid")).toBeUndefined();
    for (const text of ["one", "two"]) await peal.store.deliveries.keep("vapid", text);
    const store = await peal.reopen();
    expect([await store.deliveries.kept("vapid"), await store.deliveries.kept("apns_token")]).toEqual([
      "two",
      undefined,
    ]);
  });
};
