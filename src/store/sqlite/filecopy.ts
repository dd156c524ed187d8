/** Copies the files that a copy of the database names, to `<copy>.files`, laid out as in `files/` (docs/durability.md). */
import { Database } from "bun:sqlite";
import { copyFileSync, existsSync, linkSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathOf } from "../../util/hashpath.ts";
import { synced } from "../../util/synced.ts";

export interface CopiedFiles {
  files: number;
  bytes: number;
  /** The copy names them, but their bytes are gone. */
  missing: number;
}

interface Row {
  hash: string;
  size: number;
}

/** The files that the copy names; none if an older peal made it, which had no files. */
export function filesNamedIn(copy: string): Row[] {
  using db = new Database(copy, { readonly: true });
  const [table] = db.query("SELECT 1 FROM sqlite_schema WHERE name = 'attachment'").values();
  if (table === undefined) return [];
  return db.query<Row, []>("SELECT hash, size FROM file WHERE refs > 0 ORDER BY hash").all();
}

/**
 * Links them, or copies them to another disk: the content of a hash never changes. The folder gets its name once all are on disk.
 * @throws the system's error; then nothing is left there
 */
export function copyFiles(dataDir: string, copy: string): CopiedFiles {
  const folder = `${copy}.files`;
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { mode: 0o700 });
  const made: CopiedFiles = { files: 0, bytes: 0, missing: 0 };
  try {
    for (const { hash, size } of filesNamedIn(copy)) {
      const from = pathOf(join(dataDir, "files"), hash);
      const to = pathOf(partial, hash);
      mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
      if (!put(from, to)) made.missing++;
      else {
        made.files++;
        made.bytes += size;
      }
      synced(dirname(to));
    }
    synced(partial);
    renameSync(partial, folder);
    synced(dirname(folder));
    return made;
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw error;
  }
}

/**
 * Brings what a database names into a data directory, each file from the first of `folders` that has it; what is there already is
 * left as it is. @throws the system's error
 */
export function bringFiles(database: string, folders: readonly string[], dataDir: string): CopiedFiles {
  const own = join(dataDir, "files");
  const brought: CopiedFiles = { files: 0, bytes: 0, missing: 0 };
  for (const { hash, size } of filesNamedIn(database)) {
    const to = pathOf(own, hash);
    mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    if (!existsSync(to) && !folders.some((folder) => put(pathOf(folder, hash), to))) brought.missing++;
    else {
      brought.files++;
      brought.bytes += size;
    }
    synced(dirname(to));
  }
  return brought;
}

/** False if it is not there. */
function put(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch {
    // for another disk, or a file system without links
  }
  if (!existsSync(from)) return false;
  copyFileSync(from, to);
  synced(to);
  return true;
}
