/** The bytes of a body that may be long, as they come: patient with slow lines, decompressed, and never more than a cap. */
import { Readable, type Transform } from "node:stream";
import type { Deps } from "../deps.ts";
import { endBody } from "../http/body.ts";
import { contextOf, whileWaiting } from "../http/context.ts";
import { encodingOf, knownEncoding, MARK_BYTES, notAsAnnounced } from "../http/encoding.ts";
import { createPlaces, QUEUE, type Place, type Places } from "../http/places.ts";
import { problem } from "../http/problem.ts";
import { ahead } from "./ahead.ts";

/** Between two pieces of a body: a phone may be in a lift. */
const PATIENCE_SECONDS = 30;
/** For the whole body: 20 MB at 23 kB/s. */
const UPLOAD_MS = 15 * 60_000;
/** This much of a body counts for its key, as with other bodies. The rest is bounded by the places and by the room for files. */
const CHARGED_BYTES = 1_048_576;

const RULES = { name: "upload", what: "uploads", held: { network: 4, idle: 8, site: 8, all: 16 }, ...QUEUE };

export const createUploads = (deps: Parameters<typeof createPlaces>[1]): Places => createPlaces(RULES, deps);

export interface Upload {
  /** A piece is the reader's until it asks for the next: a reader that keeps one copies it. */
  chunks: AsyncGenerator<Uint8Array>;
  /** The body was longer than the cap; nobody read the rest. */
  readonly isCut: boolean;
}

/**
 * Runs `use` with the body's bytes while it has a place; places are limited for each address and in all. `asItIs` is called for
 * a body that is not packed as it says, which is read as it is.
 * @throws Problem 400 for a body that broke off or is not packed as it says, 429, 503, and what `use` throws
 */
export async function uploaded<T>(
  { uploads, clock }: Pick<Deps, "uploads" | "clock">,
  request: Request,
  { cap, asItIs }: { cap: number; asItIs: () => void },
  use: (upload: Upload) => Promise<T>,
): Promise<T> {
  const context = contextOf(request);
  const length = Number(request.headers.get("content-length") ?? 0);
  if (length > 0) context.charge(Math.min(length, CHARGED_BYTES));
  using place =
    uploads.tryTake(context.address) ??
    (await whileWaiting(request, async () => uploads.take(context.address, request.signal)));
  const upload = { isCut: false, chunks: nothing() };
  const raw = received(request, place, { clock, isCharged: length === 0 });
  upload.chunks = capped(unpacked(request, raw, asItIs), cap, () => (upload.isCut = true));
  try {
    return await use(upload);
  } finally {
    await upload.chunks.return(undefined);
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

async function* received(
  request: Request,
  place: Place,
  { clock, isCharged }: { clock: Deps["clock"]; isCharged: boolean },
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const body: ReadableStream<Uint8Array<ArrayBuffer>> | null = request.body;
  if (body === null) return;
  const context = contextOf(request);
  const reader = body.getReader();
  const until = clock.monotonic() + UPLOAD_MS;
  const ending = new AbortController();
  place.mayEnd(() => {
    ending.abort();
    void reader.cancel().catch(() => undefined);
  });
  let uncharged = isCharged ? CHARGED_BYTES : 0;
  let isWhole = false;
  try {
    for (;;) {
      context.server.timeout(request, PATIENCE_SECONDS); // the time starts again
      const { done, value } = await reader.read().catch(() => {
        throw problem.malformedBody("The body ended early.");
      });
      if (ending.signal.aborted) throw problem.busy("Other uploads are waiting, and this one took too long.", AGAIN);
      isWhole = done;
      if (done) return;
      if (clock.monotonic() > until) throw problem.malformedBody("The body took longer than 15 minutes.");
      const counted = Math.min(uncharged, value.length);
      if (counted > 0) context.charge(counted);
      uncharged -= counted;
      yield value;
    }
  } finally {
    if (!isWhole) {
      await reader.cancel().catch(() => undefined);
      endBody(request);
    }
  }
}

const AGAIN = { "retry-after": "5" };

/**
 * Frees the memory of each piece once the next is asked for. Left to the collector, 20 MB of pieces pile up before it looks: with
 * 4 uploads of 20 MB at once the process is 9 MB larger (measured).
 */
export async function* givenBack(pieces: AsyncIterable<Uint8Array<ArrayBuffer>>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    const { buffer, byteLength } = piece;
    yield piece;
    // a part of a larger buffer shares it with others
    if (buffer.byteLength === byteLength) buffer.transfer(0);
  }
}

/** Unpacks only what is asked for: a bomb costs no more than its cap. What is not packed at all passes as it is. */
async function* unpacked(
  request: Request,
  raw: AsyncGenerator<Uint8Array<ArrayBuffer>>,
  asItIs: () => void,
): AsyncGenerator<Uint8Array> {
  const name = encodingOf(request);
  if (name === "") {
    yield* givenBack(raw);
    return;
  }
  try {
    const { head, all } = await ahead(raw, MARK_BYTES - 1);
    const encoding = knownEncoding(name);
    if (encoding?.mayBegin(head) === true) yield* unpackedBy(encoding.stream(), name, all);
    else {
      asItIs();
      yield* all;
    }
  } finally {
    await raw.return(undefined);
  }
}

async function* unpackedBy(
  unpack: Transform,
  encoding: string,
  packed: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const source = Readable.from(packed, { objectMode: true, highWaterMark: 1 });
  let cause: unknown;
  source.on("error", (error) => unpack.destroy((cause = error)));
  source.pipe(unpack);
  try {
    for await (const chunk of unpack) yield chunk as Buffer;
  } catch (error) {
    throw error === cause ? error : notAsAnnounced(encoding);
  } finally {
    source.destroy();
    unpack.destroy();
  }
}

async function* capped(chunks: AsyncGenerator<Uint8Array>, cap: number, cut: () => void): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > cap) {
      cut();
      return;
    }
    yield chunk;
  }
}
