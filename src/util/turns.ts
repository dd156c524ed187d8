/** One slice of long work a turn of the event loop, however many ask for one: requests come in between. */

/** How long a slice may hold the event loop. */
export const SLICE_MS = 2;

/** Resolves in a later turn, for one waiter a turn, in the order of asking. */
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
