/** A clean Debian as a folder, and a machine that runs on it: processes, host name and network of its own, with loopback alone. */
import { existsSync, readFileSync, renameSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { IS_CI } from "../tools.ts";
import { eventually } from "./eventually.ts";

/** What the least of Debian does not have, and any machine with systemd has. */
const PACKAGES = "ca-certificates,curl,sudo,systemd";
const SOURCE =
  "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm main";
/** Fetched and unpacked once; delete it for a newer one. */
const ARCHIVE = join(import.meta.dir, "../../node_modules/.cache/peal-test/debian.tar");

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

export interface Debian extends AsyncDisposable {
  /** Its root directory, as a path of this machine. */
  readonly root: string;
  /** A command that starts what follows in its network, but on the files of this machine. */
  readonly inNetwork: readonly string[];
  /** Starts a shell in it, as root, with this as its input. */
  shell(script: string): Bun.Subprocess<Uint8Array, "pipe", "pipe">;
  /** Runs a script to its end, which stops at the first failure. */
  run(script: string): Promise<Ran>;
}

/** Why there can be none here: no mirror, or no right to mount. */
class NoDebian extends Error {}

/** Undefined where there can be none, which is told; in CI an error. `hosts`: further names of the machine. */
export async function debianIfPossible(hosts: readonly string[]): Promise<Debian | undefined> {
  try {
    return await startDebian(hosts);
  } catch (error) {
    if (IS_CI || !(error instanceof NoDebian)) throw error;
    console.log(`left out without a clean Debian: ${error.message}`);
    return undefined;
  }
}

/** @throws NoDebian */
async function startDebian(hosts: readonly string[]): Promise<Debian> {
  if (!existsSync(ARCHIVE)) await makeArchive();
  const folder = await mkdtemp(join(tmpdir(), "peal-debian-"));
  const root = join(folder, "root");
  await mkdir(root);
  // the machine has device files of its own, and not everybody may make them
  const unpacked = Bun.spawnSync(["tar", "-xpf", ARCHIVE, "-C", root, "--numeric-owner", "--exclude=./dev/*"]);
  if (!unpacked.success) throw new NoDebian(unpacked.stderr.toString());
  await writeFile(join(root, "etc/hosts"), `127.0.0.1 localhost debian ${hosts.join(" ")}\n::1 localhost\n`);
  const up = join(root, "run/up");
  const machine = Bun.spawn(
    [
      ...["bwrap", "--unshare-pid", "--unshare-net", "--unshare-uts", "--hostname", "debian", "--as-pid-1"],
      ...["--die-with-parent", "--bind", root, "/", "--dev", "/dev", "--proc", "/proc"],
      ...["sh", "-c", "touch /run/up; exec sleep infinity"],
    ],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  await eventually("the machine", () => existsSync(up) || machine.exitCode !== null);
  if (machine.exitCode !== null) throw new NoDebian("bwrap starts no machine here");
  const first = readFileSync(`/proc/${machine.pid}/task/${machine.pid}/children`, "utf8").trim();
  const enter = ["nsenter", `--target=${first}`, "--mount", "--uts", "--net", "--pid", "--root"];
  const environment = ["HOME=/root", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"];
  const shell = (script: string) =>
    Bun.spawn([...enter, "env", "-i", ...environment, "sh", "-eu"], {
      stdio: [Buffer.from(`cd\n${script}`), "pipe", "pipe"],
    });
  return {
    root,
    inNetwork: ["nsenter", `--net=/proc/${first}/ns/net`],
    shell,
    run: async (script) => {
      const child = shell(script);
      const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
      return { code, stdout, stderr };
    },
    [Symbol.asyncDispose]: async () => {
      machine.kill("SIGKILL"); // and with the first process all others of the machine
      await machine.exited;
      await rm(folder, { recursive: true });
    },
  };
}

async function makeArchive(): Promise<void> {
  await mkdir(dirname(ARCHIVE), { recursive: true });
  const draft = ARCHIVE.replace(".tar", ".new.tar");
  const options = ["--quiet", "--variant=minbase", `--include=${PACKAGES}`];
  // half of the bytes, of no use here
  const left = ["doc", "info", "locale", "man"].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`);
  const child = Bun.spawn(["mmdebstrap", ...options, ...left, "bookworm", draft, SOURCE], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, TMPDIR: dirname(ARCHIVE) }, // the tests' own may be a file system without devices
  });
  const [stderr, code] = await Promise.all([child.stderr.text(), child.exited]);
  if (code !== 0) throw new NoDebian(stderr);
  renameSync(draft, ARCHIVE);
}
