/** Litestream beside the server, by the settings and commands of docs/backup.md. */
import { Database } from "bun:sqlite";
import { expect } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually } from "../support/eventually.ts";
import { fencesOf, pageAt } from "../support/page.ts";
import { cleanEnv, COMMAND, startPeal } from "../support/server.ts";
import { testWith } from "../support/tools.ts";

const PAGE = pageAt("docs/backup.md");
const [settings, restore] = fencesOf(PAGE.slice(PAGE.indexOf("with Litestream\n"))).map(({ text }) => text);
const WRITERS = 4;
const EACH = 100;

testWith("litestream")(
  "what was published is in Litestream's copy after a kill, and peal restores it",
  async () => {
    const root = mkdtempSync(join(tmpdir(), "peal-litestream-"));
    const config = join(root, "litestream.yml");
    const here = (text = "") =>
      Object.entries({
        "/etc/litestream.yml": config,
        "/var/lib/peal": join(root, "machine"),
        "/mnt/nas": join(root, "nas"),
        "/root/": `${root}/`,
      }).reduce((all, [from, to]) => all.replaceAll(from, to), text);
    writeFileSync(config, here(settings));
    for (const folder of ["machine", "nas"]) mkdirSync(join(root, folder));
    const dataDir = join(root, "machine");
    await using peal = await startPeal({ dataDir });
    const topic = await peal.topic("all");
    const shell = async (commands: string) => {
      const program = `peal() { ${COMMAND.map((word) => `'${word}'`).join(" ")} "$@"; }`;
      const child = Bun.spawn(["sh", "-eu", "-c", `${program}\n${commands}`], {
        env: cleanEnv(),
        stdio: ["ignore", "pipe", "pipe"],
      });
      const [said, errors, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
      expect([code, code === 0 ? "" : errors]).toEqual([0, ""]);
      return said;
    };
    const litestream = Bun.spawn(["litestream", "replicate", "-config", config], {
      stdio: ["ignore", "ignore", "ignore"],
    });
    try {
      const write = async (writer: number) => {
        for (let n = 0; n < EACH; n++)
          expect(await peal.publish(topic, `${writer} ${n} ${"x".repeat(2_000)}`)).not.toBeNull();
      };
      await Promise.all(Array.from({ length: WRITERS }, async (_, writer) => write(writer)));
      await peal.kill("SIGKILL");
      // it is about a second behind
      await eventually("the whole copy", () => {
        const copy = join(root, "copy.db");
        rmSync(copy, { force: true });
        const command = ["litestream", "restore", "-config", config, "-o", copy, join(dataDir, "peal.db")];
        if (!Bun.spawnSync(command).success) return false;
        using db = new Database(copy, { readonly: true });
        return db.query<{ n: number }, []>("SELECT count(*) AS n FROM message").get()?.n === WRITERS * EACH;
      });
    } finally {
      litestream.kill();
      await litestream.exited;
    }
    expect(await shell(here(restore))).toContain(`${WRITERS * EACH} messages`);
    await peal.start();
    const kept = await peal.history(topic);
    expect(kept.map(({ id }) => id)).toEqual(Array.from({ length: WRITERS * EACH }, (_, n) => n + 1));
    rmSync(root, { recursive: true });
  },
  60_000,
);
