/** Topics: making, changing, rotating, deleting. */
import { describe, expect, test } from "bun:test";
import { isTopicKey } from "../../../src/names/topic.ts";
import { bench, draft, ids, range, topicNamed, type OpenEngine } from "./engine.ts";

export const topics = (open: OpenEngine) => {
  describe("a topic", () => {
    test("is made once by name, repeatedly by prefix, and without either", async () => {
      await using peal = await bench(open);
      const make = async (spec: { name?: string; prefix?: string }) => {
        const made = await peal.store.topics.create(peal.home.id, spec);
        return typeof made === "string" ? made : made.name;
      };
      expect(await make({ name: "backups" })).toBe("backups");
      expect(await make({ name: "backups" })).toBe("name_taken");
      expect(await make({ prefix: "disk" })).toBe("disk");
      expect(await make({ prefix: "disk" })).toMatch(/^disk-[0-9a-hjkmnp-tv-z]{4}$/);
      expect(await make({ prefix: "x".repeat(64) })).toBe("x".repeat(64));
      expect(await make({ prefix: "x".repeat(64) })).toMatch(/^x{59}-[0-9a-hjkmnp-tv-z]{4}$/);
      expect(await make({})).toMatch(/^topic-[0-9a-hjkmnp-tv-z]{4}$/);
    });

    test("keeps what it was made with and is found by name, by key, and by key in any namespace", async () => {
      await using peal = await bench(open);
      const spec = { name: "Disk.1", description: "of the NAS", retentionDays: 7, retentionMessages: 0 };
      const made = await peal.store.topics.create(peal.home.id, spec);
      if (typeof made === "string") throw new Error(made);
      const { id, key } = made;
      expect(made).toEqual({
        ...spec,
        id,
        key,
        namespaceId: peal.home.id,
        namespace: "home",
        lastId: 0,
        prunedTo: 0,
        createdAt: peal.clock.now(),
      });
      expect(isTopicKey(key)).toBe(true);
      const store = await peal.reopen();
      expect(await topicNamed(store, peal.home, "Disk.1")).toEqual(made);
      expect(await topicNamed(store, peal.home, "disk.1")).toBeUndefined();
      expect(await store.topics.byKey("home", key)).toEqual(made);
      expect(await store.topics.byKey("other", key)).toBeUndefined();
      expect(await store.topics.byKeyAnywhere(key)).toEqual(made);
    });

    test("may differ from others in its namespace only in upper and lower case", async () => {
      await using peal = await bench(open);
      const [other] = [await peal.store.namespaces.create("other")];
      if (typeof other === "string") throw new Error(other);
      await peal.store.topics.create(other.id, { name: "NAS" });
      for (const name of ["nas", "nas-01"]) await peal.publish(name);
      const alike = async (name: string) => peal.store.topics.namedAlike(peal.home.id, name);
      expect([await alike("nas"), await alike("NAS"), await alike("n_s")]).toEqual([undefined, "nas", undefined]);
      const { topic } = await peal.publish("nas");
      await peal.store.topics.patch(topic.id, { archived: true });
      expect(await alike("Nas")).toBe("nas");
      await peal.store.topics.remove(topic.id);
      expect(await alike("Nas")).toBeUndefined();
    });

    test("is listed by name, page by page, archived ones separately", async () => {
      await using peal = await bench(open);
      for (const name of ["b", "C", "a", "d", "e"]) await peal.publish(name);
      const { topic } = await peal.publish("d");
      await peal.store.topics.patch(topic.id, { archived: true });
      const list = async (options: { archived: boolean; after?: string; limit: number }) =>
        (await peal.store.topics.list(peal.home.id, options)).map(({ name }) => name);
      expect(await list({ archived: false, limit: 2 })).toEqual(["C", "a"]);
      expect(await list({ archived: false, limit: 9, after: "a" })).toEqual(["b", "e"]);
      expect(await list({ archived: true, limit: 9 })).toEqual(["d"]);
    });

    test("is changed field by field, and null removes a value", async () => {
      await using peal = await bench(open);
      const { topic: ofMessage } = await peal.publish("backups");
      const topic = { ...ofMessage, lastId: 1 };
      await peal.publish("taken");
      const patch = async (change: Parameters<typeof peal.store.topics.patch>[1]) =>
        peal.store.topics.patch(topic.id, change);
      const full = { description: "d", retentionDays: 1, retentionMessages: 2 };
      expect(await patch(full)).toEqual({ ...topic, ...full });
      expect(await patch({ description: null, retentionDays: null })).toEqual({ ...topic, retentionMessages: 2 });
      expect(await patch({ name: "taken", retentionMessages: null })).toBe("name_taken");
      expect(await patch({ name: "renamed", retentionMessages: null })).toEqual({ ...topic, name: "renamed" });
      expect(await patch({ name: "renamed" })).toEqual({ ...topic, name: "renamed" });
      const archivedAt = peal.clock.now();
      expect(await patch({ archived: true })).toEqual({ ...topic, name: "renamed", archivedAt });
      peal.clock.advance(5);
      expect(await patch({ archived: true })).toMatchObject({ archivedAt });
      expect(await patch({ archived: false })).toEqual({ ...topic, name: "renamed" });
      expect(await patch({ mutedUntil: 5 })).toEqual({ ...topic, name: "renamed", mutedUntil: 5 });
      expect(await patch({ mutedUntil: null })).toEqual({ ...topic, name: "renamed" });
      expect(await topicNamed(peal.store, peal.home, "backups")).toBeUndefined();
    });

    test("that is rotated is found by its new key only, keeps its messages, and is announced", async () => {
      await using peal = await bench(open);
      const topic = await peal.fill("backups", 3);
      peal.heard.length = 0;
      const answer = await peal.store.topics.rotate(topic.id);
      if (answer === undefined) throw new Error("gone");
      const { topic: rotated } = answer;
      expect(answer).toEqual({ topic: { ...topic, key: rotated.key }, kept: [], dropped: [] });
      expect(rotated.key).not.toBe(topic.key);
      expect(peal.heard).toEqual([{ kind: "gone", topicId: topic.id }]);
      expect(await peal.store.topics.byKey("home", topic.key)).toBeUndefined();
      expect(await peal.store.topics.byKey("home", rotated.key)).toEqual(rotated);
      const old = { namespaceId: peal.home.id, to: { name: topic.key }, draft: draft() };
      expect(await peal.store.messages.publish(old)).toEqual({ kind: "unknown_topic" });
      expect(ids((await peal.store.messages.page(topic.id, { limit: 5 })).messages)).toEqual([3, 2, 1]);
    });

    test("that is deleted is gone at once, its name is free, and its rows are removed by the sweep", async () => {
      await using peal = await bench(open);
      const topic = await peal.fill("backups", 300);
      const kept = await peal.fill("kept", 2);
      await peal.store.messages.publish({
        namespaceId: peal.home.id,
        to: { key: topic.key },
        draft: draft(),
        deliverAt: peal.clock.now() + 1,
      });
      peal.heard.length = 0;
      expect(await peal.store.topics.remove(topic.id)).toBe(true);
      expect(await peal.store.topics.remove(topic.id)).toBe(false);
      expect(peal.heard).toEqual([{ kind: "gone", topicId: topic.id }]);
      expect(await peal.store.topics.byKeyAnywhere(topic.key)).toBeUndefined();
      expect(await peal.store.topics.patch(topic.id, { archived: true })).toBeUndefined();
      expect(await peal.store.topics.rotate(topic.id)).toBeUndefined();
      expect((await peal.store.messages.page(topic.id, { limit: 5 })).messages).toEqual([]);
      expect(await peal.store.scheduled.list(peal.home.id, { limit: 5 })).toEqual({ scheduled: [] });
      expect(await peal.store.scheduled.fire(peal.clock.now() + 1, 5)).toBe(0);

      const next = await peal.publish("backups");
      expect([next.message.id, next.topic.key === topic.key]).toEqual([1, false]);
      expect(await peal.store.sweep({ days: 0, messages: 0 }, 1_000)).toBe(false);
      expect(await peal.store.messages.find(topic.id, 1)).toBeUndefined();
      expect(ids((await peal.store.messages.page(kept.id, { since: 0, limit: 5 })).messages)).toEqual(range(1, 2));
      const store = await peal.reopen();
      expect((await store.topics.list(peal.home.id, { archived: false, limit: 5 })).map(({ name }) => name)).toEqual([
        "backups",
        "kept",
      ]);
    });
  });
};
