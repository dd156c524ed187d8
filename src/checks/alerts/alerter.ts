/** Looks at every check when its time has come, and at none before (docs/design/CHECKINS.md §5). */
import type { Bus } from "../../bus/bus.ts";
import type { Store } from "../../store/store.ts";
import type { Log } from "../../telemetry/log.ts";
import type { Metrics } from "../../telemetry/metrics.ts";
import type { Clock, Millis } from "../../util/clock.ts";
import { dueTimer } from "../../util/duetimer.ts";
import { createTurns, SLICE_MS } from "../../util/turns.ts";
import type { CheckEvent, Gap } from "../check.ts";
import { gapAtStart, gapSince, type Instant, joined } from "./gap.ts";
import { rulesFor } from "../rules.ts";

export interface Alerter {
  /** How long ago it last ticked, or was made; monotonic. */
  tickAgeMs(): number;
  /** `failing`: it does not tick. `degraded`: within the last hour a check could not be decided or told. */
  health(): "ok" | "degraded" | "failing";
  /** Notes since when the server was away: before an address is open, and a ping could come first. */
  look(): Promise<void>;
  /** Begins with what became due while the server was away. */
  start(): void;
  /** Resolves when the slice under way is stored. */
  stop(): Promise<void>;
}

/** Of one transaction, whichever is reached first. Its commit takes as long again at most, and 5 ms are allowed in all. */
const SLICE = { limit: 200, budgetMs: SLICE_MS };
/**
 * Turns of the event loop between two slices: about as many as a publish takes from its first byte to its commit. With none,
 * each of them had a slice in it: 10,000 checks due at once made the p99 of 500 publishes a second 27 ms, with these 9.
 */
const TURNS = 6;
const LONGEST_WAIT_MS = 15_000;
/** A tick that is older means that nobody is watched. */
const LATE_MS = 60_000;
/** Between two notes in the store that it ticks. */
const SEE_EVERY_MS = 60_000;
/** As long as a check that throws is put off. */
const DEGRADED_MS = 3_600_000;

interface AlerterDeps {
  store: Store;
  clock: Clock;
  bus: Bus;
  log: Log;
  metrics: Metrics;
}

export function createAlerter(deps: AlerterDeps): Alerter {
  const { store, clock, bus, log, metrics } = deps;
  const { checks, days } = store;
  const turn = createTurns();
  const instant = (): Instant => ({ wall: clock.now(), monotonic: clock.monotonic() });

  /** The latest tick; until the first, when this was made. */
  let ticked = instant();
  let isFirst = true;
  let hasFailed = false;
  /** Pings may have been lost in it, and not all that became due in it was looked at. */
  let gap: Gap | undefined;
  /** What of it days do not know. */
  let unnoted: Gap | undefined;
  let isArmed = false;
  /** These two are monotonic. */
  let sawAt = -Infinity;
  let threwAt = -Infinity;

  /** `lateMs`: so much later than it was to be. */
  async function lookAtClocks(lateMs: number): Promise<void> {
    const seenAt = isFirst ? await checks.seenAt() : undefined;
    const now = instant();
    const found = isFirst ? gapAtStart(seenAt, now) : gapSince(ticked, now, { hasFailed, lateMs });
    if (found !== undefined && gap === undefined)
      log.warn("pings may have been lost", { from: found.from, to: found.to });
    gap = joined(gap, found);
    isFirst = false;
    unnoted = joined(unnoted, found);
    if (unnoted === undefined) return;
    await days.away(unnoted);
    unnoted = undefined;
  }

  /** One slice of what is due. Resolves to the next time at which something is. */
  async function tick(lateMs: number): Promise<Millis | undefined> {
    await lookAtClocks(lateMs);
    const now = clock.now();
    const event: CheckEvent = gap === undefined ? { kind: "tick" } : { kind: "tick", gap };
    const rules = rulesFor(() => [event], now);
    const { looked, failed, nextAt } = await checks.tick(now, rules, SLICE);
    for (const { id, error } of failed) log.error("a check is put off for an hour", { check: id, error });
    metrics.checksPutOff.inc(failed.length);
    if (failed.length > 0) threwAt = clock.monotonic();
    if (looked === 0 && nextAt !== undefined && nextAt <= now) throw new Error("what is due cannot be found");
    ticked = instant();
    return nextAt;
  }

  async function work(isStopped: () => boolean, lateMs: number): Promise<Millis | undefined> {
    await lookAtClocks(lateMs);
    let nextAt = await checks.nextAt();
    // a slice is due when the one before it has begun: it may be the process that stands still between them
    let begunAt = clock.monotonic();
    while (!isStopped() && nextAt !== undefined && nextAt <= clock.now()) {
      const slicedAt = begunAt;
      begunAt = clock.monotonic();
      nextAt = await tick(begunAt - slicedAt);
      for (let n = 0; n < TURNS; n++) await turn();
    }
    if (isStopped()) return nextAt;
    ticked = instant();
    gap = undefined;
    hasFailed = false;
    isArmed = nextAt !== undefined;
    if (ticked.monotonic - sawAt >= SEE_EVERY_MS) await see();
    return nextAt;
  }

  /** Not while there is nothing to watch: the disk of a NAS may sleep. Nor in a gap: its rest would be forgotten. */
  async function see(): Promise<void> {
    if (!isArmed || gap !== undefined) return;
    await checks.see(clock.now());
    sawAt = clock.monotonic();
  }

  const timer = dueTimer(clock, {
    work,
    longestWaitMs: LONGEST_WAIT_MS,
    onFailure: (error, failures) => {
      hasFailed = true;
      log.error("the alerter failed", { failures, error });
    },
  });
  const unsubscribe = bus.onAll((event) => {
    if (event.kind === "due") timer.wake(event.at);
  });
  const tickAgeMs = () => clock.monotonic() - ticked.monotonic;
  return {
    tickAgeMs,
    health: () => {
      if (tickAgeMs() > LATE_MS) return "failing";
      return clock.monotonic() - threwAt < DEGRADED_MS ? "degraded" : "ok";
    },
    look: async () => {
      await lookAtClocks(0).catch((error: unknown) => {
        log.error("an absence is not noted yet", { error });
      });
    },
    start: () => {
      timer.start();
    },
    stop: async () => {
      unsubscribe();
      await timer.stop();
      if (isFirst) return;
      await lookAtClocks(0)
        .then(async () => (isArmed = (await checks.nextAt()) !== undefined))
        .then(see)
        .catch((error: unknown) => {
          log.warn("the end of the alerter is not noted", { error });
        });
    },
  };
}
