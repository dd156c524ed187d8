/** Publishing: ids, order, announcements, topics by name and by key. */
import { describe, expect, test } from "bun:test";
import { draftOf } from "../../../src/messages/message.ts";
import { StoreUnavailable, type Committed } from "../../../src/store/store.ts";
import { newTopicKey } from "../../../src/names/topic.ts";
import { bench, draft, ids, range, topicNamed, type OpenEngine } from "./engine.ts";

const messagesOf = (events: readonly Committed[]) => events.flatMap((event) => (event.kind === "message" ? event : []));

export const publishing = (open: OpenEngine) => {
  describe("publishing", () => {
    test("64 simultaneous publishers get ids without a gap, announced in order and before they are answered", async () => {
      await using peal = await bench(open);
      const answered: number[] = [];
      const publisher = async (_: unknown, writer: number) => {
        for (let n = 0; n < 10; n++) {
          const { message } = await peal.publish(`topic-${writer % 5}`);
          expect(messagesOf(peal.heard).some((event) => event.message.seq === message.seq)).toBe(true);
          answered.push(message.seq);
        }
      };
      await Promise.all(Array.from({ length: 64 }, publisher));

      const heard = messagesOf(peal.heard);
      const seqs = heard.map(({ message }) => message.seq);
      expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
      expect(answered).toEqual(seqs);
      const topics = await peal.store.topics.list(peal.home.id, { archived: false, limit: 10 });
      expect(topics.map(({ lastId }) => lastId).reduce((sum, n) => sum + n)).toBe(640);
      for (const topic of topics) {
        const all = range(1, topic.lastId);
        expect(ids(heard.filter((event) => event.topic.id === topic.id).map(({ message }) => message))).toEqual(all);
        expect(ids((await peal.store.messages.page(topic.id, { since: 0, limit: 200 })).messages)).toEqual(all);
      }
      const stream = await peal.store.messages.pageNamespace(peal.home.id, 0, 1_000);
      expect(stream.map(({ message }) => message.seq)).toEqual(seqs);
    });

    test("one that cannot be stored affects no others", async () => {
      await using peal = await bench(open);
      const results = await Promise.allSettled(
        range(1, 9).map(async (n) =>
          peal.publish("backups", n === 5 ? { level: null as never } : { message: String(n) }),
        ),
      );
      const reasons = results.map((result) => (result.status === "rejected" ? (result.reason as unknown) : undefined));
      expect(reasons.map((reason) => reason !== undefined)).toEqual(range(1, 9).map((n) => n === 5));
      expect(reasons[4]).not.toBeInstanceOf(StoreUnavailable);
      const { messages } = await peal.store.messages.page((await peal.publish("backups")).topic.id, {
        since: 0,
        limit: 20,
      });
      expect(ids(messages)).toEqual(range(1, 9));
      expect(messages.map((message) => draftOf(message).message)).toEqual([
        ...["1", "2", "3", "4", "6", "7", "8", "9"],
        "hello",
      ]);
    });

    test("the first message makes the topic, once, however many come first at the same time", async () => {
      await using peal = await bench(open);
      const published = await Promise.all(
        range(1, 20).map(async () =>
          peal.store.messages.publish({ namespaceId: peal.home.id, to: { name: "new" }, draft: draft() }),
        ),
      );
      expect(published.map((one) => one.kind === "stored" && one.createdTopic)).toEqual(
        range(1, 20).map((n) => n === 1),
      );
    });

    test("the answer contains what the history, the stream and the announcement contain", async () => {
      await using peal = await bench(open);
      const sent = draft({
        title: "T",
        tags: ["a"],
        dedup_key: "k",
        level: "error",
        priority: "urgent",
        data: { n: 1 },
      });
      const { topic, message } = await peal.publish("backups", sent);
      expect(message).toEqual({
        id: 1,
        seq: message.seq,
        createdAt: peal.clock.now(),
        level: "error",
        priority: "urgent",
        json: JSON.stringify(sent),
      });
      expect(await peal.store.messages.find(topic.id, 1)).toEqual(message);
      expect(await peal.store.messages.pageNamespace(peal.home.id, 0, 5)).toEqual([
        { topic: { ...topic, lastId: 1 }, message },
      ]);
      expect(messagesOf(peal.heard)).toEqual([{ kind: "message", topic, message, source: sent.source }]);
      expect(await topicNamed(peal.store, peal.home, "backups")).toEqual({ ...topic, lastId: 1 });
      expect(topic).toMatchObject({ lastAt: peal.clock.now(), createdAt: peal.clock.now(), prunedTo: 0 });
    });

    test("a topic's key works as a key and as a name, in its own namespace only", async () => {
      await using peal = await bench(open);
      const { topic } = await peal.publish("backups");
      const other = await peal.store.namespaces.create("other");
      if (other === "name_taken") throw new Error(other);
      const to = async (namespaceId: typeof other.id, where: { name: string } | { key: string }) =>
        peal.store.messages.publish({ namespaceId, to: where, draft: draft() });
      expect(await to(peal.home.id, { key: topic.key })).toMatchObject({ kind: "stored", message: { id: 2 } });
      expect(await to(peal.home.id, { name: topic.key })).toMatchObject({ kind: "stored", message: { id: 3 } });
      expect(await to(other.id, { key: topic.key })).toEqual({ kind: "unknown_topic" });
      expect(await to(other.id, { name: topic.key })).toEqual({ kind: "unknown_topic" });
      expect(await to(peal.home.id, { name: newTopicKey("backups") })).toEqual({ kind: "unknown_topic" });
      expect(await peal.store.topics.list(other.id, { archived: false, limit: 5 })).toEqual([]);
    });

    test("a namespace has a limit of topics, and space again after one is deleted", async () => {
      await using peal = await bench(open, { topicsPerNamespace: 2 });
      const { topic } = await peal.publish("one");
      await peal.publish("two");
      const third = { namespaceId: peal.home.id, to: { name: "three" }, draft: draft() };
      expect(await peal.store.messages.publish(third)).toEqual({ kind: "too_many_topics" });
      expect(await peal.store.topics.create(peal.home.id, { name: "three" })).toBe("too_many_topics");
      expect(await peal.publish("two")).toMatchObject({ message: { id: 2 } });
      await peal.store.topics.remove(topic.id);
      expect(await peal.store.messages.publish(third)).toMatchObject({ kind: "stored" });
    });

    test("an archived topic is restored", async () => {
      await using peal = await bench(open);
      const { topic } = await peal.publish("backups");
      await peal.store.topics.patch(topic.id, { archived: true });
      expect((await peal.publish("backups")).topic.archivedAt).toBeUndefined();
    });

    test("a topic's times do not decrease with a small step of the clock", async () => {
      await using peal = await bench(open);
      const { message } = await peal.publish("backups");
      peal.clock.jump(-59_000);
      expect((await peal.publish("backups")).message.createdAt).toBe(message.createdAt);
      peal.clock.jump(59_001);
      expect((await peal.publish("backups")).message.createdAt).toBe(message.createdAt + 1);
    });

    test("a clock that was years ahead is believed again once it is corrected", async () => {
      await using peal = await bench(open);
      const { message } = await peal.publish("backups");
      const years = 10 * 365 * 86_400_000;
      peal.clock.jump(years);
      expect((await peal.publish("backups")).message.createdAt).toBe(message.createdAt + years);
      peal.clock.jump(-years);
      expect((await peal.publish("backups")).message.createdAt).toBe(message.createdAt);
    });

    test("no id and no seq is used twice, even when the newest message was deleted and the store was closed", async () => {
      await using peal = await bench(open);
      const { topic, message } = await peal.publish("backups");
      expect(await peal.store.messages.remove(topic.id, message.id)).toBe(true);
      expect(await peal.store.messages.remove(topic.id, message.id)).toBe(false);
      const store = await peal.reopen();
      const again = await store.messages.publish({ namespaceId: peal.home.id, to: { key: topic.key }, draft: draft() });
      if (again.kind !== "stored") throw new Error(again.kind);
      expect(again.message.id).toBe(2);
      expect(again.message.seq).toBeGreaterThan(message.seq);
      expect(ids((await store.messages.page(topic.id, { limit: 5 })).messages)).toEqual([2]);
      expect(await store.messages.lastSeq()).toBe(again.message.seq);
    });

    test("a commit is measured with its jobs, and a probe counts as one", async () => {
      await using peal = await bench(open);
      let jobs = 0;
      peal.store.onCommit((commit) => (jobs += commit.jobs));
      await Promise.all([peal.publish("a"), peal.publish("b"), peal.store.probe()]);
      expect(jobs).toBe(3);
    });
  });
};
