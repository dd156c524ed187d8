/** `peal backup`: a copy of the database, while a server runs or none does, in this process. */
import { existsSync, rmSync, statfsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { BackedUpFiles, BackupResult } from "../ops/backup.ts";
import { copyFile, isFull } from "../store/sqlite/copy.ts";
import { copyFiles, filesNamedIn } from "../store/sqlite/filecopy.ts";
import { bytesWords } from "../util/bytes.ts";
import { CommandFailed, EXIT, JSON_FLAG, type Command } from "./command.ts";
import { databaseIn } from "./identity.ts";

export const backup: Command = {
  name: "backup",
  args: ["<file>"],
  summary:
    "Copy the database to a new file while the server keeps running; the copy is verified before it gets its name.",
  about:
    "Files of messages are stored beside the database and aren't in the copy. --files copies them too, into `<file>.files`: hard links " +
    "on the same disk, else copies.",
  flags: [JSON_FLAG, { name: "files", description: "Copy the files of messages too." }],
  examples: ["peal backup /mnt/nas/peal.db --files", "peal backup peal-$(date +%F).db --data-dir /var/lib/peal"],
  run: async ({ positionals: [file = ""], switches, load }) => {
    const { config } = await load();
    const database = databaseIn(config.dataDir);
    const path = resolve(file);
    const withFiles = switches.has("files");
    const taken = [path, ...(withFiles ? [`${path}.files`] : [])].find((one) => existsSync(one));
    if (taken !== undefined) throw new CommandFailed(isThere(taken));
    const result = made(database, path, withFiles ? config.dataDir : undefined);
    if (switches.has("json")) console.log(JSON.stringify(result));
    if (result.kind === "full")
      throw new CommandFailed(
        `the disk of ${path} is full: the backup needs up to ${megabytes(result.needed)}, but only ${megabytes(result.free)} is free. ` +
          "No partial file was left behind.",
      );
    if (result.kind === "failed") throw new CommandFailed(`the backup failed: ${result.reason}`);
    if (!switches.has("json"))
      console.log(`${path}: ${megabytes(result.bytes)}, verified${filesWords(path, result.files)}`);
    return EXIT.ok;
  },
};

function filesWords(path: string, { isIn, files, bytes, missing }: BackedUpFiles): string {
  const amount = `${files} ${files === 1 ? "file" : "files"}, ${bytesWords(bytes)}`;
  if (files + missing === 0) return "; there are no files";
  if (!isIn) return `; without its files (${amount}): --files copies them too`;
  return `; ${amount}, in ${path}.files${missing === 0 ? "" : `; ${missing} were missing`}`;
}

/** `filesOf`: the data directory whose files are taken along. */
function made(database: string, path: string, filesOf: string | undefined): BackupResult {
  try {
    const bytes = copyFile(database, path);
    return { kind: "made", bytes, files: filesOf === undefined ? leftBehind(path) : taken(filesOf, path) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return { kind: "failed", reason: isThere(path) };
    if (!isFull(error)) return { kind: "failed", reason: error instanceof Error ? error.message : String(error) };
    const { bavail, bsize } = statfsSync(dirname(path));
    const wal = statSync(`${database}-wal`, { throwIfNoEntry: false })?.size ?? 0;
    return { kind: "full", free: bavail * bsize, needed: statSync(database).size + wal };
  }
}

function leftBehind(path: string): BackedUpFiles {
  const named = filesNamedIn(path);
  return { isIn: false, files: named.length, bytes: named.reduce((sum, { size }) => sum + size, 0), missing: 0 };
}

/** All or nothing: a copy whose files could not be taken along is deleted. */
function taken(dataDir: string, path: string): BackedUpFiles {
  try {
    return { isIn: true, ...copyFiles(dataDir, path) };
  } catch (error) {
    rmSync(path);
    throw error;
  }
}

const isThere = (path: string): string => `${path} already exists; a backup never overwrites a file`;

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;
