/** Tells when pings may have been lost: the server was down, asleep or could not store (docs/design/CHECKINS.md §5). Pure. */
import type { Millis } from "../util/clock.ts";
import type { Gap } from "./check.ts";

/** What both clocks say at once. */
export interface Instant {
  wall: Millis;
  monotonic: number;
}

/** The alerter's ticks are noted once a minute: what is shorter is none. */
const SHORTEST_MS = 90_000;
/** Within a tick no clock is slewed by as much. */
const STEP_MS = 5_000;

/** Between the last tick that was noted and the start of the server. */
export const gapAtStart = (seenAt: Millis | undefined, now: Instant): Gap | undefined =>
  seenAt !== undefined && now.wall - seenAt > SHORTEST_MS ? { from: seenAt, to: now.wall } : undefined;

/** How far the wall clock went beyond the time that passed; 0: as far as the other. */
export function stepBetween(last: Instant, now: Instant): number {
  const step = now.wall - last.wall - (now.monotonic - last.monotonic);
  return Math.abs(step) > STEP_MS ? step : 0;
}

/**
 * Since the latest tick: the machine slept, or its clock was set forward, which looks the same; one that was set back skips
 * nothing. `hasFailed`: ticks were tried and failed, so that pings could not be stored either.
 */
export function gapSince(last: Instant, now: Instant, hasFailed: boolean): Gap | undefined {
  const isStep = stepBetween(last, now) > 0;
  const isOutage = hasFailed && now.monotonic - last.monotonic > SHORTEST_MS;
  return isStep || isOutage ? { from: last.wall, to: now.wall } : undefined;
}

/** Of two gaps with nothing worked off in between. */
export const joined = (one: Gap | undefined, other: Gap | undefined): Gap | undefined =>
  one === undefined || other === undefined ? (one ?? other) : { from: one.from, to: other.to };
