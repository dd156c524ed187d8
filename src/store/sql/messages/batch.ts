/** The hot path: the plain publishes of one turn of the event loop are one job. Messages are inserted only here. */
import type { Draft } from "../../../drafts/draft.ts";
import type { Message } from "../../../messages/message.ts";
import type { Topic, TopicId } from "../../../topics/topic.ts";
import type { Publication, Published } from "../../messages.ts";
import type { Committed } from "../../store.ts";
import { fanoutNoter, withOutbox } from "../deliveries/fanout.ts";
import type { Engine } from "../engine.ts";
import type { Outcome } from "../job.ts";
import { takers, topicFinder, type NoTopic } from "../topics/destination.ts";
import type { MakeTopic } from "../topics/make.ts";
import { toTopic, type TopicRow } from "../topics/rows.ts";

/** A message for `topic`, whose id is `topic.lastId`, which its row has just given. */
export interface Fresh {
  topic: Topic;
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
    for (const { topic, draft, json, sender = null } of some) {
      const dedupKey = draft.dedup_key ?? null;
      const firing = dedupKey !== null && draft.status === "firing" ? 1 : null;
      values.push(topic.id, topic.namespaceId, topic.lastId, topic.lastAt ?? now, draft.level, draft.priority);
      values.push(dedupKey, json, firing, sender);
    }
    const done = statements[power]?.run(...values);
    let seq = Number(done?.lastInsertRowid) - some.length;
    for (const { topic, isFollowed, draft, json } of some) {
      const { level, priority, source } = draft;
      const message: Message = { id: topic.lastId, seq: ++seq, createdAt: topic.lastAt ?? now, level, priority, json };
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
    const topic = toTopic(row, namespaces.name(row.namespaceId));
    const [event] = append([{ topic, isFollowed: row.subscribers > 0, draft, json, sender }], now);
    if (event === undefined) throw new Error("a message was not stored");
    return event;
  };
}

/** A publish that writes a message and nothing else. */
export interface Plain {
  publication: Publication;
  /** `JSON.stringify(publication.draft)`. */
  json: string;
  /** The topic, and how the publish names it. */
  place: string;
}

/** Undefined if it writes more than a message, or not now. */
export function plainOf(publication: Publication, json: string): Plain | undefined {
  const { namespaceId, to, deliverAt, files, intake, idempotency, by } = publication;
  if ((deliverAt ?? files ?? intake ?? idempotency ?? by) !== undefined) return undefined;
  const way = "name" in to ? `name ${to.name}` : "key" in to ? `key ${to.key}` : `row ${to.id}`;
  return { publication, json, place: `${namespaceId} ${way}` };
}

/** What the publishes of one turn to one topic have taken. */
interface Taken {
  topic: Topic;
  isFollowed: boolean;
  nextId: number;
  /** The first of them made the topic. */
  createdTopic: boolean;
}

/**
 * Plain publishes as one job: one statement takes the ids of a topic, which are given in the order of the publishes. Each leaves,
 * answers and announces what it would in a separate job.
 */
export function publisherOfAll(
  engine: Engine,
  makeTopic: MakeTopic,
): (plain: readonly Plain[]) => Outcome<Published>[] {
  const { write, clock, namespaces } = engine;
  const take = takers(write);
  const topicFor = topicFinder(makeTopic);
  const append = appender(engine);

  const takeIds = (plain: readonly Plain[], now: number) => {
    const byPlace = new Map<string, Taken | NoTopic>();
    const byRow = new Map<TopicId, Taken>();
    for (const [place, [first, ...others]] of Map.groupBy(plain, (one) => one.place)) {
      if (first === undefined) continue;
      const found = topicFor(take, first.publication, now, 1 + others.length);
      if (typeof found === "string") {
        byPlace.set(place, found);
        continue;
      }
      const { row, createdTopic } = found;
      const topic = toTopic(row, namespaces.name(row.namespaceId));
      const nextId = row.lastId - others.length;
      // its name, its key and its number may mean the same topic: then the ids follow those that are taken already
      const taken = byRow.get(row.row) ?? { topic, isFollowed: row.subscribers > 0, nextId, createdTopic };
      byRow.set(row.row, taken);
      byPlace.set(place, taken);
    }
    return byPlace;
  };

  return (plain) => {
    const now = clock.now();
    const taken = takeIds(plain, now);
    const fresh: Fresh[] = [];
    for (const { publication, json, place } of plain) {
      const to = taken.get(place);
      if (to === undefined || typeof to === "string") continue;
      const { draft, key: sender } = publication;
      fresh.push({ topic: { ...to.topic, lastId: to.nextId++ }, isFollowed: to.isFollowed, draft, json, sender });
    }
    const announced = append(fresh, now);
    let next = 0;
    return plain.map(({ place }): Outcome<Published> => {
      const to = taken.get(place) ?? "unknown_topic";
      if (typeof to === "string") return { result: { kind: to } };
      const event = announced[next++];
      if (event === undefined) throw new Error("a message was not stored");
      const { topic, message } = event;
      const createdTopic = to.createdTopic && message.id === 1;
      const result = { kind: "stored", topic, message, createdTopic, replayed: false } as const;
      return { result, events: withOutbox([event], to.isFollowed) };
    });
  };
}
