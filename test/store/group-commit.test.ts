/** Group commit: how the failure of one job, a lost transaction, a locked file and a full queue affect the others. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import type { Outcome } from "../../src/store/sql/job.ts";
import { GroupCommit } from "../../src/store/sqlite/group-commit.ts";
import { StoreUnavailable, type Committed } from "../../src/store/store.ts";
import { heldClock } from "../support/clock.ts";
import { turns } from "../support/turns.ts";
import { range } from "./conformance/engine.ts";
import { folder } from "./sqlite.ts";

function table() {
  const dir = folder();
  const db = new Database(`${dir.path}/test.db`);
  for (const sql of [
    "PRAGMA journal_mode = WAL",
    "PRAGMA busy_timeout = 0",
    "PRAGMA foreign_keys = ON",
    "CREATE TABLE parent (n INTEGER PRIMARY KEY)",
    "CREATE TABLE job (n INTEGER NOT NULL, parent INTEGER REFERENCES parent DEFERRABLE INITIALLY DEFERRED, fill BLOB)",
  ])
    db.run(sql);
  const clock = heldClock();
  const writer = new GroupCommit(db, clock, { look: () => undefined, save: () => undefined });
  const heard: Committed[] = [];
  writer.onCommitted((events) => heard.push(...events));
  return {
    path: `${dir.path}/test.db`,
    db,
    clock,
    writer,
    heard,
    insert: (n: number) => (): Outcome<number> => {
      db.run("INSERT INTO job (n) VALUES (?)", [n]);
      return { result: n, events: [{ kind: "scheduled", deliverAt: n }] };
    },
    stored: () => db.prepare("SELECT n FROM job ORDER BY rowid").values().flat(),
    told: () => heard.map((event) => event.kind === "scheduled" && event.deliverAt),
    [Symbol.dispose]: () => {
      db.close();
      dir[Symbol.dispose]();
    },
  };
}

const settled = async (promises: Promise<unknown>[]) =>
  (await Promise.allSettled(promises)).map((one) => (one.status === "fulfilled" ? one.value : (one.reason as unknown)));

test("the jobs of a turn share one commit and report in order: effects first, then events, then callers", async () => {
  using peal = table();
  const order: string[] = [];
  const commits: number[] = [];
  peal.writer.onCommit(({ jobs }) => commits.push(jobs));
  peal.writer.onCommitted((events) => order.push(`${events.length} events`));
  await Promise.all(
    range(1, 3).map(async (n) => {
      const job = () => ({ ...peal.insert(n)(), after: () => order.push(`after ${n}`) });
      order.push(`answer ${await peal.writer.run(job)}`);
    }),
  );
  expect(order).toEqual(["after 1", "after 2", "after 3", "3 events", "answer 1", "answer 2", "answer 3"]);
  expect(commits).toEqual([3]);
});

test("a job that throws is undone alone: its writes, its events, its effect", async () => {
  using peal = table();
  const bug = new Error("a bug");
  const broken = () => {
    peal.insert(2)();
    throw bug;
  };
  const results = await settled([peal.insert(1), broken, peal.insert(3)].map(async (job) => peal.writer.run(job)));
  expect(results).toEqual([1, bug, 3]);
  expect(peal.stored()).toEqual([1, 3]);
  expect(peal.told()).toEqual([1, 3]);
});

test("when SQLite rolls everything back, nothing is stored, reported or answered, and the next commit works", async () => {
  using peal = table();
  const lost = () => {
    peal.db.run("INSERT OR ROLLBACK INTO job (n) VALUES (NULL)"); // as a full disk or an I/O error does
    return { result: 0 };
  };
  let effects = 0;
  const first = () => ({ ...peal.insert(1)(), after: () => effects++ });
  const results = await settled([first, lost, peal.insert(3)].map(async (job) => peal.writer.run(job)));
  for (const result of results) expect(result).toBeInstanceOf(StoreUnavailable);
  expect([peal.stored(), peal.told(), effects, peal.db.inTransaction]).toEqual([[], [], 0, false]);
  expect(await peal.writer.run(peal.insert(4))).toBe(4);
  expect(peal.stored()).toEqual([4]);
});

test("what must be written first precedes the jobs of the first committed transaction, and only there", async () => {
  using peal = table();
  peal.writer.atFirst(() => void peal.insert(0)());
  const orphan = () => {
    peal.db.run("INSERT INTO job (n, parent) VALUES (2, 99)");
    return { result: 2 };
  };
  await settled([peal.writer.run(orphan)]);
  expect(peal.stored()).toEqual([]);
  await peal.writer.run(peal.insert(1));
  await peal.writer.run(peal.insert(2));
  expect(peal.stored()).toEqual([0, 1, 2]);
});

test("when the COMMIT fails, nothing is stored, reported or answered, and the next commit works", async () => {
  using peal = table();
  const orphan = () => {
    peal.db.run("INSERT INTO job (n, parent) VALUES (2, 99)"); // only the COMMIT notices this
    return { result: 2 };
  };
  const results = await settled([peal.insert(1), orphan].map(async (job) => peal.writer.run(job)));
  for (const result of results) expect(result).toBeInstanceOf(StoreUnavailable);
  expect([peal.stored(), peal.told(), peal.db.inTransaction]).toEqual([[], [], false]);
  expect(await peal.writer.run(peal.insert(4))).toBe(4);
});

test("in a full database what was answered is stored, and what was refused is not", async () => {
  using peal = table();
  const { page_count: pages } = peal.db.prepare<{ page_count: number }, []>("PRAGMA page_count").get() ?? {
    page_count: 0,
  };
  peal.db.run(`PRAGMA max_page_count = ${pages + 20}`);
  const fill = (n: number) => () => {
    peal.db.run("INSERT INTO job (n, fill) VALUES (?, zeroblob(9000))", [n]);
    return { result: n };
  };
  const results = await settled(range(1, 16).map(async (n) => peal.writer.run(fill(n))));
  const answered = results.filter((result) => typeof result === "number");
  for (const result of results) if (typeof result !== "number") expect(result).toBeInstanceOf(StoreUnavailable);
  expect(answered.length).toBeLessThan(16);
  expect(peal.stored()).toEqual(answered);
  peal.db.run(`PRAGMA max_page_count = ${pages + 1_000}`);
  expect(await peal.writer.run(fill(17))).toBe(17);
});

test("a locked file is tried again from a timer, while the event loop continues", async () => {
  using peal = table();
  using other = new Database(peal.path);
  other.run("BEGIN IMMEDIATE");
  const waiting = peal.writer.run(peal.insert(1));
  await turns(3);
  peal.clock.advance(4_000);
  const late = peal.writer.run(peal.insert(2));
  await turns(3);
  other.run("ROLLBACK");
  peal.clock.advance(10);
  expect(await Promise.all([waiting, late])).toEqual([1, 2]);
});

test("a file that stays locked for five seconds refuses everything that waits", async () => {
  using peal = table();
  using other = new Database(peal.path);
  other.run("BEGIN IMMEDIATE");
  const waiting = settled(range(1, 3).map(async (n) => peal.writer.run(peal.insert(n))));
  await turns(3);
  peal.clock.advance(5_000);
  for (const result of await waiting) expect(result).toBeInstanceOf(StoreUnavailable);
  other.run("ROLLBACK");
  expect(await peal.writer.run(peal.insert(4))).toBe(4);
  expect(peal.stored()).toEqual([4]);
});

test("the queue has a limit, and so has a commit", async () => {
  using peal = table();
  const commits: number[] = [];
  peal.writer.onCommit(({ jobs }) => commits.push(jobs));
  const waiting = range(1, 20_000).map(async (n) => peal.writer.run(peal.insert(n)));
  expect(await peal.writer.run(peal.insert(0)).catch((error: unknown) => error)).toBeInstanceOf(StoreUnavailable);
  await Promise.all(waiting);
  expect(commits).toEqual(range(1, 20).map(() => 1_000));
  expect(peal.stored()).toEqual(range(1, 20_000));
});

test("closing stores what waits and accepts nothing more", async () => {
  using peal = table();
  const waiting = peal.writer.run(peal.insert(1));
  const closed = peal.writer.close();
  expect(await peal.writer.run(peal.insert(2)).catch((error: unknown) => error)).toBeInstanceOf(StoreUnavailable);
  await closed;
  expect(peal.stored()).toEqual([1]);
  expect(await waiting).toBe(1);
});
