/** What SQLite and its driver say in their own way: another engine would say it in its own. */
import { type Changes, type Database, SQLiteError } from "bun:sqlite";
import type { BunSQLiteDatabase } from "drizzle-orm/bun-sqlite";

export type Orm = BunSQLiteDatabase & { $client: Database };

/** Runs a prepared statement that writes. drizzle types its result as void; Bun's driver gives what changed. */
export const execute = (
  statement: { run(given: Record<string, unknown>): unknown },
  given: Record<string, unknown>,
): Changes => statement.run(given) as Changes;

export type Nested = <T>(part: () => T) => T;

/**
 * Runs a part in a savepoint: what it throws undoes it, and is thrown on. A full disk or an I/O error makes SQLite roll the whole
 * transaction back: a further savepoint would then open and commit one of its own, and rows would be stored that were
 * answered 503. So whoever catches goes on only while `db.inTransaction`.
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

/** The machine's fault and not the part's: there may be room again later. */
export const isExhausted = (error: unknown): boolean =>
  error instanceof SQLiteError && /^SQLITE_(FULL|IOERR|NOMEM|BUSY|READONLY|CANTOPEN)/.test(error.code ?? "");

/**
 * Pages that are no pages, a file that is no database, or a disk that does not give back what was written: SQLite calls a read
 * that the disk refused malformed as well (`SQLITE_IOERR_CORRUPTFS` in its vdbe.c).
 */
export const isDamage = (error: unknown): error is SQLiteError =>
  error instanceof SQLiteError &&
  /^SQLITE_(CORRUPT|NOTADB|IOERR_(READ|SHORT_READ|DATA|CORRUPTFS))/.test(error.code ?? "");
