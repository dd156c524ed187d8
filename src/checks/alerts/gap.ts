/** Decides when pings may have been lost: the server was down, asleep or could not store (CHECKINS.md §5). Pure. */
import type { Millis } from "../../util/clock.ts";
import { STEP_MS } from "../../util/setback.ts";
import type { Gap } from "../check.ts";

/** The readings of both clocks at one instant. */
export interface Instant {
  wall: Millis;
  monotonic: number;
}

/** A shorter time is not a gap, since the alerter notes its ticks once a minute. */
const SHORTEST_MS = 90_000;
/**
 * A tick that is this late is not explained by load: with 10,000 checks due at once the loop stands still for
 * milliseconds, with a slow disk for a second or two. Pings are then late by as much, and `curl -m 10` waits longer.
 */
const LATE_MS = 5_000;

/** The gap between the last noted tick and the start of the server. */
export const gapAtStart = (seenAt: Millis | undefined, now: Instant): Gap | undefined =>
  seenAt !== undefined && now.wall - seenAt > SHORTEST_MS ? { from: seenAt, to: now.wall } : undefined;

/** How much further the wall clock went than the monotonic one; 0 if it did not. */
function stepBetween(last: Instant, now: Instant): number {
  const step = now.wall - last.wall - (now.monotonic - last.monotonic);
  return Math.abs(step) > STEP_MS ? step : 0;
}

/** What is known of the time since the latest tick, besides the clocks. */
interface Between {
  /** Ticks failed, so pings could not be stored either. */
  hasFailed: boolean;
  /** How much later than planned the tick comes, by the monotonic clock. */
  lateMs: number;
}

/**
 * The gap since the latest tick: the machine slept, its clock was set forward, which looks the same, or the process
 * stood still. A clock that was set back skips nothing.
 */
export function gapSince(last: Instant, now: Instant, { hasFailed, lateMs }: Between): Gap | undefined {
  const step = stepBetween(last, now);
  const isOutage = hasFailed && now.monotonic - last.monotonic > SHORTEST_MS;
  const isGap = step > 0 || lateMs > LATE_MS || isOutage;
  return isGap ? { from: last.wall + Math.min(step, 0), to: now.wall } : undefined;
}

/** Joins two gaps if nothing was looked at in between. */
export const joined = (one: Gap | undefined, other: Gap | undefined): Gap | undefined =>
  one === undefined || other === undefined ? (one ?? other) : { from: one.from, to: other.to };
