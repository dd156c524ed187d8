/**
 * `npm run base`: asks apt for the current Debian packages of the image and writes packages.json. apt checks Debian's
 * signatures, for both platforms, in a folder of its own. Needs Debian or Ubuntu, and debian-archive-keyring.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../util/clock.ts";
import { PLATFORMS, type Base, type Package, type Platform } from "./packages.ts";

/** glibc and what it loads, zone data, certificates, names of services, and what names the system to scanners. */
const NAMES = ["base-files", "ca-certificates", "gcc-12-base", "libc6", "libgcc-s1", "netbase", "tzdata"];

const RELEASE = "bookworm";
const KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg";
const MIRROR = "http://deb.debian.org";
const SOURCES = [`debian ${RELEASE}`, `debian ${RELEASE}-updates`, `debian-security ${RELEASE}-security`]
  .map((source) => `deb [signed-by=${KEYRING}] ${MIRROR}/${source} main\n`)
  .join("");

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

async function current(platform: Platform): Promise<Package[]> {
  const folder = await mkdtemp(join(tmpdir(), "peal-apt-"));
  try {
    for (const part of [
      "etc/apt/preferences.d",
      "etc/apt/apt.conf.d",
      "var/lib/apt/lists/partial",
      "var/cache/apt/archives/partial",
    ])
      await mkdir(join(folder, part), { recursive: true });
    await writeFile(join(folder, "etc/apt/sources.list"), SOURCES);
    await apt(folder, platform, "update", "-qq");
    const said = await apt(folder, platform, "download", "--print-uris", ...NAMES);
    const found = [...said.matchAll(/^'http:\/\/[^/]+\/(\S+)' ([^_]+)_\S+ \d+ SHA256:([0-9a-f]{64})$/gm)];
    const packages = found.map(([, path = "", name = "", sha256 = ""]) => ({ name, path, sha256 }));
    if (packages.length !== NAMES.length) throw new Error(`apt-get said something else than expected:\n${said}`);
    return packages.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } finally {
    await rm(folder, { recursive: true });
  }
}

const now = `${new Date(systemClock.now()).toISOString().replaceAll(/[-:]|\..*/g, "")}Z`;
const packages = Object.fromEntries(
  await Promise.all(PLATFORMS.map(async (platform) => [platform, await current(platform)] as const)),
) as Base["packages"];
const base: Base = { at: now, packages };
await writeFile(join(import.meta.dir, "packages.json"), `${JSON.stringify(base, null, 2)}\n`);
