/** Keeps the fan-out from holding the event loop: 5,000 writes at once take 34 ms (PLATFORM.md §4). */
import type { Clock } from "../../util/clock.ts";

/** In one turn of the event loop, for all feeds together. */
const SLICE_MS = 2;
/** How many readers are served between two looks at the clock. */
const LOOK_EVERY = 16;

interface Turn {
  endsAt: number;
  over: Promise<void>;
}

export class Slices {
  #told = 0;
  #turn: Turn | undefined;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts one reader that was sent something. Returns a promise if the turn's share is used up: await it before the next. */
  spend(): Promise<void> | undefined {
    if (++this.#told % LOOK_EVERY !== 0) return undefined;
    const now = this.#clock.monotonic();
    this.#turn ??= this.#begin(now);
    return now < this.#turn.endsAt ? undefined : this.#turn.over;
  }

  #begin(now: number): Turn {
    const over = new Promise<void>((resolve) => {
      setImmediate(() => {
        this.#turn = undefined;
        resolve();
      });
    });
    return { endsAt: now + SLICE_MS, over };
  }
}
