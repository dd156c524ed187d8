/** A part of a transaction that is undone alone when it throws. */
import { type Database, SQLiteError } from "bun:sqlite";

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
