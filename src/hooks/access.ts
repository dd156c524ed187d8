/** Finds the hook that a request is about, and answers it. */
import type { Deps } from "../deps.ts";
import { problem } from "../http/problem.ts";
import { json, NO_STORE } from "../http/respond.ts";
import { type OwnerAsked, shown } from "../tokens/shown.ts";
import type { Tokens } from "../tokens/tokens.ts";
import type { Hook } from "./hook.ts";
import { hookJson } from "./json.ts";

export type HookDeps = Pick<Deps, "config" | "clock" | "store" | "limits" | "keyUse" | "log" | "answers"> & {
  tokens: () => Promise<Tokens>;
};

/** The hook that a key holder names. @throws Problem 404 `unknown_hook` */
export async function ownHook({ deps, principal, params }: OwnerAsked): Promise<Hook> {
  const hook = await deps.store.hooks.find(principal.namespaceId, params.id);
  if (hook === undefined) throw problem.unknownHook();
  return hook;
}

/** The answer has the URL in it, so no cache may keep it. */
export const answerHook = async (deps: HookDeps, request: Request, hook: Hook, status = 200): Promise<Response> =>
  json(hookJson(hook, await shown(deps, request)), status, NO_STORE);
