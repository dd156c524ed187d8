/** Looks at each check when it is due, and alerts once if it is late, missed or overrun (CHECKINS.md §5). */
import type { Bus } from "../../bus/bus.ts";
import type { Store } from "../../store/store.ts";
import type { Log } from "../../telemetry/log.ts";
import type { Metrics } from "../../telemetry/metrics.ts";
import { HOUR, type Clock, type Millis } from "../../util/clock.ts";
import { dueTimer } from "../../util/duetimer.ts";
import { createTurns, SLICE_MS } from "../../util/turns.ts";
import type { CheckEvent } from "../check.ts";
import { rulesFor } from "../rules.ts";
import { createAbsence } from "./absence.ts";

export interface Alerter {
  /** How long ago the last tick was, or the start, by the monotonic clock. */
  tickAgeMs(): number;
  /** `failing`: it does not tick. `degraded`: within the last hour a check could not be decided or reported. */
  health(): "ok" | "degraded" | "failing";
  /** Notes since when the server was away. To be called before an address is open, so before the first ping. */
  look(): Promise<void>;
  /** Starts with what became due while the server was away. */
  start(): void;
  /** Resolves when the current slice is stored. */
  stop(): Promise<void>;
}

/** The limits of one transaction. Its commit takes up to as long again, and 5 ms are allowed in all. */
const SLICE = { limit: 200, budgetMs: SLICE_MS };
/**
 * The turns of the event loop between two slices: about as many as a publish takes from its first byte to its commit.
 * Without them each publish had a slice in it: 10,000 checks due at once made the p99 of 500 publishes a second 27 ms,
 * and with them 9.
 */
const TURNS = 6;
const LONGEST_WAIT_MS = 15_000;
/** If the last tick is older, checks are not being watched. */
const LATE_MS = 60_000;
/** The time between two notes in the store that it ticks. */
const SEE_EVERY_MS = 60_000;
/** The same as the time for which a check that throws is put off. */
const DEGRADED_MS = HOUR;

interface AlerterDeps {
  store: Store;
  clock: Clock;
  bus: Bus;
  log: Log;
  metrics: Metrics;
}

export function createAlerter(deps: AlerterDeps): Alerter {
  const { store, clock, bus, log, metrics } = deps;
  const { checks } = store;
  const turn = createTurns();
  const absence = createAbsence(deps);
  /** When a check could last not be decided or reported, in monotonic ms. */
  let threwAt = -Infinity;

  /** Looks at one slice of what is due. Resolves to the next time at which something is. */
  async function tick(lateMs: number): Promise<Millis | undefined> {
    await absence.look(lateMs);
    const now = clock.now();
    const { gap } = absence;
    const event: CheckEvent = gap === undefined ? { kind: "tick" } : { kind: "tick", gap };
    const rules = rulesFor(() => [event], now);
    const { looked, failed, nextAt } = await checks.tick(now, rules, SLICE);
    for (const { id, error } of failed) log.error("a check is put off for an hour", { check: id, error });
    metrics.checksPutOff.inc(failed.length);
    if (failed.length > 0) threwAt = clock.monotonic();
    if (looked === 0 && nextAt !== undefined && nextAt <= now) throw new Error("what is due cannot be found");
    absence.ticked();
    return nextAt;
  }

  async function work(isStopped: () => boolean, lateMs: number): Promise<Millis | undefined> {
    await absence.look(lateMs);
    let nextAt = await checks.nextAt();
    // a slice is due when the one before it began, since the process may stand still between them
    let begunAt = clock.monotonic();
    while (!isStopped() && nextAt !== undefined && nextAt <= clock.now()) {
      const slicedAt = begunAt;
      begunAt = clock.monotonic();
      nextAt = await tick(begunAt - slicedAt);
      for (let n = 0; n < TURNS; n++) await turn();
    }
    if (isStopped()) return nextAt;
    absence.caughtUp();
    if (nextAt !== undefined) await absence.see(SEE_EVERY_MS); // else the disk of a NAS may sleep
    return nextAt;
  }

  const timer = dueTimer(clock, {
    work,
    longestWaitMs: LONGEST_WAIT_MS,
    onFailure: (error, failures) => {
      absence.fail();
      log.error("the alerter failed", { failures, error });
    },
  });
  const unsubscribe = bus.onAll((events) => {
    for (const event of events) if (event.kind === "due") timer.wake(event.at);
  });
  return {
    tickAgeMs: () => absence.tickAgeMs(),
    health: () => {
      if (absence.tickAgeMs() > LATE_MS) return "failing";
      return clock.monotonic() - threwAt < DEGRADED_MS ? "degraded" : "ok";
    },
    look: async () => {
      await absence.look(0).catch((error: unknown) => {
        log.error("an absence is not noted yet", { error });
      });
    },
    start: () => {
      timer.start();
    },
    stop: async () => {
      unsubscribe();
      await timer.stop();
      if (!absence.hasLooked) return;
      try {
        await absence.look(0);
        if ((await checks.nextAt()) !== undefined) await absence.see();
      } catch (error) {
        log.warn("the end of the alerter is not noted", { error });
      }
    },
  };
}
