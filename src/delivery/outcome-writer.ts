/** Writes the outcomes of deliveries into the store, many at once, and tries again until the store takes them. */
import type { Deps } from "../deps.ts";
import type { Settled } from "../store/deliveries.ts";
import { systemClock } from "../util/clock.ts";

export interface OutcomeWriter {
  /** Resolves once they are on disk. Until then nothing is sent to their devices. */
  write(settled: readonly Settled[]): Promise<void>;
  /** Gives up. A push whose outcome is not on disk is sent again after the next start, and replaces the first one. */
  stop(): void;
}

const FIRST_BACKOFF_MS = 250;
const LONGEST_BACKOFF_MS = 15_000;

/** The time between commits while many pushes are sent: one for every few answers took a third of the time (measured). */
const GATHER_MS = 25;

export function createOutcomeWriter({ store, clock, log }: Pick<Deps, "store" | "clock" | "log">): OutcomeWriter {
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
  async function writeAll(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      // by the machine's clock, since this is about the load of the machine
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
    write: async (settled) => {
      if (stopped) return; // the store is closing
      const { promise, resolve } = Promise.withResolvers<undefined>();
      waiting.push({ settled, resolve });
      if (!isWriting) void writeAll();
      return promise;
    },
    stop: () => {
      stopped = true;
      giveUp();
    },
  };
}
