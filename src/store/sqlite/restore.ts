/** Puts a copy in the place of the database, and keeps the one that was there under another name (OPERATIONS.md §4). */
import { Database } from "bun:sqlite";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { stampOf } from "../../names/copy.ts";
import type { Millis } from "../../util/clock.ts";
import { synced } from "../../util/synced.ts";
import { freeName } from "../../util/text/freename.ts";
import { isDamage } from "../sql/differences.ts";
import { StoreError } from "../store.ts";
import { isOurs } from "./examine.ts";
import { bringFiles, type CopiedFiles } from "./filecopy.ts";
import { readHeader } from "./header.ts";
import { schemaVersion } from "./migrate.ts";
import { migrations } from "./migrations.ts";
import { partialOf, sweepPartials } from "./partial.ts";
import { namesIn } from "./whole.ts";

/** What is in a database, in numbers that an operator recognizes. */
export interface Contents {
  namespaces: number;
  topics: number;
  messages: number;
  checks: number;
  devices: number;
  /** When its latest message was stored. */
  latestAt?: Millis;
  /** The version of peal that wrote it last. */
  version?: string;
}

export interface Restored {
  contents: Contents;
  files: CopiedFiles;
  /** The database that was there. */
  replaced?: { path: string; contents?: Contents };
  /** The `secret` that came with the copy is in place; `path`: where the one that was there is now. */
  secret?: { path?: string };
}

const refused = (message: string, cause?: unknown) =>
  new StoreError("refused", `${message} Nothing was changed.`, { cause });

/**
 * Under the lock of the data directory. `source`: a copy, or the file of a stopped server, with its log if that is beside it.
 * Files of messages and `secret` come along from beside the copy, or from the copied data directory whose `backups/` it is in.
 * @throws StoreError `refused` if it must not take the database's place
 */
export function restore(source: string, dataDir: string, now: Millis): Restored {
  const path = join(dataDir, "peal.db");
  const old = existsSync(path) ? contentsOf(path) : undefined;
  const fresh = prepared(source, path, now);
  try {
    const contents = examined(fresh, source);
    const files = bringFiles(fresh, filesBeside(source), dataDir);
    const stamp = stampOf(now);
    const secret = bringSecret(source, dataDir, stamp);
    const kept = freeName(join(dataDir, `replaced-${stamp}`), "db");
    const isReplacing = exchange(fresh, path, kept);
    synced(dataDir);
    return {
      ...{ contents, files },
      ...(isReplacing && { replaced: { path: kept, ...(old !== undefined && { contents: old }) } }),
      ...(secret !== undefined && { secret }),
    };
  } catch (error) {
    for (const end of ["", "-wal", "-shm", "-journal"]) rmSync(fresh + end, { force: true });
    throw error;
  }
}

/** Copies the file into the data directory, where it may be opened for writing: a log has to be brought into it first. */
function prepared(source: string, path: string, now: Millis): string {
  const header = readHeader(source);
  if (header === "empty") throw refused(`${source} is empty.`);
  if (header === "foreign") throw refused(`${source} is not a SQLite database. A packed copy must be unpacked first.`);
  if (existsSync(path) && statSync(path).ino === statSync(source).ino && statSync(path).dev === statSync(source).dev)
    throw refused(`${source} is the database itself.`);
  const log = header.isCopy ? 0 : (statSync(`${source}-wal`, { throwIfNoEntry: false })?.size ?? 0);
  sweepPartials(path, now);
  const needed = statSync(source).size + log;
  const { bavail, bsize } = statfsSync(dirname(path));
  if (bavail * bsize < needed)
    throw refused(`The disk of ${dirname(path)} has ${bavail * bsize} bytes left, and the copy needs ${needed}.`);
  const fresh = partialOf(path);
  copyFileSync(source, fresh);
  chmodSync(fresh, 0o600);
  if (log > 0) copyFileSync(`${source}-wal`, `${fresh}-wal`);
  return fresh;
}

/** Also sets rollback mode, the mark of a copy: beside a log of the old database it then refuses to start (`examine.ts`). */
function examined(fresh: string, source: string): Contents {
  try {
    using db = new Database(fresh, { readwrite: true });
    if (namesIn(db).size === 0 || !isOurs(db)) throw refused(`${source} is no database of peal.`);
    const newest = migrations.at(-1)?.version ?? 0;
    const contents = contentsIn(db);
    if (schemaVersion(db) > newest)
      throw refused(
        `${source} has schema ${schemaVersion(db)}, written by peal ${contents.version ?? "of a newer version"}; this build reads up to ` +
          `schema ${newest}. Restore it with that version, or restore an older copy.`,
      );
    const said = String(db.query("PRAGMA integrity_check(1)").values()[0]?.[0]);
    if (said !== "ok") throw refused(`${source} is damaged: ${said.replaceAll(/\s+/g, " ")}.`);
    db.run("PRAGMA journal_mode = DELETE");
    synced(fresh);
    return contents;
  } catch (error) {
    if (error instanceof StoreError) throw error;
    const [state, words] = [
      isDamage(error) ? "is damaged" : "cannot be read",
      error instanceof Error ? error.message : "",
    ];
    throw refused(`${source} ${state}: ${words}.`, error);
  }
}

/**
 * At every moment the database is the old one, the new one, or a copy beside the log of another, which a start refuses. False if
 * there was none.
 */
function exchange(fresh: string, path: string, kept: string): boolean {
  const there = ["", "-wal"].filter((end) => existsSync(path + end));
  for (const end of there) link(path + end, kept + end);
  synced(dirname(path));
  renameSync(fresh, path);
  for (const end of ["-wal", "-shm"]) rmSync(path + end, { force: true });
  return there.length > 0;
}

function link(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to); // a file system without links
    synced(to);
  }
}

/** The data directory that was copied whole, if `source` is in its `backups/`. */
const homeOf = (source: string): string[] =>
  basename(dirname(source)) === "backups" ? [dirname(dirname(source))] : [];

const filesBeside = (source: string): string[] => [
  `${source}.files`,
  ...homeOf(source).map((home) => join(home, "files")),
];

/** A database goes with the secret of its time: by another one the URLs that it knows are not found again (docs/durability.md). */
function bringSecret(source: string, dataDir: string, stamp: string): Restored["secret"] {
  const own = join(dataDir, "secret");
  const from = [dirname(source), ...homeOf(source)]
    .map((folder) => join(folder, "secret"))
    .find((one) => existsSync(one));
  if (from === undefined) return undefined;
  const secret = readFileSync(from);
  const isThere = existsSync(own);
  if (isThere && readFileSync(own).equals(secret)) return undefined;
  const kept = freeName(join(dataDir, `replaced-${stamp}`), "secret");
  if (isThere) link(own, kept);
  copyFileSync(from, `${own}.partial`);
  chmodSync(`${own}.partial`, 0o600);
  synced(`${own}.partial`);
  renameSync(`${own}.partial`, own);
  return isThere ? { path: kept } : {};
}

/** Undefined if it cannot be read: it may be why a copy is restored. */
function contentsOf(path: string): Contents | undefined {
  try {
    using db = new Database(path, { readonly: true });
    return contentsIn(db);
  } catch {
    return undefined;
  }
}

/** Of any schema: the first had neither checks nor devices. */
function contentsIn(db: Database): Contents {
  const has = (table: string) => db.query("SELECT 1 FROM sqlite_schema WHERE name = ?").values(table).length > 0;
  const count = (table: string) =>
    has(table) ? Number(db.query(`SELECT count(*) FROM "${table}"`).values()[0]?.[0]) : 0;
  const latest = db.query("SELECT created_at FROM message ORDER BY row DESC LIMIT 1").values()[0]?.[0];
  const version = db.query("SELECT value FROM setting WHERE name = 'version'").values()[0]?.[0];
  return {
    namespaces: count("namespace"),
    topics: count("topic"),
    messages: count("message"),
    checks: count("check"),
    devices: count("device"),
    ...(typeof latest === "number" && { latestAt: latest }),
    ...(typeof version === "string" && { version }),
  };
}
