/** The one-time set-up code: a file that only the operator can read, and its hash in the store (WEB.md §2). */
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Deps } from "../deps.ts";
import { setupCode, sha256 } from "../util/ids.ts";

type SetupDeps = Pick<Deps, "config" | "store">;

const fileOf = ({ config }: Pick<SetupDeps, "config">): string => join(config.dataDir, "setup-code");

/** Makes a new code, which replaces an earlier one, in the file too. */
export async function makeSetupCode(deps: SetupDeps): Promise<string> {
  const code = setupCode();
  await deps.store.setup.offer(sha256(code));
  rmSync(fileOf(deps), { force: true }); // a mode is given only to a file that is made
  writeFileSync(fileOf(deps), `${code}\n`, { mode: 0o600 });
  return code;
}

/** The code that claims this server, a new one when its file is lost; `undefined` once somebody has claimed it. */
export async function setupCodeOf(deps: SetupDeps): Promise<string | undefined> {
  if (deps.store.setup.state().claimed) return undefined;
  try {
    return readFileSync(fileOf(deps), "utf8").trim();
  } catch {
    return makeSetupCode(deps);
  }
}

/** The code has done its work. */
export function forgetSetupCode(deps: Pick<SetupDeps, "config">): void {
  rmSync(fileOf(deps), { force: true });
}

/** Ends the code; `setupCodeOf` makes the next one. */
export async function withdrawSetupCode(deps: SetupDeps): Promise<void> {
  await deps.store.setup.withdraw();
  forgetSetupCode(deps);
}
