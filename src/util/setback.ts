/** A wall clock that notices when it is set back (CHECKINS.md §5). */
import { HOUR, type Clock, type Millis } from "./clock.ts";

/** What the clock would show if nobody had set it, and what it shows. */
export interface SetBack {
  from: Millis;
  to: Millis;
}

export interface NoticingClock extends Clock {
  /** Says how far the clock may just have been set forward: at a start, by the time since it was last seen. */
  mayBeAhead(ms: number): void;
  /** The first reading after a set-back calls `hear` before it returns: what `hear` begins precedes every use of the new time. */
  onSetBack(hear: (setBack: SetBack) => void): void;
}

/** No clock is slewed by this much between two readings. */
export const STEP_MS = 5_000;

/** A clock that was wrong for a moment is put right within this time, for example by NTP after a start. */
const CORRECTED_MS = HOUR;

/**
 * Compares the wall clock with the monotonic one at each reading. A step forward is not reported: a machine that slept looks
 * the same, and its time has passed. But a step back within the hour first undoes such a step, and what waited before both
 * keeps its time.
 */
export function noticing(clock: Clock): NoticingClock {
  let hear: (setBack: SetBack) => void = () => undefined;
  const read = () => {
    const now = clock.now();
    return { now, ahead: now - clock.monotonic() };
  };
  let { ahead: known } = read();
  /** How far the clock may be ahead, and until when that is remembered, in monotonic ms. */
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
      // read again: the process may have stood still between the readings of the two clocks
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
