/** The first admin, if none is made on the set-up page (WEB.md §2). */
import { addPerson } from "./people.ts";
import type { Deps } from "../deps.ts";
import { withdrawSetupCode } from "./setup-code-file.ts";

type FirstDeps = Pick<Deps, "config" | "store" | "log">;

/** PEAL_ADMIN_PASSWORD is read only while there is no admin: a restart does not restore one that was changed. */
export async function ensureFirstAdmin(deps: FirstDeps & Pick<Deps, "passwords">): Promise<void> {
  const { adminName: name, adminPassword: password } = deps.config;
  if (password === undefined || deps.store.setup.state().claimed) return;
  const made = await addPerson(deps, { name, password, isAdmin: true });
  if ("faults" in made) deps.log.warn("PEAL_ADMIN_PASSWORD is not used: somebody else has the name of PEAL_ADMIN_NAME");
  else await settleFirstAdmin(deps);
}

/** There is an admin now: a namespace to begin with, and no code that makes another. */
export async function settleFirstAdmin(deps: FirstDeps): Promise<void> {
  if ((await deps.store.namespaces.list()).length === 0) await deps.store.namespaces.create(deps.config.adminNamespace);
  await withdrawSetupCode(deps);
}
