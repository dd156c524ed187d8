/** The apps that have signed in: made with a password or an API key, seen and ended where sessions and keys are. */
import { Type } from "@sinclair/typebox";
import { clientsOf, openClient } from "../accounts/clients.ts";
import type { Session } from "../accounts/session.ts";
import type { Deps } from "../deps.ts";
import { Problem, problem } from "../http/problem.ts";
import { text } from "../util/schema.ts";
import { isVisible } from "../util/text/visible.ts";
import { clientJson, numberOf } from "./json.ts";
import type { Reader, ReaderDeps } from "./reader.ts";
import { tokenOfKey } from "./token.ts";

/** The app proposes the model of the phone. */
export const NewClient = Type.Object({ name: text({ maxLength: 100 }) });

/** @throws Problem 401 if the password has been changed meanwhile, 403 for a token: it makes no other */
export async function makeClient(deps: ReaderDeps, request: Request, reader: Reader, given: string): Promise<object> {
  if (reader.kind === "key") return clientJson(reader.key, await tokenOfKey(deps, reader.key));
  const { person, passwordHash } = reader;
  if (passwordHash === undefined)
    throw new Problem("insufficient_scope", "Only a name and password make a client token; a client token makes none.");
  const name = given.trim();
  const made = await openClient(deps, request, person, { name: isVisible(name) ? name : "", passwordHash });
  if (made === undefined) throw new Problem("invalid_key", "The password was changed in the meantime. Sign in again.");
  return clientJson(made.session, made.token);
}

/** A token is shown only to the client that asks with it, which finds itself by it. */
export async function listClients(deps: Pick<Deps, "store">, reader: Reader): Promise<object[]> {
  if (reader.kind === "key") return [clientJson(reader.key, reader.token)];
  const { person, session, token } = reader;
  return (await clientsOf(deps, person)).map((one) => clientJson(one, one.id === session?.id ? token : undefined));
}

/**
 * Ends the client with this number; without one, the client that asks. A token, which a proxy's log may have, ends no other.
 * @throws Problem 403, also for a key: another program may use it too; 404
 */
export async function endClient(deps: Pick<Deps, "store">, reader: Reader, id?: string): Promise<void> {
  if (reader.kind === "key")
    throw new Problem(
      "insufficient_scope",
      "This client is an API key. Revoke the key, on the dashboard or by `peal keys`.",
    );
  const { person, session: own } = reader;
  const isNamed = (one: Session) => String(numberOf(one.id)) === id;
  if (own !== undefined && id !== undefined && !isNamed(own))
    throw new Problem("insufficient_scope", "A client token signs out only its own app. Use the dashboard for others.");
  const client = own ?? (await clientsOf(deps, person)).find(isNamed);
  if (client === undefined || !(await deps.store.accounts.close(person.id, client.id)))
    throw problem.notFound("No client has this id. It may have been signed out already.");
}
