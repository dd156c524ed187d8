/**
 * The tables of files. Their bytes are beside the database, in `files/` (src/files/disk.ts), by hash. Triggers count `refs`, so
 * that every deletion of an attachment counts, cascades too. drizzle cannot write triggers: the migration `files` has them by
 * hand, and one that rebuilds the table `attachment` has to rebuild them.
 */
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { TopicId } from "../../../topics/topic.ts";
import { discarded, message, scheduled } from "./schema.ts";

/** A stored file, once for each content. */
export const file = sqliteTable(
  "file",
  {
    row: integer().primaryKey(),
    /** SHA-256 in hexadecimal. */
    hash: text().notNull().unique(),
    size: integer().notNull(),
    /** How many attachments name it. */
    refs: integer().notNull().default(0),
  },
  (t) => [
    index("file_unused")
      .on(t.refs)
      .where(sql`${t.refs} = 0`),
  ],
);

/** A file of a message that is stored, waits for its time, or was deleted and may be restored. Deleted with it. */
export const attachment = sqliteTable(
  "attachment",
  {
    row: integer().primaryKey(),
    fileRow: integer("file_row")
      .notNull()
      .references(() => file.row),
    /** No foreign key: it is deleted with its message, before the topic. */
    topicId: integer("topic_id").$type<TopicId>().notNull(),
    messageRow: integer("message_row").references(() => message.row, { onDelete: "cascade" }),
    scheduledRow: integer("scheduled_row").references(() => scheduled.row, { onDelete: "cascade" }),
    discardedRow: integer("discarded_row").references(() => discarded.row, { onDelete: "cascade" }),
    name: text().notNull(),
    expiresAt: integer("expires_at").notNull(),
  },
  (t) => [
    index("attachment_file").on(t.fileRow, t.topicId),
    index("attachment_message").on(t.messageRow),
    index("attachment_scheduled").on(t.scheduledRow),
    index("attachment_discarded").on(t.discardedRow),
    index("attachment_expires").on(t.expiresAt),
  ],
);

/** One row, none before the first file: limits and metrics read these numbers and never count rows. */
export const fileTotal = sqliteTable("file_total", {
  row: integer().primaryKey(),
  files: integer().notNull(),
  bytes: integer().notNull(),
});
