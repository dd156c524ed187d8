/**
 * Files on disk, below `<data>/files/`: each is there once, under its SHA-256, whole or not at all. A file is written under
 * another name, synced, renamed, and its folder synced; only then does a row name it. Nothing here is synchronous.
 */
import { constants } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { Millis } from "../util/clock.ts";
import { pathOf } from "../util/hashpath.ts";

/** The folder of files that are being written. */
export const INCOMING = "incoming";
const HASH = /^[0-9a-f]{64}$/;
export const OURS = { mode: 0o700 };

/** A file that is being written. `keep` or `drop` ends it. */
export interface Writing {
  readonly size: number;
  write(bytes: Uint8Array): Promise<void>;
  /** Puts all of it on disk under its hash, which it resolves to. `before` waits for the turn of that hash. */
  keep(before: (hash: string) => Promise<void>): Promise<string>;
  drop(): Promise<void>;
}

/** `root`: `<data>/files`; `name`: its name until it is kept. @throws the system's error (full disk: `ENOSPC`), as all here do */
export async function beginFile(root: string, name: string): Promise<Writing> {
  await mkdir(join(root, INCOMING), { recursive: true, ...OURS });
  const path = join(root, INCOMING, name);
  const handle = await open(path, "wx", 0o600);
  const hasher = new Bun.CryptoHasher("sha256");
  let size = 0;
  const drop = async () => {
    await handle.close().catch(() => undefined); // closed already
    await rm(path, { force: true });
  };
  return {
    get size() {
      return size;
    },
    write: async (bytes) => {
      hasher.update(bytes);
      size += bytes.length;
      await writeAll(handle, bytes);
    },
    keep: async (before) => {
      const hash = hasher.digest("hex");
      await handle.sync();
      await handle.close();
      await before(hash);
      await placeFile(root, path, hash);
      return hash;
    },
    drop,
  };
}

/** Gives a file that is synced the name of its hash. */
export async function placeFile(root: string, path: string, hash: string): Promise<void> {
  const folder = join(root, hash.slice(0, 2));
  if ((await mkdir(folder, { recursive: true, ...OURS })) !== undefined) await syncFolder(root);
  await rename(path, pathOf(root, hash));
  await syncFolder(folder);
}

export async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += (await handle.write(bytes, at)).bytesWritten;
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

export const removeFile = async (root: string, hash: string): Promise<void> => rm(pathOf(root, hash), { force: true });

/** In bytes; undefined if it is not there. */
export const sizeOf = async (path: string): Promise<number | undefined> =>
  stat(path).then(
    ({ size }) => size,
    () => undefined,
  );

/** The first bytes of a file and its size; undefined if it is not there. */
export async function beginningOf(
  path: string,
  bytes: number,
): Promise<{ head: Uint8Array; size: number } | undefined> {
  const handle = await open(path, constants.O_RDONLY).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  });
  if (handle === undefined) return undefined;
  try {
    const { bytesRead, buffer } = await handle.read(new Uint8Array(bytes), 0, bytes, 0);
    return { head: buffer.subarray(0, bytesRead), size: (await handle.stat()).size };
  } finally {
    await handle.close();
  }
}

/** Deletes what a kill left half written. `isWritten`: it is being written now; its time does not tell if the clock was set. */
export async function sweepIncoming(root: string, before: Millis, isWritten: (name: string) => boolean): Promise<void> {
  const folder = join(root, INCOMING);
  for (const name of await namesIn(folder)) {
    if (isWritten(name)) continue;
    const path = join(folder, name);
    if (await isOlder(path, before)) await rm(path, { force: true });
  }
}

/** Hashes of the files that were written before a time, folder by folder. */
export async function* hashesOnDisk(root: string, before: Millis): AsyncGenerator<string[]> {
  for (const folder of await namesIn(root)) {
    if (!/^[0-9a-f]{2}$/.test(folder)) continue;
    const hashes: string[] = [];
    for (const name of await namesIn(join(root, folder)))
      if (HASH.test(name) && (await isOlder(join(root, folder, name), before))) hashes.push(name);
    if (hashes.length > 0) yield hashes;
  }
}

const namesIn = async (folder: string): Promise<string[]> => readdir(folder).catch(() => []);

async function isOlder(path: string, before: Millis): Promise<boolean> {
  const found = await stat(path).catch(() => undefined); // gone meanwhile
  return found !== undefined && found.mtimeMs < before;
}
