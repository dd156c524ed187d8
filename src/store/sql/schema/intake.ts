/** What is kept of how a message was sent. Most messages have nothing. */
import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { NamespaceId } from "../../../keys/namespace.ts";
import type { TopicId } from "../../../topics/topic.ts";
import { messageRow } from "./schema.ts";

export const intake = sqliteTable(
  "intake",
  {
    row: messageRow(),
    /** Those of the message. No foreign keys: it is deleted before they are. */
    topicId: integer("topic_id").$type<TopicId>().notNull(),
    namespaceId: integer("namespace_id").$type<NamespaceId>().notNull(),
    /** `FieldError[]`. */
    ignored: text().notNull(),
    /** Null: the message was understood, or there are newer bodies. */
    body: text(),
    /** 1 or 0: an index on `body IS NOT NULL` would still look at each row. */
    hasBody: integer("has_body").notNull(),
    isCut: integer("is_cut").notNull().default(0),
    contentType: text("content_type"),
    userAgent: text("user_agent"),
  },
  (t) => [
    // the row number follows in both: the newest are found from their end
    index("intake_topic")
      .on(t.topicId)
      .where(sql`${t.hasBody} = 1`),
    index("intake_namespace")
      .on(t.namespaceId)
      .where(sql`${t.hasBody} = 1`),
  ],
);
