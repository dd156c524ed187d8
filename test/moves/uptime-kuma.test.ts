/** `peal import uptime-kuma`: push monitors become checks, and a script replaces their URLs (docs/moving.md). */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkOf, ping } from "../support/checks.ts";
import { inProcess } from "../support/server.ts";
import { checksOf, folder, result, rewritten } from "./importing.ts";

/**
 * The tables of an import, with the columns that push monitors have. Versions 1 and 2 make them from db/kuma.db by
 * db/old_migrations/, and version 2 goes on with db/knex_migrations/: Uptime Kuma 2.5.3, 6398a9581d1c3c427a7536559f47ccf45dac08b4.
 */
const TABLES = `
  CREATE TABLE monitor (id INTEGER PRIMARY KEY AUTOINCREMENT, name VARCHAR(150), active BOOLEAN NOT NULL DEFAULT 1, user_id INTEGER,
    interval INTEGER NOT NULL DEFAULT 20, type VARCHAR(20), maxretries INTEGER NOT NULL DEFAULT 0,
    upside_down BOOLEAN NOT NULL DEFAULT 0, retry_interval INTEGER NOT NULL DEFAULT 0, push_token VARCHAR(32) DEFAULT NULL,
    resend_interval INTEGER NOT NULL DEFAULT 0, parent INTEGER, description TEXT DEFAULT NULL);
  CREATE TABLE tag (id INTEGER PRIMARY KEY AUTOINCREMENT, name VARCHAR(255) NOT NULL, color VARCHAR(255) NOT NULL);
  CREATE TABLE monitor_tag (id INTEGER PRIMARY KEY AUTOINCREMENT, monitor_id INTEGER NOT NULL, tag_id INTEGER NOT NULL, value TEXT);
`;
type Monitor = Record<string, string | number | null>;

function kumaDb(path: string, monitors: readonly Monitor[]): string {
  using db = new Database(path, { create: true });
  db.run(TABLES);
  for (const monitor of monitors) {
    const names = Object.keys(monitor);
    db.query(`INSERT INTO monitor (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`).run(
      ...Object.values(monitor),
    );
  }
  db.run("INSERT INTO tag (id, name, color) VALUES (1, 'env', '#fff')");
  db.run("INSERT INTO monitor_tag (monitor_id, tag_id, value) VALUES (2, 1, 'prod')");
  return path;
}

/** As Kuma makes it: `genSecret(32)`. */
const TOKEN = "AbCdEfGhIjKlMnOpQrStUvWxYz012345";

const MONITORS: Monitor[] = [
  { id: 1, name: "NAS", type: "group" },
  {
    id: 2,
    name: "Backup",
    type: "push",
    interval: 3600,
    maxretries: 3,
    retry_interval: 120,
    push_token: TOKEN,
    parent: 1,
  },
  { id: 3, name: "Web", type: "http", interval: 60, push_token: "leftOver" },
  { id: 4, name: "Old", type: "push", interval: 60, maxretries: 2, push_token: "XyZ", active: 0 },
];

test("push monitors of Uptime Kuma become checks, from its database or a backup", async () => {
  await using peal = await inProcess();
  using at = folder();
  const file = kumaDb(join(at.path, "kuma.db"), MONITORS);
  const { counts } = await result(peal, ["uptime-kuma", "--db", file, "--apply"]);
  expect(counts).toEqual({ new_check: { created: 2 } });
  const [backup, old] = await checksOf(peal);
  expect(backup).toMatchObject({ name: "Backup", every: 3600, grace: 360, tags: ["NAS", "env:prod"], state: "new" });
  // without a retry interval of its own, Kuma waits the interval again
  expect(old).toMatchObject({ name: "Old", every: 60, grace: 120, state: "paused" });
  await ping(peal, backup?.ping_url ?? "");
  expect(await checkOf(peal, backup?.id ?? "")).toMatchObject({ state: "up" });
  const json = join(at.path, "kuma.json");
  // Monitor.toJSON of 1.23.16 (server/model/monitor.js), and what src/components/settings/Backup.vue puts around it
  const monitor = {
    ...{ id: 2, name: "Backup", type: "push", interval: 3600, maxretries: 3, retryInterval: 120, resendInterval: 0 },
    ...{ pushToken: TOKEN, active: true, forceInactive: false, upsideDown: false, parent: 1 },
    tags: [{ id: 1, monitor_id: 2, tag_id: 1, value: "prod", name: "env", color: "#fff" }],
  };
  const backupFile = {
    version: "1.23.16",
    notificationList: [],
    monitorList: [monitor, { type: "http" }],
    proxyList: [],
  };
  writeFileSync(json, JSON.stringify(backupFile));
  expect((await result(peal, ["uptime-kuma", "--backup", json, "--apply"])).counts).toEqual({
    new_check: { exists: 1 },
  });
}, 60_000);

test("a monitor in a paused group is paused, and one that is upside down is left out and named", async () => {
  await using peal = await inProcess();
  using at = folder();
  const push = { type: "push", interval: 60 };
  const file = kumaDb(join(at.path, "kuma.db"), [
    { id: 1, name: "House", type: "group", active: 0 },
    { id: 2, name: "Cellar", type: "group", parent: 1 },
    { id: 3, name: "Pump", ...push, push_token: "a", parent: 2 },
    { id: 4, name: "Leak", ...push, push_token: "b", upside_down: 1 },
  ]);
  const { notes } = await result(peal, ["uptime-kuma", "--db", file, "--apply"]);
  expect(await checksOf(peal)).toMatchObject([{ name: "Pump", state: "paused", tags: ["Cellar", "House"] }]);
  expect(notes).toEqual([
    "left out: Leak: it is upside down, so a push is bad news; let its sender publish to a topic instead",
  ]);
});

test("sed rewrites push URLs, and leaves a line alone whose status only its shell knows", async () => {
  await using peal = await inProcess();
  using at = folder();
  const file = kumaDb(join(at.path, "kuma.db"), MONITORS);
  const { script = "" } = await result(peal, ["uptime-kuma", "--db", file, "--apply"]);
  const [backup] = await checksOf(peal);
  const url = backup?.ping_url ?? "";
  const push = `https://kuma.example/api/push/${TOKEN}`;
  const lines = [
    [`curl '${push}?status=up&msg=OK&ping='`, `curl '${url}'`],
    [`curl "http://10.0.0.2:3001/api/push/${TOKEN}?status=down&msg=$m"`, `curl "${url}/fail"`],
    [`curl "${push}?msg=\${m}&status=down&ping=$?"`, `curl "${url}/fail"`],
    [`curl "${push}?status=broken"`, `curl "${url}/fail"`],
    [`curl "${push}/?msg=a&status="`, `curl "${url}"`],
    [`curl https://kuma.example/sub/api/push/${TOKEN} # x`, `curl ${url} # x`],
    [`x=$(curl ${push}?status=up); curl ${push}/`, `x=$(curl ${url}); curl ${url}`],
    [`curl ${push}`, `curl ${url}`],
    [`https_get "${push}" || curl "${push}?status=down"`, `https_get "${url}" || curl "${url}/fail"`],
    // not ours to translate
    ...[`curl "${push}?status=$s&msg=OK"`, `curl "${push}?msg=OK&status=\${s}"`, `curl ${push}?status=\`state\``].map(
      same,
    ),
    ...[`curl "${push}?status=up&msg=$(df | tail -1)"`, `wget "${push}?status=up&msg=all is well"`].map(same),
    ...[`curl https://kuma.example/api/push/Other?status=up`, `curl ${push}6?status=up`].map(same),
  ];
  expect(rewritten(script, lines.map(([from]) => from).join("\n"))).toBe(lines.map(([, to]) => to).join("\n"));
});

const same = (line: string): [string, string] => [line, line];
