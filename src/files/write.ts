/** Writes one file to the disk as it comes, and describes it. */
import type { Config } from "../config/config.ts";
import { bytesWords } from "../util/bytes.ts";
import { recordId } from "../util/ids.ts";
import { beginFile } from "./disk.ts";
import { fileId, type StoredFile } from "./file.ts";
import type { Holds } from "./holds.ts";
import { fileName } from "./name.ts";
import { PICTURE_HEAD, PICTURE_MARK, pictureIn, type Picture } from "./picture.ts";

/** What a sender says of a file. `size`: the announced one. */
export interface Incoming {
  name: string;
  type: string;
  size?: number;
}

/** Why a file is not stored, in words that follow its name. */
export interface LeftOut {
  reason: string;
}

/** The next piece; undefined at the end. */
export type Next = () => Promise<Uint8Array | undefined>;

export type Limits = NonNullable<Config["files"]>;

export const tooLarge = ({ each }: Limits): string =>
  `is larger than this server's limit of ${bytesWords(each)} per file (PEAL_FILES)`;

/** Also said of a file whose size turns out to be too much. */
export const noRoom = ({ all }: Limits): string =>
  `could not be stored: the limit for all files together is ${bytesWords(all)} (PEAL_FILES)`;

export interface Writing {
  /** The names of files that are being written. */
  readonly written: ReadonlySet<string>;
  /** The stored file, which is held, or why it is left out. @throws what `next` throws, and leaves nothing behind */
  write(incoming: Incoming, next: Next): Promise<StoredFile | LeftOut>;
}

export function createWriting(root: string, limits: Limits | undefined, holds: Holds): Writing {
  const written = new Set<string>();
  return {
    written,
    write: async (incoming, next) => {
      const name = recordId();
      written.add(name);
      try {
        return await writeAs(name, incoming, next);
      } finally {
        written.delete(name);
      }
    },
  };

  async function writeAs(name: string, incoming: Incoming, next: Next): Promise<StoredFile | LeftOut> {
    const writing = await beginFile(root, name);
    const head = new Head();
    let mine: string | undefined;
    const holdMine = async (hash: string): Promise<void> => {
      await holds.hold(hash);
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
      if (mine !== undefined) holds.release(mine);
      await writing.drop();
      throw error;
    }
  }
}

/** The type of a file that browsers are shown is read from its bytes, never believed. */
function described({ name, type }: Incoming, picture: Picture | undefined): Omit<StoredFile, "hash" | "id" | "size"> {
  const told = SHOWN_TYPE.test(type) || type === "" ? "application/octet-stream" : type;
  const shown = picture ?? { type: told };
  return { name: fileName(name, shown.type), ...shown };
}

const SHOWN_TYPE = /^image\/(?:png|jpe?g|pjpeg|gif|webp)$/;

/** The beginning of a file, as much of it as is examined for a picture. */
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
