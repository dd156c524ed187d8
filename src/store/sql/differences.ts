/** Everything that SQLite and its driver do in their own way: another engine would replace this file. */
import { type Changes, type Database, SQLiteError } from "bun:sqlite";
import { sql, type SQL } from "drizzle-orm";
import type { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

export type Orm = BunSQLiteDatabase & { $client: Database };

/** Runs a prepared statement that writes. drizzle types its result as void; Bun's driver returns what changed. */
export const execute = (
  statement: { run(given: Record<string, unknown>): unknown },
  given: Record<string, unknown>,
): Changes => statement.run(given) as Changes;

export type Nested = <T>(part: () => T) => T;

/**
 * Runs a part in a savepoint: what the part throws undoes it, and is thrown again. A full disk or an I/O error makes SQLite roll
 * back the whole transaction; another savepoint would then open and commit its own, and rows would be stored that were answered
 * 503. So code that catches the error may continue only while `db.inTransaction`.
 */
export function savepoints(db: Database): Nested {
  const savepoint = db.prepare("SAVEPOINT j");
  const release = db.prepare("RELEASE j");
  const undo = db.prepare("ROLLBACK TO j");
  return (part) => {
    savepoint.run();
    try {
      const result = part();
      release.run();
      return result;
    } catch (error) {
      if (db.inTransaction) {
        undo.run();
        release.run();
      }
      throw error;
    }
  };
}

/** Whether the machine is at fault, not the part: later there may be room again. */
export const isExhausted = (error: unknown): boolean =>
  error instanceof SQLiteError && /^SQLITE_(FULL|IOERR|NOMEM|BUSY|READONLY|CANTOPEN)/.test(error.code ?? "");

/**
 * Whether the database is damaged: broken pages, a file that is not a database, or a disk that does not return what was written.
 * SQLite also calls a read malformed that the disk refused (`SQLITE_IOERR_CORRUPTFS` in its vdbe.c).
 */
export const isDamage = (error: unknown): error is SQLiteError =>
  error instanceof SQLiteError &&
  /^SQLITE_(CORRUPT|NOTADB|IOERR_(READ|SHORT_READ|DATA|CORRUPTFS))/.test(error.code ?? "");

// fragments of statements by hand; a list is passed to a statement as one parameter, the text of a JSON array

/** The numbers of a list: `row IN ${listed("?")}`. */
export const listed = (parameter: string): string => `(SELECT value FROM json_each(${parameter}))`;

/** A list as a table, for FROM, in the order of the list. `EACH` is its number, `EACH_PLACE` is where that is in the list. */
export const eachOf = (parameter: string): string => `json_each(${parameter})`;
export const EACH = "json_each.value";
export const EACH_PLACE = "json_each.key";

/** As `EACH`, of a list of lists: the number at this place, from 0 on. */
export const eachAt = (place: number): string => `json_extract(${EACH}, '$[${place}]')`;

/** A field of JSON as text; null if it is absent. */
export const jsonField = (json: string, name: string): string => `json_extract(${json}, '$.${name}')`;

/** A field of JSON as a number; null if it is absent. */
export const jsonNumber = (json: string, name: string): string => `json_extract(${json}, '$.${name}')`;

/** Whether a field of JSON is true. */
export const jsonTrue = (json: string, name: string): string => `json_extract(${json}, '$.${name}') IS TRUE`;

/** As `=`, but null differs from every value. */
export const differs = (a: string, b: string): string => `${a} IS NOT ${b}`;

/** Whether the list that is passed is null. */
export const isAbsent = (parameter: string): string => `${parameter} IS NULL`;

/** The larger of two values; null if one of them is. */
export const larger = (a: string, b: string): string => `max(${a}, ${b})`;

/** 1 if the condition holds, otherwise 0. */
export const oneIf = (condition: string): string => `(${condition})`;

/** Whether a text holds another. */
export const holds = (text: string, part: string): string => `(instr(${text}, ${part}) > 0)`;

/** The last bytes of a blob. */
export const lastBytes = (blob: string, count: string): string => `substr(${blob}, -${count})`;

/** Joins tables in the order in which they are written: of a plain JOIN the planner may begin at either end. */
export const JOIN_IN_ORDER = "CROSS JOIN";

/** ORDER BY, where the rows come in this order by the way they are read: SQLite would not see that, and sort them. */
export const alreadyBy = (_order: string): string => "";

/** Makes the planner use this index: it has no statistics to choose by, because nobody runs ANALYZE. */
export const indexedBy = (index: string): string => `INDEXED BY ${index}`;

/** Keeps the planner from using an index for this column. */
export const unindexed = (column: string): string => `+${column}`;

/** The last row number that a table gave; that row may be gone. */
export const lastGiven = (table: string): string => `SELECT seq FROM sqlite_sequence WHERE name = '${table}'`;

/** `larger`, for drizzle's expressions. */
export const largerOf = (a: SQL, b: SQL): SQL => sql`max(${a}, ${b})`;

/** Equal except for the case of ASCII letters. */
export const isAlike = (column: SQLiteColumn, given: SQL): SQL => sql`${column} = ${given} COLLATE NOCASE`;
