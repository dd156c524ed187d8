/** The Debian packages of the image, each with the hash of its file: packages.json, which `npm run base` writes. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { sha256 } from "../../util/ids.ts";
import { ROOT } from "../compile.ts";
import locked from "./packages.json" with { type: "json" };

export const PLATFORMS = ["amd64", "arm64"] as const;
export type Platform = (typeof PLATFORMS)[number];

export interface Package {
  name: string;
  /** Below the address of a mirror, such as `debian/pool/main/t/tzdata/….deb`. */
  path: string;
  sha256: string;
}

export interface Base {
  /** The time of the lock in the form of snapshot.debian.org, `20261126T000000Z`. */
  at: string;
  packages: Record<Platform, Package[]>;
}

export const BASE: Base = locked;

const CACHE = join(ROOT, "node_modules/.cache/peal-release");

/** Where the file is: on the mirrors as long as it is current, and in Debian's archive of everything. */
export function addresses(path: string, at: string): string[] {
  const [archive = "", ...rest] = path.split("/");
  return [`http://deb.debian.org/${path}`, `https://snapshot.debian.org/archive/${archive}/${at}/${rest.join("/")}`];
}

/** The package's file, from the first address that has it with its hash. Resolves to its path on this machine. */
export async function fetchPackage({ path, sha256: hash }: Package, at: string): Promise<string> {
  const file = join(CACHE, basename(path));
  const isRight = (bytes: Uint8Array) => sha256(bytes) === hash;
  const kept = await readFile(file).catch(() => undefined);
  if (kept !== undefined && isRight(kept)) return file;
  await mkdir(CACHE, { recursive: true });
  const tried: string[] = [];
  for (const address of addresses(path, at)) {
    const bytes = await download(address);
    if (typeof bytes !== "string" && isRight(bytes)) {
      await writeFile(file, bytes);
      return file;
    }
    tried.push(`${address}: ${typeof bytes === "string" ? bytes : "other bytes than packages.json says"}`);
  }
  throw new Error(
    `a package of the image cannot be had. \`npm run base\` takes the current ones.\n${tried.join("\n")}`,
  );
}

/** The bytes, or why there are none. */
async function download(address: string): Promise<Uint8Array | string> {
  try {
    const response = await fetch(address);
    return response.ok ? await response.bytes() : `answered ${response.status}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
