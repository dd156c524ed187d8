/** A clock that stands still until the test moves it. */
import type { Clock, Millis } from "../../src/util/clock.ts";

export interface HeldClock extends Clock {
  /** Moves both clocks, and fires what becomes due on the way, in order, each at its time. */
  advance(ms: number): void;
  /** Moves only the wall clock, as when the operator or NTP sets it. */
  jump(ms: number): void;
  /** Moves both clocks without firing anything, as when the process was stopped. What became due fires with the next `advance`. */
  freeze(ms: number): void;
}

interface Timer {
  at: number;
  wake: () => void;
}

/** Starts at 2026-01-01T00:00:00Z, or at `start` (epoch ms). */
export function heldClock(start: Millis = Date.UTC(2026, 0, 1)): HeldClock {
  let wall = start;
  let monotonic = 0;
  const timers = new Set<Timer>();

  // not by sorting them: months take millions of timers
  const nextDue = (until: number) => {
    let next: Timer | undefined;
    for (const timer of timers) if (timer.at <= until && timer.at < (next?.at ?? Infinity)) next = timer;
    return next;
  };
  const moveTo = (at: number) => {
    wall += Math.max(0, at - monotonic);
    monotonic = Math.max(monotonic, at);
  };
  return {
    now: () => Math.round(wall),
    monotonic: () => monotonic,
    after: (ms, wake) => {
      const timer = { at: monotonic + Math.max(ms, 0), wake };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance: (ms) => {
      const until = monotonic + ms;
      for (let due = nextDue(until); due !== undefined; due = nextDue(until)) {
        timers.delete(due);
        moveTo(due.at);
        due.wake();
      }
      moveTo(until);
    },
    jump: (ms) => {
      wall += ms;
    },
    freeze: (ms) => {
      moveTo(monotonic + ms);
    },
  };
}
