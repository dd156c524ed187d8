/** Keeps files that come with messages, and deletes a file with the last message that names it. */
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import type { FileStore } from "../store/files.ts";
import type { Log } from "../telemetry/log.ts";
import { type Clock, HOUR, type Millis } from "../util/clock.ts";
import { pathOf } from "../util/hashpath.ts";
import { hashesOnDisk, sizeOf, sweepIncoming } from "./disk.ts";
import { MAX_FILES, type StoredFile } from "./file.ts";
import { createHolds } from "./holds.ts";
import { addPiece, type Piece } from "./piece.ts";
import { createWriting, type Incoming, type LeftOut, type Next, noRoom, tooLarge } from "./write.ts";

export interface Files {
  /** Whether files are stored at all, and how large one may be. */
  readonly limits: Config["files"];
  /**
   * Stores a file, whole and synced, or says why not; either way all of it is read. `nth`: its number in the message, from 0. A
   * file that was stored is held until `letGo`. @throws what `chunks` throws, and leaves nothing behind
   */
  take(incoming: Incoming, chunks: Chunks, nth?: number): Promise<StoredFile | LeftOut>;
  /** Lets files go whose message is stored, or never will be. A file that no message names is deleted. Never rejects. */
  letGo(files: readonly StoredFile[]): Promise<void>;
  /** Adds a piece of a file. One that is whole belongs to no message yet, and is kept for an hour. `refused`: there is no room. */
  addPiece(piece: Piece): Promise<"part" | "whole" | "known" | "damaged" | "refused">;
  /** Holds a file that is on disk until `release`; false if it is not there. */
  hold(file: Pick<StoredFile, "hash" | "size">): Promise<boolean>;
  release(hash: string): void;
  /** The path of the bytes of a hash. */
  pathOf(hash: string): string;
  /** Deletes files that no message names any more; once an hour also what a crash left. */
  sweep(): Promise<void>;
}

export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** The most files that a sweep forgets at once. */
const BATCH = 100;

interface KeepDeps {
  config: Config;
  clock: Clock;
  log: Log;
  store: { files: FileStore };
}

export function createFiles({ config, clock, log, store }: KeepDeps): Files {
  const root = join(config.dataDir, "files");
  const limits = config.files;
  const holds = createHolds(root);
  const writing = createWriting(root, limits, holds);
  let orphansAt = -Infinity;

  const removeUnknown = async (hashes: readonly string[]): Promise<number> =>
    holds.remove(async (mark) => {
      const free = hashes.filter(mark);
      const known = free.length === 0 ? new Set<string>() : await store.files.known(free);
      return free.filter((hash) => !known.has(hash));
    });

  const refusal = refuser(limits, store);
  const notStored = teller(log);

  return {
    limits,
    pathOf: (hash) => pathOf(root, hash),

    take: async (incoming, given, nth = 0) => {
      const chunks = asGenerator(given);
      // not `for await`: leaving it early would end the stream, which is still to be read
      const next: Next = async () => (await chunks.next()).value ?? undefined;
      try {
        const reason = refusal(incoming, nth);
        if (reason !== undefined) return { reason };
        return await writing.write(incoming, next);
      } catch (error) {
        return notStored(error);
      } finally {
        while ((await next()) !== undefined); // to the end: a sender that still sends would not see the answer
      }
    },

    addPiece: async (piece) => {
      if (refusal(piece, 0) !== undefined) return "refused";
      return addPiece({ root, holds }, piece).catch((error: unknown) => {
        notStored(error);
        return "refused";
      });
    },

    hold: async ({ hash, size }) => {
      await holds.hold(hash);
      if ((await sizeOf(pathOf(root, hash))) === size) return true;
      holds.release(hash);
      return false;
    },

    release: (hash) => {
      holds.release(hash);
    },

    letGo: async (files) => {
      for (const { hash } of files) holds.release(hash);
      try {
        await removeUnknown([...new Set(files.map(({ hash }) => hash))]);
      } catch (error) {
        log.warn("files that no message names are left to the sweep", { error });
      }
    },

    sweep: async () => {
      while ((await holds.remove(async (mark) => store.files.forgetUnused(mark, BATCH))) === BATCH);
      if (clock.monotonic() - orphansAt < HOUR) return;
      orphansAt = clock.monotonic();
      const before: Millis = clock.now() - HOUR;
      await sweepIncoming(root, before, (name) => writing.written.has(name));
      for await (const hashes of hashesOnDisk(root, before)) {
        const gone = await removeUnknown(hashes);
        if (gone > 0) log.info("files that no message names were deleted", { files: gone });
      }
    },
  };
}

/** Why a file is refused before it is begun. */
const refuser =
  (limits: Config["files"], store: KeepDeps["store"]) =>
  ({ size = 0 }: Pick<Incoming, "size">, nth: number): string | undefined => {
    if (limits === undefined) return "is a file, and this server doesn't store files (PEAL_FILES)";
    if (nth >= MAX_FILES) return `is one file too many: a message can have at most ${MAX_FILES}`;
    if (size > limits.each) return tooLarge(limits);
    const { bytes } = store.files.total();
    return bytes + Math.max(1, size) > limits.all ? noRoom(limits) : undefined;
  };

/** The disk's errors in words. @throws any other */
const teller =
  (log: Log) =>
  (error: unknown): LeftOut => {
    if (!isOfDisk(error)) throw error;
    const isFull = ["ENOSPC", "EDQUOT"].includes(error.code);
    log.error("a file could not be stored", { error });
    return { reason: isFull ? "could not be stored: the disk is full" : "could not be stored on this server's disk" };
  };

async function* asGenerator(chunks: Chunks): AsyncGenerator<Uint8Array, undefined> {
  yield* chunks;
}

/** Whether it is an error of the file system; errors of the network are not ours. */
const isOfDisk = (error: unknown): error is NodeJS.ErrnoException & { code: string } =>
  error instanceof Error && "syscall" in error && "code" in error && typeof error.code === "string";
