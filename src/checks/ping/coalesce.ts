/** Writes the successes of a job that pings without end once a second, many in one write (CHECKINS.md §2). */
import type { Clock } from "../../util/clock.ts";

/** This many successes in a row are written at once, and one more for each second that passes. */
const AT_ONCE = 60;
const EVERY_MS = 1_000;
/**
 * Jobs of one generation. Two generations are remembered, and a job that pings joins the younger one, so that those that pinged
 * longest ago are forgotten. One map in the order of the latest pings would cost each ping of many jobs 15 µs: to find its first
 * key, JavaScriptCore steps over all those that were deleted before it (measured).
 */
const MAX_YOUNG = 10_000;

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
  #young = new Map<string, Known<T>>();
  #old = new Map<string, Known<T>>();

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
    known.waiting ??= this.#begin(known, write);
    known.waiting.write = write;
    return { result: await known.waiting.done, isCoalesced: true };
  }

  /** Writes what waits, so that other events come after it. */
  flush(key: string): void {
    const known = this.#young.get(key) ?? this.#old.get(key);
    if (known !== undefined) this.#flush(known);
  }

  #flush(known: Known<T>): void {
    if (known.waiting === undefined) return;
    const { write, settle, cancel } = known.waiting;
    delete known.waiting;
    this.#refill(known);
    known.room = Math.max(0, known.room - 1);
    cancel();
    settle(write());
  }

  #begin(known: Known<T>, write: () => Promise<T>): Waiting<T> {
    const { promise, resolve } = Promise.withResolvers<T>();
    const cancel = this.#clock.after((1 - known.room) * EVERY_MS, () => {
      this.#flush(known);
    });
    return { write, done: promise, settle: resolve, cancel };
  }

  #look(key: string): Known<T> {
    const young = this.#young.get(key);
    const known = young ?? this.#old.get(key) ?? { room: AT_ONCE, at: this.#clock.monotonic() };
    this.#refill(known);
    if (young !== undefined) return known;
    this.#old.delete(key);
    this.#young.set(key, known);
    if (this.#young.size < MAX_YOUNG) return known;
    for (const one of this.#old.values()) this.#flush(one);
    this.#old = this.#young;
    this.#young = new Map();
    return known;
  }

  #refill(known: Known<T>): void {
    const now = this.#clock.monotonic();
    known.room = Math.min(AT_ONCE, known.room + (now - known.at) / EVERY_MS);
    known.at = now;
  }
}
