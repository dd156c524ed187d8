/** Asks apt for packages of Debian, which are not installed: it checks Debian's signatures, in a folder of its own. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Package, Platform } from "./packages.ts";

const KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg";
const MIRROR = "http://deb.debian.org";

/**
 * The current packages of these names. `suites`: such as `debian bookworm`. Needs Debian or Ubuntu, and debian-archive-keyring.
 * @throws Error if apt cannot be asked or does not know all of them
 */
export async function currentPackages(
  platform: Platform,
  suites: readonly string[],
  names: readonly string[],
): Promise<Package[]> {
  const folder = await mkdtemp(join(tmpdir(), "peal-apt-"));
  try {
    for (const part of [
      "etc/apt/preferences.d",
      "etc/apt/apt.conf.d",
      "var/lib/apt/lists/partial",
      "var/cache/apt/archives/partial",
    ])
      await mkdir(join(folder, part), { recursive: true });
    const sources = suites.map((suite) => `deb [signed-by=${KEYRING}] ${MIRROR}/${suite} main\n`);
    await writeFile(join(folder, "etc/apt/sources.list"), sources.join(""));
    await apt(folder, platform, "update", "-qq");
    const said = await apt(folder, platform, "download", "--print-uris", ...names);
    const found = [...said.matchAll(/^'http:\/\/[^/]+\/(\S+)' ([^_]+)_\S+ \d+ SHA256:([0-9a-f]{64})$/gm)];
    const packages = found.map(([, path = "", name = "", sha256 = ""]) => ({ name, path, sha256 }));
    if (packages.length !== names.length) throw new Error(`apt-get said something else than expected:\n${said}`);
    return packages.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Runs apt-get for a platform, in its own folder. Resolves to what it prints. */
async function apt(folder: string, platform: Platform, ...words: string[]): Promise<string> {
  const options = [`Dir=${folder}`, "Dir::State::status=/dev/null", `APT::Architecture=${platform}`].concat([
    `APT::Architectures::=${platform}`,
    "Acquire::Languages=none",
    "APT::Sandbox::User=root",
  ]);
  const command = ["apt-get", ...options.flatMap((option) => ["-o", option]), ...words];
  const child = Bun.spawn(command, {
    stdio: ["ignore", "pipe", "inherit"],
    env: { PATH: process.env["PATH"], LC_ALL: "C" },
  });
  const said = await child.stdout.text();
  if ((await child.exited) !== 0) throw new Error(`apt-get ${words.join(" ")} failed`);
  return said;
}
