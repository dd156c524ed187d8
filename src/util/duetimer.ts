/** One timer for everything that becomes due: it does not poll, and not each thing needs a timer (CHECKINS.md §5). */
import type { Clock, Millis } from "./clock.ts";

export interface DueTimer {
  /** Does what is due now, then waits for what comes next. */
  start(): void;
  /** Says that something becomes due at this time. */
  wake(at: Millis): void;
  /** Whether it is doing what is due. */
  isAtWork(): boolean;
  /** Resolves when the work under way has ended. */
  stop(): Promise<void>;
}

interface Duties {
  /**
   * Does what is due, until `isStopped`. Resolves to the next time at which something is known to be due. `lateMs`: how
   * much later than planned the timer fired, in monotonic ms, because the loop or the whole process stood still.
   */
  work(isStopped: () => boolean, lateMs: number): Promise<Millis | undefined>;
  /** The work threw for the `failures`th time in a row; it is tried again. */
  onFailure(error: unknown, failures: number): void;
  /** It looks at least this often: the wall clock may be set while the timer waits, and the machine may sleep. */
  longestWaitMs: number;
  /** If nothing is due at any time it does not look at all, until `wake` is called. */
  sleepsWithoutWork?: true;
}

const FIRST_BACKOFF_MS = 250;

export function dueTimer(clock: Clock, duties: Duties): DueTimer {
  const { longestWaitMs, sleepsWithoutWork = false } = duties;
  let stopped = false;
  let failures = 0;
  /** The earliest time known; while a turn runs, the earliest that was said since the turn began. */
  let dueAt = Infinity;
  let turn: Promise<void> | undefined;
  let cancelTimer = () => {};
  /** When the timer fires, in monotonic ms; Infinity if it is not set. */
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
    // an overdue timer is never set again, or nobody would learn that it was late
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
