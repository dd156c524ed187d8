/**
 * Apps of a person: each signs in once with the password and then has a token. It is a session, so that it is listed, ends and
 * expires as one, but its hash is made in another way: the token opens no page, and a cookie is no token.
 */
import type { Deps } from "../deps.ts";
import { contextOf } from "../http/context.ts";
import { sessionSecret, sha256 } from "../util/ids.ts";
import { appAgent, appName } from "./agent.ts";
import type { Person } from "./person.ts";
import { noteSession } from "./seen.ts";
import type { Session } from "./session.ts";

const hashOf = (token: string): string => sha256(`client ${token}`);

/** Undefined: the person is gone, or `passwordHash`, which the password matched, is no longer theirs. */
export async function openClient(
  { store }: Pick<Deps, "store">,
  request: Request,
  { id: personId }: Pick<Person, "id">,
  { name, passwordHash }: { name: string; passwordHash: string },
): Promise<{ token: string; session: Session } | undefined> {
  const token = `C${sessionSecret()}`;
  const { address } = contextOf(request);
  const session = await store.accounts.open({
    ...{ personId, hash: hashOf(token), address, agent: appAgent(name), passwordHash },
  });
  return session && { token, session };
}

/** Whose app has this token; undefined: nobody's, or no longer. */
export async function clientBy(
  deps: Pick<Deps, "store" | "clock" | "log">,
  request: Request,
  token: string,
): Promise<{ session: Session; person: Person } | undefined> {
  const found = await deps.store.accounts.bySession(hashOf(token));
  if (found !== undefined)
    noteSession(deps, found.session, { address: contextOf(request).address, agent: found.session.agent });
  return found;
}

/** The person's apps, the latest seen first. */
export const clientsOf = async ({ store }: Pick<Deps, "store">, { id }: Pick<Person, "id">): Promise<Session[]> =>
  (await store.accounts.sessions(id)).filter((session) => appName(session) !== undefined);
