/** Commands that root runs on the data of a server that runs as somebody else. */
import { expect } from "bun:test";
import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { peal as run } from "../support/command.ts";
import { cleanEnv, COMMAND, startPeal, type Peal } from "../support/server.ts";
import { testWith } from "../support/tools.ts";

const OWNER = { PUID: "12345", PGID: "23456" };

/** A server that runs as OWNER, and a folder that only root may enter. */
async function owned(use: (peal: Peal, elsewhere: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync("/tmp/peal-root-"); // $TMPDIR may lie in a directory that only root may enter
  chmodSync(folder, 0o755);
  const [dataDir, elsewhere] = [join(folder, "data"), join(folder, "elsewhere")];
  for (const path of [dataDir, elsewhere]) mkdirSync(path, { mode: 0o700 });
  try {
    await using peal = await startPeal({ dataDir, env: OWNER });
    expect(await peal.publish(await peal.topic("backups"), { message: "m" })).not.toBeNull();
    await use(peal, elsewhere);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const strangersIn = (dataDir: string): string[] =>
  ["", ...readdirSync(dataDir, { recursive: true, encoding: "utf8" })].filter((name) => {
    const { uid, gid } = lstatSync(join(dataDir, name));
    return `${uid}:${gid}` !== `${OWNER.PUID}:${OWNER.PGID}`;
  });

testWith("root")("on a stopped server they leave nothing that is root's, and it starts again", async () => {
  await owned(async (peal, elsewhere) => {
    await peal.kill("SIGTERM");
    // no push service is asked
    const env = { PEAL_DATA_DIR: peal.dataDir, PEAL_HTTPS_PROXY: "http://127.0.0.1:1" };
    for (const words of [
      ["doctor"],
      ["integrity"],
      ["backup", join(elsewhere, "copy.db")],
      ["export", "--out", join(elsewhere, "peal.ndjson")],
      ["compact"],
      ["keys", "list"],
      ["topics", "create", "home/new"],
      ["send", "home/new", "x", "--wait", "1s"],
    ]) {
      // what a directory lacks that was copied from elsewhere
      for (const name of ["peal.lock", "secret", "backups"]) rmSync(join(peal.dataDir, name), { recursive: true, force: true }); // prettier-ignore
      const { code } = await run(words, env);
      expect([words, code]).toEqual([words, words[0] === "send" ? 1 : 0]);
      expect([words, strangersIn(peal.dataDir)]).toEqual([words, []]);
    }
    expect(["copy.db", "peal.ndjson"].map((name) => existsSync(join(elsewhere, name)))).toEqual([true, true]);
    await peal.start();
  });
});

testWith("root", "setpriv")(
  "they work without any power over the files of others, as in a NAS's container",
  async () => {
    await owned(async (peal) => {
      const limited = ["setpriv", "--bounding-set=-all,+chown,+setuid,+setgid", "--no-new-privs", ...COMMAND];
      const env = cleanEnv({ PEAL_DATA_DIR: peal.dataDir, PEAL_HTTPS_PROXY: "http://127.0.0.1:1" });
      const tried = async (...words: string[]) => {
        const child = Bun.spawn([...limited, ...words], { env, cwd: "/", stdio: ["ignore", "pipe", "pipe"] });
        const [said, complaint, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
        expect({ words, code, said, complaint }).toMatchObject({ words, code: 0 });
        return said;
      };
      expect(await tried("health")).toBe("ok\n");
      await tried("send", "home/backups", "from inside");
      expect(await tried("topics", "list")).toContain("backups");
      expect(await tried("doctor")).toContain(`of ${OWNER.PUID}:${OWNER.PGID}, can be written`);
      await tried("backup", join(peal.dataDir, "copy.db"));
      await peal.kill("SIGTERM");
      await tried("keys", "list");
      await tried("compact");
      await tried("integrity");
      await tried("restore", "copy.db");
      expect(strangersIn(peal.dataDir)).toEqual([]);
    });
  },
);
