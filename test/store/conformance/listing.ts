/** One list of everything: the messages of all topics in some namespaces, page by page. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Namespace, NamespaceId } from "../../../src/keys/namespace.ts";
import { LEVELS, PRIORITIES, type Draft } from "../../../src/drafts/draft.ts";
import type { ListQuery } from "../../../src/store/messages.ts";
import type { Store } from "../../../src/store/store.ts";
import type { TopicOfMessage } from "../../../src/topics/topic.ts";
import { SEQUENCES } from "../../support/rounds.ts";
import { bench, draft, type OpenEngine } from "./engine.ts";

/** The published messages in a plain list, the newest first. */
interface Plain {
  seq: number;
  id: number;
  topic: TopicOfMessage;
  draft: Draft;
}

async function namespaceIn(store: Store, name: string): Promise<Namespace> {
  const made = await store.namespaces.create(name);
  if (made === "name_taken") throw new Error(made);
  return made;
}

async function publishTo(store: Store, namespaceId: NamespaceId, name: string, given: Partial<Draft>): Promise<Plain> {
  const published = await store.messages.publish({ namespaceId, to: { name }, draft: draft(given) });
  if (published.kind !== "stored") throw new Error(published.kind);
  return { ...published.message, topic: published.topic, draft: draft(given) };
}

/** All pages, one after another. @throws Error when they never end */
async function whole(store: Store, ids: readonly NamespaceId[], query: ListQuery): Promise<string[]> {
  const found: string[] = [];
  for (let before: number | undefined, page = 0; page < 1_000; page++) {
    const given = { ...query, ...(before !== undefined && { before }) };
    const { messages, nextBefore } = await store.messages.list(ids, given);
    found.push(
      ...messages.map(({ topic, message }) => `${topic.namespace}/${topic.name} ${message.id} ${message.seq}`),
    );
    if (nextBefore === undefined) return found;
    before = nextBefore;
  }
  throw new Error("the pages have no end");
}

const passes = (
  { level, priority, tags, message }: Draft,
  { levels, priorities, tag, q }: Partial<ListQuery>,
): boolean =>
  (levels?.includes(level) ?? true) &&
  (priorities?.includes(priority) ?? true) &&
  (tag === undefined || tags?.includes(tag) === true) &&
  (q === undefined || message.includes(q));

const sent = fc.record({
  namespace: fc.nat(2),
  topic: fc.constantFrom("a", "b", "c"),
  level: fc.constantFrom(...LEVELS),
  priority: fc.constantFrom(...PRIORITIES),
  message: fc.constantFrom("disk full", "disk ok", "backup done"),
  isTagged: fc.boolean(),
  /** What becomes of the message. */
  end: fc.constantFrom("kept", "kept", "kept", "removed", "discarded", "restored"),
});
const asked = fc.oneof(
  fc.constant({}),
  fc.record({ levels: fc.subarray([...LEVELS], { minLength: 1 }) }),
  fc.record({ priorities: fc.constantFrom(["urgent" as const], ["urgent" as const, "high" as const]) }),
  fc.record({ tag: fc.constant("nas") }),
  fc.record({ q: fc.constantFrom("disk", "nowhere"), levels: fc.subarray([...LEVELS], { minLength: 2 }) }),
);
const given = {
  sent: fc.array(sent, { minLength: 30, maxLength: 60 }),
  gone: fc.constantFrom(undefined, "a", "b"),
  seen: fc.subarray([0, 1, 2], { minLength: 1 }),
  query: asked,
  limit: fc.integer({ min: 1, max: 6 }),
};

export const listing = (open: OpenEngine) => {
  describe("one list of everything", () => {
    test("has each message of the requested namespaces once, in its place, wherever pages are cut", async () => {
      await fc.assert(
        fc.asyncProperty(fc.record(given), async ({ sent, gone, seen, query, limit }) => {
          await using peal = await bench(open); // its clock stands still, so all messages have the same time
          const { store, home } = peal;
          const spaces = [home, await namespaceIn(store, "lab"), await namespaceIn(store, "media")];
          const idOf = (n: number) => spaces[n]?.id ?? home.id;
          const plain: Plain[] = [];
          for (const { namespace, topic, end, isTagged, ...rest } of sent) {
            const one = await publishTo(store, idOf(namespace), topic, { ...rest, ...(isTagged && { tags: ["nas"] }) });
            if (end === "kept" || end === "restored") plain.unshift(one);
            if (end === "removed") await store.messages.remove(one.topic.id, one.id);
            if (end === "discarded" || end === "restored") await store.messages.discard(one.topic.id, one.id);
            if (end === "restored") await store.messages.restore(one.topic.id, one.id);
          }
          const lost = plain.find(({ topic }) => topic.name === gone)?.topic;
          if (lost !== undefined) await store.topics.remove(lost.id);
          const ids = seen.map(idOf);
          const expected = plain
            .filter(({ topic }) => topic.id !== lost?.id && ids.includes(topic.namespaceId))
            .filter((one) => passes(one.draft, query))
            .map(({ topic, id, seq }) => `${topic.namespace}/${topic.name} ${id} ${seq}`);
          expect(await whole(store, ids, { limit, ...query })).toEqual(expected);
        }),
        { numRuns: SEQUENCES * 2, endOnFailure: true }, // each opens a store, so shrinking a failure takes minutes
      );
    });

    test("continues where a page ended, whatever is added or deleted meanwhile", async () => {
      await using peal = await bench(open);
      const { store, home } = peal;
      const topic = await peal.fill("backups", 10);
      const first = await store.messages.list([home.id], { limit: 4 });
      expect(first.messages.map(({ message }) => message.id)).toEqual([10, 9, 8, 7]);
      await peal.fill("other", 3);
      await store.messages.remove(topic.id, 7);
      await store.messages.remove(topic.id, 5);
      const next = await store.messages.list([home.id], { limit: 4, before: first.nextBefore ?? 0 });
      expect(next.messages.map(({ message }) => message.id)).toEqual([6, 4, 3, 2]);
    });

    test("ends a page early when its messages are long, and continues from there", async () => {
      await using peal = await bench(open);
      for (const name of ["a", "b", "c"]) await peal.publish(name, { message: "x".repeat(500) });
      const { messages, nextBefore } = await peal.store.messages.list([peal.home.id], { limit: 5, bytes: 700 });
      expect(messages.map(({ topic }) => topic.name)).toEqual(["c"]);
      const rest = await whole(peal.store, [peal.home.id], { limit: 5, bytes: 700, before: nextBefore ?? 0 });
      expect(rest.map((one) => one.slice(0, 6))).toEqual(["home/b", "home/a"]);
    });
  });
};
