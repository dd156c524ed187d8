/** Whether a database is whole: statements name tables and indices, and are compiled when they first run. */
import type { Database } from "bun:sqlite";
import { is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import * as accounts from "./accountschema.ts";
import * as days from "./dayschema.ts";
import * as deliveries from "./deliveryschema.ts";
import * as files from "./fileschema.ts";
import * as hooks from "./hookschema.ts";
import * as intakes from "./intakeschema.ts";
import * as schema from "./schema.ts";

/** Of tables and indices. */
export const namesIn = (db: Database): Set<unknown> =>
  new Set(db.prepare("SELECT name FROM sqlite_schema").values().flat());

/** Names of tables and indices that it should have and has not, such as after a repair that lost some. */
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
