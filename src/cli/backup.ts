/** `peal backup`: a copy of the database, while a server runs or none does, in this process. */
import { existsSync, statfsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { BackupResult } from "../ops/backup.ts";
import { copyFile, isFull } from "../store/sqlite/copy.ts";
import { CommandFailed, EXIT, JSON_FLAG, type Command } from "./command.ts";
import { databaseIn } from "./identity.ts";

export const backup: Command = {
  name: "backup",
  args: ["<file>"],
  summary: "Copy the database to a new file while the server goes on; the copy is read back before it gets its name.",
  flags: [JSON_FLAG],
  examples: ["peal backup /mnt/nas/peal.db", "peal backup peal-$(date +%F).db --data-dir /var/lib/peal"],
  run: async ({ positionals: [file = ""], switches, load }) => {
    const { config } = await load();
    const database = databaseIn(config.dataDir);
    const path = resolve(file);
    if (existsSync(path)) throw new CommandFailed(isThere(path));
    const result = made(database, path);
    if (switches.has("json")) console.log(JSON.stringify(result));
    if (result.kind === "full")
      throw new CommandFailed(
        `the disk of ${path} is full: the backup needs up to ${megabytes(result.needed)}, ${megabytes(result.free)} is free. ` +
          "Nothing was left there.",
      );
    if (result.kind === "failed") throw new CommandFailed(`the backup could not be made: ${result.reason}`);
    if (!switches.has("json")) console.log(`${path}: ${megabytes(result.bytes)}, read back`);
    return EXIT.ok;
  },
};

function made(database: string, path: string): BackupResult {
  try {
    return { kind: "made", bytes: copyFile(database, path) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return { kind: "failed", reason: isThere(path) };
    if (!isFull(error)) return { kind: "failed", reason: error instanceof Error ? error.message : String(error) };
    const { bavail, bsize } = statfsSync(dirname(path));
    const wal = statSync(`${database}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    return { kind: "full", free: bavail * bsize, needed: statSync(database).size + wal };
  }
}

const isThere = (path: string): string => `${path} is there already; a backup replaces nothing`;

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;
