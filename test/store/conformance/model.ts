/** Any commands in any order: the store behaves like a simple model of topics and messages. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { draftOf } from "../../../src/messages/message.ts";
import { LEVELS, type Level } from "../../../src/drafts/draft.ts";
import type { Store } from "../../../src/store/store.ts";
import type { Topic } from "../../../src/topics/topic.ts";
import { SEQUENCES } from "../../support/rounds.ts";
import { bench, draft, ids, topicNamed, type Bench, type OpenEngine } from "./engine.ts";

interface ModelMessage {
  id: number;
  text: string;
  level: Level;
}
interface ModelTopic {
  lastId: number;
  prunedTo: number;
  messages: ModelMessage[];
}
interface Model {
  topics: Map<string, ModelTopic>;
  waiting: { name: string; text: string; deliverAt: number }[];
  now: number;
}
type Real = { bench: Bench; store: Store };
type Command = fc.AsyncCommand<Model, Real>;

const NAMES = ["a", "b", "c"];
const name = fc.constantFrom(...NAMES);
const level = fc.constantFrom(...LEVELS);
const text = fc.constantFrom("disk full", "disk ok", "backup done");

const command = (label: string, run: (model: Model, real: Real) => Promise<void>): Command => ({
  check: () => true,
  run,
  toString: () => label,
});

const add = (model: Model, name: string, message: Omit<ModelMessage, "id">): number => {
  const topic = model.topics.get(name) ?? { lastId: 0, prunedTo: 0, messages: [] };
  model.topics.set(name, topic);
  topic.lastId++;
  topic.messages.push({ id: topic.lastId, ...message });
  return topic.lastId;
};

const topicOf = async ({ store, bench: { home } }: Real, name: string): Promise<Topic | undefined> =>
  topicNamed(store, home, name);

/** Compares all topics and messages with the model, and expects each message once in the stream of the namespace. */
async function compare(model: Model, real: Real): Promise<void> {
  let count = 0;
  for (const name of NAMES) {
    const topic = await topicOf(real, name);
    const expected = model.topics.get(name);
    expect(topic && [topic.lastId, topic.prunedTo]).toEqual(expected && [expected.lastId, expected.prunedTo]);
    if (topic === undefined || expected === undefined) continue;
    const { messages, lastId } = await real.store.messages.page(topic.id, { since: 0, limit: 200 });
    const seen = messages.map((one) => ({ id: one.id, text: draftOf(one).message, level: one.level }));
    expect([lastId, seen]).toEqual([expected.lastId, expected.messages]);
    count += seen.length;
  }
  expect(await real.store.messages.pageNamespace(real.bench.home.id, 0, 1_000)).toHaveLength(count);
}

const commands = [
  fc.array(fc.tuple(name, text, level), { minLength: 1, maxLength: 6 }).map((batch) =>
    command(`publish ${JSON.stringify(batch)}`, async (model, { store, bench: { home } }) => {
      const published = await Promise.all(
        batch.map(async ([name, message, level]) =>
          store.messages.publish({ namespaceId: home.id, to: { name }, draft: draft({ message, level }) }),
        ),
      );
      const expected = batch.map(([name, text, level]) => add(model, name, { text, level }));
      expect(published.map((one) => one.kind === "stored" && one.message.id)).toEqual(expected);
    }),
  ),
  fc.tuple(name, text, fc.nat(50)).map(([name, text, delay]) =>
    command(`schedule ${name} in ${delay}`, async (model, { store, bench: { home } }) => {
      const deliverAt = model.now + delay;
      await store.messages.publish({ namespaceId: home.id, to: { name }, draft: draft({ message: text }), deliverAt });
      if (!model.topics.has(name)) model.topics.set(name, { lastId: 0, prunedTo: 0, messages: [] });
      model.waiting.push({ name, text, deliverAt });
    }),
  ),
  fc.nat(40).map((ms) =>
    command(`fire after ${ms}`, async (model, { store, bench: { clock } }) => {
      clock.advance(ms);
      model.now += ms;
      const due = model.waiting.filter(({ deliverAt }) => deliverAt <= model.now);
      model.waiting = model.waiting.filter(({ deliverAt }) => deliverAt > model.now);
      for (const { name, text } of due.toSorted((a, b) => a.deliverAt - b.deliverAt))
        add(model, name, { text, level: "info" });
      expect(await store.scheduled.fire(model.now, 100)).toBe(due.length);
    }),
  ),
  fc
    .record({
      name,
      limit: fc.integer({ min: 1, max: 5 }),
      since: fc.option(fc.nat(12), { nil: undefined }),
      before: fc.option(fc.nat(12), { nil: undefined }),
      level: fc.option(level, { nil: undefined }),
      q: fc.option(fc.constantFrom("disk", "DONE", "full disk"), { nil: undefined }),
    })
    .map(({ name, limit, since, before, level, q }) =>
      command(`page ${JSON.stringify({ name, limit, since, before, level, q })}`, async (model, real) => {
        const topic = await topicOf(real, name);
        const expected = model.topics.get(name);
        if (topic === undefined || expected === undefined) return;
        const words = (q ?? "").toLowerCase().split(" ");
        const all = expected.messages
          .filter(({ id }) => id > (since ?? 0) && id < (before ?? Infinity))
          .filter((one) => level === undefined || one.level === level)
          .filter((one) => words.every((word) => one.text.includes(word)));
        if (since === undefined) all.reverse();
        const page = await real.store.messages.page(topic.id, {
          limit,
          ...(since !== undefined && { since }),
          ...(before !== undefined && { before }),
          ...(level !== undefined && { levels: [level] }),
          ...(q !== undefined && { q }),
        });
        expect([ids(page.messages), page.hasMore, page.truncated]).toEqual([
          all.slice(0, limit).map(({ id }) => id),
          all.length > limit,
          since !== undefined && since < expected.prunedTo,
        ]);
      }),
    ),
  fc.tuple(name, fc.nat(10)).map(([name, id]) =>
    command(`delete ${name} ${id}`, async (model, real) => {
      const topic = await topicOf(real, name);
      const expected = model.topics.get(name);
      if (topic === undefined || expected === undefined) return;
      const kept = expected.messages.filter((one) => one.id !== id);
      expect(await real.store.messages.remove(topic.id, id)).toBe(kept.length < expected.messages.length);
      expected.messages = kept;
    }),
  ),
  name.map((name) =>
    command(`remove ${name}`, async (model, real) => {
      const topic = await topicOf(real, name);
      if (topic !== undefined) expect(await real.store.topics.remove(topic.id)).toBe(true);
      expect(model.topics.delete(name)).toBe(topic !== undefined);
      model.waiting = model.waiting.filter((one) => one.name !== name);
    }),
  ),
  name.map((name) =>
    command(`rotate ${name}`, async (_, real) => {
      const topic = await topicOf(real, name);
      if (topic === undefined) return;
      const rotated = await real.store.topics.rotate(topic.id);
      expect(await real.store.topics.byKey("home", topic.key)).toBeUndefined();
      expect(rotated && (await real.store.topics.byKey("home", rotated.topic.key))?.id).toBe(topic.id);
    }),
  ),
  fc.integer({ min: 1, max: 6 }).map((messages) =>
    command(`sweep ${messages}`, async (model, { store }) => {
      expect(await store.sweep({ days: 0, messages }, 1_000)).toBe(false);
      for (const topic of model.topics.values()) {
        const taken = topic.messages.filter(({ id }) => id <= topic.lastId - messages);
        topic.prunedTo = taken.at(-1)?.id ?? topic.prunedTo;
        topic.messages = topic.messages.slice(taken.length);
      }
    }),
  ),
  fc.constant(
    command("reopen", async (_, real) => {
      real.store = await real.bench.reopen();
    }),
  ),
];

export const model = (open: OpenEngine) => {
  describe("any commands", () => {
    test("leave what the model expects", async () => {
      await fc.assert(
        fc.asyncProperty(fc.commands(commands, { maxCommands: 30 }), async (sequence) => {
          await using peal = await bench(open);
          const model: Model = { topics: new Map(), waiting: [], now: peal.clock.now() };
          const real: Real = { bench: peal, store: peal.store };
          await fc.asyncModelRun(() => ({ model, real }), sequence);
          await compare(model, real);
        }),
        { numRuns: SEQUENCES },
      );
    }, 60_000);
  });
};
