/**
 * Group commit (ARCHITECTURE.md §4): jobs queue up and the whole queue runs in one transaction per turn of the event
 * loop, each in a savepoint, so that one that fails takes no other with it. Nobody is answered before the commit is on disk.
 */
import { type Database, SQLiteError } from "bun:sqlite";
import { StoreTrouble, StoreUnavailable, type Committed, type CommitSample } from "../store.ts";
import type { Clock } from "../../util/clock.ts";
import type { Place } from "./place.ts";
import { isExhausted, savepoints } from "../sql/differences.ts";
import type { Batch, Outcome, Writer } from "../sql/job.ts";

/** Work that goes with every commit. */
interface Companion {
  /** Writes in the transaction, after its jobs. An error of it undoes the whole transaction. */
  write(): void;
  /** Called with the events of the jobs once they are on disk, before anybody else gets them. */
  heard(events: readonly Committed[]): void;
}

type Resolve = (result: unknown) => void;

interface Pending {
  perform: Batch<unknown, unknown>;
  input: unknown;
  resolve: Resolve;
  reject: (error: unknown) => void;
}

/** The most jobs that wait; further ones are refused. */
const QUEUE_CAP = 20_000;
/** The most jobs of one transaction, 10 µs each: later ones take the next turn. */
const BATCH_CAP = 1_000;
const BUSY_RETRY_MS = 10;
const BUSY_LIMIT_MS = 5_000;

export class GroupCommit implements Writer {
  readonly #db: Database;
  readonly #clock: Clock;
  readonly #sql;
  readonly #nested;
  readonly #place: Pick<Place, "look" | "save">;
  readonly #queue: Pending[] = [];
  #scheduled = false;
  #busySince: number | undefined;
  #opening: (() => void) | undefined;
  #closed: PromiseWithResolvers<void> | undefined;
  #companion: Companion = { write: () => undefined, heard: () => undefined };
  #hear: (events: readonly Committed[]) => void = () => undefined;
  #sample: (commit: CommitSample) => void = () => undefined;

  constructor(db: Database, clock: Clock, place: Pick<Place, "look" | "save">) {
    this.#db = db;
    this.#clock = clock;
    this.#place = place;
    // drizzle has no such control of transactions
    this.#sql = {
      begin: db.prepare("BEGIN IMMEDIATE"),
      commit: db.prepare("COMMIT"),
      rollback: db.prepare("ROLLBACK"),
    };
    this.#nested = savepoints(db);
  }

  onCommitted(hear: (events: readonly Committed[]) => void): void {
    this.#hear = hear;
  }

  onCommit(sample: (commit: CommitSample) => void): void {
    this.#sample = sample;
  }

  atFirst(write: () => void): void {
    this.#opening = write;
  }

  alongside(companion: Companion): void {
    this.#companion = companion;
  }

  async run<T>(job: () => Outcome<T>): Promise<T> {
    return await this.together(() => {
      const { result, ...rest } = job();
      return { result: [result], ...rest };
    }, undefined);
  }

  // eslint-disable-next-line @typescript-eslint/promise-function-async -- every publish would pay for a second promise
  together<I, T>(perform: Batch<I, T>, input: I): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    if (this.#closed !== undefined) reject(new StoreUnavailable("The store is closing."));
    else if (this.#queue.length >= QUEUE_CAP) reject(new StoreUnavailable("Too many writes are waiting."));
    else {
      this.#queue.push({ perform: perform as Batch<unknown, unknown>, input, resolve: resolve as Resolve, reject });
      this.#schedule();
    }
    return promise;
  }

  /** Takes no more jobs; resolves when those that wait are settled. */
  async close(): Promise<void> {
    this.#closed ??= Promise.withResolvers();
    if (!this.#scheduled) this.#closed.resolve();
    return this.#closed.promise;
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    // twice: requests that are already in the socket join the batch (at 16 writers 20 → 24 k publishes/s)
    setImmediate(() => setImmediate(() => this.#flush()));
  }

  #flush(): void {
    const started = this.#clock.monotonic();
    const refusal = this.#begin(started);
    if (refusal === "later") return;
    const batch = this.#queue.splice(0, refusal === undefined ? BATCH_CAP : this.#queue.length);
    const done = refusal === undefined ? this.#commit(batch) : new Failure(refusal);
    this.#busySince = undefined;
    try {
      if (!(done instanceof Failure)) {
        this.#sample({ jobs: batch.length, ms: this.#clock.monotonic() - started });
        this.#announce(done);
      }
    } finally {
      this.#settle(batch, done);
    }
  }

  /** A busy file is tried again from a timer: the loop never waits for it. */
  #begin(now: number): StoreUnavailable | "later" | undefined {
    try {
      this.#sql.begin.run();
      return undefined;
    } catch (error) {
      const isBusy = error instanceof SQLiteError && error.code?.startsWith("SQLITE_BUSY") === true;
      if (!isBusy || now - (this.#busySince ??= now) >= BUSY_LIMIT_MS) return unavailable(error);
      this.#clock.after(BUSY_RETRY_MS, () => {
        this.#flush();
      });
      return "later";
    }
  }

  /** The outcomes or errors of the jobs once all are on disk; a failure if nothing of the batch is. */
  #commit(batch: readonly Pending[]): Done[] | Failure {
    let trouble: StoreTrouble | undefined;
    try {
      this.#opening?.();
      const done = alike(batch).flatMap((some) => this.#perform(some));
      this.#companion.write();
      trouble = this.#place.look(); // while the transaction holds the lock, so that no other server can commit
      if (trouble !== undefined) throw trouble;
      this.#sql.commit.run();
      this.#opening = undefined;
      return done;
    } catch (error) {
      if (this.#db.inTransaction) this.#sql.rollback.run();
      if (trouble !== undefined) this.#place.save();
      return new Failure(unavailable(error));
    }
  }

  /** Throws only if the whole transaction is lost. */
  #perform(some: readonly Pending[]): Done[] {
    const [first] = some;
    if (first === undefined) return [];
    try {
      return [{ some, outcome: this.#nested(() => first.perform(some.map(({ input }) => input))) }];
    } catch (error) {
      if (!this.#db.inTransaction) throw error;
      if (some.length > 1) return some.flatMap((one) => this.#perform([one]));
      return [{ some, outcome: new Failure(isExhausted(error) ? unavailable(error) : error) }];
    }
  }

  #announce(done: readonly Done[]): void {
    const events: Committed[] = [];
    for (const { outcome } of done) {
      if (outcome instanceof Failure) continue;
      outcome.after?.();
      if (outcome.events !== undefined) events.push(...outcome.events);
    }
    this.#companion.heard(events);
    if (events.length > 0) this.#hear(events);
  }

  #settle(batch: readonly Pending[], done: readonly Done[] | Failure): void {
    for (const { some, outcome } of done instanceof Failure ? [{ some: batch, outcome: done }] : done)
      some.forEach((pending, index) => {
        if (outcome instanceof Failure) pending.reject(outcome.error);
        else pending.resolve(outcome.result[index]);
      });
    this.#scheduled = false;
    if (this.#queue.length > 0) this.#schedule();
    else this.#closed?.resolve();
  }
}

/** Neighbours in the queue that one call performs. */
function alike(batch: readonly Pending[]): Pending[][] {
  const runs: Pending[][] = [];
  let last: Pending[] | undefined;
  for (const pending of batch) {
    if (last !== undefined && last[0]?.perform === pending.perform) last.push(pending);
    else runs.push((last = [pending]));
  }
  return runs;
}

class Failure {
  readonly error: unknown;
  constructor(error: unknown) {
    this.error = error;
  }
}

/** Jobs that one call performed. */
interface Done {
  some: readonly Pending[];
  outcome: Outcome<readonly unknown[]> | Failure;
}

const unavailable = (cause: unknown) =>
  cause instanceof StoreTrouble ? cause : new StoreUnavailable("The store can't commit.", { cause });
