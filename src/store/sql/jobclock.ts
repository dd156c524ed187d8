/** The clock of the store between a set-back of the wall clock and the job that moves what waits (clock.ts). */
import type { Database } from "bun:sqlite";
import type { Clock } from "../../util/clock.ts";

export interface JobClock extends Clock {
  /**
   * Jobs read a time that is later by `ms`, until the returned function is called: what they write meanwhile has the old time,
   * like everything that is still to be moved.
   */
  hold(ms: number): () => void;
}

export function jobClock(clock: Clock, db: Pick<Database, "inTransaction">): JobClock {
  let held = 0;
  return {
    now: () => {
      const now = clock.now(); // first: this may be the reading that notices the set-back
      return held > 0 && db.inTransaction ? now + held : now;
    },
    monotonic: () => clock.monotonic(),
    after: (ms, wake) => clock.after(ms, wake),
    hold: (ms) => {
      let left = ms;
      held += left;
      return () => {
        held -= left;
        left = 0;
      };
    },
  };
}
