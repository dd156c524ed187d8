/** Asks whether somebody knows a person's password: at the login page, and for Gotify's apps (WEB.md §1). */
import type { Deps } from "../deps.ts";
import { network } from "../http/address.ts";
import { contextOf, whileWaiting } from "../http/context.ts";
import { LOCAL } from "../http/limits.ts";
import { logRefusal } from "../keys/auth.ts";
import { foldName } from "../store/accounts.ts";
import { sha256 } from "../util/ids.ts";
import type { Person } from "./person.ts";
import type { Try, Tryer } from "./tries.ts";

export type AttemptDeps = Pick<Deps, "store" | "tries" | "passwords" | "log">;

/** `left`: tries that the address has at once; absent: no limit. */
export type Refused = { kind: "refused"; left?: number };

/** The password was right. `passwordHash`: what it matched; a session is opened only while it is still the person's. */
interface Known {
  kind: "known";
  person: Person;
  passwordHash: string | undefined;
  /** Given back once what the password was for has worked: then it does not count as a failed try. */
  tried: Try;
}

/**
 * The person of this name and password. Takes the same time and gives the same answer whether or not there is such a person.
 * @throws Problem 429 after too many failed tries, 503 `sign_in_busy` if too many passwords wait to be checked
 */
export async function byPassword(
  deps: AttemptDeps,
  request: Request,
  name: string,
  password: string,
): Promise<Known | Refused> {
  const { address } = contextOf(request);
  const known = await deps.store.accounts.byName(name);
  const tryer: Tryer =
    (known && (await knownAt(deps, known.person, address))) ??
    (address === LOCAL ? { kind: "known", who: LOCAL } : { kind: "stranger", address, name: sha256(foldName(name)) });
  const { tried, isRight } = await attempt(deps, request, tryer, { password, hash: known?.passwordHash });
  if (!isRight || known === undefined) return refused(deps, request, tried);
  return { kind: "known", person: known.person, passwordHash: known.passwordHash, tried };
}

/** Whether the password is right. It counts as a try while it is looked at, and not if nobody could look. */
export async function attempt(
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

export function refused(deps: Pick<Deps, "log">, request: Request, { left }: Try): Refused {
  logRefusal(deps, request, "wrong_password");
  return { kind: "refused", ...(left !== undefined && { left }) };
}

/** Guessing a name from many addresses does not keep its person out where they are signed in. */
async function knownAt({ store }: Pick<Deps, "store">, { id }: Person, address: string): Promise<Tryer | undefined> {
  const home = network(address);
  const sessions = await store.accounts.sessions(id);
  return sessions.some((session) => network(session.address) === home)
    ? { kind: "known", who: `${id} at ${home}`, address }
    : undefined;
}
