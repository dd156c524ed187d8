/**
 * What days and hours come to, kept longer than what they are made of. The row number says whose a row is and of when
 * (`rollup.ts`), so that the days of one lie side by side and need no index; none has a foreign key, which would need one too.
 */
import { index, integer, sqliteTable } from "drizzle-orm/sqlite-core";

/** A day of a check, in its zone. The four times make up as much of the day as is known of. */
export const checkDay = sqliteTable(
  "check_day",
  {
    row: integer().primaryKey(),
    /** Since 1970: for what takes old days away. */
    day: integer().notNull(),
    upMs: integer("up_ms").notNull(),
    downMs: integer("down_ms").notNull(),
    quietMs: integer("quiet_ms").notNull(),
    awayMs: integer("away_ms").notNull(),
    hasOk: integer("has_ok").notNull(),
    /** Median of the durations of its successes, once the day is over; null: none was timed. */
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

/** Messages of a topic on a day in the server's zone, by level; none: no row. */
export const topicDay = sqliteTable(
  "topic_day",
  { row: integer().primaryKey(), day: integer().notNull(), ...byLevel() },
  (t) => [index("topic_day_day").on(t.day)],
);

/** Messages of a namespace in an hour since 1970, by level; none: no row. */
export const namespaceHour = sqliteTable(
  "namespace_hour",
  { row: integer().primaryKey(), hour: integer().notNull(), ...byLevel() },
  (t) => [index("namespace_hour_hour").on(t.hour)],
);
