/** Watches the clocks for times in which this server was away, so that pings may have been lost (CHECKINS.md §5). */
import type { Store } from "../../store/store.ts";
import type { Log } from "../../telemetry/log.ts";
import type { Clock } from "../../util/clock.ts";
import type { Gap } from "../check.ts";
import { gapAtStart, gapSince, type Instant, joined } from "./gap.ts";

interface AbsenceDeps {
  store: Pick<Store, "checks" | "days">;
  clock: Clock;
  log: Log;
}

export function createAbsence({ store: { checks, days }, clock, log }: AbsenceDeps) {
  const instant = (): Instant => ({ wall: clock.now(), monotonic: clock.monotonic() });
  let ticked = instant();
  let hasLooked = false;
  let hasFailed = false;
  let gap: Gap | undefined;
  /** The part of the gap that the days do not know yet. */
  let unnoted: Gap | undefined;
  /** When it last noted that it ticks, in monotonic ms. */
  let sawAt = -Infinity;
  return {
    /** The time in which it was away, until all that became due in it has been looked at. */
    get gap() {
      return gap;
    },
    /** It has looked at the clocks since the start. */
    get hasLooked() {
      return hasLooked;
    },
    /** Looks at the clocks and tells the days of an absence. `lateMs`: how much later than planned this happens. */
    look: async (lateMs: number): Promise<void> => {
      const seenAt = hasLooked ? undefined : await checks.seenAt();
      const now = instant();
      const found = hasLooked ? gapSince(ticked, now, { hasFailed, lateMs }) : gapAtStart(seenAt, now);
      if (found !== undefined && gap === undefined)
        log.warn("pings may have been lost", { from: found.from, to: found.to });
      gap = joined(gap, found);
      hasLooked = true;
      unnoted = joined(unnoted, found);
      if (unnoted === undefined) return;
      await days.away(unnoted);
      unnoted = undefined;
    },
    /** How long ago the last tick was, or the start, by the monotonic clock. */
    tickAgeMs: () => clock.monotonic() - ticked.monotonic,
    ticked: () => {
      ticked = instant();
    },
    /** The store failed. If that lasts too long, the next look counts it as an absence. */
    fail: () => {
      hasFailed = true;
    },
    /** A tick, after which all that became due in the gap has been looked at. */
    caughtUp: () => {
      ticked = instant();
      gap = undefined;
      hasFailed = false;
    },
    /** Notes in the store that it ticks, unless it did within `everyMs`. Not in a gap: a restart would forget the rest of it. */
    see: async (everyMs = 0): Promise<void> => {
      if (gap !== undefined || clock.monotonic() - sawAt < everyMs) return;
      await checks.see(clock.now());
      sawAt = clock.monotonic();
    },
  };
}
