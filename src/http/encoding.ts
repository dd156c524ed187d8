/** Content encodings that a body may be packed in (RFC 9110 §8.4.1). */
import type { Transform } from "node:stream";
import { promisify } from "node:util";
import {
  brotliDecompress,
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
  gunzip,
  inflate,
  zstdDecompress,
} from "node:zlib";
import { rareHeader } from "./context.ts";
import { problem, type Problem } from "./problem.ts";

interface Encoding {
  /** Whether packed bytes may begin like this; with `br` any may. */
  mayBegin: (head: Uint8Array) => boolean;
  /** In a thread: 1 MiB of gzip would hold the event loop for 8 ms (measured). @throws `ERR_BUFFER_TOO_LARGE`, zlib's errors */
  unpack: (bytes: Uint8Array, options: { maxOutputLength: number }) => Promise<Uint8Array>;
  stream: () => Transform;
}

/** 8 MiB, as RFC 9659 §3 sets for HTTP: 3 KB may ask for a window of 128 MiB, and got it (measured). */
const SMALL_WINDOW = { params: { [constants.ZSTD_d_windowLogMax]: 23 } };

const isPrintable = (byte: number): boolean => (byte > 0x1f && byte < 0x7f) || (byte > 0x08 && byte < 0x0e);

const GZIP: Encoding = {
  mayBegin: ([first, second]) => first === 0x1f && second === 0x8b, // RFC 1952 §2.3.1
  unpack: promisify(gunzip),
  stream: createGunzip,
};
const KNOWN = new Map<string, Encoding>([
  ["gzip", GZIP],
  ["x-gzip", GZIP],
  [
    "deflate",
    {
      // some send it without the header of RFC 1950 §2.2, which is still refused: text begins differently from both
      mayBegin: ([first = 0, second = 0]) =>
        !isPrintable(first) || (first === 0x78 && (256 * first + second) % 31 === 0),
      unpack: promisify(inflate),
      stream: createInflate,
    },
  ],
  ["br", { mayBegin: () => true, unpack: promisify(brotliDecompress), stream: createBrotliDecompress }],
  [
    "zstd",
    {
      mayBegin: ([first, second]) => first === 0x28 && second === 0xb5, // RFC 8878 §3.1.1
      unpack: async (bytes, options) => promisify(zstdDecompress)(bytes, { ...options, ...SMALL_WINDOW }),
      stream: () => createZstdDecompress(SMALL_WINDOW),
    },
  ],
]);

/** This many bytes tell whether a body may be packed as it says. */
export const MARK_BYTES = 2;

/** The known encodings, in words that end a sentence. */
export const ENCODINGS = `a \`Content-Encoding\` of ${[...KNOWN.keys()].join(", ")}`;

/** The encoding that the body is announced with; empty if it is not packed. */
export function encodingOf(request: Request): string {
  const encoding = rareHeader(request, "content-encoding")?.trim().toLowerCase() ?? "";
  return encoding === "identity" ? "" : encoding;
}

/** Undefined if nobody here knows it. */
export const knownEncoding = (name: string): Encoding | undefined => KNOWN.get(name);

export const notAsAnnounced = (encoding: string): Problem =>
  problem.malformedBody(
    `The body is announced as ${encoding} but isn't; send all of it, or leave out Content-Encoding.`,
  );

/** One at a time: more threads would leave the event loop little of a small machine's core. */
let unpacking: Promise<unknown> = Promise.resolve();

/** Unpacks `bytes`, announced as `name`. @throws Problem 413 for more than `limit` bytes, 400 if they are not packed like this */
export async function unpacked(
  bytes: Uint8Array,
  encoding: Encoding,
  name: string,
  limit: number,
): Promise<Uint8Array> {
  const made = unpacking.then(async () => encoding.unpack(bytes, { maxOutputLength: limit }));
  unpacking = made.catch(() => undefined); // its own request reports it
  try {
    return await made;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") throw problem.tooLarge(limit);
    throw notAsAnnounced(name);
  }
}
