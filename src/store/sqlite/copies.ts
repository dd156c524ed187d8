/** Finds copies of the database by the names that peal gives them. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { copyNamed } from "../../names/copy.ts";
import { readHeader } from "./header.ts";

export interface Copy {
  path: string;
  /** Epoch ms. */
  madeAt: number;
}

/** The newest copy in `folder` that is whole; undefined if there is none. */
export function newestCopyIn(folder: string): Copy | undefined {
  if (!existsSync(folder)) return undefined;
  return readdirSync(folder)
    .filter((name) => /^(?:peal|nightly|pre)-.*\.db$/.test(name))
    .map((name) => ({ path: join(folder, name), madeAt: madeAt(folder, name) }))
    .sort((a, b) => b.madeAt - a.madeAt)
    .find(({ path }) => isWhole(path));
}

/** What an operator has to type to restore the newest copy in `backups/`; undefined if there is none. */
export function restoreCommand(dataDir: string): string | undefined {
  const copy = newestCopyIn(join(dataDir, "backups"));
  return copy === undefined ? undefined : `peal restore ${copy.path.slice(dataDir.length).replace(/^\/+/, "")}`;
}

function madeAt(folder: string, name: string): number {
  const named = copyNamed(name);
  return named !== undefined && "at" in named ? named.at : statSync(join(folder, name)).mtimeMs;
}

/** A copy was read back when it was made; its pages are not read again here. */
function isWhole(path: string): boolean {
  const header = readHeader(path);
  return typeof header !== "string" && header.pages > 0;
}
