/**
 * `npm run base`: asks apt for the current Debian packages of the image, for both platforms, and writes packages.json. Needs Debian
 * or Ubuntu, and debian-archive-keyring.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../util/clock.ts";
import { currentPackages } from "./apt.ts";
import { PLATFORMS, type Base } from "./packages.ts";

/** glibc and what it loads, zone data, certificates, names of services, and what names the system to scanners. */
const NAMES = ["base-files", "ca-certificates", "gcc-12-base", "libc6", "libgcc-s1", "netbase", "tzdata"];

const RELEASE = "bookworm";
const SUITES = [`debian ${RELEASE}`, `debian ${RELEASE}-updates`, `debian-security ${RELEASE}-security`];

const now = `${new Date(systemClock.now()).toISOString().replaceAll(/[-:]|\..*/g, "")}Z`;
const packages = Object.fromEntries(
  await Promise.all(
    PLATFORMS.map(async (platform) => [platform, await currentPackages(platform, SUITES, NAMES)] as const),
  ),
) as Base["packages"];
const base: Base = { at: now, packages };
await writeFile(join(import.meta.dir, "packages.json"), `${JSON.stringify(base, null, 2)}\n`);
