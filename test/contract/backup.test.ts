/** Backups, by the command and on the page: complete or not made at all (OPERATIONS.md §4). */
import { Database } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { partialOf } from "../../src/store/sqlite/partial.ts";
import { smallDisk } from "../support/disk.ts";
import { heldClock } from "../support/clock.ts";
import { deskAs } from "../support/desk.ts";
import { noise, PIXEL, sent } from "../support/files.ts";
import { cleanEnv, COMMAND, inProcess, startPeal } from "../support/server.ts";
import { PASSWORD, signedIn } from "../support/signin.ts";
import { testWith } from "../support/tools.ts";

const peal = await inProcess();
afterAll(async () => peal[Symbol.asyncDispose]());
const admin = deskAs(peal, await signedIn(peal));
const member = deskAs(peal, await signedIn(peal, { name: "jonas", namespaces: ["home"] }));
const folder = join(peal.dataDir, "backups");
const kept = () => readdirSync(folder).filter((name) => name.startsWith("peal-"));
const backedUp = async () => expect((await admin.post("/-/settings/backups")).said).toContain("settings.backupMade");

async function backUp(file: string, dataDir: string, ...more: string[]) {
  const child = Bun.spawn([...COMMAND, "backup", file, "--data-dir", dataDir, ...more], {
    env: cleanEnv(),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { stdout, stderr, code };
}
/** Makes a partial file named as by a run on this machine whose process has ended. */
function deadPartial(path: string): string {
  const { pid } = Bun.spawnSync(["true"]);
  return partialOf(path).replace(`-${process.pid}.`, `-${pid}.`);
}
/** The texts of the messages in a copy. */
function messagesIn(path: string): string[] {
  using copy = new Database(path, { readonly: true });
  return copy
    .query<{ text: string }, []>("SELECT json ->> 'message' AS text FROM message ORDER BY row")
    .all()
    .map(({ text }) => text);
}

describe("`peal backup`", () => {
  test("copies what is stored, while the server runs and after it was killed, readable by the owner only", async () => {
    await using own = await startPeal();
    const topic = await own.topic("kept");
    await own.publish(topic, "first");
    const file = join(own.dataDir, "while.db");
    expect(await backUp(file, own.dataDir)).toMatchObject({ code: 0, stderr: "" });
    expect(messagesIn(file)).toEqual(["first"]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    await own.publish(topic, "second");
    await own.kill("SIGKILL");
    const after = join(own.dataDir, "after.db");
    expect(await backUp(after, own.dataDir)).toMatchObject({ code: 0 });
    expect(messagesIn(after)).toEqual(["first", "second"]);
  });

  test("reports how many files it leaves out, and copies them when asked; after a restore their links work", async () => {
    await using own = await startPeal();
    const { attachments = [] } = await sent(own, "/home/kept", PIXEL, { Filename: "door.png" });
    await sent(own, "/home/kept", noise(5_000), { Filename: "a.bin" });
    const [bare, whole] = [join(own.dataDir, "bare.db"), join(own.dataDir, "whole.db")];
    expect((await backUp(bare, own.dataDir)).stdout).toEndWith(
      "verified; without its files (2 files, 5.1 kB): --files copies them too\n",
    );
    expect(existsSync(`${bare}.files`)).toBeFalse();
    expect((await backUp(whole, own.dataDir, "--files")).stdout).toEndWith(
      `verified; 2 files, 5.1 kB, in ${whole}.files\n`,
    );
    expect((await backUp(whole, own.dataDir, "--files")).code).toBe(1); // an existing file is not replaced
    await own.kill("SIGKILL");

    const restored = async (copy: string, files?: string) => {
      const dataDir = mkdtempSync(join(tmpdir(), "peal-restored-"));
      cpSync(copy, join(dataDir, "peal.db"));
      if (files !== undefined) cpSync(files, join(dataDir, "files"), { recursive: true });
      await using other = await startPeal({ dataDir, env: { PEAL_ADMIN_KEY: own.adminKey } });
      const { pathname } = new URL(attachments[0]?.url ?? "");
      const [topic] = ((await (await other.api("GET", "/v1/home/topics")).json()) as { topics: { topic: string }[] })
        .topics;
      const history = await other.history({ namespace: "home", key: topic?.topic ?? "" });
      const { status } = await other.request(pathname);
      await other.kill("SIGTERM");
      rmSync(dataDir, { recursive: true });
      return { messages: history.length, status };
    };
    expect(await restored(whole, `${whole}.files`)).toEqual({ messages: 2, status: 200 });
    expect(await restored(bare)).toEqual({ messages: 2, status: 404 });
  });

  test("replaces no file, and reports that there is no database", async () => {
    const file = join(peal.dataDir, "mine.txt");
    writeFileSync(file, "mine");
    const taken = await backUp(file, peal.dataDir);
    expect([taken.code, taken.stderr]).toEqual([1, `peal: ${file} already exists; a backup never overwrites a file\n`]);
    expect(await Bun.file(file).text()).toBe("mine");
    const nowhere = await backUp(`${file}.db`, folder);
    expect(nowhere.code).toBe(1);
    expect(nowhere.stderr).toStartWith(`peal: there is no database in ${folder};`);
  });
});

test("a run removes what killed runs left in its folder, and nothing of runs that still run", async () => {
  const to = join(peal.dataDir, "copies");
  mkdirSync(to);
  const [dead, alive] = [deadPartial(join(to, "yesterday.db")), partialOf(join(to, "running.db"))];
  const elsewhere = join(to, "other.db.00000000-7.partial"); // of another container
  const old = join(to, "older.db.00000000-8.partial");
  for (const path of [dead, `${dead}-journal`, alive, elsewhere, old, join(to, "mine.partial")])
    writeFileSync(path, "half");
  utimesSync(old, 1, 1);
  utimesSync(elsewhere, Date.now() / 1000, Date.now() / 1000); // by the tests' clock, which may be shifted
  expect((await backUp(join(to, "today.db"), peal.dataDir)).code).toBe(0);
  const left = [partialOf("running.db"), "mine.partial", "other.db.00000000-7.partial", "today.db"];
  expect(readdirSync(to).toSorted()).toEqual(left.toSorted());
});

test("of three simultaneous runs to one file one completes it, the others report that it exists", async () => {
  const to = join(peal.dataDir, "at-once");
  mkdirSync(to);
  const file = join(to, "copy.db");
  const runs = await Promise.all([1, 2, 3].map(async () => backUp(file, peal.dataDir)));
  expect(runs.map(({ code }) => code).toSorted()).toEqual([0, 1, 1]);
  for (const { stderr } of runs.filter(({ code }) => code === 1)) expect(stderr).toContain("already exists");
  expect(readdirSync(to)).toEqual(["copy.db"]);
  expect(messagesIn(file)).toEqual(messagesIn(join(peal.dataDir, "peal.db")));
});

describe("on the page", () => {
  test("one is made, listed and downloaded: it holds the message", async () => {
    await peal.publish(await peal.topic("paged"), "backed up");
    await backedUp();
    const [name = ""] = kept();
    const { text, html } = await admin.get("/-/settings");
    expect(text).toContain("verified when created");
    expect(html).toContain(`/-/settings/backups/${name}`);
    const { response } = await admin.get(`/-/settings/backups/${name}`);
    expect(response.headers.get("content-disposition")).toBe(`attachment; filename="${name}"`);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const cookie = await signedIn(peal, { name: "lena" });
    const bytes = await (await peal.request(`/-/settings/backups/${name}`, { headers: { cookie } })).bytes();
    const path = join(peal.dataDir, "downloaded.db");
    writeFileSync(path, bytes);
    expect(messagesIn(path)).toContain("backed up");
  });

  test("a download that asks for the password leads back to where it was started", async () => {
    const clock = heldClock();
    await using own = await inProcess({ clock });
    const cookie = await signedIn(own);
    const desk = deskAs(own, cookie);
    await desk.post("/-/settings/backups");
    const [, path = ""] = /href="(\/-\/settings\/backups\/[^"]+)"/.exec((await desk.get("/-/settings")).html) ?? [];
    clock.advance(10 * 60_000);
    const { location } = await desk.get(path);
    const back = await desk.done(location ?? "", { password: PASSWORD });
    expect(back.path).toBe("/-/settings#backups");
    expect(back.text).toContain("Password confirmed. Start the download again.");
    expect((await desk.get(path)).status).toBe(200);
  });

  test("only an admin may download one, and no name leads out of the folder", async () => {
    const name = "peal-20260101T000000Z.db";
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), "");
    expect((await member.get(`/-/settings/backups/${name}`)).status).toBe(404);
    expect((await peal.request(`/-/settings/backups/${name}`)).status).toBe(303);
    for (const other of ["peal.db", "..%2Fpeal.db", "%2e%2e%2fpeal.db", "peal-20000101T000000Z.db"])
      expect((await admin.get(`/-/settings/backups/${other}`)).status).toBe(404);
  });

  test("the last seven are kept, and so are copies from before upgrades; leftovers of a killed process are removed", async () => {
    mkdirSync(folder, { recursive: true });
    for (let n = 1; n <= 9; n++) {
      const path = join(folder, `peal-2020010${n}T000000Z.db`);
      writeFileSync(path, "");
      utimesSync(path, n, n);
    }
    writeFileSync(join(folder, "pre-0.1.0.db"), "");
    writeFileSync(deadPartial(join(folder, "peal-20200101T000000Z.db")), "half");
    await backedUp();
    expect(kept()).toHaveLength(7);
    expect(readdirSync(folder)).toContain("pre-0.1.0.db");
    expect(kept()).not.toContain("peal-20200101T000000Z.db");
    expect((await admin.get("/-/settings")).text).toContain("created automatically before the upgrade to 0.1.0");
  });
});

testWith("mount")("a disk that is full is told in words, and nothing is left on it", async () => {
  using disk = smallDisk(8_000_000);
  await using own = await inProcess({ dataDir: disk.path });
  const desk = deskAs(own, await signedIn(own));
  await own.publish(await own.topic("kept"), "m");
  disk.fill(100_000);
  const { said, status } = await desk.post("/-/settings/backups");
  expect([status, JSON.parse(said)]).toMatchObject([303, { say: "settings.backupFull", tone: "error" }]);
  expect(readdirSync(join(disk.path, "backups"))).toEqual([]);
  disk.free();
  expect((await desk.post("/-/settings/backups")).said).toContain("settings.backupMade");
});
