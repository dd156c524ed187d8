/**
 * Figures of days and hours, kept longer than the rows that they count. The row number tells whose a row is and of which time
 * (`rollup.ts`), so the days of one owner lie side by side and need no index; a foreign key would need one, so there is none.
 */
import { index, integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** A day of a check, in its zone. The four times add up to the part of the day that is known. */
export const checkDay = sqliteTable(
  "check_day",
  {
    row: integer().primaryKey(),
    /** Since 1970: by it old days are deleted. */
    day: integer().notNull(),
    upMs: integer("up_ms").notNull(),
    downMs: integer("down_ms").notNull(),
    quietMs: integer("quiet_ms").notNull(),
    awayMs: integer("away_ms").notNull(),
    hasOk: integer("has_ok").notNull(),
    /** The median duration of its successes, once the day is over; null: none was timed. */
    usualMs: integer("usual_ms"),
  },
  (t) => [index("check_day_day").on(t.day)],
);

const byLevel = () => ({
  info: integer().notNull(),
  success: integer().notNull(),
  warning: integer().notNull(),
  error: integer().notNull(),
});

/** Messages of a topic on a day in the server's zone, by level; no row if there were none. */
export const topicDay = sqliteTable(
  "topic_day",
  { row: integer().primaryKey(), day: integer().notNull(), ...byLevel() },
  (t) => [index("topic_day_day").on(t.day)],
);

/** Messages of a namespace in an hour since 1970, by level; no row if there were none. */
export const namespaceHour = sqliteTable(
  "namespace_hour",
  { row: integer().primaryKey(), hour: integer().notNull(), ...byLevel() },
  (t) => [index("namespace_hour_hour").on(t.hour)],
);
