/** The state of a check as it is shown, with derived states in one word. Pure. */
import { isLate, isRunning, type Check, type Standing } from "../../../checks/check.ts";
import type { Millis } from "../../../util/clock.ts";

/** In the order of the filter. */
export const SHOWN_STATES = ["down", "late", "running", "up", "paused", "new"] as const;
export type ShownState = (typeof SHOWN_STATES)[number];

export function shownState(standing: Standing, now: Millis): ShownState {
  if (standing.state === "paused" || standing.state === "down") return standing.state;
  if (isLate(standing, now)) return "late";
  return isRunning(standing) ? "running" : standing.state;
}

/** How soon somebody should look at it: 0 for what is down and nobody is on, the more the later. */
export function urgencyOf(standing: Standing, now: Millis): number {
  const { incident, mutedUntil } = standing;
  const state = shownState(standing, now);
  const isSnoozed = mutedUntil !== undefined && mutedUntil > now;
  if (state === "down") return isSnoozed || incident?.ackedAt !== undefined ? 1 : 0;
  return ORDER.indexOf(isSnoozed ? "paused" : state) + 1;
}
const ORDER: readonly ShownState[] = ["down", "late", "running", "new", "paused", "up"];

/** How many checks are shown as what. */
export function countStates(checks: readonly Check[], now: Millis): Record<ShownState, number> {
  const counts: Record<ShownState, number> = { down: 0, late: 0, running: 0, up: 0, paused: 0, new: 0 };
  for (const { standing } of checks) counts[shownState(standing, now)]++;
  return counts;
}
