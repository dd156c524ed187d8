/** The first page of the dashboard, in a store as full as a home ever gets it. */
import { Database } from "bun:sqlite";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Benchmark } from "./bench.ts";
import { freshDirectory } from "./machine.ts";
import { percentiles } from "./percentiles.ts";
import { type Peal, startPeal } from "./servers.ts";

const TOPICS = 10_000;
const CHECKS = 100;
const MESSAGES = 1_000_000;
const FAILED = 50;
const PAGES = 400;
const PASSWORD = "correct horse battery";
/** A person who can sign in. */
export const ADMIN = { PEAL_ADMIN_PASSWORD: PASSWORD };

export const dashboard: Benchmark = async ({ program, isQuick }) => {
  const messages = isQuick ? MESSAGES / 10 : MESSAGES;
  const dataDir = freshDirectory();
  const env = ADMIN;
  {
    await using peal = await startPeal(program, { dataDir, env });
    const topic = await peal.topic("bench");
    await peal.publish("bench", "Backup finished");
    for (let n = 0; n < CHECKS; n++) await check(peal, n);
    const device = { platform: "ios", token: randomBytes(32).toString("hex"), name: "Jonas’ iPhone" };
    await post(peal, "/v1/devices", { ...device, topics: [{ namespace: "home", topic }] });
  }
  fill(join(dataDir, "peal.db"), messages);
  await using peal = await startPeal(program, { dataDir, env });
  const cookie = await signIn(peal.url);
  const took: number[] = [];
  for (let n = 0; n < PAGES; n++) {
    const startedAt = performance.now();
    const answer = await fetch(`${peal.url}/-/`, { headers: { cookie }, redirect: "manual" });
    await answer.text();
    if (answer.status !== 200) throw new Error(`the overview answers ${answer.status}`);
    if (n >= PAGES / 4) took.push(performance.now() - startedAt); // the first ones compile the code
  }
  const { p50, p99 } = percentiles(took);
  const what = `overview, ${TOPICS} topics, ${CHECKS} checks, ${messages} messages`;
  return [
    { what: `${what}, p50`, unit: "ms", peal: p50, beside: [], target: "≤ 30 ms" },
    { what: `${what}, p99`, unit: "ms", peal: p99, beside: [], target: "≤ 30 ms" },
  ];
};

const check = async (peal: Peal, n: number): Promise<void> =>
  post(peal, "/v1/home/checks", { name: `job-${n}`, topic: "bench", every: 86_400, armed: true });

async function post({ url, key }: Peal, path: string, body: object): Promise<void> {
  const answer = await fetch(url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
}

export async function signIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/-/login`, {
    method: "POST",
    headers: { "sec-fetch-site": "same-origin" },
    body: new URLSearchParams({ name: "admin", password: PASSWORD }),
    redirect: "manual",
  });
  return (answer.headers.get("set-cookie") ?? "").replace(/;.*/, "");
}

/**
 * Writes topic 1 and message 1 repeatedly into the file while no server uses it. A tenth of the checks are down, and
 * the newest messages are not delivered.
 */
function fill(path: string, messages: number): void {
  const db = new Database(path);
  const others = (table: string, ...own: string[]) =>
    db
      .query<{ name: string }, [string]>("SELECT name FROM pragma_table_info(?)")
      .all(table)
      .map(({ name }) => name)
      .filter((name) => !own.includes(name));
  const from = (names: readonly string[], of: string) => names.map((name) => `${of}.${name}`).join(", ");
  const upTo = (count: number) => `WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
  const topic = others("topic", "row", "key", "name");
  const row = db.query<{ row: number }, []>("SELECT row FROM topic WHERE name = 'bench'").get()?.row ?? 0;
  db.run(
    `${upTo(TOPICS)} INSERT INTO topic (key, name, ${topic.join(", ")})
     SELECT 'bench-' || n.i || t.key, 'bench-' || n.i, ${from(topic, "t")} FROM n, topic t WHERE t.row = ${row}`,
  );
  const message = others("message", "row", "id", "topic_id");
  db.run(
    `${upTo(messages)} INSERT INTO message (id, topic_id, ${message.join(", ")})
     SELECT n.i, (SELECT min(row) FROM topic WHERE row >= ${row} + n.i % ${TOPICS - 1}), ${from(message, "m")}
     FROM n, message m WHERE m.topic_id = ${row} AND m.id = 1`,
  );
  db.run(`UPDATE topic SET last_id = ${messages}`);
  const incident = `{"n":1,"reason":"missed","openedAt":${Date.now() - 3_600_000},"missed":1,"isTold":true,"reminders":0}`;
  db.run(
    `UPDATE "check" SET state = 'down', standing = json_set(standing, '$.state', 'down', '$.incident', json('${incident}'))
     WHERE row % 10 = 0`,
  );
  db.run(
    `INSERT INTO delivery (message_row, device_row, lane, state, urgent, attempts, created_at, due_at, expires_at, settled_at, last_reason)
     SELECT m.row, d.row, 'apns:production', 'failed', 0, 1, m.created_at, m.created_at, m.created_at, m.created_at, 'refused'
     FROM device d, (SELECT row, created_at FROM message ORDER BY row DESC LIMIT ${FAILED}) m`,
  );
  db.close();
}
