/** One server a data directory: a second SQLite file whose lock the kernel frees however the process ends. */
import { Database, SQLiteError } from "bun:sqlite";
import { StoreError } from "../store.ts";

/**
 * Holds `peal.lock` until the returned function is called. Nobody in this process may open that file by other means:
 * closing any descriptor of a file drops all POSIX locks that the process has on it (https://sqlite.org/howtocorrupt.html §2.2).
 */
export function takeLock(dataDir: string): () => void {
  const db = new Database(`${dataDir}/peal.lock`, { create: true });
  try {
    db.run("PRAGMA busy_timeout = 0");
    db.run("BEGIN EXCLUSIVE");
  } catch (error) {
    db.close();
    if (!(error instanceof SQLiteError) || error.code !== "SQLITE_BUSY") throw error;
    throw new StoreError(
      "locked",
      `Another peal runs on ${dataDir} (it holds peal.lock). Stop it first, or give this one another data directory.`,
      { cause: error },
    );
  }
  return () => {
    db.close();
  };
}
