/** The output of a job: passed on byte for byte as it comes, while its end is kept. */
import { closeSync, fstatSync, write } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { openLibc } from "../util/libc.ts";
import { Tail } from "./ping-tail.ts";

const STDOUT = 1;
const STDERR = 2;
/** From fcntl.h: the job gets only the ends that are meant for it. */
const O_CLOEXEC = 0o2_000_000;
/** What a pipe holds (pipe(7)): this much may be unread when the job ends. */
const PIPE_BYTES = 65_536;
const QUIET_MS = 50;
const BUSY_MS = 5;

/** What a child gets as its standard output or error: a descriptor, or what Bun makes of the word. */
export type End = number | "pipe";

interface Pipe {
  readEnd: number;
  writeEnd: number;
}

export class Output {
  /** The standard output and standard error of the job. */
  readonly ends: readonly [End, End];
  /** Why not all of it is written; the job cannot know. */
  failure: string | undefined;
  readonly #pipes: readonly { pipe: Pipe; to: number }[];
  readonly #tail = new Tail();
  #readBytes = 0;
  #writing = 0;
  #isDone = false;
  #done: Promise<unknown> = Promise.resolve();

  /** `newPipe`: for tests of other systems than Linux. */
  constructor(newPipe = ownPipe) {
    const out = newPipe();
    // where both go to one place anyway, one pipe keeps them in order
    const err = out !== undefined && isSame(STDOUT, STDERR) ? out : newPipe();
    this.ends = [out?.writeEnd ?? "pipe", err?.writeEnd ?? "pipe"];
    const pipes = [{ pipe: out, to: STDOUT }, ...(err === out ? [] : [{ pipe: err, to: STDERR }])];
    this.#pipes = pipes.flatMap(({ pipe, to }) => (pipe === undefined ? [] : [{ pipe, to }]));
  }

  /** The end of the output so far, standard output and standard error in the order in which they came. */
  get tail(): Uint8Array {
    return this.#tail.bytes;
  }

  /**
   * Call it once the job has its ends. `streams`: what comes out of those that Bun has made. Begins to pass output on; resolves when
   * nobody is left who could write.
   */
  async copy(streams: readonly ReadableStream<Uint8Array>[]): Promise<void> {
    for (const fd of new Set(this.#pipes.map(({ pipe }) => pipe.writeEnd))) closeSync(fd);
    this.#done = Promise.all([
      ...this.#pipes.map(async ({ pipe: { readEnd }, to }) => {
        await this.#copy(Bun.file(readEnd).stream(), to);
        closeSync(readEnd);
      }),
      ...streams.map(async (stream, at) => this.#copy(stream, [STDOUT, STDERR][at] ?? STDERR)),
    ]).then(() => {
      this.#isDone = true;
    });
    await this.#done;
  }

  /** Call it when the job has ended: resolves when all its output is passed on, whatever others still write. */
  async drained(): Promise<void> {
    const enough = this.#readBytes + PIPE_BYTES * this.ends.length;
    for (;;) {
      const before = this.#readBytes;
      await Promise.race([this.#done, sleep(QUIET_MS)]);
      const isThrough = this.#readBytes === before || this.#readBytes > enough;
      if (this.#isDone || (this.#writing === 0 && isThrough)) return;
    }
  }

  async #copy(from: ReadableStream<Uint8Array>, to: number): Promise<void> {
    const reader = from.getReader();
    let failure: string | undefined;
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      this.#readBytes += part.value.length;
      this.#tail.add(part.value);
      this.#writing++;
      failure ??= await writeAll(to, part.value);
      this.#writing--;
      if (failure === "EPIPE") break; // the reader has gone: the job hears of it, as it would without us
      this.failure ??= failure; // a full disk is not a reason to end a job
    }
    await reader.cancel();
  }
}

/**
 * Bun gives a child a socket where it is told "pipe", and on a socket `echo x >/dev/stderr` fails in the job (measured: ENXIO). That is
 * so on Linux alone: undefined elsewhere.
 */
function ownPipe(): Pipe | undefined {
  const libc = openLibc({ pipe2: { args: ["ptr", "i32"], returns: "i32" } });
  if (libc === undefined) return undefined;
  const ends = new Int32Array(2);
  if (libc.symbols.pipe2(ends, O_CLOEXEC) !== 0) throw new Error("no pipe for the job's output");
  const [readEnd = -1, writeEnd = -1] = ends;
  return { readEnd, writeEnd };
}

function isSame(one: number, other: number): boolean {
  const [a, b] = [fstatSync(one), fstatSync(other)];
  return a.dev === b.dev && a.ino === b.ino;
}

/** In a thread, so that a slow reader or a stopped terminal holds nothing else up. Resolves to the error code. */
async function writeAll(fd: number, bytes: Uint8Array): Promise<string | undefined> {
  let at = 0;
  while (at < bytes.length) {
    try {
      at += (await writeSome(fd, bytes, at)).bytesWritten;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "EAGAIN") return code ?? "EIO";
      await sleep(BUSY_MS); // another program that shares it has made it non-blocking
    }
  }
  return undefined;
}

const writeSome = promisify(write);
