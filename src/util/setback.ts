/** A wall clock that notices when it is set back (CHECKINS.md §5). */
import type { Clock, Millis } from "./clock.ts";

/** What it would show, had nobody touched it, and what it shows. */
export interface SetBack {
  from: Millis;
  to: Millis;
}

export interface NoticingClock extends Clock {
  /** The clock may have been set forward by so much just now: at a start, the time since it was last seen. */
  mayBeAhead(ms: number): void;
  /** Called by the first reading after it was set back, before that returns: what is begun then comes before all that uses the new time. */
  onSetBack(hear: (setBack: SetBack) => void): void;
}

/** Between two readings no clock is slewed by as much. */
export const STEP_MS = 5_000;

/** A clock that was wrong for a moment is put right within this time, as by NTP after a start. */
const CORRECTED_MS = 3_600_000;

/**
 * Compares the two clocks at each reading of the wall. One that is set forward is not told: a machine that slept looks
 * the same, and its time has passed. But a step back within the hour takes such a step back first, and what waited before both
 * is right as it is.
 */
export function noticing(clock: Clock): NoticingClock {
  let hear: (setBack: SetBack) => void = () => undefined;
  const read = () => {
    const now = clock.now();
    return { now, ahead: now - clock.monotonic() };
  };
  let { ahead: known } = read();
  /** By how much it may be ahead, and until when that is remembered, monotonic. */
  let forward = { ms: 0, until: -Infinity };
  const mayBeAhead = (ms: number) => {
    const now = clock.monotonic();
    forward = { ms: Math.max(0, ms) + (now < forward.until ? forward.ms : 0), until: now + CORRECTED_MS };
  };
  return {
    mayBeAhead,
    monotonic: () => clock.monotonic(),
    after: (ms, wake) => clock.after(ms, wake),
    onSetBack: (heard) => {
      hear = heard;
    },
    now: () => {
      let reading = read();
      // again: the process may have stood still between the two clocks
      if (reading.ahead < known - STEP_MS) reading = read();
      const { now, ahead } = reading;
      const by = ahead - known;
      known = ahead;
      if (by > STEP_MS) mayBeAhead(by);
      if (by < -STEP_MS) {
        const undone = clock.monotonic() < forward.until ? Math.min(-by, forward.ms) : 0;
        forward.ms -= undone;
        hear({ from: Math.round(now - by - undone), to: now });
      }
      return now;
    },
  };
}
