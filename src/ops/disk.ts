/** The disk that the data directory is on. */
import { statfsSync } from "node:fs";

/** With less than this the disk counts as low: when it is full, publishes are refused. */
export const LOW_DISK_BYTES = 64 * 1024 * 1024;

/** A directory that is gone has nothing free. */
export function diskOf(directory: string): { free: number; status: "ok" | "low" } {
  const free = freeIn(directory);
  return { free, status: free < LOW_DISK_BYTES ? "low" : "ok" };
}

export function freeIn(directory: string): number {
  try {
    const { bavail, bsize } = statfsSync(directory);
    return bavail * bsize;
  } catch {
    return 0;
  }
}
