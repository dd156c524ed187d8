/** Days in SQLite: what the upgrade makes for a database without them, and how many bytes a day takes. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import type { CheckRow, Incident, Standing } from "../../src/checks/check.ts";
import { dayPicture } from "../../src/checks/days/figures.ts";
import { count } from "../../src/checks/days/days.ts";
import type { TopicId } from "../../src/topics/topic.ts";
import { migrate } from "../../src/store/sqlite/migrate.ts";
import { migrations } from "../../src/store/sqlite/migrations.ts";
import { dayHere } from "../../src/util/calendar.ts";
import { range } from "./conformance/engine.ts";
import { incident, rules, standing } from "./conformance/watching.ts";
import { folder, openIn } from "./sqlite.ts";

const HOUR = 3_600_000;
const MINUTE = 60_000;
const BEFORE = migrations.findIndex(({ name }) => name === "0016_days");

/** A database with the previous schema, with a namespace and a topic. */
function before(path: string): Database {
  const db = new Database(`${path}/peal.db`);
  migrate({ db, dataDir: path, migrations: migrations.slice(0, BEFORE), version: "0.0.1" });
  db.run("INSERT INTO namespace (row, name, created_at, topics, checks) VALUES (1, 'home', 0, 1, 1)");
  db.run("INSERT INTO topic (row, namespace_id, key, name, created_at) VALUES (1, 1, 'checks-1', 'checks', 0)");
  return db;
}

interface Old {
  row: number;
  createdAt: number;
  standing: Standing;
}
function addCheck(db: Database, { row, createdAt, standing }: Old): void {
  db.run(
    `INSERT INTO "check" (row, id, namespace_id, topic_id, name, token_hash, badge_token, created_at, state, standing)
     VALUES (?1, ?2, 1, 1, ?2, ?2, ?2, ?3, ?4, ?5)`,
    [row, `check ${row}`, createdAt, standing.state, JSON.stringify(standing)],
  );
}
const addIncident = (db: Database, row: number, one: Incident & { closedAt?: number }) =>
  db.run("INSERT INTO check_incident (check_row, n, json) VALUES (?, ?, ?)", [row, one.n, JSON.stringify(one)]);
const addLine = (db: Database, row: number, n: number, line: object) =>
  db.run("INSERT INTO check_event (row, n, json) VALUES (?, ?, ?)", [row * 100 + (n % 100), n, JSON.stringify(line)]);

const hours = (days: readonly { upMs: number; downMs: number; quietMs: number; awayMs: number }[]) =>
  days.map((day) => [day.upMs, day.downMs, day.quietMs, day.awayMs].map((ms) => ms / HOUR));

test("the upgrade makes days from incidents, runs in the log, and a pause", async () => {
  using dir = folder();
  const old = before(dir.path);
  const today = dayHere(Date.now());
  /** The day this many days ago. */
  const dayAgo = (n: number) => {
    let day = today;
    for (let gone = 0; gone < n; gone++) day = dayHere(day.from - 1);
    return day;
  };
  const lengths = [5, 4, 3, 2, 1].map((n) => (dayAgo(n).to - dayAgo(n).from) / HOUR);
  addCheck(old, { row: 1, createdAt: dayAgo(5).from, standing: standing({ events: 250 }) });
  const outage = (n: number, openedAt: number, closedAt: number, over: Partial<Incident> = {}) => {
    addIncident(old, 1, { ...incident(n, openedAt), closedAt, ...over });
  };
  outage(1, dayAgo(4).to - 2 * HOUR, dayAgo(3).from + 3 * HOUR); // across midnight
  outage(2, dayAgo(2).from + HOUR, dayAgo(2).from + 2 * HOUR, { gap: { from: 0, to: 1 } });
  for (const [n, minutes] of [5, 7, 30].entries())
    addLine(old, 1, n, { kind: "ok", at: dayAgo(1).from + (n + 1) * HOUR, durationMs: minutes * MINUTE });
  addLine(old, 1, 3, { kind: "fail", at: dayAgo(1).from + 9 * HOUR, durationMs: 1 });
  // down ever since, and a pause
  addCheck(old, { row: 2, createdAt: dayAgo(3).from, standing: standing({ state: "down", incident: incident(1, dayAgo(2).from) }, "b") }); // prettier-ignore
  addIncident(old, 2, incident(1, dayAgo(2).from));
  addLine(old, 2, 1, { kind: "ok", at: dayAgo(3).from });
  addCheck(old, { row: 3, createdAt: dayAgo(2).from, standing: standing({ state: "paused", paused: { at: dayAgo(2).from + 6 * HOUR } }, "c") }); // prettier-ignore
  addCheck(old, { row: 4, createdAt: dayAgo(2).from, standing: standing({ state: "new" }, "d") });
  addCheck(old, { row: 5, createdAt: dayAgo(200).from, standing: standing({}, "e") });
  old.close();

  const store = await openIn(dir.path);
  const rows = range(1, 5) as CheckRow[];
  const found = await store.days.ofChecks(rows, 0);
  const [first, second, third, fourth, fifth] = rows.map((row) => found.get(row));
  const [five = 0, four = 0, three = 0, two = 0, one = 0] = lengths;
  expect(hours(first?.days.slice(0, 5) ?? [])).toEqual([
    [five, 0, 0, 0],
    [four - 2, 2, 0, 0],
    [three - 3, 3, 0, 0],
    [two - 1, 0, 0, 1],
    [one, 0, 0, 0],
  ]);
  expect(first?.days.map(({ usualMs }) => usualMs)).toEqual([
    ...range(1, 4).map(() => undefined),
    7 * MINUTE,
    undefined,
  ]);
  expect(hours(second?.days.slice(0, 3) ?? [])).toEqual([[three, 0, 0, 0], [0, two, 0, 0], [0, one, 0, 0]]); // prettier-ignore
  expect(second?.days.slice(0, 3).map(({ hasOk }) => hasOk)).toEqual([true, false, false]);
  expect(hours(third?.days.slice(0, 2) ?? [])).toEqual([[6, 0, two - 6, 0], [0, 0, one, 0]]); // prettier-ignore
  expect([fourth?.days, fifth?.days.length]).toEqual([[], 90]);
  // today so far, and where it continues
  const checks = await Promise.all(rows.map(async (row) => store.checks.byId(`check ${row}`)));
  const shown = checks[0] && first && dayPicture(checks[0].standing, first, first.countedTo + HOUR);
  expect(shown?.squares.find(({ day }) => day === today.day)?.times?.upMs).toBeGreaterThanOrEqual(
    Math.min(today.to, first?.countedTo ?? 0) - today.from,
  );
  const { outages } = await store.days.outages((await store.namespaces.list()).map(({ id }) => id), dayAgo(3).from, 9); // prettier-ignore
  expect(outages.map(({ check, to }) => [check.id, to])).toEqual([
    ["check 1", dayAgo(3).from + 3 * HOUR],
    ["check 2", undefined],
    ["check 1", dayAgo(2).from + 2 * HOUR],
  ]);
  await store.close();
});

test("the upgrade counts messages by day and hour, each once", async () => {
  using dir = folder();
  const old = before(dir.path);
  const now = Date.now();
  const add = (id: number, createdAt: number, level: string) =>
    old.run(
      `INSERT INTO message (topic_id, namespace_id, id, created_at, level, priority, json) VALUES (1, 1, ?, ?, ?, 'normal', '{}')`,
      [id, createdAt, level],
    );
  const yesterday = dayHere(dayHere(now).from - 1);
  add(1, now - 400 * 24 * HOUR, "info");
  for (const [n, level] of ["info", "error", "error"].entries()) add(n + 2, yesterday.from + n, level);
  add(5, now, "warning");
  old.close();
  for (let opened = 0; opened < 2; opened++) {
    const store = await openIn(dir.path);
    expect(await store.days.ofTopic(1 as TopicId, 0)).toEqual(
      new Map([
        [yesterday.day, { info: 1, success: 0, warning: 0, error: 2 }],
        [dayHere(now).day, { info: 0, success: 0, warning: 1, error: 0 }],
      ]),
    );
    const [home] = await store.namespaces.list();
    const byHour = home && (await store.days.hours([home.id], Math.floor(now / HOUR))).get(home.id);
    expect(byHour).toEqual(new Map([[Math.floor(now / HOUR), { info: 0, success: 0, warning: 1, error: 0 }]]));
    await store.close();
  }
});

/** Bytes of a table and its indexes, per row. */
function bytesOf(path: string, table: string): number {
  using db = new Database(path, { readonly: true });
  const size = db.prepare<{ bytes: number }, [string]>(
    "SELECT sum(pgsize) AS bytes FROM dbstat WHERE name LIKE ? || '%'",
  );
  const rows = db.prepare<{ rows: number }, []>(`SELECT count(*) AS rows FROM ${table}`).get()?.rows ?? 0;
  return (size.get(table)?.bytes ?? 0) / rows;
}

test("a day of a check takes at most 100 bytes when every check is written each day", async () => {
  using dir = folder();
  const store = await openIn(dir.path);
  const home = await store.namespaces.create("home");
  if (home === "name_taken") throw new Error(home);
  const made = await Promise.all(
    range(1, 40).map(async (n) =>
      store.checks.create({
        ...{ namespaceId: home.id, topic: { name: "t" }, id: `${n}`, tokenHash: `${n}`, badgeToken: `${n}` },
        standing: standing({ lastDurationMs: 5 }, `${n}`),
      }),
    ),
  );
  const checks = made.flatMap((one) => (one.kind === "made" ? [one.check] : []));
  const DAY = 24 * HOUR;
  const first = Date.now();
  for (const day of range(1, 120)) {
    const now = first + day * DAY;
    const ping = rules(
      (check) => ({
        after: { ...check.standing, events: day, lastOkAt: now - HOUR },
        recorded: [{ kind: "ok", at: now, durationMs: 754_321 + day }],
        ...{ alerts: [], named: [] },
      }),
      {
        count: (was, is, since) => count(was, is, now, { ...since, away: [{ from: now - 2 * HOUR, to: now - HOUR }] }),
      },
    );
    await Promise.all(checks.map(async (check) => store.checks.apply(check, ping)));
  }
  await store.close();
  const bytes = bytesOf(`${dir.path}/peal.db`, "check_day");
  expect(bytes).toBeGreaterThan(30);
  expect(bytes).toBeLessThanOrEqual(100);
});
