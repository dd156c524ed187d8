/** What is wrong and what came last, in several namespaces; messages that were deleted in a page and are taken back. */
import { describe, expect, test } from "bun:test";
import { bench, type OpenEngine } from "./engine.ts";
import { HOUR, subscribers } from "./subscribing.ts";
import { incident, standing, watch } from "./watching.ts";

export const overview = (open: OpenEngine) => {
  describe("the overview", () => {
    test("has the newest messages of the namespaces that are asked for, none of a deleted topic", async () => {
      await using peal = await bench(open);
      const { store, home } = peal;
      const lab = await store.namespaces.create("lab");
      if (lab === "name_taken") throw new Error(lab);
      await peal.fill("kept", 2);
      const gone = await peal.fill("gone", 60);
      await store.messages.publish({
        namespaceId: lab.id,
        to: { name: "lab" },
        draft: { message: "lab", level: "info", priority: "normal", format: "text", source: "api" },
      });
      await peal.publish("kept", { message: "newest" });
      await store.topics.remove(gone.id);
      const latest = async (...ids: (typeof home.id)[]) =>
        (await store.overview.latest(ids, 3)).map(
          ({ message }) => (JSON.parse(message.json) as { message: string }).message,
        );
      expect(await latest(home.id)).toEqual(["newest", "m2", "m1"]);
      expect(await latest(home.id, lab.id)).toEqual(["newest", "lab", "m2"]);
      expect(await latest()).toEqual([]);
    });

    test("counts what is down, and what failed lately, of the namespaces that are asked for", async () => {
      await using peal = await watch(open);
      const { store, home } = peal;
      await peal.check("fine");
      await peal.check("b", { standing: { ...standing({}, "b"), state: "down", incident: incident(1, 0) } });
      await peal.check("a", { standing: { ...standing({}, "a"), state: "down", incident: incident(1, 0) } });
      expect(await store.overview.trouble([home.id], 0)).toEqual({ down: 2, failed: 0 });
      expect(await store.overview.trouble([], 0)).toEqual({ down: 0, failed: 0 });
      expect((await store.overview.down([home.id], 10)).map(({ standing: { settings } }) => settings.name)).toEqual([
        "a",
        "b",
      ]);
      expect(await store.overview.checks([home.id])).toMatchObject({ down: 2 });
    });

    test("tells the latest failure of each device, with what its push service said", async () => {
      await using peal = await subscribers(open);
      const { store, home, clock } = peal;
      const topic = await peal.topic();
      const { device } = await peal.device("t", [topic], { name: "Desk" });
      const began = clock.now();
      for (const message of ["first", "second"]) {
        await peal.publish(topic.name, { message });
        await peal.expand();
        await peal.settle(device, { kind: "failed", status: 400, reason: "BadDeviceToken" });
      }
      const failures = async (since: number) => store.overview.failures([home.id], since, 5);
      expect(await failures(began)).toMatchObject([
        { device: { name: "Desk" }, message: { id: 2 }, topic: { id: topic.id }, reason: "BadDeviceToken" },
      ]);
      expect((await store.overview.trouble([home.id], began)).failed).toBe(2);
      clock.advance(HOUR);
      expect(await failures(clock.now())).toEqual([]);
      expect((await store.overview.trouble([home.id], clock.now())).failed).toBe(0);
      expect(await store.overview.hasDevice()).toBe(true);
    });

    test("has the urgent messages that ask for an answer, until they have one", async () => {
      await using peal = await bench(open);
      const { store, home, clock } = peal;
      await peal.publish("power", { priority: "urgent" });
      const { topic, message } = await peal.publish("power", { priority: "urgent", ack: true });
      const waiting = async (since = 0) =>
        (await store.overview.unanswered([home.id], since, 5)).map(({ message: { id } }) => id);
      expect(await waiting()).toEqual([message.id]);
      expect(await waiting(clock.now() + 1)).toEqual([]);
      await store.deliveries.acknowledge(topic.id, message);
      expect(await waiting()).toEqual([]);
    });
  });

  describe("a message that is discarded", () => {
    test("is gone at once, and comes back whole, also after a restart", async () => {
      await using peal = await bench(open);
      const { topic, message } = await peal.publish("power", { priority: "urgent", ack: true, dedup_key: "k" });
      await peal.store.deliveries.acknowledge(topic.id, message);
      const at = await peal.store.deliveries.acknowledgedAt(message.seq);
      expect(await peal.store.messages.discard(topic.id, message.id)).toBe(true);
      expect(await peal.store.messages.discard(topic.id, message.id)).toBe(false);
      expect(await peal.store.messages.find(topic.id, message.id)).toBeUndefined();
      const { messages, deliveries } = await peal.reopen();
      expect(await messages.restore(topic.id, message.id)).toBe(true);
      expect(await messages.find(topic.id, message.id)).toEqual(message);
      expect(await messages.alert(topic.id, "k", 1)).toEqual([message]);
      expect(await deliveries.acknowledgedAt(message.seq)).toBe(at);
      expect(await messages.restore(topic.id, message.id)).toBe(false);
      const { messages: page } = await messages.page(topic.id, { limit: 1 });
      expect(page.map(({ id }) => id)).toEqual([message.id]);
    });

    test("is not taken back later, nor when retention has passed it or its topic is gone", async () => {
      await using peal = await bench(open);
      const { store, clock } = peal;
      const late = await peal.publish("late");
      await store.messages.discard(late.topic.id, late.message.id);
      clock.advance(15_001);
      expect(await store.messages.restore(late.topic.id, late.message.id)).toBe(false);
      const pruned = await peal.fill("pruned", 3);
      await store.topics.patch(pruned.id, { retentionMessages: 1 });
      await store.messages.discard(pruned.id, 1);
      await store.sweep({ days: 0, messages: 0 }, 1_000);
      expect(await store.messages.restore(pruned.id, 1)).toBe(false);
      const gone = await peal.publish("gone");
      await store.messages.discard(gone.topic.id, 1);
      await store.topics.remove(gone.topic.id);
      expect(await store.messages.restore(gone.topic.id, 1)).toBe(false);
    });
  });
};
