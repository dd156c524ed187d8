/** `peal restore`: a copy takes the place of the database whole or not at all, and nothing that was there is lost. */
import { Database } from "bun:sqlite";
import { afterAll, describe, expect, test } from "bun:test";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { peal as run, type Ran } from "../support/command.ts";
import { smallDisk } from "../support/disk.ts";
import { PIXEL, sent } from "../support/files.ts";
import { ROUNDS } from "../support/rounds.ts";
import { cleanEnv, COMMAND, startPeal } from "../support/server.ts";
import { testWith } from "../support/tools.ts";

const root = mkdtempSync(join(tmpdir(), "peal-restore-"));
afterAll(() => {
  rmSync(root, { recursive: true });
});

/** A data directory of a server that was killed, and in its `backups/` a copy from before its last message. */
const whole = join(root, "whole");
const COPY = "peal-20260101T000000Z.db";
const { adminKey, ping } = await make();
async function make() {
  mkdirSync(whole);
  await using peal = await startPeal({ dataDir: whole });
  await sent(peal, "/home/kept", PIXEL, { Filename: "door.png" });
  const created = await peal.api("POST", "/v1/home/checks", { name: "backup", every: "1d" });
  const { ping_url } = (await created.json()) as { ping_url: string };
  mkdirSync(join(whole, "backups"));
  expect((await run(["backup", join(whole, "backups", COPY), "--data-dir", whole])).code).toBe(0);
  await sent(peal, "/home/kept", Buffer.from("later"), {});
  await peal.kill("SIGKILL");
  rmSync(join(whole, "peal.sock")); // a socket cannot be copied
  return { adminKey: peal.adminKey, ping: new URL(ping_url).pathname };
}

let count = 0;
function folderOf(from?: string): string {
  const folder = join(root, `case-${count++}`);
  if (from === undefined) mkdirSync(folder);
  else cpSync(from, folder, { recursive: true });
  return folder;
}
const restore = async (from: string, dataDir: string, ...more: string[]): Promise<Ran> =>
  run(["restore", from, "--data-dir", dataDir, ...more]);
const startOn = async (dataDir: string) => startPeal({ dataDir, env: { PEAL_ADMIN_KEY: adminKey } });

/** The texts of the messages in a database of a server that does not run. */
function textsIn(path: string): string[] {
  using db = new Database(path);
  return db
    .query<{ text: string }, []>("SELECT json ->> 'message' AS text FROM message ORDER BY row")
    .all()
    .map(({ text }) => text);
}
const EARLY = textsIn(join(whole, "backups", COPY));
const replacedIn = (folder: string) => readdirSync(folder).filter((name) => /^replaced-.*\.db$/.test(name));

describe("a copy", () => {
  test("takes the place of the database, which is kept with all that was acknowledged", async () => {
    const folder = folderOf(whole);
    const { code, stdout } = await restore(`backups/${COPY}`, folder); // as /health and refusals name it
    expect(code).toBe(0);
    expect(stdout).toContain("1 namespace, 2 topics, 1 message, 1 check, 0 devices");
    expect(stdout).toContain("What came after the copy is only in there.");
    expect(textsIn(join(folder, "peal.db"))).toEqual(EARLY);
    const [kept = ""] = replacedIn(folder);
    expect(textsIn(join(folder, kept))).toEqual([...EARLY, "later"]);
    expect(statSync(join(folder, "peal.db")).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => name.includes("partial"))).toEqual([]);
    await using peal = await startOn(folder);
    expect((await peal.request("/health")).status).toBe(200);
  });

  test("comes to a new machine with the files and the secret of the data directory that it was copied with", async () => {
    const home = folderOf(whole); // as rsync brought it
    for (const name of readdirSync(home)) if (name.startsWith("peal.")) rmSync(join(home, name));
    const folder = join(root, "new", "machine");
    const { code, stdout } = await restore(home, folder, "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ namespaces: 1, topics: 2, messages: 1, checks: 1 },
      files: { files: 1, missing: 0 },
      secret: {},
    });
    await using peal = await startOn(folder);
    const { topics } = (await (await peal.api("GET", "/v1/home/topics")).json()) as {
      topics: { name: string; key: string }[];
    };
    const [message] = await peal.history({
      namespace: "home",
      key: topics.find(({ name }) => name === "kept")?.key ?? "",
    });
    const [file] = (message as unknown as { attachments: { url: string }[] }).attachments;
    expect((await peal.request(new URL(file?.url ?? "").pathname)).status).toBe(200);
    const { checks } = (await (await peal.api("GET", "/v1/home/checks")).json()) as { checks: { ping_url: string }[] };
    expect(new URL(checks[0]?.ping_url ?? "").pathname).toBe(ping);
  });

  test("replaces a secret that another server made meanwhile, and keeps that one", async () => {
    const folder = folderOf();
    writeFileSync(join(folder, "secret"), Buffer.alloc(32, 7), { mode: 0o600 });
    expect((await restore(join(whole, "backups", COPY), folder)).code).toBe(0);
    expect(readFileSync(join(folder, "secret"))).toEqual(readFileSync(join(whole, "secret")));
    const [kept = ""] = readdirSync(folder).filter((name) => name.endsWith(".secret"));
    expect(readFileSync(join(folder, kept))).toEqual(Buffer.alloc(32, 7));
  });

  test("may be the file of another data directory with its log", async () => {
    const folder = folderOf();
    expect((await restore(join(whole, "peal.db"), folder)).code).toBe(0);
    expect(textsIn(join(folder, "peal.db"))).toEqual([...EARLY, "later"]);
  });

  test("is the newest of a folder by its name, whatever the times of the files are", async () => {
    const copies = folderOf();
    for (const name of ["nightly-20260102T032300Z.db", "nightly-20260101T032300Z.db"])
      cpSync(join(whole, "backups", COPY), join(copies, name));
    writeFileSync(join(copies, "peal-20260103T000000Z.db"), ""); // cut off on its way here
    utimesSync(join(copies, "nightly-20260101T032300Z.db"), 4e9, 4e9);
    const { stdout } = await restore(copies, folderOf(), "--json");
    expect(JSON.parse(stdout)).toMatchObject({ restored: join(copies, "nightly-20260102T032300Z.db") });
  });

  testWith("root")("belongs to the owner of the data directory, even if root restores it", async () => {
    const folder = folderOf();
    chownSync(folder, 1234, 1235);
    expect((await restore(join(whole, "backups", COPY), folder)).code).toBe(0);
    for (const name of ["peal.db", "peal.lock", "secret", "files"]) {
      const { uid, gid } = statSync(join(folder, name));
      expect({ name, uid, gid }).toEqual({ name, uid: 1234, gid: 1235 });
    }
  });
});

describe("a restore is refused, and changes nothing:", () => {
  const file = (name: string, bytes: Uint8Array | string) => {
    writeFileSync(join(root, name), bytes);
    return join(root, name);
  };
  const changed = (name: string, ...statements: string[]) => {
    cpSync(join(whole, "backups", COPY), join(root, name));
    using db = new Database(join(root, name));
    for (const statement of statements) db.run(statement);
    return join(root, name);
  };
  const torn = readFileSync(join(whole, "backups", COPY));
  torn.fill(0xff, Math.floor(torn.length / 2), Math.floor(torn.length / 2) + 20_000);
  // prettier-ignore
  const cases: [string, string, string][] = [
    ["nothing there",               join(root, "nowhere.db"),                                        "there is no file or folder"],
    ["a folder without a copy",     root,                                                            "there is no copy in"],
    ["an empty file",               file("empty.db", ""),                                            "is empty"],
    ["a text",                      file("text.db", "no database".repeat(100)),                      "is not a SQLite database"],
    ["an empty database",           changed("tables.db", "PRAGMA application_id = 1"),               "is no database of peal"],
    ["a copy with destroyed pages", file("torn.db", torn),                                           "torn.db is damaged"],
    ["a copy of a later version",   changed("later.db", "PRAGMA user_version = 999"),                "has schema 999"],
  ];
  test.each(cases)("%s", async (_, from, words) => {
    const folder = folderOf(whole);
    const before = readFileSync(join(folder, "peal.db"));
    const { code, stderr } = await restore(from, folder);
    expect(code).not.toBe(0);
    expect(stderr).toContain(words);
    expect(readFileSync(join(folder, "peal.db"))).toEqual(before);
    expect(
      readdirSync(folder)
        .filter((name) => name !== "peal.lock" && name !== "peal.lock-journal")
        .sort(),
    ).toEqual(
      readdirSync(whole)
        .filter((name) => name !== "peal.lock" && name !== "peal.lock-journal")
        .sort(),
    );
  });

  test("the database itself", async () => {
    const folder = folderOf(whole);
    expect((await restore(join(folder, "peal.db"), folder)).stderr).toContain("is the database itself");
  });

  test("while a server runs", async () => {
    const folder = folderOf(whole);
    await using peal = await startOn(folder);
    const { code, stderr } = await restore(`backups/${COPY}`, folder);
    expect(code).toBe(1);
    expect(stderr).toContain("Another peal runs on");
    expect(await peal.publish(await peal.topic("more"), "goes on")).toBeTruthy();
    expect(replacedIn(folder)).toEqual([]);
  });

  testWith("mount")("a disk without room for it", async () => {
    using disk = smallDisk(4_000_000);
    mkdirSync(join(disk.path, "data"));
    disk.fill(50_000);
    const { code, stderr } = await restore(join(whole, "backups", COPY), join(disk.path, "data"));
    expect(code).toBe(78);
    expect(stderr).toContain("bytes left");
    expect(existsSync(join(disk.path, "data", "peal.db"))).toBeFalse();
  });

  testWith("root", "setpriv")("a file that this user may not read", async () => {
    const folder = folderOf();
    chmodSync(root, 0o755);
    chownSync(folder, 65534, 65534);
    const child = Bun.spawn(
      [
        "setpriv",
        "--reuid=65534",
        "--regid=65534",
        "--clear-groups",
        ...COMMAND,
        "restore",
        join(whole, "backups", COPY),
        "--data-dir",
        folder,
      ],
      { env: cleanEnv({ HOME: "/" }), cwd: "/", stdio: ["ignore", "pipe", "pipe"] },
    );
    expect(await child.stderr.text()).toContain("permission denied");
    expect(await child.exited).toBe(1);
  });
});

test("killed at any moment, it leaves the old database, the new one, or what a start refuses; repeated, it is done", async () => {
  for (let round = 0; round < Math.min(4 * ROUNDS, 40); round++) {
    const folder = folderOf(whole);
    const child = Bun.spawn([...COMMAND, "restore", `backups/${COPY}`, "--data-dir", folder], {
      env: cleanEnv(),
      stdio: ["ignore", "ignore", "ignore"],
    });
    // from when its first file is there, a little later each time
    while (child.exitCode === null && !readdirSync(folder).some((name) => name.includes("partial"))) await Bun.sleep(0);
    for (let n = 0; n < round % 12; n++) await Bun.sleep(0);
    child.kill("SIGKILL");
    await child.exited;
    const started = await run(["topics", "mute", "home/kept", "1h", "--data-dir", folder]);
    const state =
      started.code === 0 ? (textsIn(join(folder, "peal.db")).length > EARLY.length ? "old" : "new") : "refused";
    if (state === "refused") expect(started.stderr).toContain("do not belong together: peal.db is a copy");
    if (state === "new") continue;
    expect((await restore(`backups/${COPY}`, folder)).code).toBe(0);
    expect(textsIn(join(folder, "peal.db"))).toEqual(EARLY);
    expect(replacedIn(folder).some((name) => textsIn(join(folder, name)).includes("later"))).toBeTrue();
  }
});
