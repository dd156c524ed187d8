/** The clock of the store, for the time between a clock that is set back and the job that moves what waits (clock.ts). */
import type { Database } from "bun:sqlite";
import type { Clock } from "../../util/clock.ts";

export interface JobClock extends Clock {
  /**
   * Jobs tell the time by `ms` later until the function is called that this returns: what they write meanwhile is of the
   * time before, as all that is to be moved.
   */
  hold(ms: number): () => void;
}

export function jobClock(clock: Clock, db: Pick<Database, "inTransaction">): JobClock {
  let held = 0;
  return {
    now: () => {
      const now = clock.now(); // first: this may be the reading that notices
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
