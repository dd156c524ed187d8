/** An export that is imported into an empty server gives the same export again (docs/moving.md). */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import fc from "fast-check";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newCheck, ping, pingKeyUrl } from "../support/checks.ts";
import { peal as run } from "../support/command.ts";
import { iphone } from "../support/devices.ts";
import { newHook } from "../support/hooks.ts";
import { inProcess, type InProcess } from "../support/server.ts";
import { exported, exportedFile, folder, imported, type Line, linesOf, result, type Result } from "./importing.ts";

/** What no import can make equal: the time of the export, and what the other server has of its own. */
const comparable = (lines: readonly Line[]): Line[] =>
  lines
    .filter(({ kind, name }) => !(kind === "server_secret" && name === "vapid"))
    .filter(({ kind }) => kind !== "peal-export" && kind !== "end" && kind !== "key");

const importInto = async (to: InProcess, file: string, ...flags: string[]): Promise<Result> =>
  result(to, ["peal", file, ...flags]);

async function furnish(peal: InProcess): Promise<void> {
  const backups = await peal.topic("backups");
  await peal.api("PATCH", `/v1/home/topics/${backups.key}`, { description: "Nightly", retention_days: 30 });
  for (let n = 1; n <= 5; n++) await peal.publish(backups, { message: `backup ${n}`, title: "Done", tags: ["ok"] });
  await peal.publish(backups, { message: "disk full", dedup_key: "disk", status: "firing", level: "error" });
  await peal.api("POST", "/home/backups", { message: "later", delay: 3600 });
  await newHook(peal, { topic: "backups", name: "Sonarr", as: "gotify" });
  const check = await newCheck(peal, { name: "Nightly", every: 3600, tags: ["db"] });
  await ping(peal, check.ping_url, { method: "POST", body: "all copied" });
  await ping(peal, `${check.ping_url}/fail`, { method: "POST", body: "no space" });
  await pingKeyUrl(peal);
}

test("an export with secrets that is imported into an empty server gives the same export again", async () => {
  await using from = await inProcess();
  await using to = await inProcess({ unclaimed: true });
  await furnish(from);
  using at = folder();
  const file = await exportedFile(from, at, "--with-secrets");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const dry = await importInto(to, file);
  expect(dry.counts["message"]).toEqual({ created: 7 });
  expect(comparable(await exported(to))).toEqual([]);
  await importInto(to, file, "--apply");
  const sent = linesOf(readFileSync(file, "utf8"));
  expect(comparable(sent).length).toBeGreaterThan(20);
  expect(comparable(await exported(to, "--with-secrets"))).toEqual(comparable(sent));
  // again: nothing is doubled
  const again = await importInto(to, file, "--apply");
  for (const [kind, by] of Object.entries(again.counts))
    if (kind !== "topic_ids" && kind !== "server_secret") expect([kind, Object.keys(by)]).toEqual([kind, ["exists"]]);
  expect(comparable(await exported(to, "--with-secrets"))).toEqual(comparable(sent));
}, 60_000);

const texts = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }).filter((text) => /[a-z0-9]/i.test(text));
const publishes = fc.array(
  fc.record({
    topic: fc.constantFrom("backups", "door", "sonarr"),
    body: fc.record(
      {
        message: texts,
        title: texts,
        level: fc.constantFrom("info", "success", "warning", "error"),
        priority: fc.constantFrom("low", "normal", "high", "urgent"),
        tags: fc.array(texts, { maxLength: 3 }),
        data: fc.dictionary(fc.constantFrom("a", "b"), fc.integer()),
      },
      { requiredKeys: ["message"] },
    ),
  }),
  { minLength: 1, maxLength: 12 },
);

test("whatever was published, the round trip is equal, and a second import changes nothing", async () => {
  using at = folder();
  await fc.assert(
    fc.asyncProperty(publishes, async (all) => {
      await using from = await inProcess();
      await using to = await inProcess({ unclaimed: true });
      for (const { topic, body } of all) await from.api("POST", `/home/${topic}`, body);
      const file = await exportedFile(from, at, "--with-secrets");
      const sent = comparable(await exported(from, "--with-secrets"));
      expect(sent.filter(({ kind }) => kind === "message").length).toBe(all.length);
      await importInto(to, file, "--apply");
      await importInto(to, file, "--apply");
      expect(comparable(await exported(to, "--with-secrets"))).toEqual(sent);
    }),
    { numRuns: 4 },
  );
}, 120_000);

test("an export without secrets has none of them, and an import gives new links", async () => {
  await using from = await inProcess();
  await using to = await inProcess({ unclaimed: true });
  await furnish(from);
  const device = await iphone(from, [{ ...(await from.topic("phone")), namespace: "home" }]);
  const { stdout } = await run(["export", "--data-dir", from.dataDir]);
  const secrets = [...from.secrets, device.id].filter((secret) => secret.length > 10);
  expect(secrets.length).toBeGreaterThan(3);
  const db = new Database(join(from.dataDir, "peal.db"), { readonly: true });
  for (const [column, table] of SECRET_COLUMNS)
    for (const [value] of db.query(`SELECT ${column} FROM ${table} WHERE ${column} IS NOT NULL`).values())
      secrets.push(String(value));
  db.close();
  expect(secrets.filter((secret) => stdout.includes(secret))).toEqual([]);
  using at = folder();
  const file = join(at.path, "open.ndjson");
  writeFileSync(file, stdout);
  const { counts } = await importInto(to, file, "--apply");
  expect(counts).toMatchObject({
    device: { no_secret: 1 },
    key: { no_secret: 1 },
    check: { created: 1 },
    hook: { created: 1 },
  });
  const lines = await exported(to, "--with-secrets");
  expect(lines.filter(({ kind }) => kind === "check")).toMatchObject([{ token: { generation: 0 } }]);
});

const SECRET_COLUMNS = [
  ["key", "topic"],
  ["hash", "api_key"],
  ["prefix", "api_key"],
  ["token_hash", '"check"'],
  ["badge_token", '"check"'],
  ["token_hash", "hook"],
  ["gotify_hash", "hook"],
  ["ping_key_hash", "namespace"],
  ["id", "device"],
  ["token", "device"],
] as const;

test("a first look at a large export says the same as the import", async () => {
  await using from = await inProcess();
  await using to = await inProcess({ unclaimed: true });
  using at = folder();
  const check = await newCheck(from, { name: "Nightly", every: 3600 });
  for (let n = 0; n < 60; n++) await ping(from, `${check.ping_url}/log`, { method: "POST", body: `${n}` });
  for (let n = 0; n < 5; n++) await newCheck(from, { name: `job ${n}`, every: 3600 });
  // a line in so many requests that none has the check as well
  const file = await exportedFile(from, at);
  const lines = linesOf(readFileSync(file, "utf8"));
  const log = lines.filter(({ kind }) => kind === "check_event");
  expect(log.length).toBeGreaterThan(50);
  const padded = lines.map((line) => (line.kind === "check_event" ? { ...line, head: "A".repeat(40_000) } : line));
  writeFileSync(file, padded.map((line) => JSON.stringify(line)).join("\n"));
  const dry = await importInto(to, file);
  expect(dry.counts["check_event"]).toEqual({ created: log.length });
  expect((await importInto(to, file, "--apply")).counts).toEqual(dry.counts);
}, 60_000);

test("what is imported rings no device and is no open alert", async () => {
  await using from = await inProcess();
  await using to = await inProcess();
  await furnish(from);
  await iphone(to, [await to.topic("backups")]);
  using at = folder();
  const file = await exportedFile(from, at);
  expect((await importInto(to, file, "--apply")).counts["message"]).toEqual({ created: 7 });
  using db = new Database(join(to.dataDir, "peal.db"), { readonly: true });
  const count = (of: string) => db.query(`SELECT count(*) FROM ${of}`).values()[0]?.[0];
  expect(["fanout", "delivery", "message WHERE firing = 1"].map(count)).toEqual([0, 0, 0]);
});

test("an export that is cut off or has a broken line changes nothing", async () => {
  await using peal = await inProcess();
  await using to = await inProcess({ unclaimed: true });
  await furnish(peal);
  using at = folder();
  const { stdout } = await run(["export", "--data-dir", peal.dataDir]);
  const lines = stdout.trimEnd().split("\n");
  const rows: [string, string[], RegExp][] = [
    ["cut off", lines.slice(0, -1), /is cut off: its last line is missing/],
    ["a line lost", lines.toSpliced(5, 1), /has \d+ of \d+ records/],
    ["broken", lines.toSpliced(3, 1, '{"kind":'), /line 4 is no record of an export/],
    ["foreign", ['{"a":1}'], /line 1 is no record of an export/],
  ];
  for (const [name, text, complaint] of rows) {
    const file = join(at.path, name);
    writeFileSync(file, text.join("\n"));
    const { code, stderr } = await run(["import", "peal", file, "--apply", "--data-dir", to.dataDir]);
    expect([name, code]).toEqual([name, 1]);
    expect(stderr).toMatch(complaint);
  }
  expect(comparable(await exported(to))).toEqual([]);
});

test("a file that no import can read is told in words", async () => {
  await using to = await inProcess({ unclaimed: true });
  using at = folder();
  const text = join(at.path, "text");
  writeFileSync(text, "no database");
  const rows: [string[], number, RegExp][] = [
    [["peal", join(at.path, "none")], 64, /there is no file \//],
    [["peal", at.path], 64, /is not a file/],
    [["ntfy", "--cache", at.path], 64, /is not a file/],
    [["ntfy", "--cache", text], 1, /can't be read as ntfy's message cache: file is not a database/],
    [["uptime-kuma", "--backup", text], 1, /is no backup of Uptime Kuma/],
  ];
  for (const [words, status, complaint] of rows) {
    const { code, stderr } = await imported(to, words);
    expect([words, code]).toEqual([words, status]);
    expect(stderr).toMatch(complaint);
  }
}, 60_000);

test("each command of docs/moving.md exists with its flags", async () => {
  const page = await Bun.file(join(import.meta.dir, "../../docs/moving.md")).text();
  const commands = [...page.matchAll(/^(?:PEAL_IMPORT_TOKEN=\S+ )?(peal (?:import \S+|export)[^\n#>|]*)/gm)].map(
    ([, line = ""]) => line,
  );
  expect(commands.length).toBeGreaterThan(8);
  for (const line of commands) {
    const words = line.trim().split(/\s+/).slice(1);
    const name = words[0] === "import" ? words.slice(0, 2) : words.slice(0, 1);
    const { code, stdout } = await run([...name, "--help"]);
    expect([line, code]).toEqual([line, 0]);
    for (const flag of words.filter((word) => word.startsWith("--"))) expect(stdout).toContain(`  ${flag}`);
  }
}, 60_000);
