/** Acts at a steady rate, whether or not the act before has ended. */

export interface Pacer {
  /** Acts `perSecond` times a second until the end. An error is told to `failed`. */
  every(perSecond: number, act: () => unknown): void;
  /** Ends it, and waits for what is under way. */
  stop(): Promise<void>;
}

/** More under way at a time are not begun: then the rate falls, and the answers show why. */
const MOST_UNDER_WAY = 200;
const TICK_MS = 10;

export function createPacer(failed: (error: unknown) => void): Pacer {
  const timers = new Set<Timer>();
  const underWay = new Set<Promise<unknown>>();
  return {
    every: (perSecond, act) => {
      const startedAt = performance.now();
      let acted = 0;
      const tick = () => {
        const due = ((performance.now() - startedAt) / 1_000) * perSecond;
        for (; acted < due; acted++) {
          if (underWay.size >= MOST_UNDER_WAY) continue;
          const turn: Promise<unknown> = Promise.try(act)
            .catch(failed)
            .finally(() => underWay.delete(turn));
          underWay.add(turn);
        }
      };
      timers.add(setInterval(tick, TICK_MS));
    },
    stop: async () => {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(underWay);
    },
  };
}
type Timer = ReturnType<typeof setInterval>;
