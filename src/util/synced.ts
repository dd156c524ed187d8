/** Puts files and names on disk. */
import { closeSync, fsyncSync, openSync } from "node:fs";

/** Syncs a file, or a folder: the name of a new file is on disk once its folder is. */
export function synced(path: string): void {
  const opened = openSync(path, "r");
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
