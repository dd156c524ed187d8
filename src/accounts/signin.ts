/** Signing in, confirming and signing out: plain functions of the pages (WEB.md §1). */
import type { Deps } from "../deps.ts";
import { contextOf } from "../http/context.ts";
import { sessionSecret as newSecret, sha256 } from "../util/ids.ts";
import { agentOf } from "./agent.ts";
import { attempt, byPassword, refused, type AttemptDeps, type Refused } from "./attempt.ts";
import { sessionCookie, sessionSecret } from "./cookie.ts";
import type { Person } from "./person.ts";
import type { Tryer } from "./tries.ts";
import type { Visitor } from "./visitor.ts";

type SignInDeps = Pick<Deps, "config"> & AttemptDeps;

/**
 * Opens a session for somebody who knows the password, in the `Set-Cookie` that is returned.
 * @throws Problem 429 after too many failed tries, 503 `sign_in_busy` if too many passwords wait to be checked
 */
export async function signIn(
  deps: SignInDeps,
  request: Request,
  name: string,
  password: string,
): Promise<{ kind: "signed_in"; cookie: string } | Refused> {
  const found = await byPassword(deps, request, name, password);
  if (found.kind === "refused") return found;
  const { person, passwordHash, tried } = found;
  const cookie = await startSession(deps, request, person, passwordHash);
  if (cookie === undefined) return refused(deps, request, tried);
  tried.giveBack();
  deps.log.info("signed in", { person: person.id, client: contextOf(request).address });
  return { kind: "signed_in", cookie };
}

/** The password once more: for 10 minutes from now `requireConfirmed` lets the session pass. @throws Problem 429, 503 */
export async function confirm(
  deps: SignInDeps,
  request: Request,
  { person, sessionId }: Visitor,
  password: string,
): Promise<{ kind: "confirmed" } | Refused> {
  const known = await deps.store.accounts.byName(person.name);
  const hash = known?.person.id === person.id ? known.passwordHash : undefined;
  const tryer: Tryer = { kind: "known", who: `session ${sessionId ?? person.id}` };
  const { tried, isRight } = await attempt(deps, request, tryer, { password, hash });
  if (!isRight || sessionId === undefined || !(await deps.store.accounts.confirm(sessionId)))
    return refused(deps, request, tried);
  tried.giveBack();
  return { kind: "confirmed" };
}

/**
 * Signs a person in: returns the `Set-Cookie` of a new session, whatever cookie came with the request; that cookie's session
 * ends. Undefined: the person is gone, or `passwordHash`, which the password matched, is no longer theirs.
 */
export async function startSession(
  deps: Pick<Deps, "config" | "store">,
  request: Request,
  { id: personId }: Pick<Person, "id">,
  passwordHash?: string,
): Promise<string | undefined> {
  const { accounts } = deps.store;
  const old = sessionSecret(deps, request);
  const before = old === undefined ? undefined : await accounts.bySession(sha256(old));
  if (before !== undefined) await accounts.close(before.person.id, before.session.id);
  const secret = newSecret();
  const made = await accounts.open({
    ...{ personId, hash: sha256(secret) },
    ...agentOf(request),
    ...(passwordHash !== undefined && { passwordHash }),
  });
  return made && sessionCookie(deps, request, secret);
}

/** Signs out: the `Set-Cookie` by which the browser forgets. Whom a proxy names it names again. */
export async function endSession(
  deps: Pick<Deps, "config" | "store">,
  request: Request,
  visitor: Visitor | undefined,
): Promise<string> {
  if (visitor?.sessionId !== undefined) await deps.store.accounts.close(visitor.person.id, visitor.sessionId);
  return sessionCookie(deps, request);
}
