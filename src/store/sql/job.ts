/** A job: what one method of the store does in one transaction (ARCHITECTURE.md §4). */
import type { Committed } from "../store.ts";

/** What a job leaves behind; `events` and `after` happen only once it is on disk. */
export interface Outcome<T> {
  result: T;
  events?: readonly Committed[];
  /** Changes of JavaScript state, such as caches: a job itself makes none, for it may be rolled back. */
  after?: () => void;
}

/** Runs jobs in transactions. */
export interface Writer {
  /**
   * Runs `job` in the next commit; resolves once it is on disk. Rejects with what the job threw, or with
   * `StoreUnavailable`: either way nothing of it was stored.
   */
  run<T>(job: () => Outcome<T>): Promise<T>;
  /** Runs in the first transaction that is committed, before its jobs; again where one is not. */
  atFirst(write: () => void): void;
}
