/**
 * The secret that the URLs of pings and hooks are derived from, and that seals what forwards hold: a file that only the operator
 * can read (docs/durability.md).
 */
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import type { Deps } from "../deps.ts";
import { base32, randomBytes } from "../util/ids.ts";
import { synced } from "../util/synced.ts";
import { createSeal, type Seal } from "./seal.ts";
import { createTokens, type Tokens } from "./tokens.ts";

type SecretDeps = Pick<Deps, "config" | "store" | "log">;

/** Reads the secret when it is first needed, and makes one if there is none. @throws Error if the file is damaged */
export function tokensOf(deps: SecretDeps): () => Promise<Tokens> {
  let tokens: Tokens | undefined;
  return async () => (tokens ??= createTokens(read(deps) ?? (await make(deps))));
}

/** Reads the secret when it is first needed, and makes one if there is none. @throws Error if the file is damaged */
export function sealOf(deps: SecretDeps): () => Promise<Seal> {
  let seal: Seal | undefined;
  return async () => (seal ??= createSeal(read(deps) ?? (await make(deps))));
}

/** Puts another server's secret in place, for a server that has none. True: this is its secret now, or was before. */
export async function adoptSecret(deps: SecretDeps, hex: string, isDry: boolean): Promise<boolean> {
  const bytes = Buffer.from(hex, "hex");
  if (bytes.length !== BYTES) return false;
  const known = read(deps) ?? (isDry ? bytes : await make(deps, bytes));
  return Buffer.compare(known, bytes) === 0;
}

/** The secret in hexadecimal; undefined if the server has none yet. */
export const secretText = (deps: Pick<SecretDeps, "config">): string | undefined => {
  const secret = read(deps);
  return secret && Buffer.from(secret).toString("hex");
};

const BYTES = 32;

const fileOf = ({ config }: Pick<SecretDeps, "config">): string => join(config.dataDir, "secret");

function read(deps: Pick<SecretDeps, "config">): Uint8Array | undefined {
  const path = fileOf(deps);
  try {
    const secret = readFileSync(path);
    if (secret.length === BYTES) return secret;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  throw new Error(
    `${path} is damaged. Put the copy of a backup in its place, or delete it and rotate all ping URLs and hooks.`,
  );
}

/** Writes the file whole or not at all, and to disk before a URL is made of it; if two make one at once, the first wins. */
async function make(deps: SecretDeps, bytes = randomBytes(BYTES)): Promise<Uint8Array> {
  const path = fileOf(deps);
  const draft = `${path}.${base32(8)}`;
  const file = openSync(draft, "wx", 0o600);
  try {
    writeSync(file, bytes);
    fsyncSync(file);
    linkSync(draft, path);
    synced(deps.config.dataDir);
    await tellOfLoss(deps);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    closeSync(file);
    rmSync(draft);
  }
  return read(deps) ?? make(deps);
}

async function tellOfLoss({ store, log, config }: SecretDeps): Promise<void> {
  const { byState } = await store.checks.counts();
  const checks = Object.values(byState).reduce((sum, n) => sum + n, 0);
  if (checks > 0 || (await store.hooks.exist()))
    log.warn(
      "the secret of the ping URLs was lost, and of hooks: those that exist work on, and are shown again once rotated",
      {
        checks,
        file: fileOf({ config }),
      },
    );
}
