/** The user that the server runs as, and what root does in its data directory. */
import { accessSync, chownSync, constants, lchownSync, lstatSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { CommandFailed } from "./command.ts";

/**
 * Takes the ids of `PUID` and `PGID` (the NAS user that owns the shares), as the container images of a homelab do. The
 * data directory is handed to them once. Does nothing unless started as uid 0 with one of the two set.
 */
export function dropRoot(dataDir: string, env: Readonly<Record<string, string | undefined>>): void {
  const { PUID, PGID } = env;
  if (process.getuid?.() !== 0 || (PUID === undefined && PGID === undefined)) return;
  const uid = id("PUID", PUID ?? PGID);
  const gid = id("PGID", PGID ?? PUID);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const { uid: owner, gid: group } = lstatSync(dataDir);
  if (owner !== uid || group !== gid) handOver(dataDir, uid, gid);
  takeIds(uid, gid);
}

function takeIds(uid: number, gid: number): void {
  process.setgroups?.([gid]);
  process.setgid?.(gid);
  process.setuid?.(uid);
}

/** Root becomes the owner of the data directory, who the server runs as: it sees what the server sees, and leaves nothing of root's. */
export function becomeOwner(dataDir: string): void {
  const owner = statSync(dataDir, { throwIfNoEntry: false });
  if (process.getuid?.() !== 0 || owner === undefined || owner.uid === 0) return;
  try {
    takeIds(owner.uid, owner.gid);
  } catch {
    // a container may forbid it: then root goes on as far as it can
  }
}

/** Root may not even use files of others in a container with few capabilities, as on a NAS. There it becomes their owner. */
export function reach(dataDir: string, path: string): void {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EACCES") becomeOwner(dataDir);
  }
}

/** Creates the data directory if it is missing. @throws CommandFailed with the way out if this user may not write there */
export function requireWritable(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    accessSync(dataDir, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
    const owner = statSync(dataDir, { throwIfNoEntry: false });
    if ((cause as NodeJS.ErrnoException).code === "EROFS")
      throw new CommandFailed(
        `${dataDir} ${owner === undefined ? "cannot be made: it would lie" : "lies"} on a read-only file system.\n` +
          "Mount it for writing (in a container: a volume), or choose another directory with --data-dir (PEAL_DATA_DIR).",
        { cause },
      );
    const state = owner === undefined ? "cannot be made" : `belongs to ${owner.uid}:${owner.gid}`;
    throw new CommandFailed(
      `${dataDir} ${state}, and this server runs as ${uid}:${gid}, which can't write there.\n` +
        `Allow it:  chown -R ${uid}:${gid} ${dataDir}   or choose another directory with --data-dir (PEAL_DATA_DIR).`,
      { cause },
    );
  }
}

/** The path of the database, for a command that opens it itself. @throws CommandFailed if there is none, or this user may not */
export function databaseIn(dataDir: string): string {
  const path = join(dataDir, "peal.db");
  reach(dataDir, path);
  try {
    accessSync(path, constants.R_OK);
    return path;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== "EACCES" && code !== "EPERM")
      throw new CommandFailed(
        `there is no database in ${dataDir}; give its directory with --data-dir, or start \`peal serve\``,
        { cause },
      );
    const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
    const owner = statSync(dataDir, { throwIfNoEntry: false });
    throw new CommandFailed(
      `${path} belongs to ${owner === undefined ? "another user" : `${owner.uid}:${owner.gid}`}, and this command runs as ${uid}:${gid}, which can't read it.\n` +
        "Run it as that user (sudo -u, docker exec -u), or name another directory with --data-dir (PEAL_DATA_DIR).",
      { cause },
    );
  }
}

/** What `job` makes in the data directory belongs to the directory's owner, even if root does it. */
export function asOwner<T>(dataDir: string, job: () => T): T {
  try {
    return job();
  } finally {
    handBack(dataDir);
  }
}

/** What root has made in the data directory now belongs to its owner, or the server could not use it. */
export function handBack(dataDir: string): void {
  const { uid, gid } = lstatSync(dataDir);
  if (process.getuid?.() === 0 && uid !== 0) handOver(dataDir, uid, gid);
}

function id(name: string, text = ""): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new CommandFailed(`${name}=${text}: not a number. Use the ids that \`id\` prints.`);
}

/** The directory itself last: a hand-over that was cut off begins again at the next start. */
function handOver(directory: string, uid: number, gid: number): void {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) handOver(path, uid, gid);
    else lchownSync(path, uid, gid);
  }
  chownSync(directory, uid, gid);
}
