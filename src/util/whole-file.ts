/** Small files of this user: on disk as a whole or not at all, and readable by nobody else. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { recordId } from "./ids.ts";
import { synced } from "./synced.ts";

/** Drafts, which a kill may leave behind. No other name begins so. */
export const DRAFT = ".draft-";

/** Writes the file, replacing one of its name. When this returns, it survives a power cut. @throws the error of the file system */
export function writeWhole(path: string, content: string | Uint8Array): void {
  const folder = dirname(path);
  const draft = join(folder, `${DRAFT}${recordId()}`);
  try {
    const file = openSync(draft, "wx", 0o600);
    try {
      writeFileSync(file, content);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  if (process.platform !== "win32") synced(folder); // Windows opens no folders, and needs no such step
}
