/** The tables of hooks and their requests; `schema.ts` says how they change. */
import { isNotNull } from "drizzle-orm";
import { blob, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { HookRow } from "../../../hooks/hook.ts";
import { namespaceId, topicId } from "./schema.ts";

export const hook = sqliteTable(
  "hook",
  {
    row: integer().$type<HookRow>().primaryKey({ autoIncrement: true }),
    id: text().notNull().unique(),
    namespaceId: namespaceId(),
    topicId: topicId(),
    /** SHA-256 of the token in its URL, and of the one for Gotify's clients. */
    tokenHash: text("token_hash").notNull().unique(),
    gotifyHash: text("gotify_hash").notNull().unique(),
    /** The previous ones, which work until then. */
    oldTokenHash: text("old_token_hash"),
    oldGotifyHash: text("old_gotify_hash"),
    oldTokenUntil: integer("old_token_until"),
    tokenGeneration: integer("token_generation").notNull().default(0),
    /** `HookSettings`. */
    settings: text().notNull(),
    createdAt: integer("created_at").notNull(),
    /** How many requests were taken; the latest has this number. */
    requests: integer().notNull().default(0),
    lastUsedAt: integer("last_used_at"),
    /** The client's address at that time, and the source of the message. */
    lastUsedFrom: text("last_used_from"),
    lastSource: text("last_source"),
  },
  (t) => [
    index("hook_namespace").on(t.namespaceId),
    index("hook_topic").on(t.topicId),
    index("hook_old_token").on(t.oldTokenHash).where(isNotNull(t.oldTokenHash)),
    index("hook_old_gotify").on(t.oldGotifyHash).where(isNotNull(t.oldGotifyHash)),
  ],
);

/** The latest requests of a hook, as a ring: request `n` takes the place of request `n - 20` (`REQUESTS_KEPT`). */
export const hookRequest = sqliteTable(
  "hook_request",
  {
    /** The hook's row number times 20, and `n` modulo 20. No foreign key: it would need an index. */
    row: integer().primaryKey(),
    n: integer().notNull(),
    at: integer().notNull(),
    /** The id of the message that it became; null while that waits for its time (`CameBy.scheduled`). */
    messageId: integer("message_id"),
    /** `CameBy`. */
    json: text().notNull(),
    /** The beginning of its body. */
    body: blob().$type<Uint8Array>(),
  },
  (t) => [index("hook_request_at").on(t.at)],
);
