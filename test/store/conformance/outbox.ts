/** What waits to be sent: its order, its details, and what of it was deleted meanwhile. */
import { describe, expect, test } from "bun:test";
import type { DeliveryRow, Lane } from "../../../src/delivery/delivery.ts";
import type { Device } from "../../../src/devices/device.ts";
import type { Settled } from "../../../src/store/deliveries.ts";
import { range, type OpenEngine } from "./engine.ts";
import { FOREVER, HOUR, LANE, onTheWay, refOf, subscribers, type Subscribers } from "./subscribing.ts";

type Outcome = Settled["outcome"];

const tokenOf = (devices: readonly Device[], of: Device["row"]) => devices.find(({ row }) => row === of)?.token ?? "";

export const outbox = (open: OpenEngine) => {
  describe("what is due", () => {
    test("in a lane is listed urgent first, then longest due first, and never before its time", async () => {
      await using peal = await subscribers(open);
      const topic = await peal.topic();
      const devices: Device[] = [];
      for (const n of range(1, 3)) devices.push((await peal.device(`${n}`, [topic])).device);
      await peal.device("fcm", [topic], { platform: "android" });
      const { deliveries } = peal.store;
      for (const priority of ["normal", "urgent", "low"] as const) await peal.publish("alerts", { priority });
      await peal.expand();
      const now = peal.clock.now();
      const due = async (limit: number, at = now) => {
        const found = await deliveries.due(LANE, at, limit);
        return found.map((one) => `${tokenOf(devices, one.device)}${one.isUrgent ? " urgent" : ""}`);
      };
      const [first] = await deliveries.due(LANE, now, 1);
      if (first === undefined) throw new Error("nothing is due");
      expect(await deliveries.lanes()).toEqual([LANE, "fcm"]);
      expect(await due(10)).toEqual(["1 urgent", "2 urgent", "3 urgent", "1", "1", "2", "2", "3", "3"]);
      expect([await due(2), await due(4)].map(({ length }) => length)).toEqual([2, 4]);
      const later = { kind: "later", dueAt: now + 5, isAttempt: true, reason: "503" } as const;
      await deliveries.settle([{ rows: [first.row], outcome: later }]);
      expect(await due(3)).toEqual(["2 urgent", "3 urgent", "1"]);
      expect(await due(3, now + 5)).toEqual(["2 urgent", "3 urgent", "1 urgent"]);
      expect(await deliveries.due(LANE, now - 1, 10)).toEqual([]);
      expect(await deliveries.due("apns:sandbox", FOREVER, 10)).toEqual([]);
      const [one, two, three] = devices.map(({ row }) => row);
      if (one === undefined || two === undefined || three === undefined) throw new Error("there are three");
      const others = await deliveries.due(LANE, now, 10, [one, three]);
      expect(others.map(({ device, isUrgent }) => [device, isUrgent])).toEqual(
        [true, false, false].map((is) => [two, is]),
      );
    });

    test("is found for the first of the given devices that has anything due", async () => {
      await using peal = await subscribers(open);
      const topic = await peal.topic();
      const { device: idle } = await peal.device("idle", []);
      const devices = await Promise.all(range(1, 3).map(async (n) => (await peal.device(`${n}`, [topic])).device));
      const [one, two, three] = devices.map(({ row }) => row);
      if (one === undefined || two === undefined || three === undefined) throw new Error("there are three");
      await peal.publish("alerts");
      await peal.expand();
      const { deliveries } = peal.store;
      const now = peal.clock.now();
      expect(await deliveries.firstDue(LANE, now, [idle.row, two, one])).toBe(two);
      expect(await deliveries.firstDue(LANE, now, [three, two])).toBe(three);
      expect(await deliveries.firstDue(LANE, now - 1, [three, two])).toBeUndefined();
      expect(await deliveries.firstDue("fcm", now, [three, two])).toBeUndefined();
      expect(await deliveries.firstDue(LANE, now, [])).toBeUndefined();
    });

    test("is found for a device whose token was accepted before", async () => {
      await using peal = await subscribers(open);
      const topic = await peal.topic();
      const devices = await Promise.all(range(1, 3).map(async (n) => (await peal.device(`${n}`, [topic])).device));
      const [, two] = devices;
      if (two === undefined) throw new Error("there are three");
      await peal.publish("alerts", { priority: "urgent" });
      await peal.publish("alerts");
      await peal.expand();
      const { deliveries } = peal.store;
      const now = peal.clock.now();
      expect(await deliveries.firstProven(LANE, now, [])).toBeUndefined();
      await peal.settle(two, { kind: "accepted" }, { succeeded: true }); // of the two that wait for it
      expect(await deliveries.firstProven(LANE, now, [])).toBe(two.row);
      expect(await deliveries.firstProven(LANE, now - 1, [])).toBeUndefined();
      expect(await deliveries.firstProven("fcm", now, [])).toBeUndefined();
      expect(await deliveries.firstProven(LANE, now, [two.row])).toBeUndefined();
    });

    test("has a next time in each lane", async () => {
      await using peal = await subscribers(open);
      const { device } = await onTheWay(peal);
      const { deliveries } = peal.store;
      await peal.publish("alerts", { priority: "urgent" });
      await peal.expand();
      const now = peal.clock.now();
      const next = async (lane: Lane = LANE) => deliveries.nextAt(lane, now - 1);
      expect([await next(), await next("fcm")]).toEqual([now, undefined]);
      expect(await deliveries.nextAt(LANE, now)).toBeUndefined();
      const later = (dueAt: number): Outcome => ({ kind: "later", dueAt, isAttempt: false, reason: "quiet hours" });
      const [urgent, normal] = await peal.waiting(device);
      if (urgent === undefined || normal === undefined) throw new Error("nothing is pending");
      await deliveries.settle([{ rows: [normal.row], outcome: later(now + 9) }]);
      expect([await next(), await deliveries.nextAt(LANE, now)]).toEqual([now, now + 9]);
      await deliveries.settle([{ rows: [urgent.row], outcome: later(now + 99) }]);
      expect(await next()).toBe(now + 9);
      await deliveries.settle([{ rows: [urgent.row, normal.row], outcome: { kind: "cancelled", reason: "test" } }]);
      expect([await next(), await deliveries.lanes()]).toEqual([undefined, []]);
    });

    test("for a device is sorted urgent first, then by due time, with everything that is needed to send it", async () => {
      await using peal = await subscribers(open);
      const { topic, device, message } = await onTheWay(peal);
      await peal.store.devices.patchSubscription(device.id, refOf(topic), { mutedUntil: 7, minPriority: "high" });
      const second = await peal.publish("alerts", { priority: "urgent" });
      await peal.expand();
      const { deliveries } = peal.store;
      const now = peal.clock.now();
      const [urgent, normal] = await deliveries.ofDevice(device.row, LANE, 5);
      const common = { kind: "message", lane: LANE, attempts: 0, createdAt: now, dueAt: now, device };
      const subscription = { mutedUntil: 7, minPriority: "high" };
      const latest = { ...second.topic, lastId: 2 };
      expect(urgent).toEqual({
        ...{ ...common, row: urgent?.row, isUrgent: true, expiresAt: now + HOUR },
        ...{ message: second.message, topic: latest, subscription },
      } as typeof urgent);
      expect(normal).toEqual({
        ...{ ...common, row: normal?.row, isUrgent: false, expiresAt: now + HOUR },
        ...{ message, topic: latest, subscription },
      } as typeof normal);
      expect(await deliveries.ofDevice(device.row, LANE, 1)).toEqual([urgent] as (typeof urgent & object)[]);
      expect(await deliveries.ofDevice(device.row, "fcm", 5)).toEqual([]);
    });

    test.each([6, 12])("for a device with %p others is in the order in which it became due", async (many) => {
      await using peal = await subscribers(open);
      const { device } = await onTheWay(peal);
      for (let n = 0; n < many; n++) await peal.publish("alerts");
      await peal.expand();
      const { deliveries } = peal.store;
      const rows = async (limit = 99) =>
        (await deliveries.ofDevice(device.row, LANE, limit)).map(({ row }) => Number(row));
      const [first, ...others] = await rows();
      expect([first, ...others]).toEqual([first, ...others].toSorted((a = 0, b = 0) => a - b));
      const later = { kind: "later", dueAt: peal.clock.now() + 9, isAttempt: true, reason: "429" } as const;
      await deliveries.settle([{ rows: [first as DeliveryRow], outcome: later }]);
      expect(await rows()).toEqual([...others, first ?? 0]);
      expect(await rows(2)).toEqual(others.slice(0, 2));
    });

    test("for other devices is found behind one with more due than is skipped", async () => {
      await using peal = await subscribers(open);
      const { topic, device } = await onTheWay(peal);
      const { deliveries } = peal.store;
      const now = peal.clock.now();
      for (let n = 0; n < 1_100; n++) await peal.publish("alerts");
      await peal.expand();
      expect(await deliveries.isCrowded(LANE, now)).toBe(true);
      expect(await deliveries.isCrowded(LANE, now - 1)).toBe(false);
      const { device: other } = await peal.device("other", [topic]);
      const { device: idle } = await peal.device("idle", []);
      await peal.publish("alerts");
      await peal.expand();
      const except = new Set([device.row]);
      expect(await deliveries.due(LANE, now, 10, except)).toEqual([]);
      expect(await deliveries.dueByDevice(LANE, now, 0, except)).toEqual({ devices: [other.row] });
      expect(await deliveries.dueByDevice(LANE, now, 0, new Set())).toEqual({ devices: [device.row, other.row] });
      expect(await deliveries.dueByDevice(LANE, now, device.row, new Set([idle.row]))).toEqual({
        devices: [other.row],
      });
      expect(await deliveries.dueByDevice(LANE, now - 1, 0, new Set())).toEqual({ devices: [] });
      expect(await deliveries.dueByDevice("fcm", now, 0, new Set())).toEqual({ devices: [] });
    });

    test("for a device is limited to what fits, and what is urgent never waits for the rest", async () => {
      await using peal = await subscribers(open);
      const { device } = await onTheWay(peal);
      const urgent = await peal.publish("alerts", { priority: "urgent" });
      const long = "x".repeat(32_000);
      const newer = [];
      for (const message of Array<string>(20).fill(long)) newer.push(await peal.publish("alerts", { message }));
      await peal.expand();
      const read = async (limit: number) => {
        const found = await peal.store.deliveries.ofDevice(device.row, LANE, limit);
        return found.map(({ message }) => message?.seq);
      };
      const [first = 0] = (await peal.waiting(device)).map(({ message }) => message?.seq).slice(-1);
      const seqs = [first, ...newer.map(({ message }) => message.seq)];
      expect(await read(100)).toEqual([urgent.message.seq, ...seqs.slice(0, 9)]);
      expect(await read(2)).toEqual([urgent.message.seq, first]);
      expect(await read(1)).toEqual([urgent.message.seq]);
    });

    // prettier-ignore
    const losses: [string, (peal: Subscribers, at: Awaited<ReturnType<typeof onTheWay>>) => Promise<unknown>, string[]][] = [
      ["whose message was deleted",     async (peal, { topic }) => peal.store.messages.remove(topic.id, 1),                            ["subscription"]],
      ["whose topic was deleted",       async (peal, { topic }) => peal.store.topics.remove(topic.id),                                 ["subscription"]],
      ["whose topic was swept",         async (peal, { topic }) => [await peal.store.topics.remove(topic.id), await peal.store.sweep({ days: 0, messages: 0 }, 1_000)], ["subscription"]],
      ["whose message retention took",  async (peal) => [await peal.publish("alerts"), await peal.store.sweep({ days: 0, messages: 1 }, 1_000)], ["subscription"]],
      ["that is no longer subscribed",  async (peal, { topic, device }) => peal.store.devices.unsubscribe(device.id, refOf(topic)),    ["message", "topic"]],
    ];
    test.each(losses)("%s is reported", async (_, lose, left) => {
      await using peal = await subscribers(open);
      const at = await onTheWay(peal);
      await lose(peal, at);
      const found = (await peal.waiting(at.device)).at(-1) ?? {};
      const has = ["message", "topic", "subscription"].filter((field) => field in found);
      expect(has).toEqual(left[0] === "subscription" ? [] : left);
    });
  });
};
