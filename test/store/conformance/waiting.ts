/** Delayed messages, and what the sweep deletes. */
import { describe, expect, test } from "bun:test";
import { draftOf } from "../../../src/messages/message.ts";
import type { Place } from "../../../src/store/scheduled.ts";
import { bench, draft, ids, range, repeatable, topicNamed, type Bench, type OpenEngine } from "./engine.ts";

const DAY_MS = 24 * 3_600_000;

const schedule = async (peal: Bench, name: string, deliverAt: number, message = `${name} ${deliverAt}`) => {
  const published = await peal.store.messages.publish({
    namespaceId: peal.home.id,
    to: { name },
    draft: draft({ message }),
    deliverAt,
  });
  if (published.kind !== "scheduled") throw new Error(published.kind);
  return published;
};

export const waiting = (open: OpenEngine) => {
  describe("a scheduled message", () => {
    test("makes its topic now, has no id yet, is announced and listed by time", async () => {
      await using peal = await bench(open);
      const now = peal.clock.now();
      const late = await schedule(peal, "backups", now + 20);
      const early = await schedule(peal, "backups", now + 10);
      expect([late.createdTopic, early.createdTopic]).toEqual([true, false]);
      expect(late.scheduled).toMatchObject({ deliverAt: now + 20, createdAt: now, draft: { source: "schedule" } });
      expect(peal.heard).toEqual([
        { kind: "scheduled", deliverAt: now + 20 },
        { kind: "scheduled", deliverAt: now + 10 },
      ]);
      expect(await peal.store.messages.page(late.topic.id, { limit: 5 })).toMatchObject({ messages: [], lastId: 0 });
      const store = await peal.reopen();
      expect(await store.scheduled.list(peal.home.id, { limit: 5 })).toEqual({
        scheduled: [early.scheduled, late.scheduled],
      });
      expect(await store.scheduled.nextAt()).toBe(now + 10);
    });

    test("gets its id when it is sent, in the order of their times, once", async () => {
      await using peal = await bench(open);
      const now = peal.clock.now();
      for (const [name, at] of [
        ["b", 3],
        ["a", 1],
        ["b", 2],
        ["a", 9],
        ["a", 2],
      ] as const)
        // prettier-ignore
        await schedule(peal, name, now + at);
      await peal.publish("b", { message: "before" });
      peal.clock.advance(5);
      peal.heard.length = 0;
      expect(await peal.store.scheduled.fire(peal.clock.now(), 3)).toBe(3);
      expect(await peal.store.scheduled.fire(peal.clock.now(), 3)).toBe(1);
      expect(await peal.store.scheduled.fire(peal.clock.now(), 3)).toBe(0);
      const fired = peal.heard.flatMap((event) => (event.kind === "message" ? event : []));
      expect(fired.map(({ topic, message }) => `${topic.name} ${message.id} ${draftOf(message).message}`)).toEqual([
        `a 1 a ${now + 1}`,
        `b 2 b ${now + 2}`,
        `a 2 a ${now + 2}`,
        `b 3 b ${now + 3}`,
      ]);
      expect(fired.map(({ message }) => message.createdAt)).toEqual(range(1, 4).map(() => peal.clock.now()));
      const [first] = fired;
      expect(first && draftOf(first.message)).toEqual(draft({ message: `a ${now + 1}`, source: "schedule" }));
      expect(await peal.store.scheduled.nextAt()).toBe(now + 9);
    });

    test("is cancelled in its own namespace only, and not after it was sent", async () => {
      await using peal = await bench(open);
      const other = await peal.store.namespaces.create("other");
      if (other === "name_taken") throw new Error(other);
      const { scheduled } = await schedule(peal, "backups", 5);
      expect(await peal.store.scheduled.cancel(other.id, scheduled.id)).toBe(false);
      expect(await peal.store.scheduled.cancel(peal.home.id, scheduled.id)).toBe(true);
      expect(await peal.store.scheduled.cancel(peal.home.id, scheduled.id)).toBe(false);
      expect(await peal.store.scheduled.nextAt()).toBeUndefined();
      const fired = await schedule(peal, "backups", 5);
      await peal.store.scheduled.fire(5, 5);
      expect(await peal.store.scheduled.cancel(peal.home.id, fired.scheduled.id)).toBe(false);
    });

    test("is listed page by page, even when messages of the same time are on two pages, or the last one is cancelled", async () => {
      await using peal = await bench(open);
      const waiting: { id: string }[] = [];
      for (const at of [7, 5, 5, 5, 6]) waiting.push((await schedule(peal, "backups", at)).scheduled);
      const order = [1, 2, 3, 4, 0].map((index) => waiting[index]?.id);
      const seen = [];
      let after: Place | undefined;
      do {
        const page = await peal.store.scheduled.list(peal.home.id, { limit: 2, ...(after !== undefined && { after }) });
        seen.push(...page.scheduled.map(({ id }) => id));
        await peal.store.scheduled.cancel(peal.home.id, seen.at(-1) ?? "");
        after = page.next;
      } while (after !== undefined);
      expect(seen).toEqual(order as string[]);
    });

    test("is found by its id, in its own namespace only", async () => {
      await using peal = await bench(open);
      const other = await peal.store.namespaces.create("other");
      if (other === "name_taken") throw new Error(other);
      const { scheduled } = await schedule(peal, "backups", 5);
      expect(await peal.store.scheduled.find(peal.home.id, scheduled.id)).toEqual(scheduled);
      expect(await peal.store.scheduled.find(other.id, scheduled.id)).toBeUndefined();
      await peal.store.scheduled.fire(5, 5);
      expect(await peal.store.scheduled.find(peal.home.id, scheduled.id)).toBeUndefined();
    });

    test("is deleted with its topic: hidden at once, its row removed by the sweep", async () => {
      await using peal = await bench(open);
      const { topic, scheduled } = await schedule(peal, "backups", 5);
      for (let n = 0; n < 250; n++) void schedule(peal, "backups", 5);
      await schedule(peal, "kept", 5);
      await peal.store.topics.remove(topic.id);
      const { home, store } = peal;
      expect((await store.scheduled.list(home.id, { limit: 5 })).scheduled.map((one) => one.topic.name)).toEqual([
        "kept",
      ]);
      expect(await store.scheduled.find(home.id, scheduled.id)).toBeUndefined();
      expect(await store.scheduled.cancel(home.id, scheduled.id)).toBe(false);
      expect(await store.sweep({ days: 0, messages: 0 }, 1_000)).toBe(false);
      expect(await store.scheduled.nextAt()).toBe(5);
      expect(await store.scheduled.fire(5, 5)).toBe(1);
      expect(await store.scheduled.nextAt()).toBeUndefined();
    });

    test("of a deleted topic is never sent, even before the sweep", async () => {
      await using peal = await bench(open);
      const { topic } = await schedule(peal, "backups", 5);
      await peal.store.topics.remove(topic.id);
      peal.heard.length = 0;
      expect(await peal.store.scheduled.fire(5, 5)).toBe(0);
      expect(peal.heard).toEqual([]);
      expect(await peal.store.scheduled.nextAt()).toBeUndefined();
    });

    test("over the limit of its namespace is refused and makes no topic, until one is gone; a repeat is answered", async () => {
      await using peal = await bench(open, { scheduledPerNamespace: 2 });
      const { home, store } = peal;
      const other = await store.namespaces.create("other");
      if (other === "name_taken") throw new Error(other);
      const repeated = { ...repeatable(home, "key", "hash"), deliverAt: 5 };
      expect(await store.messages.publish(repeated)).toMatchObject({ kind: "scheduled", replayed: false });
      const { scheduled } = await schedule(peal, "backups", 5);
      const over = { namespaceId: home.id, to: { name: "new" }, draft: draft(), deliverAt: 5 };
      expect(await store.messages.publish(over)).toEqual({ kind: "too_many_scheduled" });
      expect(await topicNamed(store, home, "new")).toBeUndefined();
      expect(await store.messages.publish(repeated)).toMatchObject({ kind: "scheduled", replayed: true });
      expect(await store.messages.publish({ ...over, namespaceId: other.id })).toMatchObject({ kind: "scheduled" });
      expect((await peal.publish("backups")).message.id).toBe(1);
      await store.scheduled.cancel(home.id, scheduled.id);
      expect(await store.messages.publish(over)).toMatchObject({ kind: "scheduled" });
    });

    test("with an unknown topic key is refused", async () => {
      await using peal = await bench(open);
      const to = { key: "none-00000000000000000000000000" };
      expect(
        await peal.store.messages.publish({ namespaceId: peal.home.id, to, draft: draft(), deliverAt: 5 }),
      ).toEqual({ kind: "unknown_topic" });
    });
  });

  describe("the sweep", () => {
    // prettier-ignore
    const cases: [string, { days: number; messages: number }, { retentionDays?: number; retentionMessages?: number }, number[]][] = [
      // promise                    server                      topic                                            kept
      ["no limit, nothing taken",   { days: 0, messages: 0 },   {},                                              range(1, 9)],
      ["the newest of a number",    { days: 0, messages: 4 },   {},                                              range(6, 9)],
      ["those of the last days",    { days: 3, messages: 0 },   {},                                              range(6, 9)],
      ["whichever is less: number", { days: 3, messages: 2 },   {},                                              range(8, 9)],
      ["whichever is less: days",   { days: 2, messages: 8 },   {},                                              range(7, 9)],
      ["the topic's own number",    { days: 0, messages: 2 },   { retentionMessages: 6 },                        range(4, 9)],
      ["the topic's own days",      { days: 1, messages: 0 },   { retentionDays: 5 },                            range(4, 9)],
      ["the topic's own: no limit", { days: 1, messages: 1 },   { retentionDays: 0, retentionMessages: 0 },      range(1, 9)],
    ];
    test.each(cases)("keeps %s", async (_, server, own, kept) => {
      await using peal = await bench(open);
      const topic = await peal.store.topics.create(peal.home.id, { name: "backups", ...own });
      if (typeof topic === "string") throw new Error(topic);
      for (let day = 1; day <= 9; day++) {
        await peal.publish("backups");
        if (day < 9) peal.clock.advance(DAY_MS);
      }
      expect(await peal.store.sweep(server, 1_000)).toBe(false);
      const { messages, truncated } = await peal.store.messages.page(topic.id, { since: 0, limit: 20 });
      expect(ids(messages)).toEqual(kept);
      expect(truncated).toBe(kept.length < 9);
      expect((await peal.publish("backups")).message.id).toBe(10);
    });

    test("deletes all messages of a topic that are old enough, and its ids continue", async () => {
      await using peal = await bench(open);
      const topic = await peal.fill("backups", 3);
      peal.clock.advance(DAY_MS + 1);
      await peal.store.sweep({ days: 1, messages: 0 }, 1_000);
      expect(await peal.store.messages.page(topic.id, { since: 0, limit: 5 })).toMatchObject({
        messages: [],
        lastId: 3,
        truncated: true,
      });
      expect((await peal.publish("backups")).message.id).toBe(4);
    });

    test("works through many topics and rows, and stops when its time is up", async () => {
      await using peal = await bench(open);
      const topics = await Promise.all(range(1, 150).map(async (n) => peal.fill(`topic-${n}`, 3)));
      const big = await peal.fill("big", 1_500);
      expect(await peal.store.sweep({ days: 0, messages: 1 }, 0)).toBe(true);
      while (await peal.store.sweep({ days: 0, messages: 1 }, 0));
      for (const topic of [...topics, big]) {
        const { messages } = await peal.store.messages.page(topic.id, { since: 0, limit: 5 });
        expect(ids(messages)).toEqual([topic.id === big.id ? 1_500 : 3]);
      }
    });

    test("deletes idempotency keys from the day before, and no younger ones", async () => {
      await using peal = await bench(open);
      const old = repeatable(peal.home, "old", "h");
      const young = repeatable(peal.home, "young", "h");
      await peal.store.messages.publish(old);
      peal.clock.advance(DAY_MS);
      await peal.store.messages.publish(young);
      expect(await peal.store.sweep({ days: 0, messages: 0 }, 1_000)).toBe(false);
      expect(await peal.store.messages.publish(young)).toMatchObject({ replayed: true });
      expect(await peal.store.messages.publish(old)).toMatchObject({ replayed: false });
    });
  });
};
