/** Access to checks: by a key of their namespace with scope `full`. */
import type { Deps } from "../deps.ts";
import { authorize, requireStill, type Principal } from "../keys/auth.ts";
import { problem } from "../http/problem.ts";
import { json, NO_STORE } from "../http/respond.ts";
import { baseUrl } from "../http/urls.ts";
import { actOn } from "./act.ts";
import type { Check, OwnerEvent } from "./check.ts";
import { checkJson, type Shown } from "./json.ts";
import type { Tokens } from "../tokens/tokens.ts";
import { isToken } from "./token.ts";

export type CheckDeps = Pick<Deps, "config" | "clock" | "store" | "limits" | "keyUse" | "log"> & {
  tokens: () => Promise<Tokens>;
};

export interface CheckPath {
  ns: string;
  /** Null if its escapes are broken, whatever its type says. */
  id: string | null;
}

/** Finds the check that a key holder means. @throws Problem 401, 403, 404 `unknown_check` */
export async function ownCheck(
  deps: CheckDeps,
  request: Request,
  { ns, id }: CheckPath,
): Promise<{ principal: Principal; check: Check }> {
  const principal = await authorize(deps, request, ns, "full");
  const { namespaceId } = principal;
  const check = id !== null && isToken(id) ? await deps.store.checks.find({ namespaceId, id }) : undefined;
  if (check === undefined) throw problem.unknownCheck();
  return { principal, check };
}

/**
 * Does something to a check and answers with the check after it. `read` reads the body once the key is known. @throws
 * Problem
 */
export async function doTo(
  deps: CheckDeps,
  request: Request,
  path: CheckPath,
  read: () => OwnerEvent | Promise<OwnerEvent>,
): Promise<Response> {
  const { principal, check } = await ownCheck(deps, request, path);
  const event = await read();
  requireStill(deps, request, principal);
  return answerCheck(deps, request, await actOn(deps, check, event));
}

/** Answers with the check. Its record contains the ping URL, so no cache may keep it. */
export const answerCheck = async (deps: CheckDeps, request: Request, check: Check, status = 200): Promise<Response> =>
  json(checkJson(check, await shown(deps, request)), status, NO_STORE);

export const shown = async (deps: CheckDeps, request: Request): Promise<Shown> => ({
  now: deps.clock.now(),
  base: baseUrl(deps, request),
  tokens: await deps.tokens(),
});
