/** Copies of the database: whole or not at all, and read back before they get their name (OPERATIONS.md §4). */
import { Database, SQLiteError } from "bun:sqlite";
import { closeSync, existsSync, fsyncSync, linkSync, openSync, readSync, renameSync, rmSync, statSync } from "node:fs";
import type { Soundness } from "../../ops/integrity.ts";
import { systemClock } from "../../util/clock.ts";
import { isDamage } from "../sql/differences.ts";
import { partialOf, sweepPartials } from "./partial.ts";

/** How a copy is read back: `quick_check` does not check that each index has its rows, which takes minutes for gigabytes. */
type Check = "integrity_check" | "quick_check";

/** Copies the open database to `path`, which must not exist. @throws SQLite's or the system's error: `EEXIST` if it does */
export function copyWhole(db: Database, path: string, check: Check): void {
  sweepPartials(path, systemClock.now());
  const partial = partialOf(path);
  rmSync(partial, { force: true });
  const file = openSync(partial, "w", 0o600); // VACUUM INTO takes an empty file, and would make one that all may read
  try {
    db.prepare("VACUUM INTO ?").run(partial);
    fsyncSync(file);
    readBack(partial, check);
    putInPlace(partial, path);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/** The same from a file that a running server may be writing to: a reader of its WAL delays nobody. Returns the bytes. */
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

/** A rename would replace what another run has put there meanwhile. */
function putInPlace(partial: string, path: string): void {
  try {
    linkSync(partial, path);
    rmSync(partial);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST" || existsSync(path)) throw error;
    renameSync(partial, path); // for file systems without hard links, such as FAT
  }
}

const PIECE_BYTES = 1 << 20;

/** Whether two files have the same bytes: `VACUUM INTO` writes the same ones for the same content. False if one cannot be read. */
export function isSame(one: string, other: string): boolean {
  try {
    if (statSync(one).size !== statSync(other).size) return false;
    const files = [openSync(one, "r"), openSync(other, "r")] as const;
    try {
      const pieces = [Buffer.alloc(PIECE_BYTES), Buffer.alloc(PIECE_BYTES)] as const;
      for (;;) {
        const read = readSync(files[0], pieces[0]);
        if (readSync(files[1], pieces[1]) !== read || !pieces[0].equals(pieces[1])) return false;
        if (read === 0) return true;
      }
    } finally {
      for (const file of files) closeSync(file);
    }
  } catch {
    return false;
  }
}

/** Whether a copy failed because there was no room. */
export const isFull = (error: unknown): boolean =>
  error instanceof SQLiteError
    ? error.code === "SQLITE_FULL"
    : ["ENOSPC", "EDQUOT"].includes((error as NodeJS.ErrnoException).code ?? "");

function readBack(path: string, check: Check): void {
  const copy = new Database(path, { readonly: true });
  try {
    const said = copy.query(`PRAGMA ${check}(1)`).values()[0]?.[0];
    if (said !== "ok") throw new Error(`the copy is damaged: ${String(said)}`);
  } finally {
    copy.close();
  }
}

/** Reads the whole of a database that a running server may be writing to. */
export function soundnessOf(path: string): Soundness {
  try {
    using db = new Database(path, { readonly: true });
    db.run("PRAGMA busy_timeout = 10000");
    const said = String(db.query("PRAGMA quick_check(1)").values()[0]?.[0]);
    return said === "ok" ? { kind: "sound" } : { kind: "damaged", found: said.replaceAll(/\s+/g, " ") };
  } catch (error) {
    // SQLite also calls a page malformed that the disk did not return: an error that may pass is not a finding
    if (isDamage(error) && !error.code?.startsWith("SQLITE_IOERR")) return { kind: "damaged", found: error.message };
    return { kind: "failed", reason: error instanceof Error ? error.message : String(error) };
  }
}
