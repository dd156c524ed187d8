/** What the templates for NAS systems give the program is enough: root with three capabilities, which it gives up. */
import { expect } from "bun:test";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "../support/eventually.ts";
import { cleanEnv, COMMAND } from "../support/server.ts";
import { testWith } from "../support/tools.ts";
import { composeAt } from "./files.ts";

const FILES = ["nas/synology.yaml", "nas/truenas.yaml", "nas/casaos.yaml"];

/** Starts it as the template does, waits until it is healthy, and stops it. */
async function startAs(file: string, dataDir: string): Promise<{ status: string }> {
  const { environment = {}, cap_add = [] } = composeAt(file).services.peal;
  const capabilities = ["-all", ...cap_add.map((name) => `+${name.toLowerCase()}`)].join();
  const limited = ["setpriv", `--bounding-set=${capabilities}`, "--no-new-privs"];
  const env = cleanEnv({
    ...(environment as Record<string, string>),
    PEAL_DATA_DIR: dataDir,
    PEAL_LISTEN: "127.0.0.1:0",
  });
  const child = Bun.spawn([...limited, ...COMMAND, "serve"], { env, cwd: "/", stdio: ["ignore", "ignore", "pipe"] });
  try {
    await eventually(`peal as in ${file}`, async () => {
      if (child.exitCode !== null) throw new Error(await child.stderr.text());
      const asked = fetch("http://localhost/health", { unix: join(dataDir, "peal.sock") });
      return (await asked.catch(() => null))?.ok;
    });
    return { status: readFileSync(`/proc/${child.pid}/status`, "utf8") };
  } finally {
    child.kill("SIGTERM");
    await child.exited;
  }
}

testWith("root", "setpriv").each(FILES)(
  "%s starts peal on a folder of somebody else's, and again on its own",
  async (file) => {
    const { PUID, PGID } = composeAt(file).services.peal.environment ?? {};
    const folder = mkdtempSync("/tmp/peal-nas-"); // $TMPDIR may lie in a directory that only root may enter
    try {
      chmodSync(folder, 0o755);
      const dataDir = join(folder, "data");
      mkdirSync(dataDir, { mode: 0o755 });
      chownSync(dataDir, 4321, 4321);
      for (let n = 0; n < 2; n++) {
        const { status } = await startAs(file, dataDir);
        expect(status).toMatch(new RegExp(`^Uid:\t${PUID}\t${PUID}\t${PUID}\t${PUID}$`, "m"));
        expect(status).toMatch(/^CapEff:\t0+$/m);
      }
      const owners = ["", "peal.db"].map((name) => statSync(join(dataDir, name)));
      expect(owners.map(({ uid, gid }) => `${uid}:${gid}`)).toEqual(owners.map(() => `${PUID}:${PGID}`));
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
