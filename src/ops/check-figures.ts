/** The figures of single checks in `/metrics` (OPERATIONS.md §5). */
import { isLate } from "../checks/check.ts";
import type { Deps } from "../deps.ts";
import { SECOND } from "../util/clock.ts";

/** Each has up to four series: 2,000 in all, which Prometheus takes in milliseconds. */
const MOST = 500;

/** Counts them again. `all`: how many checks there are. */
export async function measureChecks(
  { store, clock, metrics }: Pick<Deps, "store" | "clock" | "metrics">,
  all: number,
): Promise<void> {
  const checks = await store.checks.oldest(MOST);
  const { checkUp, checkLate, checkLastOk, checkDuration } = metrics;
  const now = clock.now();
  // from here on nothing waits: two scrapes at once must not mix
  for (const family of [checkUp, checkLate, checkLastOk, checkDuration]) family.clear();
  for (const { id, namespace, standing } of checks) {
    const { settings, state, lastOkAt, lastDurationMs } = standing;
    const labels = [namespace, settings.slug ?? id] as const;
    if (state === "up" || state === "down") checkUp.of(...labels).value = state === "up" ? 1 : 0;
    if (state !== "paused") checkLate.of(...labels).value = isLate(standing, now) ? 1 : 0;
    if (lastOkAt !== undefined) checkLastOk.of(...labels).value = lastOkAt / SECOND;
    if (lastDurationMs !== undefined) checkDuration.of(...labels).value = lastDurationMs / SECOND;
  }
  metrics.gauge("checks_unlisted", () => Math.max(0, all - checks.length));
}
