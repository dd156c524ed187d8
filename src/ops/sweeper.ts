/** Runs the sweep of the store (store/sql/sweep.ts) and of the files again and again, so that publishing goes first (OPERATIONS.md §4). */
import type { Deps } from "../deps.ts";

/** Between two sweeps if nothing is left to do. */
const PAUSE_MS = 60_000;
/** The time of one sweep; the store divides it into slices, so that no turn of the event loop is longer than 2 ms. */
const BUDGET_MS = 100;
/** Between two sweeps while there is more to do, so that publishing goes first. */
const BREATH_MS = 20;

/** Sweeps until stopped; `stop` resolves when the sweep under way has ended. */
export function startSweeper({
  store,
  files,
  clock,
  config,
  log,
}: Pick<Deps, "store" | "files" | "clock" | "config" | "log">): {
  stop(): Promise<void>;
} {
  let stopped = false;
  let turn: Promise<void> = Promise.resolve();
  let cancelTimer = () => {};

  async function sweep(): Promise<void> {
    let more = false;
    try {
      more = await store.sweep(config.retention, BUDGET_MS);
      if (!more) await files.sweep(); // including files that just lost their last message
    } catch (cause) {
      log.error("retention failed", { error: cause instanceof Error ? cause : String(cause) });
    }
    waitFor(more ? BREATH_MS : PAUSE_MS);
  }
  function waitFor(ms: number): void {
    if (stopped) return;
    cancelTimer = clock.after(ms, () => {
      turn = sweep();
    });
  }
  waitFor(BREATH_MS);
  return {
    stop: async () => {
      stopped = true;
      cancelTimer();
      await turn;
    },
  };
}
