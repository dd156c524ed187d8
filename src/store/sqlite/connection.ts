/** The two connections to the database file: one that writes, one that only reads. */
import { Database, type SQLQueryBindings, type Statement } from "bun:sqlite";
import { drizzle } from "drizzle-orm/bun-sqlite";
import type { Orm } from "../sql/differences.ts";
import { lazily } from "../sql/statements.ts";

export interface Connection {
  db: Database;
  orm: Orm;
  /** From now on a statement throws what `judge` makes of its error. */
  judgeErrors(judge: (error: unknown) => unknown): void;
  close(): void;
}

/**
 * 1 MB of WAL. A checkpoint holds the loop: at SQLite's 1,000 pages for 2.6 ms in one commit of 65 when 64 publish, which is the
 * p99 of their answers; at 250 pages for 1 ms, with as many publishes a second (measured).
 */
const CHECKPOINT_PAGES = 250;

/** A server whose lock was deleted ends its last commit within this time. */
const BARRIER_MS = 5_000;

/**
 * Must open the file first: `journal_mode` comes before all other writes, so that the reader finds a WAL. `look` gets the
 * database before anything is written to it.
 */
export function openWriter(path: string, look: (db: Database) => void): Connection {
  const connection = connect(new Tracked(path, { create: true, readwrite: true }));
  try {
    look(connection.db);
  } catch (error) {
    connection.close();
    throw error;
  }
  connection.db.run("PRAGMA journal_mode = WAL");
  connection.db.run("PRAGMA synchronous = FULL"); // COMMIT returns once the log is synced to the disk
  connection.db.run("PRAGMA foreign_keys = ON");
  connection.db.run(`PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  awaitOthers(connection.db);
  return connection;
}

/**
 * A server whose `peal.lock` was deleted may still be in a commit, in which it saw its lock for the last time: later reads see
 * that commit, and each later commit of that server is refused (`place.ts`).
 */
function awaitOthers(db: Database): void {
  db.run(`PRAGMA busy_timeout = ${BARRIER_MS}`);
  db.run("BEGIN IMMEDIATE");
  db.run("COMMIT");
  db.run("PRAGMA busy_timeout = 0");
}

/** Opened after the migrations. Sees every commit of the writer. */
export const openReader = (path: string): Connection => connect(new Tracked(path, { readonly: true }));

function connect(db: Tracked): Connection {
  db.run("PRAGMA busy_timeout = 0"); // a busy file is retried from a timer: bun:sqlite would wait in the loop
  db.run("PRAGMA temp_store = MEMORY");
  const close = () => {
    db.closeAll();
  };
  return {
    db,
    orm: drizzle({ client: db }),
    judgeErrors: (judge) => {
      db.judge = judge;
    },
    close,
  };
}

/**
 * A statement is compiled when it first runs: a start needs few, and compiling all at once makes the collector run (8 ms of a
 * start, measured). It stays compiled until the close, where all are finalized, or the connection would live on with its `-wal`
 * and `-shm` files. So each text has one, also where a query is written anew with each call: else each call would leave one behind.
 */
class Tracked extends Database {
  judge = (error: unknown): unknown => error;
  readonly #byText = new Map<string, Statement>();
  /** An iterator may be read while others run the same text. */
  readonly #iterated: Statement[] = [];

  override readonly prepare = ((sql: string) => {
    const made = lazily(() => {
      const known = this.#byText.get(sql) ?? super.prepare(sql);
      this.#byText.set(sql, known);
      return known;
    });
    const iterated = lazily(() => {
      const statement = super.prepare(sql);
      this.#iterated.push(statement);
      return statement;
    });
    type Given = SQLQueryBindings[];
    const judge = (error: unknown) => this.judge(error);
    const judged =
      <T>(ask: (statement: Statement, given: Given) => T) =>
      (...given: Given): T => {
        try {
          return ask(made(), given);
        } catch (error) {
          throw judge(error);
        }
      };
    return {
      all: judged((statement, given) => statement.all(...given)),
      get: judged((statement, given) => statement.get(...given)),
      run: judged((statement, given) => statement.run(...given)),
      values: judged((statement, given) => statement.values(...given)),
      *iterate(...given: Given) {
        try {
          yield* iterated().iterate(...given);
        } catch (error) {
          throw judge(error);
        }
      },
    } satisfies Partial<Statement>; // the part that drizzle and this room use
  }) as unknown as Database["prepare"];

  closeAll(): void {
    for (const statement of [...this.#byText.values(), ...this.#iterated]) statement.finalize();
    this.close(true);
  }
}
