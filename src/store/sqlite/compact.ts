/** Writes the database anew without the room that deleted rows have left, while no server runs on it. */
import { Database } from "bun:sqlite";
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from "node:fs";
import { copyWhole, isFull, soundnessOf } from "./copy.ts";
import { examineFiles } from "./examine.ts";
import { takeLock } from "./lock.ts";

export type Compacted =
  /** Bytes, the log's among those before. */
  | { kind: "compacted"; before: number; after: number }
  | { kind: "full"; needed: number; free: number }
  | { kind: "unsound"; reason: string };

/**
 * The file itself is never rewritten: a whole copy is made beside it, checked, and given its name. Whatever ends that, one
 * of the two is there, whole. @throws StoreError `locked` while a server runs, `refused` for files that do not belong together
 */
export function compact(dataDir: string): Compacted {
  const lock = takeLock(dataDir);
  try {
    examineFiles(dataDir);
    return compactLocked(`${dataDir}/peal.db`, dataDir);
  } finally {
    lock.release();
  }
}

function compactLocked(path: string, dataDir: string): Compacted {
  const fresh = `${path}.compact`;
  rmSync(fresh, { force: true }); // of a run that was ended before it gave the copy its name
  const before = bytesOf(path);
  const room = roomFor(before, dataDir);
  if (room !== undefined) return room;
  const soundness = soundnessOf(path);
  if (soundness.kind !== "sound")
    return { kind: "unsound", reason: soundness.kind === "damaged" ? soundness.found : soundness.reason };
  const { uid, gid } = statSync(path);
  try {
    const db = new Database(path);
    try {
      db.run("PRAGMA wal_checkpoint(TRUNCATE)");
      copyWhole(db, fresh, "integrity_check");
    } finally {
      db.close(); // the last to close it deletes its log
    }
    // the new file has no log, and must not get the old one's: a start would refuse the two
    if (existsSync(`${path}-wal`)) throw new Error(`another program has ${path} open`);
    if (process.getuid?.() === 0) chownSync(fresh, uid, gid);
    renameSync(fresh, path);
  } catch (error) {
    rmSync(fresh, { force: true });
    if (isFull(error)) return roomFor(before, dataDir) ?? { kind: "full", needed: before, free: freeIn(dataDir) };
    throw error;
  }
  syncFolder(dataDir);
  return { kind: "compacted", before, after: bytesOf(path) };
}

/** The copy is at most as large as the database with its log. */
function roomFor(needed: number, dataDir: string): Compacted | undefined {
  const free = freeIn(dataDir);
  return free < needed ? { kind: "full", needed, free } : undefined;
}

function freeIn(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

const bytesOf = (path: string): number =>
  statSync(path).size + (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0);

/** The new name is on the disk when this returns. */
function syncFolder(folder: string): void {
  const opened = openSync(folder, "r");
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
