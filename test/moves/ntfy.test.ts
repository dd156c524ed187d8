/** `peal import ntfy`: what ntfy has becomes what a publish to peal would have been, once, and rings nowhere (docs/moving.md). */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { answer } from "../support/client.ts";
import { startNtfy, type Ntfy, type NtfyMessage } from "../support/ntfy.ts";
import { inProcess, type InProcess } from "../support/server.ts";
import { testWith } from "../support/tools.ts";
import { folder, historyOf, result, topicsOf } from "./importing.ts";

const testWithNtfy = testWith("ntfy");

const ACTIONS = JSON.stringify([
  { action: "view", label: "Open", url: "https://nas.example/" },
  { action: "http", label: "Silence", url: "https://nas.example/silence", method: "PUT", clear: true },
  { action: "http", label: "With a body", url: "https://nas.example/x", body: "{}" },
  { action: "broadcast", label: "Picture", extras: { cmd: "pic" } },
  { action: "copy", label: "Code", value: "1234" },
]);

/** What publishers send: a body, with headers that ntfy and peal read alike. */
const PUBLISHES: [body: string, headers: Record<string, string>][] = [
  ["plain", {}],
  ["with a title", { Title: "=?UTF-8?B?R3LDvMOfZQ==?=", Tags: "warning,nas-1,skull" }],
  ...["min", "low", "default", "high", "max"].map((Priority): [string, Record<string, string>] => [
    Priority,
    { Priority },
  ]),
  ["a link", { Click: "https://nas.example/disks?id=3&x=%C3%BC" }],
  ["a link of an app", { Click: "mailto:mara@example.com" }],
  ["an icon", { Icon: "https://nas.example/icon.png" }],
  ["**bold**", { Markdown: "yes" }],
  ["buttons", { Actions: ACTIONS.replace(/,\{"action":"broadcast".*/, "]") }],
  ["10 %", { "X-Sequence-ID": "copy-1" }],
  ["100 %", { "X-Sequence-ID": "copy-1" }],
  ["Zeile 1\nZeile 2 – ✓", {}],
];

/** Without what cannot be the same on two servers, or in two topics. */
const comparable = (messages: readonly object[]): object[] =>
  messages.map((message) =>
    Object.fromEntries(
      Object.entries(message).filter(([field]) => !["topic", "topic_name", "created_at", "source"].includes(field)),
    ),
  );

/** Publishes all that ntfy can store; returns the message that waits. */
async function furnish(ntfy: Ntfy): Promise<NtfyMessage> {
  for (const [body, headers] of PUBLISHES) await ntfy.publish("same", body, headers);
  await ntfy.publish("door", "buttons of the app", {
    Actions: ACTIONS.replace(/^\[.*?(?=\{"action":"broadcast")/, "["),
  });
  await ntfy.publish("door", "photo", { Attach: "https://cam.example/1.jpg", Filename: "cam.jpg" });
  await ntfy.publish("door", "bytes of a file", { Filename: "notes.txt", Title: "File" });
  await ntfy.publish("door", "first", { "X-Sequence-ID": "bell" });
  await ntfy.publish("door/bell", "", {}, "DELETE");
  await ntfy.publish("door", "again", { "X-Sequence-ID": "bell" });
  await ntfy.publish("door", "seen", { "X-Sequence-ID": "post" });
  await ntfy.publish("door/post/clear", "", {}, "PUT");
  await ntfy.publish("door", new Uint8Array([0xff, 0xfe, 0x00, 0x80]), { "X-UnifiedPush": "1" });
  const later = await ntfy.publish("later", "in an hour", { Delay: "1h", Title: "Later" });
  await ntfy.publish("later", "cancelled", { Delay: "1h", "X-Sequence-ID": "no" });
  await ntfy.publish("later/no", "", {}, "DELETE");
  await ntfy.publish("", JSON.stringify({ topic: "json", message: "as JSON", priority: 5, tags: ["a b"] }));
  return later;
}

/** The same publishes, sent to peal itself. */
async function furnishPeal(peal: InProcess): Promise<void> {
  for (const [body, headers] of PUBLISHES)
    await answer(201, await peal.api("POST", "/home/direct", body, { "content-type": "text/plain", ...headers }));
}

interface Waiting {
  scheduled: { deliver_at: string };
}

/** `later`: the message that waits. */
async function expectMoved(peal: InProcess, ntfy: Ntfy, { cache, later }: { cache: string; later: NtfyMessage }) {
  const did = await result(peal, ["ntfy", "--cache", cache, "--apply"]);
  expect(did).toMatchObject({
    counts: { message: { created: PUBLISHES.length + 6 }, scheduled: { created: 1 } },
    notes: [
      "messages left out because their senders have deleted them: 1",
      "messages left out because they are bytes for an app (UnifiedPush): 1",
    ],
  });
  await furnishPeal(peal);
  const moved = await historyOf(peal, "same");
  expect(comparable(moved)).toEqual(comparable(await historyOf(peal, "direct")));
  const told = await fetch(`${ntfy.url}/same/json?poll=1`).then(async (response) => response.text());
  const times = told
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { time: number }).time);
  expect(moved.map(({ created_at: at }) => Date.parse(at) / 1000)).toEqual(times);
  expect(await historyOf(peal, "door")).toMatchObject([
    {
      message: "buttons of the app",
      actions: [
        { label: "Picture", broadcast: { extras: { cmd: "pic" } } },
        { label: "Code", copy: "1234" },
      ],
    },
    { message: "photo\n\nAttachment: cam.jpg, https://cam.example/1.jpg" },
    { title: "File", message: expect.stringMatching(/notes\.txt/) as string },
    { message: "again", dedup_key: "bell" },
    { message: "seen", dedup_key: "post" },
  ]);
  expect(await historyOf(peal, "json")).toMatchObject([{ message: "as JSON", priority: "urgent", tags: ["a b"] }]);
  const { scheduled } = (await (await peal.api("GET", "/v1/home/scheduled")).json()) as { scheduled: Waiting[] };
  expect(scheduled).toMatchObject([{ message: "in an hour", title: "Later" }]);
  expect(scheduled.map((one) => Date.parse(one.scheduled.deliver_at) / 1000)).toEqual([later.time]);
  const again = await result(peal, ["ntfy", "--cache", cache, "--apply"]);
  expect(again.counts).toEqual({ message: { exists: PUBLISHES.length + 6 }, scheduled: { exists: 1 } });
}

testWithNtfy(
  "what a running ntfy has comes along as if it had been sent to peal",
  async () => {
    await using ntfy = await startNtfy();
    await using peal = await inProcess();
    const later = await furnish(ntfy);
    await expectMoved(peal, ntfy, { cache: ntfy.cache, later });
  },
  120_000,
);

testWithNtfy(
  "a copy of a database with a write-ahead log is read with it",
  async () => {
    await using ntfy = await startNtfy({ "cache-startup-queries": "PRAGMA journal_mode = WAL;" });
    await using peal = await inProcess();
    using at = folder();
    const later = await furnish(ntfy);
    const copy = join(at.path, "cache.db");
    for (const end of ["", "-wal"]) copyFileSync(`${ntfy.cache}${end}`, `${copy}${end}`);
    await expectMoved(peal, ntfy, { cache: copy, later });
  },
  120_000,
);

testWithNtfy(
  "ntfy's people and tokens are listed as commands, without their secrets",
  async () => {
    await using ntfy = await startNtfy({ "auth-default-access": "deny-all" });
    await using peal = await inProcess();
    const password = { NTFY_PASSWORD: "correct horse battery" };
    await ntfy.run(["user", "add", "--role=admin", "phil"], password);
    await ntfy.run(["user", "add", "o.neil"], password);
    await ntfy.run(["user", "add", "gone"], password);
    await ntfy.run(["access", "o.neil", "backups*", "rw"]);
    const said = await ntfy.run(["token", "add", "--label", "the cron job", "o.neil"]);
    const [token = ""] = /tk_\w+/.exec(said) ?? [];
    expect(token.length).toBeGreaterThan(20);
    await ntfy.run(["token", "add", "o.neil"]);
    // with the account's own way out, the row stays for a week
    const authorization = `Basic ${Buffer.from(`gone:${password.NTFY_PASSWORD}`).toString("base64")}`;
    const body = JSON.stringify({ password: password.NTFY_PASSWORD });
    const left = await fetch(`${ntfy.url}/v1/account`, { method: "DELETE", headers: { authorization }, body });
    expect(left.status).toBe(200);
    const { notes } = await result(peal, ["ntfy", "--cache", ntfy.cache, "--auth", ntfy.auth]);
    expect(notes).toEqual([
      "people and keys have to be created anew:",
      `peal admin create "o.neil" --namespaces home`,
      `peal keys create --namespace home --scope publish --name "o.neil: token 1"`,
      `peal keys create --namespace home --scope publish --name "o.neil: the cron job"`,
      `peal admin create "phil"`,
    ]);
  },
  60_000,
);

const SECONDS = Math.floor(Date.now() / 1000);

/** As ntfy 2.13 makes it (server/message_cache.go at 81a486adc11fe24efcbedefb28ae946028597c2f, schema 13), without indexes. */
const SCHEMA_13 = `CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, mid TEXT NOT NULL, time INT NOT NULL, expires INT NOT NULL,
  topic TEXT NOT NULL, message TEXT NOT NULL, title TEXT NOT NULL, priority INT NOT NULL, tags TEXT NOT NULL, click TEXT NOT NULL,
  icon TEXT NOT NULL, actions TEXT NOT NULL, attachment_name TEXT NOT NULL, attachment_type TEXT NOT NULL,
  attachment_size INT NOT NULL, attachment_expires INT NOT NULL, attachment_url TEXT NOT NULL, attachment_deleted INT NOT NULL,
  sender TEXT NOT NULL, user TEXT NOT NULL, content_type TEXT NOT NULL, encoding TEXT NOT NULL, published INT NOT NULL)`;
const BLANK = {
  ...{ expires: 0, title: "", priority: 0, tags: "", click: "", icon: "", actions: "", attachment_name: "" },
  ...{ attachment_type: "", attachment_size: 0, attachment_expires: 0, attachment_url: "", attachment_deleted: 0 },
  ...{ sender: "", user: "", content_type: "", encoding: "", published: 1 },
};

/** A cache of that version. */
function cacheAt(path: string, rows: readonly object[]): string {
  using db = new Database(path, { create: true });
  db.run(SCHEMA_13);
  db.transaction(() => {
    rows.forEach((row, index) => {
      const values = { mid: `m${index}`, ...BLANK, ...row };
      const names = Object.keys(values);
      db.query(`INSERT INTO messages (${names.join(", ")}) VALUES (${names.map(() => "?").join(", ")})`).run(
        ...Object.values(values).map(String),
      );
    });
  })();
  return path;
}

test("messages of an older ntfy come with their times and order, twins too, in one import or two", async () => {
  await using peal = await inProcess();
  using at = folder();
  const twin = {
    time: SECONDS - 300,
    topic: "backups",
    message: "first",
    title: "Done",
    priority: 4,
    tags: "warning,nas",
  };
  const many = Array.from({ length: 1200 }, (_, n) => ({
    time: SECONDS - 2000 + Math.floor(n / 3),
    topic: "many",
    message: `${n}`,
  }));
  const file = cacheAt(join(at.path, "cache.db"), [
    ...many,
    ...[twin, twin, { time: SECONDS - 200, topic: "backups", message: "second", click: "https://nas.example/" }],
    { time: SECONDS + 3600, topic: "door", message: "later", published: 0 },
    { time: SECONDS - 400 * 86_400, topic: "old", message: "too old" },
  ]);
  const dry = await result(peal, ["ntfy", "--cache", file]);
  expect(dry).toMatchObject({
    applied: false,
    counts: { message: { created: 1203, expired: 1 }, scheduled: { created: 1 } },
  });
  expect((await topicsOf(peal)).length).toBe(0);
  const did = await result(peal, ["ntfy", "--cache", file, "--apply"]);
  expect(did.counts).toEqual(dry.counts);
  const history = await historyOf(peal, "backups");
  expect(history).toMatchObject([
    { id: 1, message: "first", title: "Done", priority: "high", tags: ["warning", "nas"], source: "ntfy" },
    { id: 2, message: "first" },
    { id: 3, message: "second", created_at: new Date((SECONDS - 200) * 1000).toISOString() },
  ]);
  expect((await historyOf(peal, "many")).map(({ message }) => message)).toEqual(many.map(({ message }) => message));
  const again = await result(peal, ["ntfy", "--cache", file, "--apply"]);
  expect(again.counts).toEqual({ message: { exists: 1203, expired: 1 }, scheduled: { exists: 1 } });
  expect(await historyOf(peal, "backups")).toEqual(history);
}, 60_000);

test("messages that are older than the newest of their topic are left out and counted", async () => {
  await using peal = await inProcess();
  using at = folder();
  await peal.publish(await peal.topic("backups"), { message: "of today" });
  const file = cacheAt(join(at.path, "cache.db"), [{ time: SECONDS - 60, topic: "backups", message: "of yesterday" }]);
  expect((await result(peal, ["ntfy", "--cache", file, "--apply"])).counts).toEqual({ message: { older: 1 } });
  expect(await historyOf(peal, "backups")).toMatchObject([{ message: "of today" }]);
});
