/** One timer for all that becomes due: no poll, and no timer for each thing (CHECKINS.md §5). */
import type { Clock, Millis } from "./clock.ts";

export interface DueTimer {
  /** Works off what is due now, then waits for what comes. */
  start(): void;
  /** Something becomes due at this time. */
  wake(at: Millis): void;
  /** Works off what is due. */
  isAtWork(): boolean;
  /** Resolves when the work under way has ended. */
  stop(): Promise<void>;
}

interface Duties {
  /**
   * Does what is due, until `isStopped`. Resolves to the next time at which something is, as far as is known. `lateMs`: so
   * much later than the timer was set for, since the loop or the whole process stood still; monotonic.
   */
  work(isStopped: () => boolean, lateMs: number): Promise<Millis | undefined>;
  /** It threw, for the `failures`th time in a row, and is tried again. */
  onFailure(error: unknown, failures: number): void;
  /** The wall clock may be set while the timer waits, and a machine may sleep: it looks again at least so often. */
  longestWaitMs: number;
  /** While nothing is due at any time it does not look at all: what comes wakes it. */
  sleepsWithoutWork?: true;
}

const FIRST_BACKOFF_MS = 250;

export function dueTimer(clock: Clock, duties: Duties): DueTimer {
  const { longestWaitMs, sleepsWithoutWork = false } = duties;
  let stopped = false;
  let failures = 0;
  /** The earliest time known; while a turn runs: heard of since it began. */
  let dueAt = Infinity;
  let turn: Promise<void> | undefined;
  let cancelTimer = () => {};
  /** When the timer is to fire, monotonic; Infinity: it is not set. */
  let firesAt = Infinity;

  const start = () => {
    turn ??= run().then(() => {
      turn = undefined;
      wait();
    });
  };
  const wait = () => {
    if (stopped || (sleepsWithoutWork && dueAt === Infinity)) return;
    const ms = Math.min(Math.max(dueAt - clock.now(), 0), longestWaitMs);
    const at = clock.monotonic() + ms;
    // one that is overdue is never set anew: nobody would learn that it was late
    if (at >= firesAt) return;
    cancelTimer();
    firesAt = at;
    cancelTimer = clock.after(ms, start);
  };
  async function run(): Promise<void> {
    let lateMs = Math.max(0, clock.monotonic() - firesAt);
    cancelTimer();
    firesAt = Infinity;
    try {
      do {
        dueAt = Infinity;
        const nextAt = await duties.work(() => stopped, lateMs);
        lateMs = 0;
        dueAt = Math.min(dueAt, nextAt ?? Infinity);
      } while (!stopped && dueAt <= clock.now());
      failures = 0;
    } catch (error) {
      failures++;
      duties.onFailure(error, failures);
      dueAt = clock.now() + Math.min(FIRST_BACKOFF_MS * 2 ** (failures - 1), longestWaitMs);
    }
  }
  return {
    start,
    wake: (at) => {
      dueAt = Math.min(dueAt, at);
      if (turn === undefined) wait();
    },
    isAtWork: () => turn !== undefined,
    stop: async () => {
      stopped = true;
      cancelTimer();
      await turn;
    },
  };
}
