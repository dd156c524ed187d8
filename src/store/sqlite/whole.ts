/** Whether a database is whole: statements name tables and indices, but are compiled only when they first run. */
import type { Database } from "bun:sqlite";
import { is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import * as accounts from "../sql/schema/accounts.ts";
import * as days from "../sql/schema/days.ts";
import * as deliveries from "../sql/schema/deliveries.ts";
import * as files from "../sql/schema/files.ts";
import * as hooks from "../sql/schema/hooks.ts";
import * as intakes from "../sql/schema/intake.ts";
import * as schema from "../sql/schema/schema.ts";

/** The names of its tables and indices. */
export const namesIn = (db: Database): Set<unknown> =>
  new Set(db.prepare("SELECT name FROM sqlite_schema").values().flat());

/** The names of tables and indices that it should have but has not, for example after a repair that lost some. */
export function lacking(db: Database): string[] {
  const there = namesIn(db);
  const parts: unknown[] = [schema, accounts, days, deliveries, files, hooks, intakes].flatMap((all) =>
    Object.values<unknown>(all),
  );
  return parts
    .filter((part) => is(part, SQLiteTable))
    .map((table) => getTableConfig(table))
    .flatMap(({ name, indexes }) => [name, ...indexes.map(({ config }) => config.name)])
    .filter((name) => !there.has(name));
}
