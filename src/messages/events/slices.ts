/** Keeps the fan-out from holding the event loop: 5,000 writes at once take 34 ms (PLATFORM.md §4). */

/** Readers that are told something in one turn of the event loop, of all feeds together. */
const SLICE = 1_000;

export class Slices {
  #left = SLICE;
  #next: Promise<void> | undefined;

  /** Counts one. A promise when the turn's share is used up: await it before going on. */
  spend(): Promise<void> | undefined {
    if (--this.#left > 0) return undefined;
    return (this.#next ??= new Promise((resolve) => {
      setImmediate(() => {
        this.#left = SLICE;
        this.#next = undefined;
        resolve();
      });
    }));
  }
}
