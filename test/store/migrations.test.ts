/** Upgrades: from every earlier schema, after a copy, completely or not at all. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { version } from "../../package.json" with { type: "json" };
import type { NamedPing } from "../../src/checks/check.ts";
import { migrate } from "../../src/store/sqlite/migrate.ts";
import { migrations, type Migration } from "../../src/store/sqlite/migrations.ts";
import { StoreError } from "../../src/store/store.ts";
import { range } from "./conformance/engine.ts";
import { knownOf, pinged, standing } from "./conformance/watching.ts";
import { folder, openIn } from "./sqlite.ts";

const ROOT = join(import.meta.dir, "../..");

const next = (name: string, sql: string): Migration => ({ version: migrations.length + 1, name, sql });

/** As drizzle-kit writes it: `namespace` is rebuilt by DROP while other tables refer to it. */
const rebuild = next(
  "9999_rebuild",
  `PRAGMA foreign_keys=OFF;--> statement-breakpoint
   CREATE TABLE __new_namespace (row integer PRIMARY KEY AUTOINCREMENT NOT NULL, name text NOT NULL,
     created_at integer NOT NULL, topics integer DEFAULT 0 NOT NULL, checks integer DEFAULT 0 NOT NULL,
     devices integer DEFAULT 0 NOT NULL,
     ping_key_generation integer DEFAULT 0 NOT NULL, ping_key_hash text, muted_until integer,
     note text);--> statement-breakpoint
   INSERT INTO __new_namespace(row, name, created_at, topics, checks, devices, ping_key_generation, ping_key_hash, muted_until)
     SELECT row, name, created_at, topics, checks, devices, ping_key_generation, ping_key_hash, muted_until FROM namespace;--> statement-breakpoint
   DROP TABLE namespace;--> statement-breakpoint
   ALTER TABLE __new_namespace RENAME TO namespace;--> statement-breakpoint
   PRAGMA foreign_keys=ON;--> statement-breakpoint
   CREATE UNIQUE INDEX namespace_name_unique ON namespace (name);--> statement-breakpoint
   CREATE UNIQUE INDEX namespace_ping_key_hash_unique ON namespace (ping_key_hash);`,
);
const upgraded = [...migrations, rebuild];

const tablesOf = (db: Database) =>
  db
    .prepare<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all()
    .map(({ name }) => name);

/** A database with the first `count` migrations and one row in every table, each with number 1 and referring to the others. */
function build(dataDir: string, count: number): void {
  const db = new Database(`${dataDir}/peal.db`);
  migrate({ db, dataDir, migrations: upgraded.slice(0, count), version: "0.0.1" });
  db.run("PRAGMA foreign_keys = OFF");
  for (const table of tablesOf(db)) {
    const columns = db
      .prepare<{ name: string; type: string }, [string]>("SELECT * FROM pragma_table_info(?)")
      .all(table);
    const values = columns.map(({ type }) => (type.toLowerCase() === "integer" ? "1" : `'${table}'`));
    db.run(`INSERT INTO "${table}" (${columns.map(({ name }) => `"${name}"`).join()}) VALUES (${values.join()})`);
  }
  db.close();
}

function rows(path: string): Record<string, object[]> {
  using db = new Database(path, { readonly: true });
  const all = (table: string) => db.prepare<object, []>(`SELECT * FROM "${table}"`).all();
  return Object.fromEntries(tablesOf(db).map((table) => [table, all(table)]));
}

const refusal = async (opening: Promise<unknown>): Promise<StoreError> => {
  const error: unknown = await opening.catch((reason: unknown) => reason);
  if (error instanceof StoreError) return error;
  throw new Error(`not refused: ${String(error)}`);
};

test("the list matches the folder", () => {
  const files = readdirSync(`${ROOT}/migrations`).filter((name) => name.endsWith(".sql"));
  expect(migrations.map(({ name }) => `${name}.sql`)).toEqual(files.toSorted());
  expect(migrations.map((migration) => migration.version)).toEqual(range(1, files.length));
  for (const { name, sql } of migrations) expect(sql).toBe(readFileSync(`${ROOT}/migrations/${name}.sql`, "utf8"));
});

test("the tables in the code need no further migration", async () => {
  using dir = folder();
  cpSync(`${ROOT}/migrations`, `${dir.path}/migrations`, { recursive: true });
  const schema = `${ROOT}/src/store/sql/schema/*.ts`;
  const command = [process.execPath, "--bun", `${ROOT}/node_modules/.bin/drizzle-kit`, "generate"];
  const options = ["--dialect", "sqlite", "--schema", schema, "--out", "migrations"];
  const kit = Bun.spawn([...command, ...options], { cwd: dir.path, stdout: "pipe", stderr: "inherit" });
  expect(await new Response(kit.stdout).text()).toContain("No schema changes");
  expect(await kit.exited).toBe(0);
}, 60_000);

test("a new database is made without a backup copy", async () => {
  using dir = folder();
  const store = await openIn(dir.path);
  expect(store.stats().schemaVersion).toBe(migrations.length);
  await store.close();
  expect(existsSync(`${dir.path}/backups`)).toBe(false);
});

/** What the upgrade counts for the one device, which follows the one topic. */
const countedOf = (schema: number): Record<string, object[]> => ({
  device_namespace: [{ device_row: 1, namespace_id: 1, topics: 1 }],
  device_total: [{ row: 1, devices: 1, idle: schema < 5 ? 0 : 1 }],
});

for (const count of range(1, migrations.length)) {
  test(`from schema ${count} every row is kept, with a copy of the previous database beside it`, async () => {
    using dir = folder();
    build(dir.path, count);
    const before = rows(`${dir.path}/peal.db`);
    const store = await openIn(dir.path, { migrations: upgraded });
    expect(store.stats().schemaVersion).toBe(upgraded.length);
    expect((await store.namespaces.list()).map(({ name }) => name)).toEqual(["namespace"]);
    await store.close();
    const copy = `${dir.path}/backups/pre-${version}.db`;
    expect(rows(copy)).toEqual(before);
    expect([statSync(copy).mode & 0o777, statSync(`${dir.path}/backups`).mode & 0o777]).toEqual([0o600, 0o700]);
    const after = rows(`${dir.path}/peal.db`);
    const added = Object.keys(after).filter((table) => !(table in before));
    expect(after).toMatchObject({
      ...before,
      ...Object.fromEntries(added.map((table) => [table, "device" in before ? (countedOf(count)[table] ?? []) : []])),
      ...(!("device_total" in before) && { namespace: [{ devices: "device" in before ? 1 : 0 }] }),
      setting: [
        ...(before.setting ?? []),
        ...("topic_day" in before ? [] : [{ name: "tallied_to", value: "1" }]),
        { name: "version", value: version },
      ],
    });
  });
}

test("the ends that schema 2 kept in the standing are found after the upgrade, and no longer stored there", async () => {
  using dir = folder();
  const { settings, ...rest } = standing();
  const ended = [
    { rid: "a", kind: "fail", at: 1 },
    { rid: "b", kind: "ok", at: 2 },
  ];
  using old = new Database(`${dir.path}/peal.db`);
  migrate({ db: old, dataDir: dir.path, migrations: migrations.slice(0, 2), version: "0.0.1" });
  old.run("INSERT INTO namespace (row, name, created_at) VALUES (1, 'home', 0)");
  old.run("INSERT INTO topic (row, namespace_id, key, name, created_at) VALUES (1, 1, 'checks-1', 'checks', 0)");
  for (const [n, kept] of [JSON.stringify({ settings, ended, ...rest }), '{"broken'].entries())
    old.run(
      `INSERT INTO "check" (id, namespace_id, topic_id, name, token_hash, badge_token, created_at, state, standing)
       VALUES (?1, 1, 1, 'nas', ?1, ?1, 0, 'up', ?2)`,
      [`check ${n}`, kept],
    );
  old.close();
  const store = await openIn(dir.path);
  const check = await store.checks.find({ token: "check 0" });
  if (check === undefined) throw new Error("the check is gone");
  expect(check.standing).toEqual(standing());
  for (const end of ended) expect(await knownOf(store, check, end.rid)).toEqual([end] as NamedPing[]);
  await store.checks.apply(check, pinged({ rid: "c", kind: "ok", at: 3 }));
  expect(await knownOf(store, check, "c")).toHaveLength(1);
  await store.close();
});

test("after the upgrade a device without a subscription is idle, one with any is not", async () => {
  using dir = folder();
  build(dir.path, 4);
  const db = new Database(`${dir.path}/peal.db`);
  db.run(
    "INSERT INTO device (id, platform, token, base, created_at, registered_at) VALUES ('i', 'ios', 't', '', 2, 2)",
  );
  db.close();
  const began = Math.floor(Date.now() / 1000) * 1000;
  await (await openIn(dir.path)).close();
  const devices = rows(`${dir.path}/peal.db`)["device"] as { idle_since: number | null }[];
  expect(devices.map(({ idle_since: at }) => at !== null && at >= began)).toEqual([false, true]);
});

test("firing alerts are known after the upgrade, whatever else is stored as JSON", async () => {
  using dir = folder();
  build(dir.path, 17);
  const db = new Database(`${dir.path}/peal.db`);
  const kept = ['{"status":"firing"}', '{"status":"resolved"}', "{", '{"status":"firing"}'];
  for (const [n, json] of kept.entries())
    db.run(
      `INSERT INTO message (topic_id, namespace_id, id, created_at, level, priority, dedup_key, json)
       VALUES (1, 1, ?, 0, 'info', 'normal', ?, ?)`,
      [n + 2, n === 3 ? null : "key", json],
    );
  db.close();
  await (await openIn(dir.path)).close();
  const messages = rows(`${dir.path}/peal.db`)["message"] as { firing: number | null }[];
  expect(messages.map(({ firing }) => firing)).toEqual([null, 1, null, null, null]);
});

test("a copy is never overwritten", async () => {
  using dir = folder();
  build(dir.path, migrations.length);
  await (await openIn(dir.path, { migrations: upgraded })).close();
  const more = { ...next("9999_more", "CREATE TABLE more (n integer);"), version: upgraded.length + 1 };
  await (await openIn(dir.path, { migrations: [...upgraded, more] })).close();
  expect(readdirSync(`${dir.path}/backups`).toSorted()).toEqual([`pre-${version}-2.db`, `pre-${version}.db`]);
});

test("a start that was killed after its copy, which the next one makes again, leaves one copy", async () => {
  using dir = folder();
  build(dir.path, 1);
  cpSync(`${dir.path}/peal.db`, `${dir.path}/before.db`);
  for (let start = 1; start <= 3; start++) {
    for (const name of ["peal.db-wal", "peal.db-shm"]) rmSync(`${dir.path}/${name}`, { force: true });
    cpSync(`${dir.path}/before.db`, `${dir.path}/peal.db`);
    await (await openIn(dir.path)).close();
  }
  expect(readdirSync(`${dir.path}/backups`)).toEqual([`pre-${version}.db`]);
});

// prettier-ignore
const failing: [string, string][] = [
  ["an error in its second statement", "CREATE TABLE half (n integer);--> statement-breakpoint\nINSERT INTO nowhere VALUES (1);"],
  ["rows that refer to nothing",       "DELETE FROM namespace;"],
];
test.each(failing)("a migration with %s leaves the old database unchanged", async (_, sql) => {
  using dir = folder();
  build(dir.path, migrations.length);
  const before = rows(`${dir.path}/peal.db`);
  const error = await refusal(openIn(dir.path, { migrations: [...migrations, next("9999_broken", sql)] }));
  expect(error.kind).toBe("migration_failed");
  expect(error.message).toStartWith("Migration 9999_broken failed; the database is as it was: ");
  expect(rows(`${dir.path}/peal.db`)).toEqual(before);
  expect(readdirSync(`${dir.path}/backups`)).toEqual([]);
  const store = await openIn(dir.path);
  expect(store.stats().schemaVersion).toBe(migrations.length);
  await store.close();
});

test("a newer schema is refused, naming the version that wrote it and the copy to restore", async () => {
  using dir = folder();
  build(dir.path, migrations.length);
  await (await openIn(dir.path, { migrations: upgraded })).close();
  using db = new Database(`${dir.path}/peal.db`);
  db.run("UPDATE setting SET value = '7.8.9' WHERE name = 'version'");
  const error = await refusal(openIn(dir.path));
  expect(error.kind).toBe("newer_schema");
  expect(error.message).toContain("written by peal 7.8.9");
  expect(error.message).toContain(`this build of peal ${version} reads up to`);
  expect(error.message).toContain(`${dir.path}/backups/pre-${version}.db`);
  await (await openIn(dir.path, { migrations: upgraded })).close();
});

test("a copy that cannot be read hides neither the reason nor the readable copy", async () => {
  using dir = folder();
  build(dir.path, migrations.length);
  await (await openIn(dir.path, { migrations: upgraded })).close();
  writeFileSync(`${dir.path}/backups/pre-0.0.0.db`, "half a copy, from a disk that was full".repeat(100));
  const error = await refusal(openIn(dir.path));
  expect(error.kind).toBe("newer_schema");
  expect(error.message).toContain(`${dir.path}/backups/pre-${version}.db`);
});
