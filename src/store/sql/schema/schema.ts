/**
 * The tables of the SQLite engine; the other files here have those of devices, deliveries, people and hooks. After a change,
 * `npm run migration -- --name <what>` writes the next file of `migrations/`, and `migrations.ts` names it. Times are epoch
 * ms; JSON is only used where nothing is filtered by it.
 */
import { isNotNull, isNull, sql } from "drizzle-orm";
import { blob, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { CheckRow, CheckState, NamedPing } from "../../../checks/check.ts";
import type { Scope } from "../../../keys/key.ts";
import type { NamespaceId } from "../../../keys/namespace.ts";
import type { Level, Priority } from "../../../drafts/draft.ts";
import type { TopicId } from "../../../topics/topic.ts";

export const namespace = sqliteTable("namespace", {
  row: integer().$type<NamespaceId>().primaryKey({ autoIncrement: true }),
  name: text().notNull().unique(),
  createdAt: integer("created_at").notNull(),
  /** How many live topics it has: the cap reads this number and never counts rows. */
  topics: integer().notNull().default(0),
  /** How many checks it has. */
  checks: integer().notNull().default(0),
  /** How many devices follow a topic in it. */
  devices: integer().notNull().default(0),
  pingKeyGeneration: integer("ping_key_generation").notNull().default(0),
  /** SHA-256 of the present ping key. */
  pingKeyHash: text("ping_key_hash").unique(),
  /** Until then its messages are not pushed. */
  mutedUntil: integer("muted_until"),
});

export const namespaceId = () =>
  integer("namespace_id")
    .$type<NamespaceId>()
    .notNull()
    .references(() => namespace.row);

export const topic = sqliteTable(
  "topic",
  {
    row: integer().$type<TopicId>().primaryKey({ autoIncrement: true }),
    namespaceId: namespaceId(),
    key: text().notNull().unique(),
    name: text().notNull(),
    description: text(),
    lastId: integer("last_id").notNull().default(0),
    prunedTo: integer("pruned_to").notNull().default(0),
    /** Subscriptions to it, those of lost devices too: a publish reads this number and never looks for them. */
    subscribers: integer().notNull().default(0),
    lastAt: integer("last_at"),
    retentionDays: integer("retention_days"),
    retentionMessages: integer("retention_messages"),
    archivedAt: integer("archived_at"),
    /** Until then its messages are not pushed. */
    mutedUntil: integer("muted_until"),
    createdAt: integer("created_at").notNull(),
    /** A tombstone: nobody sees the topic any more, and the sweeper deletes its rows. */
    deletedAt: integer("deleted_at"),
  },
  (t) => [
    uniqueIndex("topic_name").on(t.namespaceId, t.name).where(isNull(t.deletedAt)),
    index("topic_namespace").on(t.namespaceId),
  ],
);

export const topicId = () =>
  integer("topic_id")
    .$type<TopicId>()
    .notNull()
    .references(() => topic.row);

export const message = sqliteTable(
  "message",
  {
    /** `seq`. AUTOINCREMENT: never given again, even if the newest message was deleted. */
    row: integer().primaryKey({ autoIncrement: true }),
    topicId: topicId(),
    namespaceId: namespaceId(),
    id: integer().notNull(),
    createdAt: integer("created_at").notNull(),
    level: text().$type<Level>().notNull(),
    priority: text().$type<Priority>().notNull(),
    dedupKey: text("dedup_key"),
    /** The draft as it is answered. */
    json: text().notNull(),
    /** 1: it is of an alert (`dedup_key`), which fires with it. */
    firing: integer(),
    /** Who sent it: `api_key.row`, or the negative of `hook.row`. No foreign key: they may be deleted. */
    sender: integer(),
  },
  (t) => [
    uniqueIndex("message_id").on(t.topicId, t.id),
    // the row number follows in every index: this one is in the order of the namespace's stream
    index("message_namespace").on(t.namespaceId),
    index("message_dedup").on(t.topicId, t.dedupKey).where(isNotNull(t.dedupKey)),
    index("message_urgent")
      .on(t.namespaceId)
      .where(sql`${t.priority} = 'urgent'`),
    index("message_urgent_topic")
      .on(t.topicId)
      .where(sql`${t.priority} = 'urgent'`),
    index("message_firing")
      .on(t.namespaceId)
      .where(sql`${t.firing} = 1`),
    index("message_firing_topic")
      .on(t.topicId)
      .where(sql`${t.firing} = 1`),
  ],
);

/** `message.row`, for rows that belong to a message and are deleted with it. */
export const messageRow = () =>
  integer("row")
    .primaryKey()
    .references(() => message.row, { onDelete: "cascade" });

/** Messages that were deleted in a page, as long as they can be restored; then the sweeper deletes them. */
export const discarded = sqliteTable(
  "discarded",
  {
    /** `message.row`. */
    row: integer().primaryKey(),
    /** No foreign keys: the topic may be deleted meanwhile. */
    topicId: integer("topic_id").$type<TopicId>().notNull(),
    id: integer().notNull(),
    discardedAt: integer("discarded_at").notNull(),
    /** The message and all rows that belong to it, by table. */
    json: text().notNull(),
  },
  (t) => [uniqueIndex("discarded_id").on(t.topicId, t.id), index("discarded_at").on(t.discardedAt)],
);

export const apiKey = sqliteTable(
  "api_key",
  {
    row: integer().primaryKey(),
    id: text().notNull().unique(),
    namespaceId: namespaceId(),
    hash: text().notNull().unique(),
    prefix: text().notNull(),
    scope: text().$type<Scope>().notNull(),
    name: text(),
    createdAt: integer("created_at").notNull(),
    expiresAt: integer("expires_at"),
    lastUsedAt: integer("last_used_at"),
    /** The client's address at that time. */
    lastUsedFrom: text("last_used_from"),
  },
  (t) => [index("api_key_namespace").on(t.namespaceId)],
);

/** The first answer under an idempotency key, as a reference, from which a repeat makes the same answer. */
export const idempotency = sqliteTable(
  "idempotency",
  {
    row: integer().primaryKey(),
    namespaceId: namespaceId(),
    key: text().notNull(),
    hash: text().notNull(),
    /** No foreign key: the reference may outlive its topic, whose row number is never given again. */
    topicId: integer("topic_id").$type<TopicId>().notNull(),
    createdTopic: integer("created_topic", { mode: "boolean" }).notNull(),
    createdAt: integer("created_at").notNull(),
    /** The id of a message that was stored at once. */
    messageId: integer("message_id"),
    seq: integer(),
    messageAt: integer("message_at"),
    /** The id of one that was scheduled. */
    scheduledId: text("scheduled_id"),
    deliverAt: integer("deliver_at"),
  },
  (t) => [uniqueIndex("idempotency_key").on(t.namespaceId, t.key), index("idempotency_created").on(t.createdAt)],
);

export const scheduled = sqliteTable(
  "scheduled",
  {
    row: integer().primaryKey(),
    id: text().notNull().unique(),
    namespaceId: namespaceId(),
    topicId: topicId(),
    deliverAt: integer("deliver_at").notNull(),
    /** The delay that was asked for; null: it was a time on the clock. */
    delayMs: integer("delay_ms"),
    createdAt: integer("created_at").notNull(),
    json: text().notNull(),
    /** What is kept beside the message once it is stored; null: nothing. */
    intake: text(),
    /** As in `message`. */
    sender: integer(),
  },
  (t) => [
    index("scheduled_due").on(t.deliverAt),
    index("scheduled_namespace").on(t.namespaceId, t.deliverAt),
    index("scheduled_topic").on(t.topicId),
  ],
);

export const check = sqliteTable(
  "check",
  {
    row: integer().$type<CheckRow>().primaryKey({ autoIncrement: true }),
    id: text().notNull().unique(),
    namespaceId: namespaceId(),
    topicId: topicId(),
    name: text().notNull(),
    slug: text(),
    tokenHash: text("token_hash").notNull().unique(),
    /** The previous one works until then. */
    oldTokenHash: text("old_token_hash"),
    oldTokenUntil: integer("old_token_until"),
    tokenGeneration: integer("token_generation").notNull().default(0),
    badgeToken: text("badge_token").notNull().unique(),
    createdAt: integer("created_at").notNull(),
    state: text().$type<CheckState>().notNull(),
    dueAt: integer("due_at"),
    /** Up to when its days are written (`check_day`); null: none is since its creation. */
    countedTo: integer("counted_to"),
    /** `Standing`, with the settings: name, slug and state are also columns, by which checks are found. */
    standing: text().notNull(),
  },
  (t) => [
    uniqueIndex("check_slug").on(t.namespaceId, t.slug).where(isNotNull(t.slug)),
    index("check_name").on(t.namespaceId, t.name, t.id),
    index("check_topic").on(t.topicId),
    index("check_old_token").on(t.oldTokenHash).where(isNotNull(t.oldTokenHash)),
    index("check_state").on(t.state, t.namespaceId),
    // with the topic: checks of one time and topic are reported together
    index("check_due").on(t.dueAt, t.topicId).where(isNotNull(t.dueAt)),
  ],
);

/** A check's log is a ring: line `n` takes the place of line `n - 100` (`LOG_LINES`). A ping writes one page, deletes nothing. */
export const checkEvent = sqliteTable("check_event", {
  /** The check's row number times 100, and `n` modulo 100. No foreign key: it would need an index. */
  row: integer().primaryKey(),
  n: integer().notNull(),
  /** `LoggedEvent`. */
  json: text().notNull(),
  /** The body of the ping, if it had one. */
  head: blob().$type<Uint8Array>(),
  tail: blob().$type<Uint8Array>(),
});

const checkRow = () =>
  integer("check_row")
    .$type<CheckRow>()
    .notNull()
    .references(() => check.row);

/** The latest pings of named runs, by which a repeat is recognized. */
export const checkNamed = sqliteTable(
  "check_named",
  {
    row: integer().primaryKey(),
    checkRow: checkRow(),
    /** Counted for each check. */
    n: integer().notNull(),
    rid: text().notNull(),
    kind: text().$type<NamedPing["kind"]>().notNull(),
    at: integer().notNull(),
  },
  (t) => [uniqueIndex("check_named_n").on(t.checkRow, t.n), index("check_named_rid").on(t.checkRow, t.rid)],
);

export const checkIncident = sqliteTable(
  "check_incident",
  {
    row: integer().primaryKey(),
    checkRow: checkRow(),
    n: integer().notNull(),
    /** `PastIncident` without its messages. */
    json: text().notNull(),
    /** `message.row` of the messages that reported its begin and end; set once. No foreign key: retention may delete the message. */
    downMessage: integer("down_message"),
    upMessage: integer("up_message"),
    /** As in the JSON, for searches of a day's outages; null: it is open. */
    closedAt: integer("closed_at"),
  },
  (t) => [
    uniqueIndex("check_incident_n").on(t.checkRow, t.n),
    index("check_incident_closed").on(t.closedAt).where(isNotNull(t.closedAt)),
  ],
);

export const setting = sqliteTable("setting", {
  name: text().primaryKey(),
  value: text().notNull(),
});
