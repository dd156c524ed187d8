/** package-lock.json: the packages that a commit is built from. */
import { join } from "node:path";
import { ROOT } from "../compile.ts";

/** An entry of `packages`; its key is where npm installs it (https://docs.npmjs.com/cli/configuring-npm/package-lock-json). */
export interface LockedPackage {
  version?: string;
  /** Subresource Integrity of the package's file: `sha512-` and base64. */
  integrity?: string;
  license?: string;
  /** For tools and tests only. */
  dev?: boolean;
  /** For these, and for whoever wants what our own packages can do without. */
  devOptional?: boolean;
  optional?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

export interface Lockfile {
  name: string;
  version: string;
  packages: Record<string, LockedPackage>;
}

export const readLockfile = async (): Promise<Lockfile> =>
  (await Bun.file(join(ROOT, "package-lock.json")).json()) as Lockfile;

/** Packages in node_modules that are not those of the lock file, as `name version`. npm notes there what it has installed. */
export async function notAsLocked({ packages }: Lockfile): Promise<string[]> {
  const installed = (await Bun.file(join(ROOT, "node_modules/.package-lock.json")).json()) as Lockfile;
  return Object.entries(installed.packages)
    .filter(([path, { integrity }]) => packages[path]?.integrity !== integrity)
    .map(([path, { version = "" }]) => `${path} ${version}`);
}
