/** Writes the successes of a job that pings without end once a second, many in one write (CHECKINS.md §2). */
import type { Clock } from "../../util/clock.ts";

/** This many successes in a row are written at once, and one more for each second that passes. */
const AT_ONCE = 60;
const EVERY_MS = 1_000;
/** The number of jobs that are remembered. Beyond it the one that pinged longest ago starts anew. */
const MAX_KNOWN = 20_000;

interface Known<T> {
  room: number;
  /** When it last pinged, in monotonic ms. */
  at: number;
  /** The successes that the next write stands for. */
  waiting?: Waiting<T>;
}

interface Waiting<T> {
  /** The write of the latest one. */
  write: () => Promise<T>;
  done: Promise<T>;
  settle: (written: Promise<T>) => void;
  cancel: () => void;
}

export class Coalescer<T> {
  readonly #clock: Clock;
  readonly #known = new Map<string, Known<T>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Writes at once, or a little later together with others. It is written when this resolves. */
  async success(key: string, write: () => Promise<T>): Promise<{ result: T; isCoalesced: boolean }> {
    const known = this.#look(key);
    if (known.waiting === undefined && known.room >= 1) {
      known.room -= 1;
      return { result: await write(), isCoalesced: false };
    }
    known.waiting ??= this.#begin(key, known.room, write);
    known.waiting.write = write;
    return { result: await known.waiting.done, isCoalesced: true };
  }

  /** Writes what waits, so that other events come after it. */
  flush(key: string): void {
    const known = this.#known.get(key);
    if (known?.waiting === undefined) return;
    const { write, settle, cancel } = known.waiting;
    delete known.waiting;
    this.#refill(known);
    known.room = Math.max(0, known.room - 1);
    cancel();
    settle(write());
  }

  #begin(key: string, room: number, write: () => Promise<T>): Waiting<T> {
    const { promise, resolve } = Promise.withResolvers<T>();
    const cancel = this.#clock.after((1 - room) * EVERY_MS, () => {
      this.flush(key);
    });
    return { write, done: promise, settle: resolve, cancel };
  }

  #look(key: string): Known<T> {
    const known = this.#known.get(key) ?? { room: AT_ONCE, at: this.#clock.monotonic() };
    this.#refill(known);
    this.#known.delete(key); // added again at the end: the first entry of the Map is the least recent
    this.#known.set(key, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) {
      this.flush(oldest);
      this.#known.delete(oldest);
    }
    return known;
  }

  #refill(known: Known<T>): void {
    const now = this.#clock.monotonic();
    known.room = Math.min(AT_ONCE, known.room + (now - known.at) / EVERY_MS);
    known.at = now;
  }
}
