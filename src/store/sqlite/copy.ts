/** Copies of the database: whole or not at all, and read back before they get their name (OPERATIONS.md §4). */
import { Database } from "bun:sqlite";
import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync } from "node:fs";

/** Ends the name of a copy that is not whole. */
export const PARTIAL = ".partial";

/** How a copy is read back: `quick_check` leaves out whether each index has its rows, which takes minutes for gigabytes. */
type Check = "integrity_check" | "quick_check";

/** Copies the open database to `path`; what was there before is replaced. Throws what SQLite or the system says. */
export function copyWhole(db: Database, path: string, check: Check): void {
  const partial = path + PARTIAL;
  rmSync(partial, { force: true });
  const file = openSync(partial, "w", 0o600); // VACUUM INTO takes an empty file, and would make one that all may read
  try {
    db.prepare("VACUUM INTO ?").run(partial);
    fsyncSync(file);
    readBack(partial, check);
    renameSync(partial, path);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/** The same from a file that a running server may be writing to: a reader of its WAL holds nobody up. Returns its bytes. */
export function copyFile(database: string, path: string): number {
  const db = new Database(database, { readonly: true });
  try {
    db.run("PRAGMA busy_timeout = 10000");
    copyWhole(db, path, "integrity_check");
  } finally {
    db.close();
  }
  return statSync(path).size;
}

function readBack(path: string, check: Check): void {
  const copy = new Database(path, { readonly: true });
  try {
    const said = copy.query(`PRAGMA ${check}(1)`).values()[0]?.[0];
    if (said !== "ok") throw new Error(`the copy is damaged: ${String(said)}`);
  } finally {
    copy.close();
  }
}
