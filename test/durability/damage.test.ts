/** Destroyed pages of the database are noticed as soon as they are read, by a request or by the daily check (OPERATIONS.md §4). */
import { afterAll, expect, test } from "bun:test";
import {
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answer } from "../support/client.ts";
import { heldClock } from "../support/clock.ts";
import { peal as run } from "../support/command.ts";
import { eventually } from "../support/eventually.ts";
import { keptLog } from "../support/log.ts";
import { inProcess, startPeal } from "../support/server.ts";
import { testWith } from "../support/tools.ts";

const root = mkdtempSync(join(tmpdir(), "peal-damage-"));
afterAll(() => {
  rmSync(root, { recursive: true });
});

const whole = join(root, "whole");
/** Makes a data directory whose file mostly holds one topic's messages, and a topic with a single message. */
async function make() {
  mkdirSync(whole);
  await using peal = await startPeal({ dataDir: whole });
  const [hurt, sound] = [await peal.topic("hurt"), await peal.topic("sound")];
  expect(await peal.publish(sound, "whole")).toBeTruthy();
  for (let n = 0; n < 60; n++) expect(await peal.publish(hurt, "x".repeat(30_000))).toBeTruthy();
  await peal.kill("SIGTERM");
  return { hurt, sound, adminKey: peal.adminKey };
}
const { hurt, sound, adminKey } = await make();

let count = 0;
/** A copy of it with the middle of the database destroyed, and optionally a backup from before. */
async function damaged(options: { backup: boolean }): Promise<string> {
  const folder = join(root, `case-${count++}`);
  cpSync(whole, folder, { recursive: true });
  if (options.backup) {
    mkdirSync(join(folder, "backups"));
    const backup = join(folder, "backups", "peal-20260101T000000Z.db");
    expect((await run(["backup", backup, "--data-dir", folder])).code).toBe(0);
  }
  const database = join(folder, "peal.db");
  const { size } = statSync(database);
  const file = openSync(database, "r+");
  writeSync(file, Buffer.alloc(Math.floor(size / 8), 0xff), 0, Math.floor(size / 8), Math.floor(size / 2));
  closeSync(file);
  return folder;
}

test.each([
  [true, "Restore the newest copy: stop peal, and run `peal restore backups/peal-20260101T000000Z.db`"],
  [
    false,
    "There is no copy in backups/: restore one from elsewhere with `peal restore`, or save what can be read with `sqlite3 peal.db .recover`, for which Debian's sqlite3 won't do",
  ],
])(
  "a read that meets them makes the server report it, everywhere and once (with a copy: %p)",
  async (backup, words) => {
    const dataDir = await damaged({ backup });
    await using peal = await startPeal({ dataDir, env: { PEAL_ADMIN_KEY: adminKey } });
    expect((await peal.request("/health")).status).toBe(200);
    for (let n = 0; n < 2; n++) {
      const response = await peal.request(`/v1/home/${hurt.key}/messages?limit=200`);
      expect(await answer(503, response)).toMatchObject({
        code: "unavailable",
        detail: expect.stringContaining(words) as string,
      });
    }
    expect(await answer(503, await peal.request("/health"))).toMatchObject({
      checks: { store: "failing" },
      problems: [expect.stringContaining(words)],
    });
    // nothing is accepted that a restore would undo; intact parts can be read
    expect(await answer(503, await peal.api("POST", "/home/sound", { message: "m" }))).toMatchObject({
      code: "unavailable",
    });
    expect((await peal.history(sound)).map(({ message }) => message)).toEqual(["whole"]);

    const key = await eventually("the message to operators", async () => {
      const { topics } = await answer<{ topics: { name: string; topic: string }[] }>(
        200,
        await peal.api("GET", "/v1/home/topics"),
      );
      return topics.find(({ name }) => name === "peal")?.topic;
    });
    const told = await peal.history({ namespace: "home", key });
    expect(told).toMatchObject([{ title: "The database is damaged", level: "error", priority: "high" }]);
    expect(told[0]?.message).toContain(words);
    expect(peal.logs().match(/the database is damaged/g)?.length).toBe(1);
  },
);

test("those that no request reads are found by a process that reads the whole file once a day", async () => {
  const clock = heldClock(Date.now());
  const { log, lines } = keptLog(clock);
  await using peal = await inProcess({
    dataDir: await damaged({ backup: true }),
    env: { PEAL_ADMIN_KEY: adminKey },
    clock,
    log,
  });
  expect((await peal.request("/health")).status).toBe(200);
  clock.advance(10 * 60_000);
  await eventually("the word of the daily look", () => lines.some((line) => line.includes("the database is damaged")));
  expect(await answer(503, await peal.request("/health"))).toMatchObject({
    problems: [expect.stringContaining("backups/peal-20260101T000000Z.db")],
  });
});

testWith("cc")("a read that failed for a moment is forgotten once all of the file could be read", async () => {
  const [library, flag] = [join(root, "badreads.so"), join(root, "bad")];
  const source = join(import.meta.dir, "../support/badreads.c");
  expect(Bun.spawnSync(["cc", "-shared", "-fPIC", "-O1", "-o", library, source, "-ldl"]).success).toBe(true);
  const dataDir = join(root, "passing");
  cpSync(whole, dataDir, { recursive: true });
  await using peal = await startPeal({
    dataDir,
    env: { PEAL_ADMIN_KEY: adminKey, LD_PRELOAD: library, BAD_READS: flag },
  });
  writeFileSync(flag, "");
  const response = await peal.request(`/v1/home/${hurt.key}/messages?limit=200`);
  expect(await answer(503, response)).toMatchObject({ code: "unavailable" });
  rmSync(flag);
  await eventually("the server to be well again", async () => (await peal.request("/health")).ok);
  expect((await peal.api("POST", "/home/sound", { message: "m" })).status).toBe(201);
  expect(peal.logs()).toContain("the database could not be read");
  expect(peal.logs()).not.toContain("the database is damaged");
});

test("`peal integrity` says whether a database or a backup is intact", async () => {
  expect(await run(["integrity", "--data-dir", whole])).toMatchObject({
    code: 0,
    stdout: `${whole}/peal.db is sound\n`,
  });
  const dataDir = await damaged({ backup: true });
  const found = await run(["integrity", "--data-dir", dataDir]);
  expect([found.code, found.stderr]).toEqual([1, expect.stringContaining(`${dataDir}/peal.db is damaged: `) as string]);
  const told = JSON.parse((await run(["integrity", "--json", "--data-dir", dataDir])).stdout) as object;
  expect(told).toMatchObject({ kind: "damaged" });
  const copy = join(dataDir, "backups", "peal-20260101T000000Z.db");
  expect(await run(["integrity", "--file", copy, "--data-dir", dataDir])).toMatchObject({ code: 0, stderr: "" });
});
