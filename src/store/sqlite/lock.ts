/** Keeps a second server off a data directory: by the lock of a SQLite file, which the kernel frees however the process ends. */
import { Database, SQLiteError } from "bun:sqlite";
import { chmodSync, closeSync, openSync, statSync } from "node:fs";
import { identityOf, type Identity } from "./place.ts";
import { StoreError } from "../store.ts";

export interface Lock {
  /** The identity of the file that is held. */
  identity: Identity | undefined;
  release(): void;
}

/**
 * Holds `peal.lock` until it is released. Nobody in this process may open that file in another way: closing any descriptor of a
 * file drops all POSIX locks that the process has on it (https://sqlite.org/howtocorrupt.html §2.2).
 */
export function takeLock(dataDir: string): Lock {
  const path = `${dataDir}/peal.lock`;
  const release = holdFile(path);
  if (release === undefined)
    throw new StoreError(
      "locked",
      `Another peal runs on ${dataDir} (it holds peal.lock). Stop it first, or give this one another data directory.`,
    );
  return { identity: identityOf(path), release };
}

/** Locks the file, which is made if it is missing, and returns what ends that; undefined while another process has it. */
export function holdFile(path: string): (() => void) | undefined {
  ownerOnly(path);
  const db = new Database(path);
  try {
    db.run("PRAGMA busy_timeout = 0");
    db.run("BEGIN EXCLUSIVE");
  } catch (error) {
    db.close();
    if (!(error instanceof SQLiteError) || error.code !== "SQLITE_BUSY") throw error;
    return undefined;
  }
  return () => {
    db.close();
  };
}

/** Anybody who may read the file may lock it, and so keep peal from starting. Earlier versions made it readable to all. */
function ownerOnly(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    if ((statSync(path).mode & 0o077) !== 0) chmodSync(path, 0o600);
  }
}
