/** Readers get everything, whatever happens to announcements, sockets and stored messages meanwhile (ARCHITECTURE.md §5). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import type { Bus } from "../../src/bus/bus.ts";
import { createBus } from "../../src/bus/memory.ts";
import type { NamespaceId } from "../../src/keys/namespace.ts";
import type { Draft } from "../../src/drafts/draft.ts";
import { matching } from "../../src/messages/events/filter.ts";
import { Feed } from "../../src/messages/events/feed.ts";
import type { Frame } from "../../src/messages/events/format.ts";
import { EVENTS } from "../../src/messages/events/frame.ts";
import { Pager } from "../../src/messages/events/pager.ts";
import type { Sink } from "../../src/messages/events/sink.ts";
import { Slices } from "../../src/messages/events/slices.ts";
import { namespaceSource, topicSource, topicsSource, type Source } from "../../src/messages/events/source.ts";
import { Stream } from "../../src/messages/events/stream.ts";
import { openStore } from "../../src/store/sqlite/open.ts";
import type { Committed, Store } from "../../src/store/store.ts";
import type { Topic } from "../../src/topics/topic.ts";
import { systemClock } from "../../src/util/clock.ts";
import { eventually } from "../support/eventually.ts";
import { IS_THOROUGH, ROUNDS } from "../support/rounds.ts";

const LIVES = (IS_THOROUGH ? 20 : 10) * ROUNDS;

/** What happens to an announcement. `late`: it comes after the next one. */
type Fate = "told" | "lost" | "late" | "twice";
/** `topics`: both of them in one feed. */
type Fed = "topic" | "topics" | "namespace";
type Step =
  | { kind: "publish"; to: "topic" | "other"; fates: Fate[] }
  | { kind: "join"; feed: Fed; back: number; picky: boolean }
  | { kind: "jam"; reader: number }
  | { kind: "unjam"; reader: number }
  | { kind: "delete"; back: number }
  | { kind: "turn" };

// prettier-ignore
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({
    kind: fc.constant("publish" as const),
    to: fc.constantFrom("topic" as const, "other" as const),
    fates: fc.array(fc.constantFrom<Fate>("told", "told", "told", "lost", "late", "twice"), { minLength: 1, maxLength: 12 }),
  }) },
  { weight: 3, arbitrary: fc.record({
    kind: fc.constant("join" as const),
    feed: fc.constantFrom<Fed>("topic", "topics", "namespace"),
    back: fc.nat(150), picky: fc.boolean(),
  }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("jam" as const, "unjam" as const), reader: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("delete" as const), back: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.constant({ kind: "turn" as const }) },
);

/** Turns of the event loop between the last messages. */
const gaps = fc.array(fc.nat(6), { minLength: 2, maxLength: 3 });

/** The receiving side of a stream: a socket that accepts bytes, or is full. */
class Socket implements Sink {
  unsent = 0;
  isJammed = false;
  readonly ids: number[] = [];
  send(frame: Frame): void {
    const text = typeof frame === "string" ? frame : new TextDecoder().decode(frame);
    for (const [, id] of text.matchAll(/^id: (\d+)-[0-9a-z-]+\nevent: message$/gm))
      this.ids.push(Number(id));
    if (this.isJammed) this.unsent += frame.length;
  }
  end(): void {
    throw new Error("a stream was ended");
  }
}

interface Reader {
  feed: Fed;
  isPicky: boolean;
  since: number;
  socket: Socket;
  stream: Stream;
}

const draft = (n: number): Draft => ({
  message: `message ${n}`,
  level: n % 3 === 0 ? "error" : "info",
  priority: "normal",
  format: "text",
  source: "api",
});

let dataDir: string;
let store: Store;
let bus: Bus;
let namespaceId: NamespaceId;
let hear: (events: readonly Committed[]) => void = () => undefined;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "peal-events-"));
  store = await openStore({ dataDir, clock: systemClock, log: { info: () => undefined, error: () => undefined } });
  store.onCommitted((events) => {
    hear(events);
  });
  const namespace = await store.namespaces.create("home");
  if (namespace === "name_taken") throw new Error("the database is new");
  namespaceId = namespace.id;
});
afterAll(async () => {
  await store.close();
  await rm(dataDir, { recursive: true });
});

/** One random life of a topic and its namespace, with another topic beside it. */
class World {
  readonly readers: Reader[] = [];
  /** How many pages were read from the store so far. */
  pages = 0;
  readonly #feeds: Record<Reader["feed"], { source: Source; feed: Feed }>;
  readonly #topics: Record<"topic" | "other", Topic>;
  readonly #fates: Fate[] = [];
  #late: Committed[] = [];
  #published = 0;

  constructor(topic: Topic, other: Topic) {
    this.#topics = { topic, other };
    const context = { slices: new Slices(systemClock), pager: new Pager(), failed: raise };
    const make = (source: Source) => ({ source, feed: new Feed(this.#slow(source), context, () => undefined) });
    this.#feeds = {
      topic: make(topicSource({ store, bus }, topic)),
      topics: make(topicsSource({ store, bus }, [topic, other])),
      namespace: make(namespaceSource({ store, bus }, topic.namespaceId, topic.namespace)),
    };
    hear = (events) => {
      for (const event of events) this.#announce(event);
    };
  }

  async publish(to: "topic" | "other", fates: readonly Fate[]): Promise<void> {
    this.#fates.push(...fates);
    await Promise.all(
      fates.map(async () =>
        store.messages.publish({ namespaceId, to: { key: this.#topics[to].key }, draft: draft(this.#published++) }),
      ),
    );
  }

  async join(feed: Reader["feed"], back: number, isPicky: boolean): Promise<void> {
    const last = (await this.#feeds[feed].source.lastId()) ?? 0;
    const since = Math.max(0, last - back);
    const socket = new Socket();
    const stream = new Stream(this.#feeds[feed].feed, socket, {
      matches: isPicky ? matching({ levels: ["error"] }) : undefined,
      ...{ base: "", format: EVENTS, asked: "" },
    });
    this.#feeds[feed].feed.join(stream);
    this.readers.push({ feed, isPicky, since, socket, stream });
    await turn(); // commits may happen in between, as they do in a request
    stream.start(since, (await this.#feeds[feed].source.lastId()) ?? 0);
  }

  jam(index: number, isJammed: boolean): void {
    const reader = this.readers[index];
    if (reader === undefined) return;
    reader.socket.isJammed = isJammed;
    if (isJammed || reader.socket.unsent === 0) return;
    reader.socket.unsent = 0;
    reader.stream.drained();
  }

  async remove(back: number): Promise<void> {
    const { topic } = this.#topics;
    const { lastId } = await store.messages.page(topic.id, { limit: 1 });
    await store.messages.remove(topic.id, lastId - back);
  }

  /** The ids that a reader must have: those still stored. It may also have deleted ones. */
  async stored({ feed, since, isPicky }: Reader): Promise<number[]> {
    const found: { id: number; level: string }[] = [];
    for (let after = since; ;) {
      const page = await this.#page(feed, after);
      const last = page.at(-1);
      if (last === undefined) break;
      found.push(...page);
      after = last.id;
    }
    return found.filter(({ level }) => !isPicky || level === "error").map(({ id }) => id);
  }

  async #page(feed: Reader["feed"], after: number) {
    if (feed === "topic")
      return (await store.messages.page(this.#topics.topic.id, { since: after, limit: 200 })).messages;
    const { topic, other } = this.#topics;
    const rows =
      feed === "topics"
        ? await store.messages.pageTopics([topic.id, other.id], after, 200)
        : await store.messages.pageNamespace(namespaceId, after, 200);
    return rows.map(({ message }) => ({ id: message.seq, level: message.level }));
  }

  /** Delays each page, so that commits and announcements happen after it was read. */
  #slow(source: Source): Source {
    const page: Source["page"] = async (after) => {
      this.pages++;
      const read = await source.page(after);
      for (let turns = this.pages % 3; turns > 0; turns--) await turn();
      return read;
    };
    return { ...source, page };
  }

  #announce(event: Committed): void {
    const fate = this.#fates.shift() ?? "told";
    if (fate === "late") this.#late.push(event);
    if (fate === "late" || fate === "lost") return;
    bus.announce(fate === "twice" ? [event, event] : [event]);
    bus.announce(this.#late);
    this.#late = [];
  }
}

test(`lost, late and doubled announcements, full sockets, deletions: every reader gets everything, once, in order, in ${LIVES} lives`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), gaps, async (steps, gaps) => {
      bus = createBus();
      const [topic, other] = [await newTopic(), await newTopic()];
      const world = new World(topic, other);
      const running: Promise<void>[] = [];
      for (const each of steps) {
        // publishing and joining overlap, as requests do
        if (each.kind === "publish") running.push(world.publish(each.to, each.fates));
        if (each.kind === "join") running.push(world.join(each.feed, each.back, each.picky));
        if (each.kind === "jam" || each.kind === "unjam") world.jam(each.reader, each.kind === "jam");
        if (each.kind === "delete") running.push(world.remove(each.back));
        if (each.kind === "turn") await turn();
      }
      await Promise.all(running);
      world.readers.forEach((_, index) => {
        world.jam(index, false);
      });
      // a lost announcement is made up for by the next one; the last ones reach readers that are still paging
      await world.publish("topic", ["lost"]);
      for (const gap of gaps) {
        running.push(world.publish("topic", ["told"]));
        for (let turns = 0; turns < gap; turns++) await turn();
      }
      await Promise.all(running);
      for (const reader of world.readers) {
        const expected = await world.stored(reader);
        await eventually("the last message", () => reader.stream.sent >= Math.max(reader.since, ...expected));
        const { ids } = reader.socket;
        expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b)); // in order, none twice
        expect(expected.filter((id) => !ids.includes(id))).toEqual([]);
        expect(ids.every((id) => id > reader.since)).toBe(true);
      }
    }),
    { numRuns: LIVES },
  );
}, 120_000);

test.each(["topic", "topics", "namespace"] as const)(
  "a message of a %s that is deleted before it was paged is skipped",
  async (feed) => {
    bus = createBus();
    const world = new World(await newTopic(), await newTopic());
    await world.publish("topic", ["told"]);
    await world.join(feed, 0, false);
    await world.publish("topic", ["lost"]);
    await Promise.all([world.publish("topic", ["told"]), world.remove(-1)]);
    const [reader] = world.readers;
    await eventually("the message between", () => reader?.socket.ids.length === 1);
    for (let turns = 0; turns < 20; turns++) await turn();
    expect(world.pages).toBeLessThan(5);
    expect(reader?.socket.ids).toHaveLength(1);
  },
);

async function newTopic(): Promise<Topic> {
  const topic = await store.topics.create(namespaceId, {});
  if (typeof topic === "string") throw new Error(topic);
  return topic;
}

const turn = async (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function raise(error: unknown): never {
  throw error;
}
