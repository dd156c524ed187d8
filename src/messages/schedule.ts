/** Sends delayed messages when their time has come: one timer for the next of them (API.md §3). */
import type { Deps } from "../deps.ts";
import { dueTimer } from "../util/duetimer.ts";

/** The most messages of one commit. */
const BATCH = 100;
/** It looks at least this often: the wall clock may be set while a timer waits. */
const LONGEST_WAIT_MS = 30_000;

/**
 * Starts with the messages that became due while the server was down, and hears of new ones from the bus. `stop` resolves when
 * the batch under way is stored.
 */
export function startSchedule(deps: Pick<Deps, "store" | "clock" | "bus" | "log">): { stop(): Promise<void> } {
  const { store, clock, bus, log } = deps;
  const timer = dueTimer(clock, {
    longestWaitMs: LONGEST_WAIT_MS,
    sleepsWithoutWork: true,
    work: async (isStopped) => {
      while (!isStopped() && (await store.scheduled.fire(clock.now(), BATCH)) === BATCH);
      return store.scheduled.nextAt();
    },
    onFailure: (error, failures) => {
      log.error("schedule failed", { failures, error });
    },
  });
  const unsubscribe = bus.onAll((events) => {
    for (const event of events) if (event.kind === "scheduled") timer.wake(event.deliverAt);
  });
  timer.start();
  return {
    stop: async () => {
      unsubscribe();
      await timer.stop();
    },
  };
}
