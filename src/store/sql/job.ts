/** A job: what one method of the store does in one transaction (ARCHITECTURE.md §4). */
import type { Committed } from "../store.ts";

/** The outcome of a job; `events` and `after` come only once it is on disk. */
export interface Outcome<T> {
  result: T;
  events?: readonly Committed[];
  /** Changes JavaScript state, such as caches: a job itself changes none, because it may be rolled back. */
  after?: () => void;
}

/** Jobs of one kind, each with its input: one outcome for all, with a result for each, in their order. */
export type Batch<I, T> = (inputs: readonly I[]) => Outcome<readonly T[]>;

/** A job that answers nothing. */
export const silently = async (writer: Pick<Writer, "run">, write: () => unknown): Promise<undefined> =>
  writer.run(() => {
    write();
    return { result: undefined };
  });

/** Runs a job again and again, each time in another transaction, until it answers something other than "more". */
export async function inSlices<T>(writer: Pick<Writer, "run">, slice: () => Outcome<T | "more">): Promise<T> {
  for (;;) {
    const result = await writer.run(slice);
    if (result !== "more") return result;
  }
}

/** Runs jobs in transactions. */
export interface Writer {
  /**
   * Runs `job` in the next commit; resolves once it is on disk. Rejects with what the job threw, or with
   * `StoreUnavailable`: either way nothing of it was stored.
   */
  run<T>(job: () => Outcome<T>): Promise<T>;
  /**
   * The same for jobs of which many come at once: neighbours in the queue are performed by one call of `perform`. If that throws,
   * it is called again for each alone, so that one takes no other with it.
   */
  together<I, T>(perform: Batch<I, T>, input: I): Promise<T>;
  /** Runs in the first transaction that is committed, before its jobs; again if a transaction is not. */
  atFirst(write: () => void): void;
}
