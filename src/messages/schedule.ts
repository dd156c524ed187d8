/** Fires delayed messages when their time has come: one timer for the next of them (API.md §3). */
import type { Deps } from "../deps.ts";
import type { Millis } from "../util/clock.ts";

/** Messages of one commit. */
const BATCH = 100;
/** The wall clock may be set while a timer waits: look again at least so often. */
const LONGEST_WAIT_MS = 30_000;
const FIRST_BACKOFF_MS = 250;

/**
 * Starts with what became due while the server was down; hears from the bus of messages to come. `stop` resolves when
 * the batch under way is stored.
 */
export function startSchedule(deps: Pick<Deps, "store" | "clock" | "bus" | "log">): { stop(): Promise<void> } {
  const { store, clock, bus, log } = deps;
  let stopped = false;
  let failures = 0;
  /** The earliest time known; while a turn runs: heard of since it began. */
  let dueAt = Infinity;
  let turn: Promise<void> | undefined;
  let cancelTimer = () => {};

  const start = () => {
    turn ??= fireDue().finally(() => (turn = undefined));
  };
  const wait = () => {
    cancelTimer();
    if (!stopped) cancelTimer = clock.after(Math.min(Math.max(dueAt - clock.now(), 0), LONGEST_WAIT_MS), start);
  };
  const wake = (at: Millis) => {
    dueAt = Math.min(dueAt, at);
    if (turn === undefined) wait();
  };

  async function fireDue(): Promise<void> {
    try {
      do {
        dueAt = Infinity;
        while (!stopped && (await store.scheduled.fire(clock.now(), BATCH)) === BATCH);
        dueAt = Math.min(dueAt, (await store.scheduled.nextAt()) ?? Infinity);
      } while (!stopped && dueAt <= clock.now());
      failures = 0;
    } catch (cause) {
      failures++;
      log.error("schedule failed", { failures, error: cause instanceof Error ? cause : String(cause) });
      dueAt = clock.now() + Math.min(FIRST_BACKOFF_MS * 2 ** (failures - 1), LONGEST_WAIT_MS);
    }
    wait();
  }
  const unsubscribe = bus.onAll((event) => {
    if (event.kind === "scheduled") wake(event.deliverAt);
  });
  start();
  return {
    stop: async () => {
      stopped = true;
      unsubscribe();
      cancelTimer();
      await turn;
    },
  };
}
