/**
 * Puts programs of Debian's unstable release, which run on the stable one, into a folder of their own: `bun test/tools.ts deb
 * FOLDER`. Nothing is installed: the package is unpacked, and `bin/` has a link to the program.
 */
import { mkdir, rm, symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { currentPackages } from "../src/build/image/apt.ts";
import { fetchPackage, type Package } from "../src/build/image/packages.ts";

/** A package, as it was at a time in the form of snapshot.debian.org; a later one is taken where that is gone. */
export interface Deb extends Package {
  at: string;
  /** What its program is called here, where the stable release has one of the same name. */
  as?: string;
}

/** @throws Error in words if the package cannot be had or unpacked */
export async function unpackDeb(deb: Deb, folder: string): Promise<void> {
  const file = await fetchPackage(deb, deb.at).catch(async (gone: unknown) => {
    const [current] = await currentPackages("amd64", ["debian sid"], [deb.name]);
    if (current === undefined) throw gone;
    return fetchPackage(current, deb.at);
  });
  const [bin, root] = [join(resolve(folder), "bin"), join(resolve(folder), "debs", deb.name)];
  await mkdir(root, { recursive: true });
  await mkdir(bin, { recursive: true });
  const unpacked = Bun.spawnSync(["dpkg-deb", "-x", file, root]);
  if (!unpacked.success) throw new Error(`dpkg-deb could not unpack ${file}: ${unpacked.stderr.toString()}`);
  const link = join(bin, deb.as ?? deb.name);
  await rm(link, { force: true });
  await symlink(join(root, "usr/bin", deb.name), link);
}
