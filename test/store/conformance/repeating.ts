/** Idempotency keys: a repeat gets the first answer and stores nothing. */
import { describe, expect, test } from "bun:test";
import { heldClock } from "../../support/clock.ts";
import { bench, draft, ids, repeatable, type OpenEngine } from "./engine.ts";

const DAY_MS = 24 * 3_600_000;

export const repeating = (open: OpenEngine) => {
  describe("an idempotency key", () => {
    test("gives the first answer again, immediately, later and after a restart", async () => {
      await using peal = await bench(open);
      const publication = repeatable(peal.home, "k", "h");
      const [first, same] = await Promise.all([
        peal.store.messages.publish(publication),
        peal.store.messages.publish(publication),
      ]);
      expect(first).toMatchObject({ kind: "stored", replayed: false, createdTopic: true, message: { id: 1 } });
      expect(same).toEqual({ ...first, replayed: true } as typeof same);
      await peal.publish("backups");
      peal.clock.advance(DAY_MS - 1);
      const heard = peal.heard.length;
      const store = await peal.reopen();
      const last = await store.messages.publish(publication);
      expect(last).toMatchObject({ kind: "stored", replayed: true, createdTopic: true });
      if (first.kind !== "stored" || last.kind !== "stored") throw new Error(last.kind);
      expect(last.message).toEqual(first.message);
      expect(ids((await store.messages.page(last.topic.id, { limit: 5 })).messages)).toEqual([2, 1]);
      expect(peal.heard.length).toBe(heard);
    });

    test("refuses another request, in the same namespace only", async () => {
      await using peal = await bench(open);
      await peal.store.messages.publish(repeatable(peal.home, "k", "h"));
      expect(await peal.store.messages.publish(repeatable(peal.home, "k", "other"))).toEqual({
        kind: "idempotency_mismatch",
      });
      const other = await peal.store.namespaces.create("other");
      if (other === "name_taken") throw new Error(other);
      expect(await peal.store.messages.publish(repeatable(other, "k", "other"))).toMatchObject({
        kind: "stored",
        replayed: false,
      });
    });

    test("is forgotten after a day, and a new request may use it", async () => {
      await using peal = await bench(open);
      await peal.store.messages.publish(repeatable(peal.home, "k", "h"));
      peal.clock.advance(DAY_MS);
      const second = repeatable(peal.home, "k", "other");
      expect(await peal.store.messages.publish(second)).toMatchObject({ replayed: false, message: { id: 2 } });
      expect(await peal.store.messages.publish(second)).toMatchObject({ replayed: true, message: { id: 2 } });
    });

    test("stores nothing when its topic has been deleted since", async () => {
      await using peal = await bench(open);
      const first = await peal.store.messages.publish(repeatable(peal.home, "k", "h"));
      if (first.kind !== "stored") throw new Error(first.kind);
      await peal.store.topics.remove(first.topic.id);
      const second = await peal.store.messages.publish(repeatable(peal.home, "k", "h"));
      expect(second).toEqual({ kind: "unknown_topic" });
      expect(await peal.store.topics.list(peal.home.id, { archived: false, limit: 1 })).toEqual([]);
    });

    test("is not used up by a request that was refused", async () => {
      await using peal = await bench(open, { topicsPerNamespace: 1 });
      const { topic } = await peal.publish("taken");
      const publication = repeatable(peal.home, "k", "h");
      expect(await peal.store.messages.publish(publication)).toEqual({ kind: "too_many_topics" });
      await peal.store.topics.remove(topic.id);
      expect(await peal.store.messages.publish(publication)).toMatchObject({ kind: "stored", replayed: false });
    });

    test("of a scheduled message gives its id and times again", async () => {
      const clock = heldClock();
      const now = () => {
        clock.jump(1); // time passes within a publish, too
        return clock.now();
      };
      await using peal = await bench(open, {}, { ...clock, now });
      const later = { ...repeatable(peal.home, "k", "h"), draft: draft(), deliverAt: peal.clock.now() + 60_000 };
      const first = await peal.store.messages.publish(later);
      peal.clock.advance(1_000);
      // the same request, `delay: 60`, now means another time
      const again = await peal.store.messages.publish({ ...later, deliverAt: peal.clock.now() + 60_000 });
      expect(first).toMatchObject({ kind: "scheduled", replayed: false, scheduled: { deliverAt: later.deliverAt } });
      expect(again).toEqual({ ...first, replayed: true } as typeof again);
      expect((await peal.store.scheduled.list(peal.home.id, { limit: 5 })).scheduled).toHaveLength(1);
    });
  });
};
