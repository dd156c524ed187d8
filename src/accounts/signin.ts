/** Signing in, confirming and signing out: plain functions of the pages (WEB.md §1). */
import type { Deps } from "../deps.ts";
import { network } from "../http/address.ts";
import { logRefusal } from "../keys/auth.ts";
import { contextOf, whileWaiting } from "../http/context.ts";
import { LOCAL } from "../http/limits.ts";
import { foldName } from "../store/accounts.ts";
import { sessionSecret as newSecret, sha256 } from "../util/ids.ts";
import { agentOf } from "./agent.ts";
import { sessionCookie, sessionSecret } from "./cookie.ts";
import type { Person } from "./person.ts";
import type { Try, Tryer } from "./tries.ts";
import type { Visitor } from "./visitor.ts";

type SignInDeps = Pick<Deps, "config" | "store" | "tries" | "passwords" | "log">;

/** `left`: tries that the address has at once; absent: no limit. */
export type Refused = { kind: "refused"; left?: number };

/**
 * Opens a session for somebody who knows the password, in the `Set-Cookie` that is returned. Takes the same time and gives the
 * same answer whether or not there is such a person.
 * @throws Problem 429 after too many failed tries, 503 `sign_in_busy` if too many passwords wait to be checked
 */
export async function signIn(
  deps: SignInDeps,
  request: Request,
  name: string,
  password: string,
): Promise<{ kind: "signed_in"; cookie: string } | Refused> {
  const { address } = contextOf(request);
  const known = await deps.store.accounts.byName(name);
  const tryer: Tryer =
    (known && (await knownAt(deps, known.person, address))) ??
    (address === LOCAL ? { kind: "known", who: LOCAL } : { kind: "stranger", address, name: sha256(foldName(name)) });
  const { tried, isRight } = await attempt(deps, request, tryer, { password, hash: known?.passwordHash });
  if (!isRight || known === undefined) return refused(deps, request, tried);
  const cookie = await startSession(deps, request, known.person, known.passwordHash);
  if (cookie === undefined) return refused(deps, request, tried);
  tried.giveBack();
  deps.log.info("signed in", { person: known.person.id, client: address });
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

/** Whether the password is right. It counts as a try while it is looked at, and not if nobody could look. */
async function attempt(
  { tries, passwords }: Pick<Deps, "tries" | "passwords">,
  request: Request,
  tryer: Tryer,
  { password, hash }: { password: string; hash: string | undefined },
): Promise<{ tried: Try; isRight: boolean }> {
  const tried = tries.take(tryer);
  try {
    const look = async () => passwords.isRight(password, hash, tryer, request.signal);
    return { tried, isRight: await whileWaiting(request, look) };
  } catch (error) {
    tried.giveBack();
    throw error;
  }
}

/** Guessing a name from many addresses does not keep its person out where they are signed in. */
async function knownAt({ store }: Pick<Deps, "store">, { id }: Person, address: string): Promise<Tryer | undefined> {
  const home = network(address);
  const sessions = await store.accounts.sessions(id);
  return sessions.some((session) => network(session.address) === home)
    ? { kind: "known", who: `${id} at ${home}`, address }
    : undefined;
}

function refused(deps: Pick<Deps, "log">, request: Request, { left }: Try): Refused {
  logRefusal(deps, request, "wrong_password");
  return { kind: "refused", ...(left !== undefined && { left }) };
}
