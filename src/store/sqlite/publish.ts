/** Publishing: one job that looks for a repeat, finds or makes the topic and stores the message under its next id. */
import { and, count, eq, getTableColumns, sql, type SQL } from "drizzle-orm";
import type { Draft, Message } from "../../messages/message.ts";
import { looksLikeKey } from "../../topics/names.ts";
import type { NamespaceId } from "../../keys/namespace.ts";
import type { Topic, TopicId } from "../../topics/topic.ts";
import { recordId } from "../../util/ids.ts";
import type { Committed, Publication, Published, Scheduled } from "../store.ts";
import type { Orm } from "./connection.ts";
import type { Engine } from "./engine.ts";
import { idempotency, scheduled, topic } from "./schema.ts";
import { isLive, toTopic, topicByRow, type MakeTopic, type TopicRow } from "./topics.ts";
import type { Outcome } from "./writer.ts";

const { placeholder } = sql;

/** A repeat under the same idempotency key is recognised for so long. */
export const IDEMPOTENCY_MS = 24 * 3_600_000;

type Refused = { kind: "unknown_topic" | "too_many_topics" | "too_many_scheduled" | "idempotency_mismatch" };
type Answer = Exclude<Published, Refused>;

/** `publish` of the port. The draft is serialized here, once and before its job. */
export function publisher(engine: Engine, makeTopic: MakeTopic): (publication: Publication) => Promise<Published> {
  const { write, writer, clock, namespaces } = engine;
  const take = takers(write);
  const find = finders(write);
  const append = appender(engine);
  const replays = replayer(engine);
  const insertScheduled = write
    .insert(scheduled)
    .values({
      id: placeholder("id"),
      namespaceId: placeholder("namespaceId"),
      topicId: placeholder("topicId"),
      deliverAt: placeholder("deliverAt"),
      createdAt: placeholder("createdAt"),
      json: placeholder("json"),
    })
    .prepare();
  const countScheduled = write
    .select({ waiting: count() })
    .from(scheduled)
    .where(eq(scheduled.namespaceId, placeholder("namespaceId")))
    .prepare();
  /** By counting, 0.2 ms at 10,000: few messages are delayed. Those of a deleted topic count until the sweep. */
  const isFull = (namespaceId: NamespaceId) =>
    (countScheduled.all({ namespaceId })[0]?.waiting ?? 0) >= engine.scheduledPerNamespace;

  const topicFor = (lookups: Lookups, { namespaceId, to }: Publication, now: number) => {
    if ("key" in to || looksLikeKey(to.name)) {
      const row = lookups.byKey(namespaceId, "key" in to ? to.key : to.name, now);
      return row === undefined ? "unknown_topic" : { row, createdTopic: false };
    }
    const known = lookups.byName(namespaceId, to.name, now);
    if (known !== undefined) return { row: known, createdTopic: false };
    const made = makeTopic(namespaceId, to.name);
    if (made === "too_many_topics") return made;
    const row = lookups.byRow(made.row, now);
    return row === undefined ? "unknown_topic" : { row, createdTopic: true };
  };

  const store = (publication: Publication, draft: Draft, json: string): Outcome<Answer | Refused> => {
    const { deliverAt, namespaceId } = publication;
    const now = clock.now();
    if (deliverAt !== undefined && isFull(namespaceId)) return { result: { kind: "too_many_scheduled" } };
    const found = topicFor(deliverAt === undefined ? take : find, publication, now);
    if (typeof found === "string") return { result: { kind: found } };
    const { row, createdTopic } = found;
    if (deliverAt === undefined) {
      const { event, ...stored } = append(row, draft, json, now);
      return { result: { kind: "stored", ...stored, createdTopic, replayed: false }, events: [event] };
    }
    const waiting = { id: recordId(), deliverAt, createdAt: now };
    insertScheduled.run({ ...waiting, namespaceId, topicId: row.row, json });
    return {
      result: {
        kind: "scheduled",
        topic: toTopic(row, namespaces.name(namespaceId)),
        scheduled: { ...waiting, topic: toTopic(row, namespaces.name(namespaceId)), draft },
        createdTopic,
        replayed: false,
      },
      events: [{ kind: "scheduled", deliverAt }],
    };
  };

  return async (publication) => {
    const draft = publication.deliverAt === undefined ? publication.draft : delayed(publication.draft);
    const json = JSON.stringify(draft);
    const { idempotency: repeatable } = publication;
    if (repeatable === undefined) return writer.run(() => store(publication, draft, json));
    return writer.run(() => {
      const before = replays.find(publication.namespaceId, repeatable, draft, json);
      if (before !== undefined) return { result: before };
      const outcome = store(publication, draft, json);
      replays.remember(publication.namespaceId, repeatable, outcome.result);
      return outcome;
    });
  };
}

/** What came from the schedule says so, when it is answered and when it fires. */
const delayed = (draft: Draft): Draft => ({ ...draft, source: "schedule" });

/** Stores a message under the id that its topic's row was just given, inside a job. `event` announces it. */
export type Append = (row: TopicRow, draft: Draft, json: string, now: number) => Appended;
interface Appended {
  topic: Topic;
  message: Message;
  event: Committed;
}

/** A clock that is set back by less does not turn the times of a topic around; one that was wrong by more is put right. */
const CLOCK_STEP_MS = 60_000;

// By hand: drizzle's binding and mapping of the two statements that every publish runs cost 2 of its 14 µs (measured).
const INSERT_MESSAGE = `INSERT INTO message (topic_id, namespace_id, id, created_at, level, priority, dedup_key, json)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
const takeId = (where: string) => `UPDATE topic
  SET last_id = last_id + 1, archived_at = NULL,
    last_at = CASE WHEN last_at BETWEEN ?1 AND ?1 + ${CLOCK_STEP_MS} THEN last_at ELSE ?1 END
  WHERE ${where} AND deleted_at IS NULL RETURNING ${TOPIC_COLUMNS}`;
const TOPIC_COLUMNS = Object.entries(getTableColumns(topic))
  .map(([field, { name }]) => `${name} AS ${field}`)
  .join(", ");

export function appender({ write, namespaces }: Engine): Append {
  const insert = write.$client.prepare(INSERT_MESSAGE);
  return (row, draft, json, now) => {
    const { level, priority, source } = draft;
    const id = row.lastId;
    const createdAt = row.lastAt ?? now;
    const dedupKey = draft.dedup_key ?? null;
    const done = insert.run(row.row, row.namespaceId, id, createdAt, level, priority, dedupKey, json);
    const of = toTopic(row, namespaces.name(row.namespaceId));
    const stored: Message = { id, seq: Number(done.lastInsertRowid), createdAt, level, priority, json };
    return { topic: of, message: stored, event: { kind: "message", topic: of, message: stored, source } };
  };
}

/** How a job comes to the row of a topic. */
interface Lookups {
  byName(namespaceId: NamespaceId, name: string, now: number): TopicRow | undefined;
  byKey(namespaceId: NamespaceId, key: string, now: number): TopicRow | undefined;
  byRow(topicId: TopicId, now: number): TopicRow | undefined;
}

/**
 * Look-ups that count the next id up, note its time, and bring an archived topic back. A counter
 * gives no id twice; max(id) would, after the newest message was deleted.
 */
export function takers({ $client }: Orm): Lookups {
  const byName = $client.prepare<TopicRow, [number, NamespaceId, string]>(takeId("namespace_id = ?2 AND name = ?3"));
  const byKey = $client.prepare<TopicRow, [number, NamespaceId, string]>(takeId("namespace_id = ?2 AND key = ?3"));
  const byRow = $client.prepare<TopicRow, [number, TopicId]>(takeId("row = ?2"));
  return {
    byName: (namespaceId, name, now) => byName.get(now, namespaceId, name) ?? undefined,
    byKey: (namespaceId, key, now) => byKey.get(now, namespaceId, key) ?? undefined,
    byRow: (topicId, now) => byRow.get(now, topicId) ?? undefined,
  };
}

/** The same without taking an id. */
function finders(write: Orm): Lookups {
  const find = (where: SQL | undefined) => write.select().from(topic).where(where).prepare();
  const inNamespace = eq(topic.namespaceId, placeholder("namespaceId"));
  const byName = find(and(inNamespace, eq(topic.name, placeholder("name")), isLive));
  const byKey = find(and(inNamespace, eq(topic.key, placeholder("key")), isLive));
  const byRow = topicByRow(write);
  return {
    byName: (namespaceId, name) => byName.all({ namespaceId, name })[0],
    byKey: (namespaceId, key) => byKey.all({ namespaceId, key })[0],
    byRow: (topicId) => byRow.all({ topicId })[0],
  };
}

/** Remembers answers by reference, and makes them again from it and the repeated request. */
function replayer({ write, clock, namespaces }: Engine) {
  const values = {
    hash: sql`${placeholder("hash")}`,
    topicId: sql`${placeholder("topicId")}`,
    createdTopic: sql`${placeholder("createdTopic")}`,
    createdAt: sql`${placeholder("createdAt")}`,
    messageId: sql`${placeholder("messageId")}`,
    seq: sql`${placeholder("seq")}`,
    messageAt: sql`${placeholder("messageAt")}`,
    scheduledId: sql`${placeholder("scheduledId")}`,
    deliverAt: sql`${placeholder("deliverAt")}`,
  };
  const key = {
    namespaceId: sql`${placeholder("namespaceId")}`,
    key: sql`${placeholder("key")}`,
  };
  const q = {
    find: write
      .select()
      .from(idempotency)
      .where(and(eq(idempotency.namespaceId, placeholder("namespaceId")), eq(idempotency.key, placeholder("key"))))
      .prepare(),
    remember: write
      .insert(idempotency)
      .values({ ...key, ...values })
      .onConflictDoUpdate({ target: [idempotency.namespaceId, idempotency.key], set: values }) // one of more than a day ago
      .prepare(),
    topic: topicByRow(write),
  };

  return {
    find(namespaceId: Publication["namespaceId"], { key, hash }: Repeatable, draft: Draft, json: string) {
      const [seen] = q.find.all({ namespaceId, key });
      if (seen === undefined || seen.createdAt <= clock.now() - IDEMPOTENCY_MS) return undefined;
      if (seen.hash !== hash) return { kind: "idempotency_mismatch" } as const;
      const [row] = q.topic.all({ topicId: seen.topicId });
      if (row === undefined) return { kind: "unknown_topic" } as const; // deleted since: a retry stores nothing
      return answer(seen, toTopic(row, namespaces.name(namespaceId)), draft, json);
    },

    remember(namespaceId: Publication["namespaceId"], { key, hash }: Repeatable, published: Answer | Refused) {
      if (published.kind !== "stored" && published.kind !== "scheduled") return;
      const nothing = { messageId: null, seq: null, messageAt: null, scheduledId: null, deliverAt: null };
      q.remember.run({
        ...nothing,
        namespaceId,
        key,
        hash,
        topicId: published.topic.id,
        createdTopic: published.createdTopic ? 1 : 0,
        createdAt: clock.now(),
        ...reference(published),
      });
    },
  };
}

type Repeatable = NonNullable<Publication["idempotency"]>;

const reference = (published: Answer) =>
  published.kind === "stored"
    ? { messageId: published.message.id, seq: published.message.seq, messageAt: published.message.createdAt }
    : {
        scheduledId: published.scheduled.id,
        deliverAt: published.scheduled.deliverAt,
        messageAt: published.scheduled.createdAt,
      };

/** The first answer again: the same request makes the same draft, the rest is in the reference. */
function answer(seen: typeof idempotency.$inferSelect, of: Topic, draft: Draft, json: string): Answer {
  const { createdTopic, createdAt } = seen;
  if (seen.scheduledId !== null) {
    const waiting: Scheduled = {
      id: seen.scheduledId,
      deliverAt: seen.deliverAt ?? 0,
      createdAt: seen.messageAt ?? createdAt,
      topic: of,
      draft: delayed(draft),
    };
    return { kind: "scheduled", topic: of, scheduled: waiting, createdTopic, replayed: true };
  }
  const { level, priority } = draft;
  const first: Message = {
    id: seen.messageId ?? 0,
    seq: seen.seq ?? 0,
    createdAt: seen.messageAt ?? createdAt,
    level,
    priority,
    json,
  };
  return { kind: "stored", topic: of, message: first, createdTopic, replayed: true };
}
