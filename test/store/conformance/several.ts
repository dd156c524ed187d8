/** Several topics as one feed: its pages, and places in it. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { TopicId } from "../../../src/topics/topic.ts";
import { SEQUENCES } from "../../support/rounds.ts";
import { bench, type OpenEngine } from "./engine.ts";

const NAMES = ["a", "b", "c", "d"] as const;

const life = fc.record({
  published: fc.array(fc.constantFrom(...NAMES), { maxLength: 60 }),
  /** Positions in it, of messages that are deleted. */
  deleted: fc.array(fc.nat(60), { maxLength: 20 }),
  asked: fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1 }),
  limit: fc.integer({ min: 1, max: 10 }),
  seq: fc.nat(70),
});

export function several(open: OpenEngine): void {
  describe("several topics", () => {
    test("their pages are what each has, in commit order, after any place; deleted or not", async () => {
      await fc.assert(
        fc.asyncProperty(life, async ({ published, deleted, asked, limit, seq }) => {
          await using on = await bench(open);
          const { messages } = on.store;
          const ids = new Map<string, TopicId>();
          for (const name of NAMES) {
            const topic = await on.store.topics.create(on.home.id, { name });
            if (typeof topic !== "string") ids.set(name, topic.id);
          }
          const all: { name: string; id: number; seq: number; at: number }[] = [];
          for (const name of published) {
            const { message } = await on.publish(name);
            all.push({ name, id: message.id, seq: message.seq, at: message.createdAt });
          }
          const gone = new Set(deleted);
          for (const [n, { name, id }] of all.entries())
            if (gone.has(n)) await messages.remove(ids.get(name) ?? (0 as TopicId), id);
          const kept = all.filter((_, n) => !gone.has(n));
          const wanted = asked.flatMap((name) => ids.get(name) ?? []);
          const expected = kept.filter((one) => asked.some((name) => name === one.name) && one.seq > seq);

          const found: number[] = [];
          for (let after = seq; ;) {
            const page = await messages.pageTopics(wanted, after, limit);
            found.push(...page.map(({ message }) => message.seq));
            after = page.at(-1)?.message.seq ?? after;
            if (page.length < limit) break;
          }
          expect(found).toEqual(expected.map((one) => one.seq));

          const before = kept.filter((one) => asked.some((name) => name === one.name) && one.seq <= seq).at(-1);
          expect(await messages.nearestInTopics(wanted, seq)).toEqual(
            before && { id: before.seq, seq: before.seq, at: before.at },
          );
          for (const name of NAMES) {
            const topicId = ids.get(name) ?? (0 as TopicId);
            const upTo = await messages.idUpTo(topicId, seq);
            const later = kept.filter((one) => one.name === name && one.seq > seq).map(({ id }) => id);
            const earlier = kept.filter((one) => one.name === name && one.seq <= seq).map(({ id }) => id);
            expect(upTo).toBeLessThan(Math.min(Infinity, ...later));
            expect(upTo).toBeGreaterThanOrEqual(Math.max(0, ...earlier));
          }
        }),
        { numRuns: SEQUENCES },
      );
    });

    test("a topic that is gone has none", async () => {
      await using on = await bench(open);
      const { topic } = await on.publish("a");
      await on.publish("b");
      await on.store.topics.remove(topic.id);
      expect(await on.store.messages.pageTopics([topic.id], 0, 10)).toEqual([]);
      expect(await on.store.messages.idUpTo(topic.id, 10)).toBe(0);
    });
  });
}
