/** What prevents a start, or a command without a server, is reported in one sentence with a hint. */
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { migrations } from "../../src/store/sqlite/migrations.ts";
import { openIn } from "../store/sqlite.ts";
import { peal as run } from "../support/command.ts";
import { smallDisk } from "../support/disk.ts";
import { eventually } from "../support/eventually.ts";
import { cleanEnv, startPeal } from "../support/server.ts";
import { testWith } from "../support/tools.ts";
import { isUnknownZone } from "../../src/util/calendar.ts";

const ADMINISTRATIVE = [
  ["keys", "list"],
  ["admin", "list"],
  ["namespaces", "list"],
  ["checks", "list"],
  ["setup-code"],
];

test("administrative commands name the schemas when the database has a newer one", async () => {
  await using peal = await startPeal();
  await peal.kill("SIGTERM");
  using db = new Database(join(peal.dataDir, "peal.db"));
  db.run("PRAGMA user_version = 9999");
  db.close();
  for (const words of [["serve"], ...ADMINISTRATIVE]) {
    const { code, stderr } = await run(words, { PEAL_DATA_DIR: peal.dataDir, PEAL_LISTEN: "127.0.0.1:0" });
    expect([words, code]).toEqual([words, 1]);
    expect(stderr).toContain(`has schema 9999, written by peal`);
    expect(stderr).toContain(`reads up to schema ${migrations.length}. Start a build that reads schema 9999`);
    expect(stderr).not.toMatch(/^\s+at /m);
  }
  expect(JSON.parse((await run(["version", "--json"])).stdout)).toMatchObject({ schema: migrations.length });
});

/** Runs a program as user nobody. */
async function asNobody(command: readonly string[]) {
  // with a faked clock: its state is in files that only root may read
  const env = cleanEnv({ LD_PRELOAD: "" });
  const child = Bun.spawn(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", ...command], {
    ...{ cwd: "/", env, stdio: ["ignore", "pipe", "pipe"] },
  });
  const [stderr, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  return { stderr, code };
}

const binary = process.env["PEAL_TEST_BINARY"];
(binary === undefined ? test.skip : testWith("root", "setpriv"))(
  "as another user they say whose the database is, also while the server runs",
  async () => {
    // the binary and $TMPDIR may lie in a directory that only their owner may enter
    const folder = mkdtempSync("/tmp/peal-nobody-");
    chmodSync(folder, 0o755);
    const [program, dataDir] = [join(folder, "peal"), join(folder, "data")];
    copyFileSync(binary ?? "", program);
    mkdirSync(dataDir, { mode: 0o700 });
    {
      await using peal = await startPeal({ dataDir });
      for (const isRunning of [true, false]) {
        if (!isRunning) await peal.kill("SIGTERM");
        for (const words of [...ADMINISTRATIVE, ["backup", "/tmp/none.db"]]) {
          const { code, stderr } = await asNobody([program, ...words, "--data-dir", dataDir]);
          expect([words, code]).toEqual([words, 1]);
          expect(stderr).toContain("belongs to 0:0, and this command runs as 65534:65534, which can't read it");
          expect(stderr).not.toMatch(/^\s+at /m);
        }
      }
    }
    rmSync(folder, { recursive: true });
  },
);

testWith("mount")("a read-only file system is named, and no rights are advised", async () => {
  using disk = smallDisk(8_000_000);
  await (await openIn(disk.path)).close();
  expect(Bun.spawnSync(["mount", "-o", "remount,ro", disk.path]).success).toBe(true);
  for (const dataDir of [disk.path, join(disk.path, "new")]) {
    const { code, stderr } = await run(["serve"], { PEAL_DATA_DIR: dataDir, PEAL_LISTEN: "127.0.0.1:0" });
    expect(code).toBe(1);
    expect(stderr).toContain("on a read-only file system.\nMount it for writing");
    expect(stderr).not.toContain("chown");
  }
});

testWith("mount")("a disk that is too full for an upgrade is named, and the version before goes on", async () => {
  using disk = smallDisk(8_000_000);
  const before = migrations.slice(0, -1);
  const old = await openIn(disk.path);
  await old.namespaces.create("kept");
  await old.close();
  // the previous version reads the same contents, whatever the last migration changed
  {
    using db = new Database(join(disk.path, "peal.db"));
    db.run(`PRAGMA user_version = ${before.length}`);
  }
  disk.fill(60_000);
  const { code, stderr } = await run(["serve"], { PEAL_DATA_DIR: disk.path, PEAL_LISTEN: "127.0.0.1:0" });
  expect(code).toBe(1);
  expect(stderr).toContain("could not be made; the database is as it was: the disk is full.");
  expect(stderr).not.toMatch(/^\s+at /m);
  expect(readdirSync(join(disk.path, "backups"))).toEqual([]);
  const again = await openIn(disk.path, { migrations: before });
  expect(await again.namespaces.byName("kept")).toBeDefined();
  await again.close();
});

// prettier-ignore
test.each([
  ["Mars/Olympus", "UTC", true], ["CET-1CEST", "UTC", true], ["Europe/Berlin ", "UTC", true], ["/usr/share/zoneinfo/Europe/Berlin", "UTC", true],
  ["UTC", "UTC", false], ["Etc/UTC", "UTC", false], ["GMT", "UTC", false], ["UTC0", "UTC", false], [":UTC", "UTC", false], ["", "UTC", false],
  [undefined, "UTC", false], ["Europe/Berlin", "Europe/Berlin", false], [":Europe/Berlin", "Europe/Berlin", false],
])("TZ=%p that became %s is unknown: %p", (tz, zone, unknown) => {
  expect(isUnknownZone(tz, zone)).toBe(unknown);
});

test("an unknown TZ is reported at the start", async () => {
  await using peal = await startPeal({ env: { TZ: "Mars/Olympus" } });
  await eventually("the warning", () => peal.logs().includes("TZ is not a time zone peal knows"));
  await using known = await startPeal({ env: { TZ: "Europe/Berlin" } });
  expect(known.logs()).not.toContain("TZ is");
});
