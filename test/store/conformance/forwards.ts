/** Forwards: devices of a namespace, and the one of the server. */
import { describe, expect, test } from "bun:test";
import { laneOfForward, planOf } from "../../../src/delivery/push/plan.ts";
import { type Forwarding, OF_SERVER } from "../../../src/devices/device.ts";
import type { NamespaceId } from "../../../src/keys/namespace.ts";
import type { TopicNamed } from "../../../src/store/forwards.ts";
import type { Registered } from "../../../src/store/devices.ts";
import { deviceId, deviceRef } from "../../../src/util/ids.ts";
import type { OpenEngine } from "./engine.ts";
import { subscribers, type Subscribers } from "./subscribing.ts";

const to = (namespaceId: NamespaceId, account = "00000000"): Forwarding => ({
  ...{ namespaceId, kind: "pushover", host: "api.pushover.net", account, settings: {}, secrets: ["app_token"] },
  sealed: `sealed ${account}`,
});

const create = async (peal: Subscribers, topics: readonly TopicNamed[] = [], { id: owner } = peal.home) =>
  peal.store.forwards.create({ id: deviceId(), base: "https://peal.example", forward: to(owner), topics });

async function made(peal: Subscribers, topics: readonly TopicNamed[] = []): Promise<Registered> {
  const { kind, ...registered } = { ...(await create(peal, topics)) };
  if (!("device" in registered)) throw new Error(kind);
  return registered;
}

const other = async (peal: Subscribers) => {
  const namespace = await peal.store.namespaces.create("other");
  if (namespace === "name_taken") throw new Error(namespace);
  return namespace;
};

/** An urgent message that has to be acknowledged, on its way to a forward. */
async function alarm(peal: Subscribers) {
  const topic = await peal.topic();
  const { device } = await made(peal, [{ name: topic.name }]);
  const { message } = await peal.publish(topic.name, { priority: "urgent", ack: true });
  await peal.expand(planOf);
  const counts = async () => (await peal.store.deliveries.ofMessage(message.seq, { limit: 1 })).counts;
  const ring = async (after: number) =>
    peal.settle(device, { kind: "accepted", providerId: "receipt", status: 200, repeatAt: peal.clock.now() + after });
  return { topic, device, message, counts, ring };
}

export const forwards = (open: OpenEngine) => {
  describe("a forward", () => {
    test("belongs to one namespace, whose topics it follows by name or key", async () => {
      await using peal = await subscribers(open);
      const [one, two] = [await peal.topic("one"), await peal.topic("two")];
      const owner = await other(peal);
      const forward = await made(peal, [{ name: "one" }, { key: two.key }, { key: one.key }]);
      const ref = deviceRef(forward.device.id);
      expect(forward.device).toMatchObject({ platform: "forward", forward: to(peal.home.id) });
      expect(forward.subscriptions.map(({ topic }) => topic.name)).toEqual(["one", "two"]);
      const { store } = peal;
      expect([await store.forwards.list(peal.home.id), await store.forwards.list(owner.id)]).toEqual([[forward], []]);
      expect(await store.forwards.find(peal.home.id, ref)).toEqual(forward);
      expect(await store.forwards.find(owner.id, ref)).toBeUndefined();
      expect(await create(peal, [{ name: "one" }], owner)).toEqual({ kind: "unknown_topics", unknown: [0] });
    });

    test("counts as no device, but is one of as many as its namespace may have", async () => {
      await using peal = await subscribers(open, { devicesInAll: 0, idleDevices: 0, forwardsPerNamespace: 2 });
      for (let n = 0; n < 2; n++) await made(peal);
      expect(await create(peal)).toEqual({ kind: "too_many_forwards" });
    });

    test("is not taken for the phone that subscribed last", async () => {
      await using peal = await subscribers(open);
      const topic = await peal.topic();
      await made(peal, [{ name: topic.name }]);
      expect(await peal.store.devices.latestOf(topic.id)).toBeUndefined();
      const { device } = await peal.device("t", [topic]);
      await made(peal, [{ name: topic.name }]);
      expect((await peal.store.devices.latestOf(topic.id))?.device).toEqual(device);
    });

    test("is deleted with its namespace, with what waits for it, and none is made any more", async () => {
      await using peal = await subscribers(open);
      const { device } = await alarm(peal);
      await peal.store.namespaces.remove(peal.home.id);
      expect(await create(peal)).toEqual({ kind: "gone" });
      while (await peal.store.sweep({ days: 0, messages: 0 }, 10));
      expect(await create(peal)).toEqual({ kind: "gone" });
      expect(await peal.store.devices.find(device.id)).toBeUndefined();
      expect(await peal.store.deliveries.lanes()).toEqual([]);
    });

    test("that is changed has all that waits in its new lane: at once, but for a repeat, which keeps its time", async () => {
      await using peal = await subscribers(open);
      const { topic, device, ring } = await alarm(peal);
      await ring(60_000);
      const repeatAt = peal.clock.now() + 60_000;
      await peal.publish(topic.name);
      await peal.expand(planOf);
      await peal.settle(device, { kind: "later", dueAt: repeatAt, isAttempt: true, reason: "503" });
      peal.clock.advance(5);
      const forward = to(peal.home.id, "11111111");
      const lane = laneOfForward(forward);
      const changed = await peal.store.forwards.change(peal.home.id, deviceRef(device.id), () => ({ forward, lane }));
      expect(changed?.device.forward).toEqual(forward);
      expect(await peal.store.deliveries.lanes()).toEqual([lane]);
      const waiting = await peal.waiting(device);
      expect(waiting.map(({ dueAt }) => dueAt)).toEqual([peal.clock.now(), repeatAt]);
    });
  });

  describe("what a service rings for by itself", () => {
    test("is looked at as soon as somebody acknowledges, and stays until the service was told", async () => {
      await using peal = await subscribers(open);
      const { topic, device, message, ring, counts } = await alarm(peal);
      await ring(60_000);
      await peal.store.deliveries.acknowledge(topic.id, message);
      const [held] = await peal.waiting(device);
      expect(held).toMatchObject({ dueAt: peal.clock.now(), providerId: "receipt" });
      expect(held && "message" in held).toBe(false);
      await ring(60_000); // it was just asked whether somebody had
      expect(await peal.waiting(device)).toMatchObject([{ dueAt: peal.clock.now() }]);
      await peal.settle(device, { kind: "accepted", status: 200 });
      expect(await peal.waiting(device)).toEqual([]);
      expect(await counts()).toEqual({ pending: 0, accepted: 1, failed: 0, expired: 0, cancelled: 0 });
    });

    test("is told to stop even if the acknowledgement came before its answer, after which it counts as accepted", async () => {
      await using peal = await subscribers(open);
      const { topic, device, message, counts } = await alarm(peal);
      const [underWay] = await peal.waiting(device);
      if (underWay === undefined) throw new Error("nothing is pending");
      await peal.store.deliveries.acknowledge(topic.id, message);
      const none = { pending: 0, accepted: 0, failed: 0, expired: 0, cancelled: 0 };
      expect(await counts()).toEqual({ ...none, cancelled: 1 });
      const repeatAt = peal.clock.now() + 60_000;
      await peal.store.deliveries.settle([
        { rows: [underWay.row], outcome: { kind: "accepted", providerId: "receipt", status: 200, repeatAt } },
      ]);
      expect(await peal.waiting(device)).toMatchObject([{ dueAt: peal.clock.now(), providerId: "receipt" }]);
      expect(await counts()).toEqual({ ...none, accepted: 1 });
      const days = [...(await peal.store.deliveries.days(0)).values()];
      expect(days).toEqual([{ accepted: 1, failed: 0, expired: 0, cancelled: 0 }]);
    });
  });

  test("an acknowledgement that is undone rings anew, without the receipt of what is over", async () => {
    await using peal = await subscribers(open);
    const { topic, device, message, ring, counts } = await alarm(peal);
    await ring(60_000);
    peal.clock.advance(5);
    await peal.store.deliveries.acknowledge(topic.id, message);
    await peal.settle(device, { kind: "accepted" }); // as the engine ends what is acknowledged
    peal.clock.advance(5);
    expect(await peal.store.deliveries.unacknowledge(topic.id, message)).toBe(true);
    const [again] = await peal.waiting(device);
    expect(again).toMatchObject({ dueAt: peal.clock.now(), message: { seq: message.seq } });
    expect(again && "providerId" in again).toBe(false);
    expect(await counts()).toMatchObject({ pending: 0, accepted: 1 });
  });

  describe("the forward of the server", () => {
    const server = (account: string) => {
      const forward = { ...to(OF_SERVER, account), kind: "upstream" };
      return { id: deviceId(), base: "https://peal.example", forward, lane: laneOfForward(forward) };
    };
    const DAY = 86_400_000;

    test("is made with its first topic, follows those of all namespaces, and belongs to none", async () => {
      await using peal = await subscribers(open);
      const { forwards: store } = peal.store;
      await store.follow(server("0"), []);
      expect(await store.followed()).toEqual([]);
      const one = await peal.topic("one");
      const owner = await other(peal);
      const two = await peal.store.topics.create(owner.id, { name: "two" });
      if (typeof two === "string") throw new Error(two);
      await store.follow(server("0"), [one.id, two.id]);
      await store.follow(server("0"), [one.id]);
      expect((await store.followed()).toSorted()).toEqual([peal.home.id, owner.id]);
      expect([await store.list(peal.home.id), await store.list(owner.id)]).toEqual([[], []]);
    });

    test("has what waits in the lane of its new settings, even before another topic is read", async () => {
      await using peal = await subscribers(open);
      const topic = await peal.topic();
      await peal.store.forwards.follow(server("0"), [topic.id]);
      await peal.publish(topic.name);
      await peal.expand(planOf);
      const now = server("1");
      await peal.store.forwards.follow(now, []);
      expect(await peal.store.deliveries.lanes()).toEqual([now.lane]);
    });

    test("leaves what nobody has read for long, and is gone if it is to leave all", async () => {
      await using peal = await subscribers(open);
      const [one, two] = [await peal.topic("one"), await peal.topic("two")];
      const { forwards: store, devices } = peal.store;
      await store.follow(server("0"), [one.id, two.id]);
      peal.clock.advance(DAY);
      await store.follow(server("0"), [two.id]);
      await store.leave(peal.clock.now());
      const [device] = (await devices.list({ platform: "forward", isLost: false }, { limit: 2 })).devices;
      const names = async () =>
        device && (await devices.find(device.device.id))?.subscriptions.map(({ topic }) => topic.name);
      expect(await names()).toEqual(["two"]);
      await store.leave(Infinity);
      expect([await names(), await store.followed()]).toEqual([undefined, []]);
    });
  });
};
