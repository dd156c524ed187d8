/**
 * Files that come and go. A hash is `held` from the moment that its bytes are put in place until its message is stored, and `leaving`
 * while they are deleted, so that what is just sent again is not deleted under it.
 */
import { join } from "node:path";
import type { Config } from "../config/config.ts";
import type { FileStore } from "../store/files.ts";
import type { Log } from "../telemetry/log.ts";
import type { Clock, Millis } from "../util/clock.ts";
import { pathOf } from "../util/hashpath.ts";
import { recordId } from "../util/ids.ts";
import { beginFile, hashesOnDisk, removeFile, sweepIncoming } from "./disk.ts";
import { fileId, MAX_FILES, type StoredFile } from "./file.ts";
import { bytesWords } from "../util/bytes.ts";
import { fileName } from "./name.ts";
import { PICTURE_HEAD, PICTURE_MARK, pictureIn, type Picture } from "./picture.ts";

/** What a sender says of a file. `size`: announced. */
export interface Incoming {
  name: string;
  type: string;
  size?: number;
}

/** Why a file is not stored, as a sentence goes on behind its name. */
export interface LeftOut {
  reason: string;
}

export interface Files {
  /** Whether files are stored at all, and how large one may be. */
  readonly limits: Config["files"];
  /**
   * Stores what comes, whole and synced, or says why not; either way all of it is read. `nth`: of its message, from 0. A file that was
   * taken is held until `letGo`. @throws what `chunks` throws, and leaves nothing behind
   */
  take(incoming: Incoming, chunks: Chunks, nth?: number): Promise<StoredFile | LeftOut>;
  /** Of files that were taken: their message is stored, or will never be. What no message names is deleted. Never rejects. */
  letGo(files: readonly StoredFile[]): Promise<void>;
  /** Where the bytes of a hash are. */
  pathOf(hash: string): string;
  /** Deletes what no message names any more; once an hour also what a crash left. */
  sweep(): Promise<void>;
}

export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Files that a sweep forgets at once. */
const BATCH = 100;
const HOUR_MS = 3_600_000;

interface KeepDeps {
  config: Config;
  clock: Clock;
  log: Log;
  store: { files: FileStore };
}

export function createFiles({ config, clock, log, store }: KeepDeps): Files {
  const root = join(config.dataDir, "files");
  const limits = config.files;
  const held = new Map<string, number>();
  const leaving = new Map<string, Promise<unknown>>();
  const written = new Set<string>();
  let orphansAt = -Infinity;

  const hold = async (hash: string): Promise<void> => {
    while (leaving.has(hash)) await leaving.get(hash);
    held.set(hash, (held.get(hash) ?? 0) + 1);
  };
  const release = (hash: string): void => {
    const left = (held.get(hash) ?? 1) - 1;
    if (left > 0) held.set(hash, left);
    else held.delete(hash);
  };

  /** Deletes those that nobody holds and no message names, while nobody may put them in place. */
  async function remove(choose: (mark: (hash: string) => boolean) => Promise<readonly string[]>): Promise<number> {
    const over = Promise.withResolvers<undefined>();
    const marked: string[] = [];
    const mark = (hash: string): boolean => {
      if (held.has(hash) || leaving.has(hash)) return false;
      leaving.set(hash, over.promise);
      marked.push(hash);
      return true;
    };
    try {
      const chosen = await choose(mark);
      for (const hash of chosen) await removeFile(root, hash);
      return chosen.length;
    } finally {
      for (const hash of marked) leaving.delete(hash);
      over.resolve(undefined);
    }
  }

  const removeUnknown = async (hashes: readonly string[]): Promise<number> =>
    remove(async (mark) => {
      const free = hashes.filter(mark);
      const known = free.length === 0 ? new Set<string>() : await store.files.known(free);
      return free.filter((hash) => !known.has(hash));
    });

  /** Why a file is not even begun. */
  function refusal({ size = 0 }: Incoming, nth: number): string | undefined {
    if (limits === undefined) return "is a file, and this server doesn't store files (PEAL_FILES)";
    if (nth >= MAX_FILES) return `is one file too many: a message can have at most ${MAX_FILES}`;
    if (size > limits.each) return tooLarge(limits);
    const { bytes } = store.files.total();
    return bytes + Math.max(1, size) > limits.all ? noRoom(limits) : undefined;
  }

  async function write(incoming: Incoming, next: Next): Promise<StoredFile | LeftOut> {
    const name = recordId();
    written.add(name);
    try {
      return await writeAs(name, incoming, next);
    } finally {
      written.delete(name);
    }
  }

  async function writeAs(name: string, incoming: Incoming, next: Next): Promise<StoredFile | LeftOut> {
    const writing = await beginFile(root, name);
    const head = new Head();
    let mine: string | undefined;
    const holdMine = async (hash: string): Promise<void> => {
      await hold(hash);
      mine = hash;
    };
    try {
      for (let chunk = await next(); chunk !== undefined; chunk = await next()) {
        if (limits !== undefined && writing.size + chunk.length > limits.each) {
          await writing.drop();
          return { reason: tooLarge(limits) };
        }
        head.add(chunk);
        await writing.write(chunk);
      }
      const { size } = writing;
      const hash = await writing.keep(holdMine);
      return { hash, id: fileId(hash), size, ...described(incoming, head.picture()) };
    } catch (error) {
      if (mine !== undefined) release(mine);
      await writing.drop();
      throw error;
    }
  }

  return {
    limits,
    pathOf: (hash) => pathOf(root, hash),

    take: async (incoming, given, nth = 0) => {
      const chunks = asGenerator(given);
      // not `for await`: leaving it early would end what is still to be read
      const next: Next = async () => (await chunks.next()).value ?? undefined;
      try {
        const reason = refusal(incoming, nth);
        if (reason !== undefined) return { reason };
        return await write(incoming, next);
      } catch (error) {
        if (!isOfDisk(error)) throw error;
        const isFull = ["ENOSPC", "EDQUOT"].includes(error.code);
        log.error("a file could not be stored", { error });
        return {
          reason: isFull ? "could not be stored: the disk is full" : "could not be stored on this server's disk",
        };
      } finally {
        while ((await next()) !== undefined); // to its end: a sender that is still sending would not hear the answer
      }
    },

    letGo: async (files) => {
      for (const { hash } of files) release(hash);
      try {
        await removeUnknown([...new Set(files.map(({ hash }) => hash))]);
      } catch (error) {
        log.warn("files that no message names are left to the sweep", { error });
      }
    },

    sweep: async () => {
      while ((await remove(async (mark) => store.files.forgetUnused(mark, BATCH))) === BATCH);
      if (clock.monotonic() - orphansAt < HOUR_MS) return;
      orphansAt = clock.monotonic();
      const before: Millis = clock.now() - HOUR_MS;
      await sweepIncoming(root, before, (name) => written.has(name));
      for await (const hashes of hashesOnDisk(root, before)) {
        const gone = await removeUnknown(hashes);
        if (gone > 0) log.info("files that no message names were deleted", { files: gone });
      }
    },
  };
}

type Limits = NonNullable<Files["limits"]>;

const tooLarge = ({ each }: Limits): string =>
  `is larger than this server's limit of ${bytesWords(each)} per file (PEAL_FILES)`;

/** Also of a file that is only found to be too much once its size is known. */
export const noRoom = ({ all }: Limits): string =>
  `could not be stored: the limit for all files together is ${bytesWords(all)} (PEAL_FILES)`;

/** The type of what browsers are shown is read from the bytes, never believed. */
function described({ name, type }: Incoming, picture: Picture | undefined): Omit<StoredFile, "hash" | "id" | "size"> {
  const told = SHOWN_TYPE.test(type) || type === "" ? "application/octet-stream" : type;
  const shown = picture ?? { type: told };
  return { name: fileName(name, shown.type), ...shown };
}

const SHOWN_TYPE = /^image\/(?:png|jpe?g|pjpeg|gif|webp)$/;

/** The beginning of a file, as long as it may be a picture. */
class Head {
  #bytes = Buffer.alloc(0);
  #isOver = false;

  add(chunk: Uint8Array): void {
    if (this.#isOver) return;
    this.#bytes = Buffer.concat([this.#bytes, chunk.subarray(0, PICTURE_HEAD - this.#bytes.length)]);
    const isNone = this.#bytes.length >= PICTURE_MARK && pictureIn(this.#bytes) === undefined;
    if (isNone) this.#bytes = Buffer.alloc(0);
    this.#isOver = isNone || this.#bytes.length >= PICTURE_HEAD || this.picture()?.width !== undefined;
  }

  picture(): Picture | undefined {
    return pictureIn(this.#bytes);
  }
}

/** The next piece; undefined: there is none. */
type Next = () => Promise<Uint8Array | undefined>;

async function* asGenerator(chunks: Chunks): AsyncGenerator<Uint8Array, undefined> {
  yield* chunks;
}

/** Of the file system: what comes from the network is no trouble of ours. */
const isOfDisk = (error: unknown): error is NodeJS.ErrnoException & { code: string } =>
  error instanceof Error && "syscall" in error && "code" in error && typeof error.code === "string";
