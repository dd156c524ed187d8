/** What may happen at any rate and is told now and then. */
import type { Clock } from "./clock.ts";

/** True at most once in `everyMs`, the first time at once. */
export function seldom(clock: Clock, everyMs: number): () => boolean {
  let toldAt = -Infinity;
  return () => {
    if (clock.monotonic() - toldAt < everyMs) return false;
    toldAt = clock.monotonic();
    return true;
  };
}
