/**
 * A data directory as an earlier schema left it: the home of somebody who has used peal since that version. Every row is
 * written by SQL in the words of its schema, so that nothing of today's store has touched it.
 */
import { Database } from "bun:sqlite";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createTokens } from "../../src/tokens/tokens.ts";
import { migrate } from "../../src/store/sqlite/migrate.ts";
import { migrations } from "../../src/store/sqlite/migrations.ts";
import { deviceRef, sha256 } from "../../src/util/ids.ts";

const MINUTE = 60_000;
const DAY = 1_440 * MINUTE;
/** The rows are of the last day, so that retention leaves them alone. Whole seconds, as times are easier to compare then. */
const NOW = Math.floor(Date.now() / 1_000) * 1_000;
const HOUR_AGO = NOW - 60 * MINUTE;

const SECRET = Buffer.alloc(32, 5);
const tokens = createTokens(SECRET);
const CONTENT = "the router's configuration\n";
const HASH = sha256(CONTENT);

/** What people and machines hold of it: links, keys, tokens. */
export const HELD = {
  admin: `svc_${"a1".repeat(32)}`,
  publisher: `svc_${"b2".repeat(32)}`,
  expired: `svc_${"c3".repeat(32)}`,
  topic: "nas-0123456789abcdefghjkmnpqrs",
  muted: "lab-1123456789abcdefghjkmnpqrs",
  up: { id: "2123456789abcdefghjkmnpqrs", badge: "3123456789abcdefghjkmnpqrs" },
  down: { id: "4123456789abcdefghjkmnpqrs", badge: "5123456789abcdefghjkmnpqrs" },
  device: "6123456789abcdefghjkmnpqrs",
  forward: "7123456789abcdefghjkmnpqrs",
  hook: "hk23456789abcdef",
  session: "s".repeat(43),
  file: { path: `files/${HASH.slice(0, 32)}/router.cfg`, content: CONTENT },
};
export const PING = { up: tokens.ofCheck(HELD.up.id, 0), down: tokens.ofCheck(HELD.down.id, 0) };
export const PING_KEY = tokens.ofNamespace(1 as Parameters<typeof tokens.ofNamespace>[0], 0);
export const HOOK = tokens.ofHook(HELD.hook, 0);
/** Messages 4 to this are many alike. */
export const MANY = 300;
/** The run whose end the check remembers: a repeat of it is no second ping. */
export const KNOWN_RUN = "night-1";

const json = (value: unknown): string => JSON.stringify(value).replaceAll("'", "''");
const plain = { level: "info", priority: "normal", format: "text", source: "api" };
const settings = (name: string) => ({
  ...{ name, slug: name, tags: ["nas"], schedule: { kind: "every", everyMs: DAY }, failAfter: 1, recoverAfter: 1 },
  ...{ remindEveryMs: DAY, notifyLate: false, notifySuccess: false, postOnly: false, armed: false },
});
const standing = { okStreak: 0, failStreak: 0, isLateTold: false, runs: [], offsets: [], incidents: 0 };
const up = {
  ...{ settings: settings("backup"), ...standing, state: "up", events: 2, okStreak: 2, lastOkAt: HOUR_AGO },
  ...{ lastEventAt: HOUR_AGO, slotAt: HOUR_AGO + DAY, deadlineAt: HOUR_AGO + DAY + 60 * MINUTE },
};
const incident = {
  ...{ n: 1, reason: "failed", openedAt: HOUR_AGO, missed: 0, exit: 3, isTold: true },
  ...{ reminders: 0, remindAt: HOUR_AGO + DAY },
};
const down = {
  ...{ settings: settings("snapshot"), ...standing, state: "down", events: 2, incidents: 1, failStreak: 1, incident },
  ...{ lastEventAt: HOUR_AGO, slotAt: HOUR_AGO + DAY, deadlineAt: HOUR_AGO + DAY + 60 * MINUTE },
};
const FILE = {
  ...{ id: HASH.slice(0, 32), name: "router.cfg", type: "text/plain", size: CONTENT.length },
  expires_at: new Date(NOW + DAY).toISOString(),
};

interface Statement {
  /** The first schema that is written to like this. */
  from: number;
  /** The last one; absent: all later ones. */
  to?: number;
  sql: string;
}

const message = (id: number, more: object, columns: { level?: string; priority?: string; key?: string } = {}): string =>
  `INSERT INTO message (topic_id, namespace_id, id, created_at, level, priority, dedup_key, json) VALUES
   (1, 1, ${id}, ${HOUR_AGO + id}, '${columns.level ?? "info"}', '${columns.priority ?? "normal"}',
    ${columns.key === undefined ? "NULL" : `'${columns.key}'`}, '${json({ ...plain, ...more })}')`;

interface Kept {
  state: string;
  deadlineAt: number;
  incident?: { remindAt: number };
}
const check = (row: number, held: { id: string; badge: string }, name: string, token: string, kept: Kept): string =>
  `INSERT INTO "check" (row, id, namespace_id, topic_id, name, slug, token_hash, badge_token, created_at, state, due_at, standing)
   VALUES (${row}, '${held.id}', 1, 1, '${name}', '${name}', '${sha256(token)}', '${held.badge}', ${NOW - DAY},
    '${kept.state}', ${kept.incident?.remindAt ?? kept.deadlineAt}, '${json(kept)}')`;

/** In this order, each where the schema has its columns. */
const STATEMENTS: readonly Statement[] = [
  // 1: topics, messages, keys
  { from: 1, sql: `INSERT INTO namespace (row, name, created_at, topics) VALUES (1, 'home', ${NOW - DAY}, 2)` },
  {
    from: 1,
    sql: `INSERT INTO topic (row, namespace_id, key, name, description, last_id, last_at, retention_days, created_at) VALUES
      (1, 1, '${HELD.topic}', 'nas', 'What the NAS says', ${MANY}, ${HOUR_AGO + MANY}, 30, ${NOW - DAY}),
      (2, 1, '${HELD.muted}', 'lab', NULL, 0, NULL, NULL, ${NOW - DAY})`,
  },
  {
    from: 1,
    sql: `INSERT INTO api_key (id, namespace_id, hash, prefix, scope, name, created_at, expires_at) VALUES
      ('k1', 1, '${sha256(HELD.admin)}', 'svc_a1a1a1a1', 'admin', 'first key', ${NOW - DAY}, NULL),
      ('k2', 1, '${sha256(HELD.publisher)}', 'svc_b2b2b2b2', 'publish', 'nas-01', ${NOW - DAY}, NULL),
      ('k3', 1, '${sha256(HELD.expired)}', 'svc_c3c3c3c3', 'full', 'old laptop', ${NOW - DAY}, ${HOUR_AGO})`,
  },
  { from: 1, sql: message(1, { message: "Größe: 3 TB 🗄", title: "Backup finished", tags: ["backup"] }) },
  {
    from: 1,
    sql: message(
      2,
      { message: "sdc fails", level: "error", priority: "urgent", ack: true, dedup_key: "sdc", status: "firing" },
      { level: "error", priority: "urgent", key: "sdc" },
    ),
  },
  {
    from: 1,
    sql: message(
      3,
      {
        ...{
          message: "reported a failure",
          title: "snapshot failed",
          level: "error",
          priority: "high",
          source: "check",
        },
        ...{ dedup_key: `check:${HELD.down.id}:1`, status: "firing" },
      },
      { level: "error", priority: "high", key: `check:${HELD.down.id}:1` },
    ),
  },
  {
    from: 1,
    sql: `INSERT INTO message (topic_id, namespace_id, id, created_at, level, priority, json)
      WITH RECURSIVE n(i) AS (SELECT 4 UNION ALL SELECT i + 1 FROM n WHERE i < ${MANY})
      SELECT 1, 1, i, ${HOUR_AGO} + i, 'info', 'normal', json_set('${json(plain)}', '$.message', 'line ' || i) FROM n`,
  },
  {
    from: 1,
    sql: `INSERT INTO scheduled (id, namespace_id, topic_id, deliver_at, created_at, json) VALUES
      ('w123456789abcdef', 1, 1, ${NOW + DAY}, ${HOUR_AGO}, '${json({ ...plain, message: "bins", source: "schedule" })}')`,
  },
  { from: 1, sql: "INSERT INTO setting (name, value) VALUES ('version', '0.0.1')" },
  // 2: checks, the ends of runs in the standing until schema 3
  { from: 2, sql: `UPDATE namespace SET checks = 2, ping_key_hash = '${sha256(PING_KEY)}'` },
  { from: 2, sql: check(1, HELD.up, "backup", PING.up, up) },
  { from: 2, sql: check(2, HELD.down, "snapshot", PING.down, down) },
  {
    from: 2,
    sql: `INSERT INTO check_event (row, n, json, head, tail) VALUES
      (101, 1, '${json({ kind: "ok", at: HOUR_AGO - MINUTE, method: "GET", rid: KNOWN_RUN })}', NULL, NULL),
      (102, 2, '${json({ kind: "ok", at: HOUR_AGO, method: "POST", bodyBytes: 4 })}', CAST('done' AS blob), x''),
      (201, 1, '${json({ kind: "fail", at: HOUR_AGO, method: "POST", exit: 3 })}', NULL, NULL),
      (202, 2, '${json({ kind: "down", reason: "failed", at: HOUR_AGO })}', NULL, NULL)`,
  },
  {
    from: 2,
    sql: `INSERT INTO check_incident (check_row, n, json, down_message) VALUES (2, 1, '${json(incident)}', 3)`,
  },
  {
    from: 2,
    to: 2,
    sql: `UPDATE "check" SET standing = json_set(standing, '$.ended',
      json('${json([{ rid: KNOWN_RUN, kind: "ok", at: HOUR_AGO - MINUTE }])}')) WHERE row = 1`,
  },
  {
    from: 3,
    sql: `INSERT INTO check_named (check_row, n, rid, kind, at) VALUES (1, 1, '${KNOWN_RUN}', 'ok', ${HOUR_AGO - MINUTE})`,
  },
  // 4: devices and what they were sent
  {
    from: 4,
    sql: `INSERT INTO device (row, id, platform, token, name, base, created_at, registered_at) VALUES
      (1, '${HELD.device}', 'ios', '${"d4".repeat(32)}', 'Jonas’ iPhone', 'http://localhost', ${NOW - DAY}, ${NOW - DAY})`,
  },
  { from: 4, sql: `INSERT INTO subscription (topic_id, device_row, subscribed_at) VALUES (1, 1, ${NOW - DAY})` },
  { from: 4, sql: "UPDATE topic SET subscribers = 1 WHERE row = 1" },
  {
    from: 4,
    sql: `INSERT INTO delivery (message_row, device_row, lane, state, urgent, attempts, created_at, due_at, expires_at, accepted_at, settled_at)
      VALUES (2, 1, 'apns:production', 'accepted', 1, 1, ${HOUR_AGO}, ${HOUR_AGO}, ${NOW + DAY}, ${HOUR_AGO + 9}, ${HOUR_AGO + 9})`,
  },
  { from: 4, sql: "INSERT INTO delivery_count (row, accepted) VALUES (2, 1)" },
  { from: 4, sql: `INSERT INTO acknowledgement (row, at) VALUES (2, ${HOUR_AGO + MINUTE})` },
  // 6: mutes
  { from: 6, sql: `UPDATE topic SET muted_until = ${NOW + DAY} WHERE row = 2` },
  // 7: people
  {
    from: 7,
    sql: `INSERT INTO person (row, id, name, folded, is_admin, created_at) VALUES (1, 'p123456789abcdef', 'Mara', 'mara', 1, ${NOW - DAY})`,
  },
  {
    from: 7,
    sql: `INSERT INTO session (id, person_row, hash, created_at, seen_at, confirmed_at, address, agent) VALUES
      ('n123456789abcdef', 1, '${sha256(HELD.session)}', ${NOW - DAY}, ${HOUR_AGO}, ${NOW - DAY}, '127.0.0.1', 'Firefox')`,
  },
  // 8 to 13: what pages of deliveries need, where a key was used, counts of devices, delays
  { from: 8, sql: `UPDATE device SET ref = '${deviceRef(HELD.device)}'` },
  { from: 10, sql: "UPDATE api_key SET last_used_from = '192.0.2.7'" },
  { from: 11, sql: "UPDATE namespace SET devices = 1" },
  { from: 11, sql: "INSERT INTO device_namespace (device_row, namespace_id, topics) VALUES (1, 1, 1)" },
  { from: 11, sql: "INSERT INTO device_total (row, devices, idle) VALUES (1, 1, 0)" },
  { from: 13, sql: `UPDATE scheduled SET delay_ms = ${NOW + DAY - HOUR_AGO}` },
  // 14: what was left out of a message
  {
    from: 14,
    sql: `INSERT INTO intake (row, topic_id, namespace_id, ignored, body, has_body) VALUES (1, 1, 1, '[]', 'as it came', 1)`,
  },
  // 15: hooks
  {
    from: 15,
    sql: `INSERT INTO hook (row, id, namespace_id, topic_id, token_hash, gotify_hash, settings, created_at, requests, last_used_at, last_source)
      VALUES (1, '${HELD.hook}', 1, 1, '${sha256(HOOK)}', '${sha256(tokens.ofGotify(HELD.hook, 0))}', '{}', ${NOW - DAY}, 1, ${HOUR_AGO}, 'hook')`,
  },
  {
    from: 15,
    sql: `INSERT INTO hook_request (row, n, at, message_id, json, body) VALUES
      (21, 1, ${HOUR_AGO}, 4, '${json({ method: "POST", from: "192.0.2.7", bodyBytes: 6, source: "hook" })}', CAST('line 4' AS blob))`,
  },
  // 16: files
  { from: 16, sql: `INSERT INTO file (row, hash, size) VALUES (1, '${HASH}', ${CONTENT.length})` },
  {
    from: 16,
    sql: `INSERT INTO attachment (file_row, topic_id, message_row, name, expires_at) VALUES (1, 1, 5, 'router.cfg', ${NOW + DAY})`,
  },
  { from: 16, sql: `INSERT INTO file_total (row, files, bytes) VALUES (1, 1, ${CONTENT.length})` },
  {
    from: 16,
    sql: `UPDATE message SET json = '${json({ attachments: [FILE], ...plain, message: "line 5" })}' WHERE row = 5`,
  },
  // 17: days, counted up to the last message
  { from: 17, sql: `UPDATE "check" SET counted_to = ${HOUR_AGO}` },
  { from: 17, sql: "INSERT INTO setting (name, value) SELECT 'tallied_to', max(row) FROM message" },
  // 18: what fires, and who acknowledged
  { from: 18, sql: "UPDATE message SET firing = 1 WHERE id IN (2, 3)" },
  { from: 18, sql: `UPDATE acknowledgement SET "by" = 'Mara'` },
  // 20: forwards
  {
    from: 20,
    sql: `INSERT INTO device (row, id, ref, platform, token, name, base, created_at, registered_at, namespace_id, forward) VALUES
      (2, '${HELD.forward}', '${deviceRef(HELD.forward)}', 'forward', '${HELD.forward}', 'family', 'http://localhost', ${NOW - DAY}, ${NOW - DAY},
       1, '${json({ kind: "ntfy", host: "ntfy.sh", account: "00000000", settings: { topic: "family" }, secrets: [] })}')`,
  },
];

/** Writes the directory of `schema`, with `more` further messages that nobody reads. */
export function writeOld(dataDir: string, schema: number, more = 0): void {
  using db = new Database(`${dataDir}/peal.db`);
  db.run("PRAGMA journal_mode = WAL");
  migrate({ db, dataDir, migrations: migrations.slice(0, schema), version: "0.0.1" });
  db.run("PRAGMA foreign_keys = ON");
  const sql = STATEMENTS.filter(({ from, to = Infinity }) => from <= schema && schema <= to).map(({ sql }) => sql);
  db.transaction(() => {
    for (const statement of [...sql, ...(more === 0 ? [] : bulk(more))]) db.run(statement);
  })();
  if (schema >= 2) writeFileSync(join(dataDir, "secret"), SECRET, { mode: 0o600 });
  if (schema < 16) return;
  const path = join(dataDir, "files", HASH.slice(0, 2), HASH);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writeFileSync(path, CONTENT, { mode: 0o600 });
}

const bulk = (count: number): string[] => [
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
   INSERT INTO message (topic_id, namespace_id, id, created_at, level, priority, json)
   SELECT 2, 1, i, ${HOUR_AGO} + i, 'info', 'normal', json_set('${json(plain)}', '$.message', 'lab ' || i) FROM n`,
  `UPDATE topic SET last_id = ${count} WHERE row = 2`,
];
