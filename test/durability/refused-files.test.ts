/** Files that a start would damage: it refuses them with exit code 78 and a hint, and changes none (OPERATIONS.md §4). */
import { Database } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import {
  closeSync,
  copyFileSync,
  cpSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { peal as run } from "../support/command.ts";
import { startPeal, type Peal } from "../support/server.ts";

const root = mkdtempSync(join(tmpdir(), "peal-files-"));
afterAll(() => {
  rmSync(root, { recursive: true });
});
const path = (...names: string[]) => join(root, ...names);

/** Makes `killed/`, the data directory of a killed server with a log, and beside it an earlier state of its database. */
async function make(): Promise<{ texts: string[]; key: string; adminKey: string }> {
  await Bun.$`mkdir ${path("killed")}`;
  await using peal = await startPeal({ dataDir: path("killed") });
  const { key } = await peal.topic("kept");
  const publish = async (text: string) =>
    expect(await peal.publish({ namespace: "home", name: "kept" }, text)).toBeTruthy();
  await publish("early");
  expect((await run(["backup", path("copy.db"), "--data-dir", path("killed")])).code).toBe(0);
  await peal.kill("SIGTERM");
  copyFileSync(path("killed", "peal.db"), path("earlier.db"));
  await peal.start();
  for (let n = 0; n < 60; n++) await publish(`${n} ${"x".repeat(30_000)}`);
  await peal.kill("SIGKILL");
  copyFileSync(path("killed", "peal.db"), path("later.db"));
  expect(statSync(path("killed", "peal.db-wal")).size).toBeGreaterThan(0);
  return {
    texts: ["early", ...Array.from({ length: 60 }, (_, n) => `${n} ${"x".repeat(30_000)}`)],
    key,
    adminKey: peal.adminKey,
  };
}
const made = await make();

/** The contents of every file but the lock. */
const contents = (folder: string) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith("peal.lock"))
    .map(({ name }) => [name, Bun.hash(readFileSync(join(folder, name)))] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));

let count = 0;
function copied(change: (folder: string) => void): string {
  const folder = path(`case-${count++}`);
  cpSync(path("killed"), folder, { recursive: true, filter: (name) => !name.endsWith(".sock") });
  change(folder);
  return folder;
}
async function refusal(folder: string): Promise<string> {
  const before = contents(folder);
  const { code, stderr } = await run(["serve"], { PEAL_DATA_DIR: folder, PEAL_LISTEN: "127.0.0.1:0" });
  expect([code, stderr]).toEqual([78, expect.stringContaining("Nothing was changed.") as string]);
  expect(contents(folder)).toEqual(before);
  return stderr;
}
const startOn = async (dataDir: string): Promise<Peal> =>
  startPeal({ dataDir, env: { PEAL_ADMIN_KEY: made.adminKey } });
const textsOf = async (peal: Peal) =>
  (await peal.history({ namespace: "home", key: made.key })).map(({ message }) => message);

function database(file: string, ...statements: string[]): void {
  using db = new Database(file);
  for (const statement of statements) db.run(statement);
}
const withoutLog = (folder: string) => {
  for (const name of ["peal.db-wal", "peal.db-shm"]) rmSync(join(folder, name), { force: true });
};
/** SQLite keeps its locks at this byte, and skips the page there (https://sqlite.org/fileformat2.html §1.5). */
const LOCK_BYTE = 2 ** 30;
const PAGE_SIZE = 4_096;
/** Makes a database end right before that page: changes the size in its header, and leaves a hole in between. */
function growToLockByte(file: string): void {
  truncateSync(file, LOCK_BYTE);
  const pages = Buffer.alloc(4);
  pages.writeUInt32BE(LOCK_BYTE / PAGE_SIZE);
  const opened = openSync(file, "r+");
  writeSync(opened, pages, 0, 4, 28);
  closeSync(opened);
}

// prettier-ignore
const refused: [string, (folder: string) => void, string][] = [
  ["peal.db gone, its log there",          (folder) => { rmSync(join(folder, "peal.db")); },                           "peal.db is missing, but"],
  ["peal.db empty, its log there",         (folder) => { truncateSync(join(folder, "peal.db")); },                     "peal.db is empty, but"],
  ["a copy beside the log of another",     (folder) => { copyFileSync(path("copy.db"), join(folder, "peal.db")); },    "do not belong together: peal.db is a copy"],
  ["an earlier peal.db beside a log",      (folder) => { copyFileSync(path("earlier.db"), join(folder, "peal.db")); }, "do not belong together"],
  ["a text",                               (folder) => { withoutLog(folder); writeFileSync(join(folder, "peal.db"), "no database".repeat(1000)); }, "is not a SQLite database"],
  ["another program's database",           (folder) => { withoutLog(folder); rmSync(join(folder, "peal.db"));
    database(join(folder, "peal.db"), "CREATE TABLE cache (key TEXT, value TEXT)"); },                                 "a database of another program"],
  ["another program's, with an id",        (folder) => { withoutLog(folder); rmSync(join(folder, "peal.db"));
    database(join(folder, "peal.db"), "PRAGMA application_id = 252006673", "CREATE TABLE setting (n)"); },             "a database of another program"],
];

describe("a start refuses, and leaves unchanged:", () => {
  test.each(refused)("%s", async (_, change, words) => {
    expect(await refusal(copied(change))).toContain(words);
  });
});

describe("a start accepts", () => {
  test("a copy once the log of another is moved away, as the refusal says", async () => {
    const folder = copied((made) => {
      copyFileSync(path("copy.db"), join(made, "peal.db"));
    });
    expect(await refusal(folder)).toContain("move peal.db-wal and peal.db-shm elsewhere");
    withoutLog(folder);
    await using peal = await startOn(folder);
    expect(await textsOf(peal)).toEqual(["early"]);
  });

  test("a directory that was copied completely after a kill, including the log", async () => {
    await using peal = await startOn(copied(() => undefined));
    expect(await textsOf(peal)).toEqual(made.texts);
  });

  test("a database from before peal had an id, and gives it one", async () => {
    const folder = copied(() => undefined);
    database(join(folder, "peal.db"), "PRAGMA application_id = 0");
    await using peal = await startOn(folder);
    expect(await textsOf(peal)).toEqual(made.texts);
    await peal.kill("SIGTERM");
    using db = new Database(join(folder, "peal.db"), { readonly: true });
    expect(db.query("PRAGMA application_id").values()).toEqual([[0x7065616c]]);
  });

  test("a log whose last commit is incomplete, as after a power cut", async () => {
    const folder = copied((made) => {
      const log = join(made, "peal.db-wal");
      truncateSync(log, statSync(log).size - 1000);
    });
    await using peal = await startOn(folder);
    const texts = await textsOf(peal);
    expect(texts).toEqual(made.texts.slice(0, texts.length));
    expect(texts.length).toBeGreaterThan(1);
  });

  test("a log that begins after the page of SQLite's locks, which no file contains", async () => {
    const folder = copied(() => undefined);
    const file = join(folder, "peal.db");
    await using peal = await startOn(folder);
    await peal.kill("SIGTERM");
    growToLockByte(file);
    await peal.start();
    expect(await peal.publish({ namespace: "home", name: "kept" }, "y".repeat(30_000))).toBeTruthy();
    await peal.kill("SIGKILL");
    expect(statSync(file).size).toBe(LOCK_BYTE);
    await peal.start();
    expect((await textsOf(peal)).slice(-1)).toEqual(["y".repeat(30_000)]);
    await peal.kill("SIGTERM");
    expect(statSync(file).size).toBeGreaterThan(LOCK_BYTE + PAGE_SIZE);
  });
});
