/** Finds files that a start must not touch: it would damage them, or they are not peal's. Nothing is written before. */
import type { Database } from "bun:sqlite";
import { existsSync, statSync } from "node:fs";
import { StoreError } from "../store.ts";
import { restoreCommand } from "./copies.ts";
import { readHeader, type Header } from "./header.ts";
import { namesIn } from "./whole.ts";
import { readWal, type Wal } from "./wal.ts";

/** "peal" in ASCII, in the header of the database (`PRAGMA application_id`). */
export const APPLICATION_ID = 0x7065616c;

const refused = (message: string) => new StoreError("refused", `${message} Nothing was changed.`);

/** Runs before this process opens the database, under the lock. @throws StoreError `refused` */
export function examineFiles(dataDir: string): void {
  const path = `${dataDir}/peal.db`;
  const header = existsSync(path) ? readHeader(path) : "missing";
  if (header === "foreign") throw refused(`${path} is not a SQLite database. ${elsewhere(path)}`);
  const walBytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (walBytes === 0) return;
  if (header === "missing" || header === "empty")
    throw refused(
      `${path} is ${header}, but ${path}-wal is there with ${walBytes} bytes, and may hold messages that a start would delete. ` +
        `Put back the peal.db that it belongs to, or move peal.db-wal and peal.db-shm elsewhere and ${restore(dataDir)}.`,
    );
  const wal = readWal(`${path}-wal`);
  if (wal !== undefined && !fits(header, wal))
    throw refused(
      `${path} and ${path}-wal do not belong together${header.isCopy ? ": peal.db is a copy" : ""}, and starting would damage it. ` +
        "To go on with this peal.db, move peal.db-wal and peal.db-shm elsewhere; to return to the previous database, put its peal.db back.",
    );
}

/** SQLite never writes the page at this offset, which holds its locks (https://sqlite.org/fileformat2.html §1.5). */
const LOCK_BYTE = 2 ** 30;

/**
 * A copy never has its own log: the log belongs to the database whose place the copy took. Otherwise, if a page is neither
 * in the file nor in the log, or the file is larger than the log says, the log is of a database of another time. A raw copy of
 * the same size is not noticed.
 */
function fits({ isCopy, pageSize, pages }: Header, wal: Wal): boolean {
  if (isCopy || pageSize !== wal.pageSize) return false;
  const from = pages > wal.size ? 0 : pages; // only a VACUUM makes a database smaller, and it writes every page
  const unused = LOCK_BYTE / pageSize + 1;
  for (let page = from + 1; page <= wal.size; page++) if (page !== unused && !wal.pages.has(page)) return false;
  return true;
}

const restore = (dataDir: string): string => {
  const command = restoreCommand(dataDir);
  return command === undefined
    ? "run `peal restore` with a backup (there is none in backups/), or start anew without"
    : `run \`${command}\``;
};

const elsewhere = (path: string) => `Move ${path} elsewhere, or give peal another data directory.`;

/** Runs before anything is written through `db`. @throws StoreError `refused` if it is another program's database */
export function requireOurs(db: Database, path: string): void {
  if (!isOurs(db)) throw refused(`${path} is a database of another program. ${elsewhere(path)}`);
}

export function isOurs(db: Database): boolean {
  const id = applicationId(db);
  if (id !== 0) return id === APPLICATION_ID;
  const names = namesIn(db);
  // for databases that peal made before it set an id
  return names.size === 0 || TABLES.every((table) => names.has(table));
}

/** Tables of the first migration, which every version has. */
const TABLES = ["namespace", "topic", "message", "setting"];

export const applicationId = (db: Database): number =>
  db.prepare<{ application_id: number }, []>("PRAGMA application_id").get()?.application_id ?? 0;
