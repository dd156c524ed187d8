/** Tells when pings may have been lost: the server was down, asleep or could not store (CHECKINS.md §5). Pure. */
import type { Millis } from "../../util/clock.ts";
import { STEP_MS } from "../../util/setback.ts";
import type { Gap } from "../check.ts";

/** What both clocks say at once. */
export interface Instant {
  wall: Millis;
  monotonic: number;
}

/** The alerter's ticks are noted once a minute: what is shorter is none. */
const SHORTEST_MS = 90_000;
/**
 * A tick that comes so late is no matter of load: with 10,000 checks due at once the loop stands still for milliseconds,
 * with a slow disk for a second or two. Pings in it are late by as much, and `curl -m 10` waits longer.
 */
const LATE_MS = 5_000;

/** Between the last tick that was noted and the start of the server. */
export const gapAtStart = (seenAt: Millis | undefined, now: Instant): Gap | undefined =>
  seenAt !== undefined && now.wall - seenAt > SHORTEST_MS ? { from: seenAt, to: now.wall } : undefined;

/** How far the wall clock went beyond the time that passed; 0: as far as the other. */
function stepBetween(last: Instant, now: Instant): number {
  const step = now.wall - last.wall - (now.monotonic - last.monotonic);
  return Math.abs(step) > STEP_MS ? step : 0;
}

/** What is known of the time since the latest tick, beside the clocks. */
interface Between {
  /** Ticks were tried and failed, so that pings could not be stored either. */
  hasFailed: boolean;
  /** So much later than it was due the tick comes; monotonic. */
  lateMs: number;
}

/**
 * Since the latest tick: the machine slept, its clock was set forward, which looks the same, or the process stood still,
 * whatever stopped it. A clock that was set back skips nothing.
 */
export function gapSince(last: Instant, now: Instant, { hasFailed, lateMs }: Between): Gap | undefined {
  const step = stepBetween(last, now);
  const isOutage = hasFailed && now.monotonic - last.monotonic > SHORTEST_MS;
  const isGap = step > 0 || lateMs > LATE_MS || isOutage;
  return isGap ? { from: last.wall + Math.min(step, 0), to: now.wall } : undefined;
}

/** Of two gaps with nothing worked off in between. */
export const joined = (one: Gap | undefined, other: Gap | undefined): Gap | undefined =>
  one === undefined || other === undefined ? (one ?? other) : { from: one.from, to: other.to };
