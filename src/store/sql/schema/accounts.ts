/** The tables of people and their sessions; `schema.ts` says how they change. */
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

export const person = sqliteTable(
  "person",
  {
    row: integer().primaryKey(),
    id: text().notNull().unique(),
    name: text().notNull(),
    /** The name that a person is found by: `foldName`. */
    folded: text().notNull().unique(),
    /** argon2id; null: only a trusted proxy signs the person in. */
    passwordHash: text("password_hash"),
    isAdmin: integer("is_admin").notNull(),
    /** JSON: the row numbers of the namespaces that they may see, which are never given again; null: all. */
    namespaces: text(),
    createdAt: integer("created_at").notNull(),
    lastSeenAt: integer("last_seen_at"),
  },
  (t) => [index("person_admin").on(t.isAdmin)],
);

export const session = sqliteTable(
  "session",
  {
    row: integer().primaryKey(),
    id: text().notNull().unique(),
    personRow: integer("person_row")
      .notNull()
      .references(() => person.row),
    /** SHA-256 of the cookie's content. */
    hash: text().notNull().unique(),
    createdAt: integer("created_at").notNull(),
    seenAt: integer("seen_at").notNull(),
    confirmedAt: integer("confirmed_at").notNull(),
    address: text().notNull(),
    agent: text().notNull(),
  },
  (t) => [index("session_person").on(t.personRow, t.seenAt), index("session_seen").on(t.seenAt)],
);
