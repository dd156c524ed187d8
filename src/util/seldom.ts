/** Limits how often something that may happen at any rate is reported. */
import type { Clock } from "./clock.ts";

/** True at most once in `everyMs`; the first call returns true. */
export function seldom(clock: Clock, everyMs: number): () => boolean {
  let toldAt = -Infinity;
  return () => {
    if (clock.monotonic() - toldAt < everyMs) return false;
    toldAt = clock.monotonic();
    return true;
  };
}
