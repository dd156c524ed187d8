/** Imports from other servers: what comes along, once, and who is not told (docs/moving.md). */
import { Database } from "bun:sqlite";
import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { peal as run, type Ran } from "../support/command.ts";
import { inProcess, type InProcess } from "../support/server.ts";
import { checkOf, ping } from "../support/checks.ts";

const at = mkdtempSync(join(tmpdir(), "peal-foreign-"));
afterAll(() => rmSync(at, { recursive: true }));

interface Result {
  applied: boolean;
  counts: Record<string, Record<string, number>>;
  notes: string[];
  script?: string;
}

const imported = async (to: InProcess, args: readonly string[], env: Record<string, string> = {}): Promise<Ran> =>
  run(["import", ...args, "--data-dir", to.dataDir], env, "/", "");

async function result(to: InProcess, args: readonly string[], env?: Record<string, string>): Promise<Result> {
  const { code, stdout, stderr } = await imported(to, [...args, "--json"], env);
  expect([code, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout) as Result;
}

interface Topic {
  topic: string;
  name: string;
}
const topicsOf = async (peal: InProcess): Promise<Topic[]> =>
  ((await (await peal.api("GET", "/v1/home/topics")).json()) as { topics: Topic[] }).topics;
async function historyOf(peal: InProcess, name: string) {
  const key = (await topicsOf(peal)).find((one) => one.name === name)?.topic ?? "";
  return peal.history({ namespace: "home", key });
}

/** A crontab after the script of an import. */
function rewritten(script: string, crontab: string): string {
  const file = join(at, "moved.sed");
  writeFileSync(file, script);
  const { stdout, stderr } = Bun.spawnSync(["sed", "-f", file], { stdin: Buffer.from(crontab) });
  expect(stderr.toString()).toBe("");
  return stdout.toString();
}

/** As ntfy 2.14 makes it (message/cache_sqlite_schema.go, schema 15). */
const CACHE = `CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, mid TEXT NOT NULL, sequence_id TEXT NOT NULL, time INT NOT NULL,
  event TEXT NOT NULL, expires INT NOT NULL, topic TEXT NOT NULL, message TEXT NOT NULL, title TEXT NOT NULL, priority INT NOT NULL,
  tags TEXT NOT NULL, click TEXT NOT NULL, icon TEXT NOT NULL, actions TEXT NOT NULL, attachment_name TEXT NOT NULL,
  attachment_type TEXT NOT NULL, attachment_size INT NOT NULL, attachment_expires INT NOT NULL, attachment_url TEXT NOT NULL,
  attachment_deleted INT NOT NULL, sender TEXT NOT NULL, user TEXT NOT NULL, content_type TEXT NOT NULL, encoding TEXT NOT NULL,
  published INT NOT NULL)`;
const BLANK = {
  ...{
    sequence_id: "",
    event: "message",
    expires: 0,
    title: "",
    priority: 0,
    tags: "",
    click: "",
    icon: "",
    actions: "",
  },
  ...{ attachment_name: "", attachment_type: "", attachment_size: 0, attachment_expires: 0, attachment_url: "" },
  ...{ attachment_deleted: 0, sender: "", user: "", content_type: "", encoding: "", published: 1 },
};
const SECONDS = Math.floor(Date.now() / 1000);

function cache(rows: readonly object[]): string {
  const path = join(at, `${rows.length}-${Bun.hash(JSON.stringify(rows))}.db`);
  using db = new Database(path, { create: true });
  db.run(CACHE);
  rows.forEach((row, index) => {
    const values = { mid: `m${index}`, ...BLANK, ...row };
    const names = Object.keys(values);
    db.query(`INSERT INTO messages (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`).run(
      ...Object.values(values).map(String),
    );
  });
  return path;
}

test("messages of ntfy come with their times and order, once, and ring nowhere", async () => {
  await using peal = await inProcess();
  const rows = [
    { time: SECONDS - 300, topic: "backups", message: "first", title: "Done", priority: 4, tags: "warning,nas" },
    { time: SECONDS - 300, topic: "backups", message: "first", title: "Done", priority: 4, tags: "warning,nas" },
    { time: SECONDS - 200, topic: "backups", message: "c2Vjb25k", encoding: "base64", click: "https://nas.example/" },
    { time: SECONDS - 100, topic: "door", message: "photo", attachment_name: "cam.jpg", attachment_expires: 1 },
    { time: SECONDS - 50, topic: "door", message: "", event: "message_delete" },
    { time: SECONDS + 3600, topic: "door", message: "later", published: 0 },
    { time: SECONDS - 400 * 86_400, topic: "old", message: "too old" },
  ];
  const file = cache(rows);
  const dry = await result(peal, ["ntfy", "--cache", file]);
  expect(dry).toMatchObject({
    applied: false,
    counts: { message: { created: 4, expired: 1 }, scheduled: { created: 1 } },
  });
  expect((await topicsOf(peal)).length).toBe(0);
  const did = await result(peal, ["ntfy", "--cache", file, "--apply"]);
  expect(did.counts).toEqual(dry.counts);
  const history = await historyOf(peal, "backups");
  expect(history).toMatchObject([
    { id: 1, message: "first", title: "Done", priority: "high", tags: ["warning", "nas"], source: "ntfy" },
    { id: 2, message: "first" },
    {
      id: 3,
      message: "second",
      url: "https://nas.example/",
      created_at: new Date((SECONDS - 200) * 1000).toISOString(),
    },
  ]);
  expect(await historyOf(peal, "door")).toMatchObject([{ message: "photo\n\nAttachment: cam.jpg" }]);
  const again = await result(peal, ["ntfy", "--cache", file, "--apply"]);
  expect(again.counts).toEqual({ message: { exists: 4, expired: 1 }, scheduled: { exists: 1 } });
  expect(await historyOf(peal, "backups")).toEqual(history);
}, 60_000);

test("messages that are older than the newest of their topic are left out and counted", async () => {
  await using peal = await inProcess();
  const topic = await peal.topic("backups");
  await peal.publish(topic, { message: "of today" });
  const file = cache([{ time: SECONDS - 60, topic: "backups", message: "of yesterday" }]);
  expect((await result(peal, ["ntfy", "--cache", file, "--apply"])).counts).toEqual({ message: { older: 1 } });
  expect(await historyOf(peal, "backups")).toMatchObject([{ message: "of today" }]);
});

test("ntfy's people and tokens are listed as commands, without their secrets", async () => {
  await using peal = await inProcess();
  const auth = join(at, "user.db");
  using db = new Database(auth, { create: true });
  db.run("CREATE TABLE user (id TEXT, user TEXT, pass TEXT, role TEXT)");
  db.run("CREATE TABLE user_token (user_id TEXT, token TEXT, label TEXT)");
  db.run(
    "INSERT INTO user VALUES ('u1', 'phil', '$2a$10$hash', 'admin'), ('u2', 'o''neil', '$2a$10$hash', 'user'), ('u3', '*', '', 'anonymous')",
  );
  db.run("INSERT INTO user_token VALUES ('u2', 'tk_secret', 'cron')");
  const { notes } = await result(peal, ["ntfy", "--cache", cache([]), "--auth", auth]);
  expect(notes).toEqual([
    "people and keys have to be created anew:",
    `peal admin create "o'neil" --namespaces home`,
    `peal keys create --namespace home --scope publish --name "o'neil: cron"`,
    `peal admin create "phil"`,
  ]);
});

/** Gotify's API as far as an import asks it (https://gotify.net/api-docs, api/message.go: newest first, pages by `since`). */
function fakeGotify(messages: number) {
  const all = Array.from({ length: messages }, (_, n) => ({
    ...{ id: n + 1, appid: 7, message: `message ${n + 1}`, title: "Sonarr", priority: 8 },
    date: new Date((SECONDS - messages + n) * 1000).toISOString(),
    extras: { "client::notification": { click: { url: "https://sonarr.example/" } } },
  }));
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      const { pathname, searchParams } = new URL(request.url);
      if (request.headers.get("x-gotify-key") !== "CclientToken123")
        return Response.json({ error: "Unauthorized" }, { status: 401 });
      if (pathname === "/application")
        return Response.json([
          {
            id: 7,
            token: "AbcdefghijklmnO",
            name: "Sonarr (TV)",
            description: "Series",
            internal: false,
            defaultPriority: 0,
          },
        ]);
      const since = Number(searchParams.get("since") ?? 0);
      const limit = Number(searchParams.get("limit"));
      const left = all.toReversed().filter(({ id }) => since === 0 || id < since);
      const page = left.slice(0, limit);
      const last = page.at(-1)?.id ?? 0;
      const next = left.length > limit ? { next: `${pathname}?since=${last}` } : {};
      return Response.json({ paging: { ...next, size: page.length, since: last, limit }, messages: page });
    },
  });
  return { url: server.url.origin, [Symbol.asyncDispose]: async () => server.stop(true) };
}

test("Gotify's applications become topics, and their tokens work on", async () => {
  await using peal = await inProcess();
  await using gotify = fakeGotify(450);
  const env = { PEAL_IMPORT_TOKEN: "CclientToken123" };
  const args = ["gotify", "--url", gotify.url];
  const dry = await result(peal, args, env);
  expect(dry.counts).toEqual({ topic: { created: 1 }, hook: { created: 1 }, message: { created: 450 } });
  await result(peal, [...args, "--apply"], env);
  const history = await historyOf(peal, "Sonarr-TV");
  expect(history.length).toBe(450);
  expect(history.map(({ message }) => message)).toEqual(Array.from({ length: 450 }, (_, n) => `message ${n + 1}`));
  expect(history[0]).toMatchObject({ title: "Sonarr", priority: "high", url: "https://sonarr.example/" });
  const sent = await peal.request("/message?token=AbcdefghijklmnO", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ message: "after the move", priority: 5 }),
  });
  expect(sent.status).toBe(200);
  expect((await historyOf(peal, "Sonarr-TV")).at(-1)).toMatchObject({ id: 451, message: "after the move" });
  const again = await result(peal, [...args, "--apply"], env);
  expect(again.counts).toEqual({ topic: { exists: 1 }, hook: { exists: 1 }, message: { exists: 450 } });
}, 60_000);

test("a hook that took the token of a Gotify application does not show another one", async () => {
  await using peal = await inProcess();
  await using gotify = fakeGotify(0);
  await result(peal, ["gotify", "--url", gotify.url, "--apply"], { PEAL_IMPORT_TOKEN: "CclientToken123" });
  const { hooks } = (await (await peal.api("GET", "/v1/home/hooks")).json()) as { hooks: Record<string, unknown>[] };
  expect(hooks).toMatchObject([{ name: "Sonarr (TV)", as: "gotify", topic_name: "Sonarr-TV" }]);
  expect(hooks[0]).not.toHaveProperty("gotify_token");
});

test("a wrong token of Gotify is told in words, and the token is not", async () => {
  await using peal = await inProcess();
  await using gotify = fakeGotify(0);
  const { code, stderr } = await imported(peal, ["gotify", "--url", gotify.url], {
    PEAL_IMPORT_TOKEN: "CwrongToken1234",
  });
  expect([code, stderr.trim()]).toEqual([1, "peal: /application answers 401: the token isn't valid there"]);
});

/** Healthchecks' Management API v3, as documented. */
function fakeHealthchecks() {
  const common = {
    desc: "",
    methods: "",
    n_pings: 3,
    channels: "",
    last_ping: null,
    next_ping: null,
    manual_resume: false,
  };
  const checks = [
    {
      ...common,
      name: "Nightly",
      slug: "nightly",
      tags: "db prod",
      grace: 3600,
      status: "up",
      schedule: "30 2 * * *",
      tz: "Europe/Berlin",
      ping_url: "https://hc.example.com/ping/1f1b5c2e-0000-4000-8000-000000000001",
    },
    {
      ...common,
      name: "Poll [1]",
      slug: "poll",
      tags: "",
      grace: 60,
      status: "paused",
      timeout: 300,
      desc: "every five",
      ping_url: "https://hc.example.com/ping/1f1b5c2e-0000-4000-8000-000000000002",
    },
    {
      ...common,
      name: "Timer",
      slug: "timer",
      tags: "",
      grace: 60,
      status: "new",
      schedule: "Mon..Fri 09:00",
      tz: "UTC",
      ping_url: "https://hc.example.com/ping/1f1b5c2e-0000-4000-8000-000000000003",
    },
  ];
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: (request) => {
      if (request.headers.get("x-api-key") !== "key") return Response.json({ error: "wrong api key" }, { status: 401 });
      return new URL(request.url).pathname === "/api/v3/checks/"
        ? Response.json({ checks })
        : new Response("", { status: 404 });
    },
  });
  return { url: server.url.origin, [Symbol.asyncDispose]: async () => server.stop(true) };
}

interface CheckJson {
  id: string;
  name: string;
  ping_url: string;
  [field: string]: unknown;
}
const checksOf = async (peal: InProcess): Promise<CheckJson[]> =>
  ((await (await peal.api("GET", "/v1/home/checks")).json()) as { checks: CheckJson[] }).checks;

test("checks of Healthchecks come with their schedules, and sed rewrites a crontab", async () => {
  await using peal = await inProcess({ env: { PEAL_BASE_URL: "https://peal.example.com" } });
  await using other = fakeHealthchecks();
  const env = { PEAL_IMPORT_TOKEN: "key" };
  const dry = await result(peal, ["healthchecks", "--url", other.url], env);
  expect(dry.counts).toEqual({ new_check: { created: 2 } });
  expect(dry.notes[0]).toStartWith("left out: Timer: its schedule `Mon..Fri 09:00` isn't one that peal reads");
  expect(await checksOf(peal)).toEqual([]);
  const { script = "" } = await result(peal, ["healthchecks", "--url", other.url, "--apply"], env);
  const [nightly, poll] = await checksOf(peal);
  expect(nightly).toMatchObject({
    name: "Nightly",
    slug: "nightly",
    tags: ["db", "prod"],
    cron: "30 2 * * *",
    timezone: "Europe/Berlin",
    grace: 3600,
    state: "new",
  });
  expect(poll).toMatchObject({ name: "Poll [1]", every: 300, grace: 60, state: "paused" });
  const old = (n: number) => `https://hc.example.com/ping/1f1b5c2e-0000-4000-8000-00000000000${n}`;
  const crontab = (a: string, b: string) =>
    `MAILTO=""\n30 2 * * * backup && curl -fsS "${a}/start" ; curl ${a}/$?\n*/5 * * * * curl ${b} # ${a}\n1 1 * * * curl ${old(3)}\n`;
  expect(rewritten(script, crontab(old(1), old(2)))).toBe(crontab(nightly?.ping_url ?? "", poll?.ping_url ?? ""));
  expect(nightly?.ping_url).toStartWith("https://peal.example.com/v1/ping/");
  const again = await result(peal, ["healthchecks", "--url", other.url, "--apply"], env);
  expect(again.counts).toEqual({ new_check: { exists: 2 } });
  expect(again.script).toBe(script);
}, 60_000);

test("push monitors of Uptime Kuma become checks, from its database or a backup, and sed rewrites their URLs", async () => {
  await using peal = await inProcess();
  const file = join(at, "kuma.db");
  {
    using db = new Database(file, { create: true });
    db.run(`CREATE TABLE monitor (id INTEGER PRIMARY KEY, name VARCHAR(150), active BOOLEAN, interval INTEGER, type VARCHAR(20),
      maxretries INTEGER, retry_interval INTEGER, push_token VARCHAR(32), parent INTEGER)`);
    db.run("CREATE TABLE tag (id INTEGER PRIMARY KEY, name VARCHAR(255), color VARCHAR(255))");
    db.run("CREATE TABLE monitor_tag (id INTEGER PRIMARY KEY, monitor_id INTEGER, tag_id INTEGER, value TEXT)");
    db.run(
      "INSERT INTO monitor VALUES (1, 'NAS', 1, 60, 'group', 0, 0, NULL, NULL), (2, 'Backup', 1, 3600, 'push', 3, 120, 'AbCdEfGh', 1), (3, 'Web', 1, 60, 'http', 0, 60, NULL, NULL), (4, 'Old', 0, 60, 'push', 0, 60, 'XyZ', NULL)",
    );
    db.run("INSERT INTO tag VALUES (1, 'env', '#fff')");
    db.run("INSERT INTO monitor_tag VALUES (1, 2, 1, 'prod')");
  }
  const { script = "", counts } = await result(peal, ["uptime-kuma", "--db", file, "--apply"]);
  expect(counts).toEqual({ new_check: { created: 2 } });
  const [backup, old] = await checksOf(peal);
  expect(backup).toMatchObject({ name: "Backup", every: 3600, grace: 360, tags: ["NAS", "env:prod"], state: "new" });
  expect(old).toMatchObject({ name: "Old", every: 60, grace: 60, state: "paused" });
  const url = backup?.ping_url ?? "";
  const lines = [
    ["curl 'https://kuma.example/api/push/AbCdEfGh?status=up&msg=OK&ping='", `curl '${url}'`],
    ['curl "http://10.0.0.2:3001/api/push/AbCdEfGh?status=down&msg=$m"', `curl "${url}/fail"`],
    ["curl https://kuma.example/sub/api/push/AbCdEfGh # x", `curl ${url} # x`],
    ["curl https://kuma.example/api/push/Other?status=up", "curl https://kuma.example/api/push/Other?status=up"],
  ];
  expect(rewritten(script, lines.map(([from]) => from).join("\n"))).toBe(lines.map(([, to]) => to).join("\n"));
  await ping(peal, url);
  expect(await checkOf(peal, backup?.id ?? "")).toMatchObject({ state: "up" });
  const json = join(at, "kuma.json");
  const monitor = {
    type: "push",
    name: "Backup",
    interval: 3600,
    maxretries: 3,
    retryInterval: 120,
    pushToken: "AbCdEfGh",
    active: true,
    tags: [],
  };
  writeFileSync(json, JSON.stringify({ version: "1.23.16", monitorList: [monitor, { type: "http" }] }));
  expect((await result(peal, ["uptime-kuma", "--backup", json, "--apply"])).counts).toEqual({
    new_check: { exists: 1 },
  });
}, 60_000);
