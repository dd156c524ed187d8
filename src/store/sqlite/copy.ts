/** Copies of the database: whole or not at all, and read back before they get their name (OPERATIONS.md §4). */
import { Database } from "bun:sqlite";
import { closeSync, fsyncSync, openSync, renameSync, rmSync, statSync } from "node:fs";

/** Ends the name of a copy that is not whole. */
export const PARTIAL = ".partial";

/** Copies the open database to `path`; what was there before is replaced. Throws what SQLite or the system says. */
export function copyWhole(db: Database, path: string): void {
  const partial = path + PARTIAL;
  rmSync(partial, { force: true });
  const file = openSync(partial, "w", 0o600); // VACUUM INTO takes an empty file, and would make one that all may read
  try {
    db.prepare("VACUUM INTO ?").run(partial);
    fsyncSync(file);
    readBack(partial);
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
    copyWhole(db, path);
  } finally {
    db.close();
  }
  return statSync(path).size;
}

function readBack(path: string): void {
  const copy = new Database(path, { readonly: true });
  try {
    const [row] = copy.query<{ integrity_check: string }, []>("PRAGMA integrity_check(1)").all();
    if (row?.integrity_check !== "ok") throw new Error(`the copy is damaged: ${row?.integrity_check ?? "no answer"}`);
  } finally {
    copy.close();
  }
}
