/** The check that a request is about, and the answer that shows it. */
import type { Deps } from "../deps.ts";
import { problem } from "../http/problem.ts";
import { json, NO_STORE } from "../http/respond.ts";
import { baseUrl } from "../http/urls.ts";
import type { Principal } from "../keys/auth.ts";
import { allows } from "../keys/key.ts";
import type { Check } from "./check.ts";
import { checkJson, type Seen } from "./json.ts";
import { type OwnerAsked, shown } from "../tokens/shown.ts";
import type { Tokens } from "../tokens/tokens.ts";
import { isToken } from "./token.ts";

export type CheckDeps = Pick<Deps, "config" | "clock" | "store" | "limits" | "keyUse" | "log"> & {
  tokens: () => Promise<Tokens>;
};

/** The check that a key holder means. @throws Problem 404 `unknown_check` */
export async function ownCheck({ deps, principal, params: { id } }: OwnerAsked): Promise<Check> {
  const { namespaceId } = principal;
  const check = isToken(id) ? await deps.store.checks.find({ namespaceId, id }) : undefined;
  if (check === undefined) throw problem.unknownCheck();
  return check;
}

/** What a key holder may see of a check: a key that only reads gets no tokens, and so no URL that could change anything. */
export const seen = async (deps: CheckDeps, request: Request, principal: Principal): Promise<Seen> =>
  allows(principal, "full") ? shown(deps, request) : { now: deps.clock.now(), base: baseUrl(deps, request) };

/** Answers with the check. Its record contains the ping URL, so no cache may keep it. */
export const answerCheck = async (deps: CheckDeps, request: Request, check: Check, status = 200): Promise<Response> =>
  json(checkJson(check, await shown(deps, request)), status, NO_STORE);
