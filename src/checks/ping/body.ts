/** Reads the body of a ping: whatever bytes a job sends, and no more of them than its log keeps. */
import { contextOf } from "../../http/context.ts";
import type { Clock } from "../../util/clock.ts";
import type { PingBody } from "../check.ts";

/** The beginning and the end that are kept of a body. The reason of a failure stands at the end. */
const HEAD_BYTES = 2_048;
const TAIL_BYTES = 8_192;
/** A body up to this length is kept whole. Clients that know `Ping-Body-Limit` send no more of their output. */
export const KEPT_BYTES = HEAD_BYTES + TAIL_BYTES;

/** A body holds its ping back no longer than this, and no more of it is looked at. */
const MAX_MS = 5_000;
const MAX_BYTES = 1_048_576;

const DROP_SECONDS = 120;

/** Receives the rest of a body and drops it, so that the client gets its answer. That takes no memory (measured). */
export function keepOpen(request: Request): void {
  contextOf(request).server.timeout(request, DROP_SECONDS);
}

/** The part of the body that comes in time; undefined if the headers announce none. Never throws. */
export function readBody(request: Request, clock: Clock): Promise<PingBody | undefined> | undefined {
  const { headers } = request;
  const isAnnounced = headers.get("content-length") ?? headers.get("transfer-encoding") ?? "0";
  return isAnnounced === "0" ? undefined : read(request, clock);
}

async function read(request: Request, clock: Clock): Promise<PingBody | undefined> {
  // By the next turn most bodies are here. Bun sets 64 KB aside for a stream that has to wait, and a garbage collection for every
  // 60 of those took half of the processor time of a ping with 200 bytes of output (measured).
  await new Promise((resolve) => setImmediate(resolve));
  const stream: ReadableStream<Uint8Array> | null = request.body;
  if (stream === null) return undefined;
  const reader = stream.getReader();
  const kept = new Kept();
  const announced = Number(request.headers.get("content-length"));
  const cut = () => {
    kept.cut(announced);
    reader.cancel().catch(() => undefined); // the client may have gone
  };
  const cancelTimer = clock.after(MAX_MS, cut);
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      kept.add(part.value);
      if (kept.bytes < MAX_BYTES) continue;
      keepOpen(request);
      cut();
    }
  } catch {
    kept.cut(0); // the client went away in the middle: what came is its body
  } finally {
    cancelTimer();
  }
  return kept.body();
}

/** Makes a body of a text. */
export function bodyOf(text: string): PingBody | undefined {
  const kept = new Kept();
  kept.add(Buffer.from(text));
  return kept.body();
}

/** Keeps the beginning and the end of what is added. */
class Kept {
  bytes = 0;
  #announced = 0;
  #isUnfinished = false;
  #head = Buffer.alloc(0);
  /** The last chunks of what follows the head, and some more. */
  #tail: Uint8Array[] = [];
  #tailBytes = 0;

  add(bytes: Uint8Array): void {
    this.bytes += bytes.length;
    const room = HEAD_BYTES - this.#head.length;
    if (room > 0) this.#head = Buffer.concat([this.#head, bytes.subarray(0, room)]);
    const rest = bytes.subarray(room);
    this.#tail.push(rest);
    this.#tailBytes += rest.length;
    for (let first = this.#tail[0]; first && this.#tailBytes - first.length >= TAIL_BYTES; first = this.#tail[0]) {
      this.#tail.shift();
      this.#tailBytes -= first.length;
    }
  }

  /** The body is not read to its end. */
  cut(announcedBytes: number): void {
    this.#announced = announcedBytes;
    this.#isUnfinished = true;
  }

  body(): PingBody | undefined {
    if (this.bytes === 0) return undefined;
    const tail = Buffer.concat(this.#tail).subarray(-TAIL_BYTES);
    const totalBytes = Math.max(this.bytes, this.#announced);
    return { head: this.#head, tail, totalBytes, ...(this.#isUnfinished && { isUnfinished: true }) };
  }
}

/** What a cut may have left of a word. Of a word that is longer than any secret, only a part. */
const REST_OF_WORD = /^\S{0,1024}\w*/;

/** The text of a body, or its end. A word that was cut is dropped: half a token would not be recognised as one. */
export function endOf({ head, tail, totalBytes, isUnfinished }: PingBody): string {
  const isCut = tail.length === TAIL_BYTES && totalBytes > KEPT_BYTES;
  const text = new TextDecoder().decode(isCut ? tail : Buffer.concat([head, tail]));
  const said = isCut ? text.replace(REST_OF_WORD, "…") : text;
  return isUnfinished ? backwards(backwards(said).replace(REST_OF_WORD, "…")) : said;
}

const backwards = (text: string): string => Array.from(text).reverse().join("");
