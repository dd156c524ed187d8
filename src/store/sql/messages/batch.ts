/** The hot path: the plain publishes of one turn of the event loop are one job. Messages are inserted only here. */
import type { Draft } from "../../../drafts/draft.ts";
import type { Message } from "../../../messages/message.ts";
import type { TopicId, TopicOfMessage } from "../../../topics/topic.ts";
import type { Publication, Published } from "../../messages.ts";
import type { Committed } from "../../store.ts";
import { fanoutNoter, withOutbox } from "../deliveries/fanout.ts";
import type { Engine } from "../engine.ts";
import type { Batch } from "../job.ts";
import { takers, topicFinder, type NoTopic } from "../topics/destination.ts";
import type { MakeTopic } from "../topics/make.ts";
import { toTopicOfMessage, type TopicRow } from "../topics/rows.ts";

/** A message for `topic`, whose row has just given it `id`. */
export interface Fresh {
  topic: TopicOfMessage;
  id: number;
  /** Somebody subscribes to the topic, so the message has to be fanned out. */
  isFollowed: boolean;
  draft: Draft;
  /** `JSON.stringify(draft)`. */
  json: string;
  /** As the table has it. */
  sender?: number | undefined;
}

/** Announces a message that is stored. */
export type Announced = Extract<Committed, { kind: "message" }>;

// by hand, as in destination.ts: drizzle's binding is costly for statements that every publish runs
const INSERT = `INSERT INTO message
    (topic_id, namespace_id, id, created_at, level, priority, dedup_key, json, firing, sender) VALUES `;
const ROW = "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

/** A row of 64 in one statement takes 2.0 µs, a row in its own statement 3.2, and in one with `json_each` 4.6 (measured). */
const MOST_ROWS = 64;

/** Stores messages inside a job, in this order, each with the note of its fan-out; `withOutbox` announces that. */
export type Append = (fresh: readonly Fresh[], now: number) => Announced[];

export function appender({ write }: Pick<Engine, "write">): Append {
  // for 1, 2, 4 … rows, so that any number takes few statements; each is compiled when it first runs
  const statements = Array.from({ length: Math.log2(MOST_ROWS) + 1 }, (_, power) =>
    write.$client.prepare(
      INSERT +
        Array<string>(2 ** power)
          .fill(ROW)
          .join(", "),
    ),
  );
  const fanOut = fanoutNoter(write);

  /** As many as one statement takes. Their row numbers are consecutive, because nobody else writes meanwhile. */
  const insert = (fresh: readonly Fresh[], from: number, now: number, into: Announced[]): number => {
    const power = Math.floor(Math.log2(Math.min(fresh.length - from, MOST_ROWS)));
    // not `2 ** power`: JavaScriptCore would throw the compiled function away eight times a second (measured)
    const some = fresh.slice(from, from + (1 << power));
    const values: (string | number | null)[] = [];
    for (const { topic, id, draft, json, sender = null } of some) {
      const dedupKey = draft.dedup_key ?? null;
      const firing = dedupKey !== null && draft.status === "firing" ? 1 : null;
      values.push(topic.id, topic.namespaceId, id, topic.lastAt ?? now, draft.level, draft.priority);
      values.push(dedupKey, json, firing, sender);
    }
    const done = statements[power]?.run(...values);
    let seq = Number(done?.lastInsertRowid) - some.length;
    for (const { topic, id, isFollowed, draft, json } of some) {
      const { level, priority, source } = draft;
      const message: Message = { id, seq: ++seq, createdAt: topic.lastAt ?? now, level, priority, json };
      if (isFollowed) fanOut(seq);
      into.push({ kind: "message", topic, message, source });
    }
    return from + some.length;
  };

  return (fresh, now) => {
    const announced: Announced[] = [];
    for (let from = 0; from < fresh.length;) from = insert(fresh, from, now, announced);
    return announced;
  };
}

/** For one message, to the topic of a row that has just given its id. */
export function singleAppender(engine: Engine) {
  const append = appender(engine);
  const { namespaces } = engine;
  return (row: TopicRow, draft: Draft, json: string, now: number, sender?: number): Announced => {
    const topic = toTopicOfMessage(row, namespaces.name(row.namespaceId));
    const [event] = append([{ topic, id: row.lastId, isFollowed: row.subscribers > 0, draft, json, sender }], now);
    if (event === undefined) throw new Error("a message was not stored");
    return event;
  };
}

/** A publish that writes a message and nothing else. */
export interface Plain {
  publication: Publication;
  /** `JSON.stringify(publication.draft)`. */
  json: string;
}

/** Undefined if it writes more than a message, or not now. */
export function plainOf(publication: Publication, json: string): Plain | undefined {
  const { deliverAt, files, intake, idempotency, by, replaces } = publication;
  return (deliverAt ?? files ?? intake ?? idempotency ?? by ?? replaces) === undefined ? { publication, json } : undefined;
}

/** What the publishes of one turn to one topic have taken. */
interface Taken {
  topic: TopicOfMessage;
  isFollowed: boolean;
  nextId: number;
  /** The first of them made the topic. */
  createdTopic: boolean;
}

/** How a publish names its topic, as the key of a map. A name contains no blank, so none equals a key with one before it. */
const placeOf = ({ publication: { to } }: Plain): string | TopicId =>
  "name" in to ? to.name : "key" in to ? ` ${to.key}` : to.id;

/**
 * Plain publishes as one job: one statement takes the ids of a topic, which are given in the order of the publishes. Each leaves,
 * answers and announces what it would in a separate job.
 */
export function publisherOfAll(engine: Engine, makeTopic: MakeTopic): Batch<Plain, Published> {
  const { write, clock, namespaces } = engine;
  const take = takers(write);
  const topicFor = topicFinder(makeTopic);
  const append = appender(engine);

  const takeIds = (plain: readonly Plain[], now: number) => {
    const taken = new Map<Plain, Taken | NoTopic>();
    const byRow = new Map<TopicId, Taken>();
    const takeAlike = (first: Plain, count: number): Taken | NoTopic => {
      const found = topicFor(take, first.publication, now, count);
      if (typeof found === "string") return found;
      const { row, createdTopic } = found;
      const topic = toTopicOfMessage(row, namespaces.name(row.namespaceId));
      const nextId = row.lastId - count + 1;
      // its name, its key and its number may mean the same topic: then the ids follow those that are taken already
      const ids = byRow.get(row.row) ?? { topic, isFollowed: row.subscribers > 0, nextId, createdTopic };
      byRow.set(row.row, ids);
      return ids;
    };
    for (const ofNamespace of Map.groupBy(plain, ({ publication }) => publication.namespaceId).values())
      for (const alike of Map.groupBy(ofNamespace, placeOf).values()) {
        const ids = alike[0] === undefined ? "unknown_topic" : takeAlike(alike[0], alike.length);
        for (const one of alike) taken.set(one, ids);
      }
    return taken;
  };

  return (plain) => {
    const now = clock.now();
    const taken = takeIds(plain, now);
    const fresh: Fresh[] = [];
    for (const one of plain) {
      const ids = taken.get(one) ?? "unknown_topic";
      if (typeof ids === "string") continue;
      const { topic, isFollowed } = ids;
      const { draft, key: sender } = one.publication;
      fresh.push({ topic, id: ids.nextId++, isFollowed, draft, json: one.json, sender });
    }
    const events = append(fresh, now);
    let next = 0;
    const result = plain.map((one): Published => {
      const ids = taken.get(one) ?? "unknown_topic";
      if (typeof ids === "string") return { kind: ids };
      const event = events[next++];
      if (event === undefined) throw new Error("a message was not stored");
      const { topic, message } = event;
      return { kind: "stored", topic, message, createdTopic: ids.createdTopic && message.id === 1, replayed: false };
    });
    return {
      result,
      events: withOutbox(
        events,
        fresh.some(({ isFollowed }) => isFollowed),
      ),
    };
  };
}
