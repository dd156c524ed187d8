/** Brings a database to the schema of this peal: in one transaction, after copying it. */
import { Database } from "bun:sqlite";
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { StoreError } from "../store.ts";
import { freeName } from "../../util/text/freename.ts";
import { copyWhole, isFull } from "./copy.ts";
import type { Migration } from "./migrations.ts";

export interface Upgrade {
  db: Database;
  dataDir: string;
  /** In order, without a hole. */
  migrations: readonly Migration[];
  /** The version of this peal, which names the copy: `backups/pre-<version>.db`. */
  version: string;
}

/** Returns the copy that was made, if any. @throws StoreError, and the database is as it was */
export function migrate({ db, dataDir, migrations, version }: Upgrade): { copy?: string } {
  const current = schemaVersion(db);
  const newest = migrations.at(-1)?.version ?? 0;
  if (current > newest) throw newerSchema(db, dataDir, version, { current, newest });
  if (current === newest) return {};
  const copy = current === 0 ? undefined : backUp(db, dataDir, version);
  try {
    apply(
      db,
      migrations.filter((migration) => migration.version > current),
    );
  } catch (error) {
    if (copy !== undefined) rmSync(copy); // nothing has changed: copies of a server that restarts again and again would fill the disk
    throw error;
  }
  return copy === undefined ? {} : { copy };
}

export const schemaVersion = (db: Database): number =>
  db.prepare<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0;

/**
 * drizzle-kit rebuilds a table by DROP, which empties its children by ON DELETE CASCADE; the `PRAGMA foreign_keys=OFF` that it
 * writes has no effect in a transaction. So foreign keys are off before BEGIN, checked before COMMIT, and on again afterwards.
 */
function apply(db: Database, pending: readonly Migration[]): void {
  let at = "";
  db.run("PRAGMA foreign_keys = OFF");
  try {
    db.run("BEGIN IMMEDIATE");
    for (const { name, sql, version } of pending) {
      at = name;
      db.run(sql);
      db.run(`PRAGMA user_version = ${version}`);
    }
    const broken = db.prepare("PRAGMA foreign_key_check").values();
    if (broken.length > 0) throw new Error(`${broken.length} rows refer to rows that are not there`);
    db.run("COMMIT");
  } catch (error) {
    if (db.inTransaction) db.run("ROLLBACK");
    const why = isFull(error) ? `the disk of ${db.filename} is full` : wordsOf(error);
    throw new StoreError("migration_failed", `Migration ${at} failed; the database is as it was: ${why}.`, {
      cause: error,
    });
  } finally {
    db.run("PRAGMA foreign_keys = ON");
  }
}

/** Copies the database beside it, and replaces no copy that exists. Returns the path. */
function backUp(db: Database, dataDir: string, version: string): string {
  const folder = `${dataDir}/backups`;
  const path = freeName(`${folder}/pre-${version}`, "db");
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    copyWhole(db, path, "quick_check"); // quick: nothing listens yet, and somebody waits for the start
  } catch (error) {
    const why = isFull(error)
      ? "the disk is full. Make room for as much as the database takes, and start again; until then the version before works"
      : wordsOf(error);
    throw new StoreError(
      "migration_failed",
      `The copy before the migration, ${path}, could not be made; the database is as it was: ${why}.`,
      { cause: error },
    );
  }
  return path;
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function newerSchema(db: Database, dataDir: string, version: string, schema: { current: number; newest: number }) {
  const [row] = db.prepare("SELECT value FROM setting WHERE name = 'version'").values();
  const writer = typeof row?.[0] === "string" ? row[0] : "a newer version";
  const copy = newestCopy(`${dataDir}/backups`, schema.newest);
  const found = `${dataDir}/peal.db has schema ${schema.current}, written by peal ${writer}`;
  const reads = `this build of peal ${version} reads up to schema ${schema.newest}`;
  const restore =
    copy === undefined
      ? "restore a copy from before the upgrade (there is none in backups/)"
      : `restore the copy from before the upgrade: \`peal restore ${copy}\``;
  return new StoreError(
    "newer_schema",
    `${found}; ${reads}. Start a build that reads schema ${schema.current} (\`peal version --json\` says what one reads), or ${restore}.`,
  );
}

/** The copy with the newest schema that this peal can read. */
function newestCopy(folder: string, newest: number): string | undefined {
  if (!existsSync(folder)) return undefined;
  const copies = readdirSync(folder)
    .filter((name) => /^pre-.*\.db$/.test(name))
    .map((name) => ({ path: `${folder}/${name}`, schema: schemaOf(`${folder}/${name}`) ?? Infinity }))
    .filter(({ schema }) => schema <= newest)
    .sort((a, b) => b.schema - a.schema || b.path.localeCompare(a.path));
  return copies[0]?.path;
}

/** Undefined if the file is not a whole database, so there is nothing to restore. */
function schemaOf(path: string): number | undefined {
  try {
    using db = new Database(path, { readonly: true });
    return schemaVersion(db);
  } catch {
    return undefined;
  }
}
