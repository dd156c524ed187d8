/**
 * Every statement that the engine prepares finds its rows by an index, in the required order. SQLite's planner looks at
 * the schema and, because ANALYZE is never run, not at the rows: the plan for an empty database is that for a full one.
 */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { eagerly } from "../../src/store/sql/statements.ts";
import { folder, openIn } from "./sqlite.ts";

/**
 * May be scanned: read completely into memory when the store opens; people, who are few; SQLite's own tables, which
 * have a row per table or index, and no index.
 */
const SCANNED = ["namespace", "api_key", "sqlite_schema", "sqlite_sequence", "person USING INDEX person_folded_unique"];

/**
 * `found` and `subscribed` are what a statement gathers itself, row by row from an index, perhaps only to count it; `VALUES` is
 * what it inserts.
 */
const isSlow = (step: string) =>
  /^SCAN (?!json_each |found$|subscribed$|\d+-ROW VALUES CLAUSE$)|TEMP B-TREE|AUTOMATIC/.test(step);
/** Moving everything that waits when the clock was set back has to read all of it. */
const isMoving = (sql: string) =>
  /^(SELECT row(, standing)? FROM "check"$|SELECT row AS id FROM namespace|UPDATE scheduled SET deliver_at|UPDATE delivery SET (created_at = created_at|due_at = due_at -))/.test(
    sql,
  );
/** Reads the first or the last row of a table. */
const isCut = (sql: string, step: string) =>
  / FROM (\w+) ORDER BY row( DESC)? LIMIT 1$/.exec(sql)?.[1] === step.replace("SCAN ", "");

test("no statement scans a table or sorts", async () => {
  using dir = folder();
  const prepared = await statementsOfStore(dir.path);
  using db = new Database(`${dir.path}/peal.db`, { readonly: true });
  const statements = [...new Set(prepared)].filter((sql) => /^(select|insert|update|delete|with)/i.test(sql));
  expect(statements.length).toBeGreaterThan(70);
  const slow = statements
    .map((sql) => ({ sql, plan: planOf(db, sql) }))
    .filter(({ sql }) => !isMoving(sql))
    .filter(({ sql, plan }) => plan.some((step) => isSlow(step) && !isCut(sql, step)));
  expect(slow.flatMap(({ plan }) => plan).toSorted()).toEqual(SCANNED.map((table) => `SCAN ${table}`).toSorted());
});

test("the pings of a run are found by its name, because a check has thousands", async () => {
  using dir = folder();
  const [ofRun = ""] = (await statementsOfStore(dir.path)).filter((sql) =>
    /^SELECT .* FROM check_named .* rid = /.test(sql),
  );
  using db = new Database(`${dir.path}/peal.db`, { readonly: true });
  expect(planOf(db, ofRun)).toEqual(["SEARCH check_named USING INDEX check_named_rid (check_row=? AND rid=?)"]);
});

/** Statements that begin like this, and how they find their rows: the indexes of pending rows are no larger than what waits. */
// prettier-ignore
const sending: [string, RegExp, string[]][] = [
  ["what is due",             /^SELECT row, device FROM \(SELECT row, device_row/, [
    "CO-ROUTINE found", "SEARCH delivery USING COVERING INDEX delivery_due (lane=? AND urgent=? AND due_at<?)", "SCAN found",
    "LIST SUBQUERY 2", "SCAN json_each VIRTUAL TABLE INDEX 1:", "CREATE BLOOM FILTER"]],
  ["whether more is due",     /^SELECT 1 AS found FROM delivery/, ["SEARCH delivery USING COVERING INDEX delivery_due (lane=? AND urgent=? AND due_at<?)"]],
  ["the next device",         /^SELECT device_row AS device FROM delivery/, ["SEARCH delivery USING COVERING INDEX delivery_device (device_row>?)"]],
  ["a device it is due for",  /^SELECT json_each\.value AS device FROM json_each/, [
    "SCAN json_each VIRTUAL TABLE INDEX 1:", "SEARCH delivery EXISTS USING COVERING INDEX delivery_device (device_row=? AND lane=? AND urgent=? AND due_at<?)"]],
  ["when more is due",        /^SELECT due_at AS at FROM delivery/,              ["SEARCH delivery USING COVERING INDEX delivery_due (lane=? AND urgent=? AND due_at>?)"]],
  ["the next lane",           /^SELECT lane FROM delivery/,                      ["SEARCH delivery USING COVERING INDEX delivery_due (lane>?)"]],
  ["the backlog of a lane",   /^SELECT count\(\*\) AS count, min\(row\)/,         ["SEARCH delivery USING COVERING INDEX delivery_due (lane=?)"]],
  ["what has expired",        /^SELECT row, lane FROM delivery/,                 ["SEARCH delivery USING INDEX delivery_expiry (expires_at<?)"]],
  ["what expires next",       /^SELECT expires_at AS at FROM delivery/,          ["SEARCH delivery USING COVERING INDEX delivery_expiry (expires_at>?)"]],
  ["what waits for a device", /^SELECT d\.row, d\.message_row AS messageRow.* true ORDER/s, [
    "SEARCH d USING INDEX delivery_device (device_row=? AND lane=?)", "SEARCH m USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN",
    "CORRELATED SCALAR SUBQUERY 1", "SEARCH a USING INTEGER PRIMARY KEY (rowid=?)",
    "SEARCH s USING INDEX subscription_topic (topic_id=? AND device_row=?) LEFT-JOIN"]],
  ["much that waits for one", /^SELECT d\.row, d\.message_row AS messageRow.* d\.urgent = \?/s, [
    "SEARCH d USING INDEX delivery_device (device_row=? AND lane=? AND urgent=?)", "SEARCH m USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN",
    "CORRELATED SCALAR SUBQUERY 1", "SEARCH a USING INTEGER PRIMARY KEY (rowid=?)",
    "SEARCH s USING INDEX subscription_topic (topic_id=? AND device_row=?) LEFT-JOIN"]],
  ["whom a fan-out reaches",  /FROM subscription s CROSS JOIN device d .* WHERE s\.topic_id/s, [
    "SEARCH s USING COVERING INDEX subscription_topic (topic_id=? AND device_row>?)", "SEARCH d USING INTEGER PRIMARY KEY (rowid=?)"]],
  ["a device that is idle",   /from "device" where .*"idle_since" < \?/,              ["SEARCH device USING COVERING INDEX device_idle (idle_since>? AND idle_since<?)"]],
  ["runs of many checks",     /^SELECT json_each\.value AS row, e\.n/,           [
    "SCAN json_each VIRTUAL TABLE INDEX 1:", "SEARCH e USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"]],
  ["how bodies of many end",  /^SELECT e\.row \/ \d+ AS row, substr/,       [
    "SCAN json_each VIRTUAL TABLE INDEX 1:", "SEARCH e USING INTEGER PRIMARY KEY (rowid=?)"]],
  ["incidents of many checks", /^SELECT i\.check_row AS row, i\.json/,          [
    "SCAN json_each VIRTUAL TABLE INDEX 1:", "SEARCH i USING INTEGER PRIMARY KEY (rowid=?)",
    "CORRELATED LIST SUBQUERY 1", "SEARCH check_incident USING COVERING INDEX check_incident_n (check_row=?)"]],
  ["what came with messages", /FROM json_each\(\?1\) JOIN intake/,             [
    "SCAN json_each VIRTUAL TABLE INDEX 1:", "SEARCH i USING INTEGER PRIMARY KEY (rowid=?)"]],
  ["what was left out",       /LEFT JOIN intake/,                                [
    "CO-ROUTINE found", "SEARCH message USING COVERING INDEX message_id (topic_id=?)", "SCAN found", "SEARCH i USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN"]],
  ["a body too many of a topic", /^SELECT row FROM intake WHERE topic_id/,       ["SEARCH intake USING COVERING INDEX intake_topic (topic_id=?)"]],
  ["those before it",         /^UPDATE intake .* WHERE topic_id/,                ["SEARCH intake USING INDEX intake_topic (topic_id=? AND rowid<?)"]],
  ["one too many of a namespace", /^SELECT row FROM intake WHERE namespace_id/,  ["SEARCH intake USING COVERING INDEX intake_namespace (namespace_id=?)"]],
  ["all before that",         /^UPDATE intake .* WHERE namespace_id/,            ["SEARCH intake USING INDEX intake_namespace (namespace_id=? AND rowid<?)"]],
  ["a page of everything",    /^SELECT row FROM message WHERE namespace_id = \? AND row </, [
    "SEARCH message USING COVERING INDEX message_namespace (namespace_id=? AND rowid<?)"]],
  ["what is urgent of it",    /^SELECT row FROM message WHERE namespace_id = \? AND priority/, [
    "SEARCH message USING COVERING INDEX message_urgent (namespace_id=? AND rowid<?)"]],
  ["one level of it",         /^SELECT row, level, created_at AS at FROM message/, [
    "SEARCH message USING INDEX message_namespace (namespace_id=? AND rowid<?)"]],
  ["a place in a topic",      /^SELECT id, row AS seq FROM message .* DESC/,     ["SEARCH message USING COVERING INDEX message_id (topic_id=? AND id<?)"]],
  ["what is next in a topic", /^SELECT id, row AS seq FROM message .* id > /,    ["SEARCH message USING COVERING INDEX message_id (topic_id=? AND id>?)"]],
  ["the note of a fan-out",   /^INSERT INTO fanout .*SELECT/,                    ["SCALAR SUBQUERY 1", "SEARCH subscription"]],
  ["what waits of a message", /^SELECT row, device_row AS device, \(lane LIKE/,   ["SEARCH delivery USING INDEX delivery_message (message_row=? AND device_row>?)"]],
  ["what was acknowledged meanwhile", /^SELECT d\.message_row AS seq, d\.settled_at/, [
    "SEARCH d USING INTEGER PRIMARY KEY (rowid=?)", "SEARCH a EXISTS USING INTEGER PRIMARY KEY (rowid=?)"]],
  ["a forward of a namespace", /^SELECT row FROM device WHERE namespace_id/,      ["SEARCH device USING COVERING INDEX device_forward (namespace_id=?)"]],
  ["whose topics are read",   /^select .* from "device" inner join "device_namespace"/, [
    "SEARCH device USING COVERING INDEX device_forward (namespace_id=?)", "SEARCH device_namespace USING COVERING INDEX sqlite_autoindex_device_namespace_1 (device_row=?)"]],
  ["what was acknowledged",   /^SELECT row, device_row AS device, \(state = 'cancelled'\)/, [
    "SEARCH delivery USING INDEX delivery_message (message_row=? AND device_row>?)"]],
];
test.each(sending)("%s is found by its own index", async (_, begins, expected) => {
  using dir = folder();
  const found = (await statementsOfStore(dir.path)).filter((sql) => begins.test(sql));
  using db = new Database(`${dir.path}/peal.db`, { readonly: true });
  expect(found.length).toBeGreaterThan(0);
  for (const sql of found) expect(planOf(db, sql)).toEqual(expected);
});

test("every foreign key has an index", async () => {
  using dir = folder();
  await (await openIn(dir.path)).close();
  using db = new Database(`${dir.path}/peal.db`, { readonly: true });
  const tables = db.prepare<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  for (const { name: table } of tables)
    for (const { from } of db
      .prepare<{ from: string }, [string]>("SELECT * FROM pragma_foreign_key_list(?)")
      .all(table))
      expect(planOf(db, `SELECT 1 FROM "${table}" WHERE ${from} = ?`).join()).toMatch(/^SEARCH .* USING /);
});

function planOf(db: Database, sql: string): string[] {
  const parameters = sql.match(/\?\d*/g) ?? []; // `?2` may occur more than once
  const given = [...new Set(parameters.map((parameter, i) => (parameter === "?" ? i : parameter)))].map(() => null);
  const statement = db.prepare<{ detail: string }, null[]>(`EXPLAIN QUERY PLAN ${sql}`);
  const plan = statement.all(...given).map(({ detail }) => detail);
  statement.finalize();
  return plan;
}

/** All SQL that a store prepares, collected at once instead of on first use. */
async function statementsOfStore(dataDir: string): Promise<string[]> {
  const statements: string[] = [];
  const { prepare } = Database.prototype;
  Database.prototype.prepare = function (this: Database, sql: string, ...rest: []) {
    statements.push(sql);
    return prepare.call(this, sql, ...rest);
  } as Database["prepare"];
  try {
    await (await eagerly(async () => openIn(dataDir))).close();
  } finally {
    Database.prototype.prepare = prepare;
  }
  return statements;
}
