/** Bun for other machines, as npm packages: each is taken only if its bytes have the hash that package-lock.json has. */
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { ROOT } from "../compile.ts";
import type { Lockfile } from "./lockfile.ts";

const CACHE = join(ROOT, "node_modules/.cache/peal-release");

/** Puts the executable of the package into `folder`. @throws Error when npm has none, or has other bytes */
export async function fetchRuntime(name: string, { packages }: Lockfile, folder: string): Promise<string> {
  const locked = packages[`node_modules/${name}`];
  if (locked?.version === undefined || locked.integrity === undefined)
    throw new Error(`package-lock.json has no ${name}`);
  const archive = join(CACHE, `${name.replace("@", "").replace("/", "-")}-${locked.version}.tgz`);
  if (!existsSync(archive)) await pack(`${name}@${locked.version}`);
  const bytes = await readFile(archive);
  if (!hasIntegrity(bytes, locked.integrity))
    throw new Error(`${archive} is not what package-lock.json says of ${name}. Delete it and try again.`);
  const runtime = join(folder, basename(name));
  await Bun.write(runtime, await executableIn(bytes));
  await chmod(runtime, 0o755);
  return runtime;
}

/** Whether the bytes have this hash (https://www.w3.org/TR/SRI). */
export const hasIntegrity = (bytes: Uint8Array, integrity: string): boolean =>
  integrity === `sha512-${Bun.SHA512.hash(bytes, "base64")}`;

async function pack(spec: string): Promise<void> {
  await mkdir(CACHE, { recursive: true });
  const npm = Bun.spawn(["npm", "pack", "--silent", "--pack-destination", CACHE, spec], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  if ((await npm.exited) !== 0) throw new Error(`npm could not fetch ${spec}`);
}

async function executableIn(archive: Uint8Array<ArrayBuffer>): Promise<File> {
  const files = await new Bun.Archive(archive).files("package/bin/*");
  const [executable] = files.values();
  if (executable === undefined || files.size > 1) throw new Error("a package of Bun has one executable");
  return executable;
}
