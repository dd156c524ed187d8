/** Does long work in slices, one a turn of the event loop however many ask, so that requests come in between. */
import type { Clock } from "./clock.ts";

/** How long a slice may hold the event loop, in ms. */
export const SLICE_MS = 2;

/** Resolves in a later turn: one waiter a turn, in the order of asking. */
export function createTurns(): () => Promise<void> {
  const waiting: (() => void)[] = [];
  const next = () => {
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(next);
  };
  return async () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(next);
    });
}

/** `items.map(make)` in slices, so that long work is spread over turns. Rejects with the signal's reason once that is aborted. */
export type MapInTurns = <T, R>(items: readonly T[], make: (item: T) => R, signal?: AbortSignal) => Promise<R[]>;

/** All callers of one `MapInTurns` share its turns. A `make` that takes longer than a slice gets a whole slice. */
export function createMapInTurns(clock: Clock): MapInTurns {
  const turn = createTurns();
  return async (items, make, signal) => {
    const made = [];
    let pause = -Infinity;
    for (const item of items) {
      if (clock.monotonic() >= pause) {
        await turn();
        signal?.throwIfAborted();
        pause = clock.monotonic() + SLICE_MS;
      }
      made.push(make(item));
    }
    return made;
  };
}
