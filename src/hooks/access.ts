/** Who may do what with which hook: a key of its namespace with scope `full`. */
import type { Deps } from "../deps.ts";
import { authorize, type Principal } from "../keys/auth.ts";
import { problem } from "../http/problem.ts";
import { json, NO_STORE } from "../http/respond.ts";
import { baseUrl } from "../http/urls.ts";
import type { Tokens } from "../tokens/tokens.ts";
import type { Hook } from "./hook.ts";
import { hookJson, type Shown } from "./json.ts";

export type HookDeps = Pick<Deps, "config" | "clock" | "store" | "limits" | "keyUse" | "log" | "answers"> & {
  tokens: () => Promise<Tokens>;
};

export interface HookPath {
  ns: string;
  /** Null where its escapes are broken, whatever its type says. */
  id: string | null;
}

/** The hook that a key holder means. @throws Problem 401, 403, 404 `unknown_hook` */
export async function ownHook(
  deps: HookDeps,
  request: Request,
  { ns, id }: HookPath,
): Promise<{ principal: Principal; hook: Hook }> {
  const principal = await authorize(deps, request, ns, "full");
  const hook = await deps.store.hooks.find(principal.namespaceId, id ?? "");
  if (hook === undefined) throw problem.unknownHook();
  return { principal, hook };
}

/** It has the URL in it: no cache may keep it. */
export const answerHook = async (deps: HookDeps, request: Request, hook: Hook, status = 200): Promise<Response> =>
  json(hookJson(hook, await shown(deps, request)), status, NO_STORE);

export const shown = async (deps: HookDeps, request: Request): Promise<Shown> => ({
  now: deps.clock.now(),
  base: baseUrl(deps, request),
  tokens: await deps.tokens(),
});
