/** Statements that are written and compiled when they first run, and their parameters. */
import { inArray, sql, type SQL, type Table } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Orm } from "./differences.ts";

/** The part of drizzle's prepared queries that is used here. */
interface Query {
  all(given?: Record<string, unknown>): unknown;
  get(given?: Record<string, unknown>): unknown;
  run(given?: Record<string, unknown>): unknown;
  values(given?: Record<string, unknown>): unknown;
}

let isEager = false;

/** A query that drizzle writes when it first runs: writing all of them is a third of a start, which needs few (measured). */
export function prepared<Q extends Query>(query: () => { prepare(): Q }): Pick<Q, keyof Query> {
  const made = lazily(() => query().prepare());
  return {
    all: (given) => made().all(given),
    get: (given) => made().get(given),
    run: (given) => made().run(given),
    values: (given) => made().values(given),
  };
}

/** Makes it when it is first asked for. */
export function lazily<T>(make: () => T): () => T {
  let made = isEager ? make() : undefined;
  return () => (made ??= make());
}

/** While `open` runs, statements are made at once, so that a test can look at all of them. */
export function eagerly<T>(open: () => T): T {
  isEager = true;
  try {
    return open();
  } finally {
    isEager = false;
  }
}

/**
 * The parameters of a statement, by name: the columns of a table, and `Other` names. Each is SQL, because `set` takes no bare
 * placeholder, and is made when it is asked for, because a start needs few of them.
 */
export const placeholders = <T extends Table, Other extends string = never>() =>
  new Proxy({}, { get: (_, name) => sql`${sql.placeholder(String(name))}` }) as Readonly<
    Record<Extract<keyof T["$inferSelect"], string> | Other, SQL>
  >;

/** Some of what is given, each for the column of its name: for `values` and `set`. */
export const pick = <Given extends object, Name extends keyof Given>(given: Given, ...names: Name[]) =>
  Object.fromEntries(names.map((name) => [name, given[name]])) as Pick<Given, Name>;

/** The placeholder of `limit`, which takes only a bare one. */
export const LIMIT = sql.placeholder("limit");

/** Deletes at most `LIMIT` rows, the first of an order: DELETE itself takes no limit. */
export const deleteSome = (
  write: Orm,
  table: SQLiteTable & { row: SQLiteColumn },
  where: SQL | undefined,
  ...order: SQL[]
) => {
  const some = write.select({ row: table.row }).from(table).where(where);
  return write.delete(table).where(inArray(table.row, some.orderBy(...order).limit(LIMIT)));
};
