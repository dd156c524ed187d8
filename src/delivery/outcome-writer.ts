/** Writes what became of deliveries into the store, many at once, until the store takes it. */
import type { Deps } from "../deps.ts";
import type { Settled } from "../store/deliveries.ts";
import { systemClock } from "../util/clock.ts";

export interface Settler {
  /** Resolves once it is on disk. While the store takes nothing, it is tried again; what it is about is not sent meanwhile. */
  settle(settled: readonly Settled[]): Promise<void>;
  /** No more tries: what is not on disk is sent once more after the next start, and takes the place of its first time. */
  stop(): void;
}

const FIRST_BACKOFF_MS = 250;
const LONGEST_BACKOFF_MS = 15_000;

/** From one commit to the next while many are sent: one for every few answers took a third of a fan-out's time (measured). */
const GATHER_MS = 25;

export function createSettler({ store, clock, log }: Pick<Deps, "store" | "clock" | "log">): Settler {
  let waiting: { settled: readonly Settled[]; resolve: (done: undefined) => void }[] = [];
  let isWriting = false;
  let stopped = false;
  let giveUp = () => {};
  let restUntil = -Infinity;

  async function persist(settled: readonly Settled[]): Promise<void> {
    for (let failures = 0; ; failures++) {
      try {
        await store.deliveries.settle(settled);
        return;
      } catch (error) {
        log.error("what became of pushes cannot be stored", { failures: failures + 1, error });
      }
      if (stopped) return;
      await new Promise<void>((resolve) => {
        giveUp = resolve;
        clock.after(Math.min(FIRST_BACKOFF_MS * 2 ** failures, LONGEST_BACKOFF_MS), resolve);
      });
    }
  }
  async function write(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      // by the machine's clock, not that of the deliveries: it is about the machine's load
      await Bun.sleep(Math.max(restUntil - systemClock.monotonic(), 0));
      const batch = waiting;
      waiting = [];
      await persist(batch.flatMap(({ settled }) => settled));
      if (batch.length > 1) restUntil = systemClock.monotonic() + GATHER_MS;
      for (const { resolve } of batch) resolve(undefined);
    }
    isWriting = false;
  }
  return {
    settle: async (settled) => {
      if (stopped) return; // the store is closing
      const { promise, resolve } = Promise.withResolvers<undefined>();
      waiting.push({ settled, resolve });
      if (!isWriting) void write();
      return promise;
    },
    stop: () => {
      stopped = true;
      giveUp();
    },
  };
}
