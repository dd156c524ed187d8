/** Finds copies in `backups/`, for sentences that say which one to restore. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { readHeader } from "./header.ts";

/** The newest copy that is whole, as a path from the data directory; undefined if there is none. */
export function newestCopy(dataDir: string): string | undefined {
  const folder = `${dataDir}/backups`;
  if (!existsSync(folder)) return undefined;
  return readdirSync(folder)
    .filter((name) => /^(?:peal|pre)-.*\.db$/.test(name))
    .map((name) => ({ name, madeAt: statSync(`${folder}/${name}`).mtimeMs }))
    .sort((a, b) => b.madeAt - a.madeAt)
    .filter(({ name }) => isWhole(`${folder}/${name}`))
    .map(({ name }) => `backups/${name}`)[0];
}

/** A copy was read back when it was made; its pages are not read again here. */
function isWhole(path: string): boolean {
  const header = readHeader(path);
  return typeof header !== "string" && header.pages > 0;
}
