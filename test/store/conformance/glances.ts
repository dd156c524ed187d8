/** Summaries of topics, and muting: what the pages about topics are made from. */
import { describe, expect, test } from "bun:test";
import type { TopicId } from "../../../src/topics/topic.ts";
import { heldClock } from "../../support/clock.ts";
import { bench, range, type Bench, type OpenEngine } from "./engine.ts";
import { HOUR, LANE, subscribers } from "./subscribing.ts";

const NOON = Date.UTC(2026, 0, 15, 12);
const glance = async (peal: Bench, name: string) => {
  const found = await peal.store.glances.list(peal.home.id, { archived: false, limit: 100 });
  return found.find(({ topic }) => topic.name === name);
};
const counts = async (peal: Bench, name: string) => (await glance(peal, name))?.hours?.map(({ messages }) => messages);
/** Hours of a day, from those that are not empty. */
const day = (counted: Record<number, number>) => range(0, 23).map((hour) => counted[hour] ?? 0);

export const glances = (open: OpenEngine) => {
  describe("a topic's summary", () => {
    test("has its newest message, its subscribers, and the messages of each of the last 24 hours", async () => {
      await using peal = await subscribers(open, {}, heldClock(NOON));
      const empty = await peal.topic("empty");
      const busy = await peal.topic("busy");
      await peal.device("t", [busy]);
      expect(await glance(peal, "empty")).toEqual({ topic: empty, subscribers: 0 });
      await peal.publish("busy", { message: "long ago" });
      peal.clock.advance(20 * HOUR);
      await peal.publish("busy", { level: "error" });
      peal.clock.advance(HOUR);
      await peal.publish("busy");
      await peal.publish("busy", { level: "warning" });
      peal.clock.advance(4 * HOUR - 1);
      const { topic, message } = await peal.publish("busy", { message: "now" });
      const found = await glance(peal, "busy");
      expect(found).toMatchObject({ topic, subscribers: 1, last: message });
      expect(found?.hours?.map(({ messages }) => messages)).toEqual(day({ 19: 1, 20: 2, 23: 1 }));
      expect(found?.hours?.flatMap(({ hasError }, hour) => (hasError ? [hour] : []))).toEqual([19]);
      peal.clock.advance(24 * HOUR);
      expect(await counts(peal, "busy")).toEqual(day({ 0: 1 }));
      peal.clock.advance(1);
      expect(await counts(peal, "busy")).toBeUndefined();
    });

    test("of a busy topic is counted by ids, correctly even where retention and people have deleted messages", async () => {
      await using peal = await bench(open, {}, heldClock(NOON));
      for (const hour of range(1, 30)) {
        await peal.fill("busy", hour * 7);
        peal.clock.advance(HOUR);
      }
      await peal.publish("busy");
      const { topic, message } = await peal.publish("busy");
      const exact = [...range(7, 29).map((hour) => hour * 7), 30 * 7 + 2];
      const whole = await peal.store.glances.find(topic.id);
      expect(whole?.hours?.map(({ messages }) => messages)).toEqual(exact);
      const listed = (await counts(peal, "busy")) ?? [];
      const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);
      expect(sum(listed)).toBe(sum(exact));
      for (const [hour, count] of listed.entries())
        expect(Math.abs(count - (exact[hour] ?? 0))).toBeLessThan(sum(exact) / 50);
      await peal.store.messages.remove(topic.id, message.id);
      expect((await glance(peal, "busy"))?.last?.id).toBe(message.id - 1);
      await peal.store.topics.patch(topic.id, { retentionMessages: 300 });
      while (await peal.store.sweep({ days: 0, messages: 0 }, 1_000));
      expect((await counts(peal, "busy"))?.reduce((sum, one) => sum + one)).toBe(299);
    });

    test("is listed by name, filtered by words of name and description, archived ones separately, page by page", async () => {
      await using peal = await bench(open);
      for (const [name, description] of [
        ["nas", "The big one"],
        ["Nas.2", ""],
        ["ups", "beside the NAS"],
        ["oven", "In der KÜCHE"],
      ] as const)
        await peal.store.topics.create(peal.home.id, { name, ...(description !== "" && { description }) });
      const { topic } = await peal.publish("old-nas");
      await peal.store.topics.patch(topic.id, { archived: true });
      const names = async (options: object) =>
        (await peal.store.glances.list(peal.home.id, { archived: false, limit: 9, ...options })).map(
          ({ topic: { name } }) => name,
        );
      expect(await names({})).toEqual(["Nas.2", "nas", "oven", "ups"]);
      expect(await names({ text: "küche" })).toEqual(["oven"]);
      expect(await names({ text: "nas", limit: 2 })).toEqual(["Nas.2", "nas"]);
      expect(await names({ text: "NAS" })).toEqual(["Nas.2", "nas", "ups"]);
      expect(await names({ text: "%" })).toEqual([]);
      expect(await names({ limit: 1, after: "Nas.2" })).toEqual(["nas"]);
      expect(await names({ archived: true })).toEqual(["old-nas"]);
      expect(await peal.store.glances.list(topic.namespaceId, { archived: false, text: "big", limit: 9 })).toHaveLength(
        1,
      );
    });

    test("says what would be deleted with it", async () => {
      await using peal = await subscribers(open, {}, heldClock(NOON));
      const { id } = await peal.topic("alerts");
      expect(await peal.store.glances.extent(id)).toEqual({ messages: 0, subscribers: 0, checks: [] });
      const { topic } = await peal.publish("alerts");
      peal.clock.advance(5);
      await peal.publish("alerts");
      await peal.device("t", [topic]);
      expect(await peal.store.glances.extent(id)).toEqual({ messages: 2, since: NOON, subscribers: 1, checks: [] });
      expect((await peal.store.glances.extent(99 as TopicId)).messages).toBe(0);
    });
  });

  describe("the device that subscribed last", () => {
    test("is not a lost one, and not the one that was made last", async () => {
      await using peal = await subscribers(open, {}, heldClock(NOON));
      const { devices, deliveries } = peal.store;
      const topic = await peal.topic();
      expect(await devices.latestOf(topic.id)).toBeUndefined();
      await peal.device("old");
      const { device: young } = await peal.device("young", [topic]);
      peal.clock.advance(5);
      const { device: old } = await peal.device("old", [topic]);
      const latest = async () => devices.latestOf(topic.id);
      expect(await latest()).toMatchObject({ device: { id: old.id }, subscribedAt: NOON + 5 });
      await deliveries.settle([
        { rows: [], outcome: { kind: "failed", reason: "Unregistered" }, news: { device: old, lost: "Unregistered" } },
      ]);
      expect(await latest()).toMatchObject({ device: { id: young.id }, subscribedAt: NOON });
    });
  });

  describe("a muted namespace", () => {
    test("mutes every delivery of its topics, until it is unmuted", async () => {
      await using peal = await subscribers(open);
      const { device } = await peal.device("t", [await peal.topic()]);
      await peal.publish("alerts");
      await peal.expand();
      const until = async (store = peal.store) =>
        (await store.deliveries.ofDevice(device.row, LANE, 9)).map((one) => one.namespaceMutedUntil);
      expect(await until()).toEqual([undefined]);
      expect(await peal.store.namespaces.mute(peal.home.id, 7)).toEqual({ ...peal.home, mutedUntil: 7 });
      expect(await until()).toEqual([7]);
      const reopened = await peal.reopen();
      expect(await reopened.namespaces.byName("home")).toEqual({ ...peal.home, mutedUntil: 7 });
      expect(await until(reopened)).toEqual([7]);
      expect(await reopened.namespaces.mute(peal.home.id, null)).toEqual(peal.home);
      expect(await until(reopened)).toEqual([undefined]);
      expect(await reopened.namespaces.list()).toEqual([peal.home]);
    });

    test("stays muted longer than the others if set so, until all are unmuted", async () => {
      await using peal = await bench(open);
      const { namespaces } = peal.store;
      const [lab, gone] = [await namespaces.create("lab"), await namespaces.create("gone")];
      if (lab === "name_taken" || gone === "name_taken") throw new Error("taken");
      await namespaces.mute(lab.id, 9);
      await namespaces.remove(gone.id);
      const mutes = async () => (await namespaces.list()).map(({ name, mutedUntil }) => [name, mutedUntil]);
      await namespaces.muteAll(7);
      const expected = [
        ["home", 7],
        ["lab", 9],
      ];
      expect(await mutes()).toEqual(expected);
      const { namespaces: again } = await peal.reopen();
      expect((await again.list()).map(({ name, mutedUntil }) => [name, mutedUntil])).toEqual(expected);
      await again.muteAll(null);
      expect(await again.list()).toEqual([peal.home, lab]);
    });
  });
};
