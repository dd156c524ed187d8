/** The output of a job: passed on byte for byte as it comes, while its end is kept. */
import { dlopen } from "bun:ffi";
import { closeSync, fstatSync, write } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { Tail } from "./ping-tail.ts";

const STDOUT = 1;
const STDERR = 2;
/** From fcntl.h: the job gets only the ends that are meant for it. */
const O_CLOEXEC = 0o2_000_000;
/** What a pipe holds (pipe(7)): this much may be unread when the job ends. */
const PIPE_BYTES = 65_536;
const QUIET_MS = 50;
const BUSY_MS = 5;

/**
 * Pipes of our own: Bun gives a child sockets in their place, and on a socket `echo x >/dev/stderr` fails in the job
 * (measured: ENXIO).
 */
export class Output {
  /** The standard output and standard error of the job. */
  readonly stdout: number;
  readonly stderr: number;
  /** Why not all of it is written; the job cannot know. */
  failure: string | undefined;
  readonly #readers: readonly { from: number; to: number }[];
  readonly #tail = new Tail();
  #readBytes = 0;
  #writing = 0;
  #isDone = false;
  #done: Promise<void> = Promise.resolve();

  constructor() {
    const out = pipe();
    // where both go to one place anyway, one pipe keeps them in order
    const err = isSame(STDOUT, STDERR) ? out : pipe();
    this.stdout = out.writeEnd;
    this.stderr = err.writeEnd;
    const readers = [{ from: out.readEnd, to: STDOUT }];
    if (err !== out) readers.push({ from: err.readEnd, to: STDERR });
    this.#readers = readers;
  }

  /** The end of the output so far, standard output and standard error in the order in which they came. */
  get tail(): Uint8Array {
    return this.#tail.bytes;
  }

  /** Call it once the job has its ends. Begins to pass output on; resolves when nobody is left who could write. */
  async copy(): Promise<void> {
    for (const fd of new Set([this.stdout, this.stderr])) closeSync(fd);
    this.#done = Promise.all(this.#readers.map(async ({ from, to }) => this.#copy(from, to))).then(() => {
      this.#isDone = true;
    });
    await this.#done;
  }

  /** Call it when the job has ended: resolves when all its output is passed on, whatever others still write. */
  async drained(): Promise<void> {
    const enough = this.#readBytes + PIPE_BYTES * this.#readers.length;
    for (;;) {
      const before = this.#readBytes;
      await Promise.race([this.#done, sleep(QUIET_MS)]);
      const isThrough = this.#readBytes === before || this.#readBytes > enough;
      if (this.#isDone || (this.#writing === 0 && isThrough)) return;
    }
  }

  async #copy(from: number, to: number): Promise<void> {
    const reader = (Bun.file(from).stream() as ReadableStream<Uint8Array>).getReader();
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
    closeSync(from);
  }
}

function pipe(): { readEnd: number; writeEnd: number } {
  const ends = new Int32Array(2);
  if (libc.symbols.pipe2(ends, O_CLOEXEC) !== 0) throw new Error("no pipe for the job's output");
  const [readEnd = -1, writeEnd = -1] = ends;
  return { readEnd, writeEnd };
}

const libc = dlopen("libc.so.6", { pipe2: { args: ["ptr", "i32"], returns: "i32" } });

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
