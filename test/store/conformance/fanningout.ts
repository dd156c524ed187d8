/** From a message to its deliveries. */
import { describe, expect, test } from "bun:test";
import type { Committed } from "../../../src/store/store.ts";
import type { Plan } from "../../../src/store/deliveries.ts";
import { draft, range, type OpenEngine } from "./engine.ts";
import { HOUR, LANE, plan, refOf, subscribers } from "./subscribing.ts";
import { standing, turn } from "./watching.ts";

const kinds = (events: readonly Committed[]) => events.map(({ kind }) => kind);
const NOTHING = { made: 0, lanes: [], hasMore: false, unreadable: [] };

export const fanningOut = (open: OpenEngine) => {
  describe("a fan-out", () => {
    test("is announced after its message, where there are subscribers", async () => {
      await using peal = await subscribers(open);
      const [topic, quiet] = [await peal.topic(), await peal.topic("quiet")];
      const { device } = await peal.device("t", [topic]);
      peal.heard.length = 0;
      await peal.publish("quiet");
      expect([kinds(peal.heard), await peal.store.deliveries.expand(plan, 10)]).toEqual([["message"], NOTHING]);
      await peal.publish("alerts");
      expect(kinds(peal.heard)).toEqual(["message", "message", "outbox"]);
      await peal.store.devices.unsubscribe(device.id, refOf(topic));
      await peal.store.devices.subscribe(device.id, refOf(quiet));
      peal.heard.length = 0;
      await peal.publish("alerts");
      expect(kinds(peal.heard)).toEqual(["message"]);
    });

    test("is announced once for all messages that fire, and for all checks that alert, together", async () => {
      await using peal = await subscribers(open);
      const topics = [await peal.topic("a"), await peal.topic("b"), await peal.topic("quiet")];
      await peal.device("t", topics.slice(0, 2));
      for (const { name } of topics)
        for (const deliverAt of [1, 2])
          await peal.store.messages.publish({ namespaceId: peal.home.id, to: { name }, draft: draft(), deliverAt });
      peal.heard.length = 0;
      await peal.store.scheduled.fire(5, 10);
      expect(kinds(peal.heard)).toEqual([...range(1, 6).map(() => "message" as const), "outbox"]);

      for (const name of ["a", "b"])
        await peal.store.checks.create({
          ...{ namespaceId: peal.home.id, topic: { name }, id: name, tokenHash: name, badgeToken: name },
          ...{ standing: standing({ deadlineAt: 10 }, name), dueAt: 10 },
        });
      peal.heard.length = 0;
      await peal.store.checks.tick(50, turn(50), { limit: 10, budgetMs: 1_000 });
      expect(kinds(peal.heard).toSorted()).toEqual(["message", "message", "outbox"]);
      expect((await peal.store.deliveries.expand(plan, 100)).made).toBe(6);
    });

    test("makes one delivery for each subscribed device, in slices of any size, across a restart", async () => {
      await using peal = await subscribers(open);
      const topic = await peal.topic();
      const devices = [];
      for (const n of range(1, 7)) devices.push((await peal.device(`t${n}`, [topic])).device);
      const { message } = await peal.publish("alerts", { priority: "urgent" });
      devices.push((await peal.device("late", [topic])).device);
      peal.clock.advance(5);
      const store = await peal.reopen();
      let made = 0;
      for (let hasMore = true; hasMore;) {
        const part = await store.deliveries.expand(plan, 2);
        expect(part.made).toBeLessThanOrEqual(2);
        made += part.made;
        hasMore = part.hasMore;
      }
      expect(made).toBe(7);
      const { deliveries, counts } = await store.deliveries.ofMessage(message.seq, { limit: 10 });
      const now = peal.clock.now();
      expect(deliveries[0]).toEqual({
        ...{ row: deliveries[0]?.row ?? 0, state: "pending", lane: LANE, attempts: 0 },
        ...{ createdAt: now, dueAt: now, expiresAt: message.createdAt + HOUR },
        device: { row: devices[0]?.row, id: devices[0]?.id, platform: "ios" },
      } as (typeof deliveries)[number]);
      expect(deliveries.map(({ device }) => device?.id)).toEqual(devices.slice(0, 7).map(({ id }) => id));
      expect(counts).toEqual({ pending: 7, accepted: 0, failed: 0, expired: 0, cancelled: 0 });
      expect(await store.deliveries.expand(plan, 10)).toEqual(NOTHING);
    });

    test("goes from the oldest message to the newest, with the message, its topic and the device", async () => {
      await using peal = await subscribers(open);
      const [a, b] = [await peal.topic("a"), await peal.topic("b")];
      const { device } = await peal.device("t", [a, b]);
      const { device: android } = await peal.device("t", [b], { platform: "android" });
      const messages = [];
      for (const name of ["b", "a", "b"]) messages.push((await peal.publish(name)).message);
      const asked: unknown[] = [];
      const noted: Plan = (to) => {
        asked.push([to.message, to.topic.name, to.device]);
        return plan(to);
      };
      const { made, lanes } = await peal.store.deliveries.expand(noted, 100);
      expect([made, lanes.toSorted()]).toEqual([5, [LANE, "fcm"]]);
      const [first, second, third] = messages;
      expect(asked).toEqual([
        [first, "b", device],
        [first, "b", android],
        [second, "a", device],
        [third, "b", device],
        [third, "b", android],
      ]);
    });

    test("goes by the subscriptions at the time of the fan-out too: not to devices that left, or left and returned", async () => {
      await using peal = await subscribers(open);
      const topic = await peal.topic();
      const [gone, back, stays] = [
        (await peal.device("gone", [topic])).device,
        (await peal.device("back", [topic])).device,
        (await peal.device("stays", [topic])).device,
      ];
      await peal.publish("alerts");
      for (const { id } of [gone, back]) await peal.store.devices.unsubscribe(id, refOf(topic));
      await peal.store.devices.subscribe(back.id, refOf(topic));
      await peal.expand();
      const waiting = await Promise.all([gone, back, stays].map(peal.waiting));
      expect(waiting.map(({ length }) => length)).toEqual([0, 0, 1]);
    });

    test("of a deleted message or topic makes nothing, and stops no other", async () => {
      await using peal = await subscribers(open);
      const [topic, gone] = [await peal.topic(), await peal.topic("gone")];
      const { device } = await peal.device("t", [topic, gone]);
      for (const message of ["kept", "deleted"]) await peal.publish("alerts", { message });
      await peal.publish("gone");
      await peal.publish("alerts", { message: "last" });
      await peal.store.messages.remove(topic.id, 2);
      await peal.store.topics.remove(gone.id);
      await peal.expand();
      expect(await peal.texts(device)).toEqual(["last", "kept"]);
    });

    test("leaves out a device that cannot be planned for, and reports it", async () => {
      await using peal = await subscribers(open);
      const topic = await peal.topic();
      const { device } = await peal.device("a", [topic]);
      const { device: broken } = await peal.device("b", [topic]);
      await peal.publish("alerts");
      const error = new Error("no plan");
      const failing: Plan = (to) => {
        if (to.device.token === "b") throw error;
        return plan(to);
      };
      expect(await peal.store.deliveries.expand(failing, 10)).toEqual({
        ...{ made: 1, lanes: [LANE], hasMore: false },
        unreadable: [{ device: broken.row, error }],
      });
      expect([(await peal.waiting(device)).length, (await peal.waiting(broken)).length]).toEqual([1, 0]);
      expect(await peal.store.deliveries.expand(plan, 10)).toEqual(NOTHING);
    });
  });
};
