/** What pages and the command line do to people (WEB.md §1). */
import type { Deps } from "../deps.ts";
import type { NamespaceId } from "../keys/namespace.ts";
import type { NewPerson } from "../store/accounts.ts";
import { sessionSecret, sha256 } from "../util/ids.ts";
import { sessionCookie } from "./cookie.ts";
import type { Person } from "./person.ts";
import { passwordFault, personName, type PasswordFault } from "../names/person.ts";
import { SignInNeeded, type Visitor } from "./visitor.ts";

type PeopleDeps = Pick<Deps, "store" | "passwords">;

/** The faults, by field. */
export interface PersonFaults {
  name?: "wrong" | "taken";
  password?: PasswordFault;
  /** Names that no namespace has; `none`: the person would see nothing. */
  namespaces?: readonly string[] | "none";
  /** The first person is an admin, and the last admin stays one. */
  admin?: "first" | "last";
}
export interface Faulty {
  faults: PersonFaults;
}

export interface PersonSpec {
  name: string;
  /** Absent: only a trusted proxy signs them in. */
  password?: string;
  isAdmin: boolean;
  /** The names of their namespaces; absent: all. */
  namespaces?: readonly string[];
}

/** Absent fields stay. */
export interface PersonChange {
  name?: string;
  isAdmin?: boolean;
  namespaces?: readonly string[] | "all";
}

/** The name in its one form, if it can be a name, and what is wrong with it and with the password. */
export function ownerOf({ name: typed, password }: Pick<PersonSpec, "name" | "password">): {
  name: string | undefined;
  faults: Pick<PersonFaults, "name" | "password">;
} {
  const name = personName(typed);
  const fault = password === undefined ? undefined : passwordFault(password);
  return {
    name,
    faults: { ...(name === undefined && { name: "wrong" }), ...(fault !== undefined && { password: fault }) },
  };
}

/** Makes a person; the first one has to be an admin. */
export async function addPerson({ store, passwords }: PeopleDeps, spec: PersonSpec): Promise<Person | Faulty> {
  const { name, faults } = ownerOf(spec);
  const { ids, faults: unknown } = await namespacesOf(store, spec.namespaces);
  const wrong: PersonFaults = {
    ...{ ...faults, ...unknown },
    ...(!spec.isAdmin && !store.setup.state().claimed && { admin: "first" }),
  };
  if (name === undefined || Object.keys(wrong).length > 0) return { faults: wrong };
  const person: NewPerson = {
    name,
    isAdmin: spec.isAdmin,
    ...(ids !== undefined && { namespaces: ids }),
    ...(spec.password !== undefined && { passwordHash: await passwords.hash(spec.password) }),
  };
  const made = await store.accounts.create(person);
  return made === "name_taken" ? { faults: { name: "taken" } } : made;
}

/** Undefined if there is no such person. */
export async function changePerson(
  { store }: Pick<Deps, "store">,
  id: string,
  change: PersonChange,
): Promise<Person | Faulty | undefined> {
  const name = change.name === undefined ? undefined : personName(change.name);
  const { ids, faults } = await namespacesOf(store, change.namespaces === "all" ? undefined : change.namespaces);
  if (change.name !== undefined && name === undefined) return { faults: { ...faults, name: "wrong" } };
  if (faults.namespaces !== undefined) return { faults };
  const changed = await store.accounts.change(id, {
    ...(name !== undefined && { name }),
    ...(change.isAdmin !== undefined && { isAdmin: change.isAdmin }),
    ...(change.namespaces !== undefined && { namespaces: ids ?? "all" }),
  });
  if (changed === "name_taken") return { faults: { name: "taken" } };
  return changed === "last_admin" ? { faults: { admin: "last" } } : changed;
}

/** False if there is no such person. */
export async function removePerson({ store }: Pick<Deps, "store">, id: string): Promise<boolean | Faulty> {
  const removed = await store.accounts.remove(id);
  return removed === "last_admin" ? { faults: { admin: "last" } } : removed;
}

/** Gives somebody a new password, or none: they are signed out everywhere. False if there is no such person. */
export async function setPassword(
  { store, passwords }: PeopleDeps,
  id: string,
  password: string | undefined,
): Promise<boolean | Faulty> {
  const fault = password === undefined ? undefined : passwordFault(password);
  if (fault !== undefined) return { faults: { password: fault } };
  return store.accounts.setPassword(id, password === undefined ? undefined : await passwords.hash(password));
}

/**
 * Gives the visitor a new password: every other session ends, and this one continues under a new secret, in the `Set-Cookie` that
 * is returned; undefined for somebody whom a proxy signs in.
 * @throws SignInNeeded if the session ended while the password was hashed
 */
export async function changeOwnPassword(
  deps: Pick<Deps, "config"> & PeopleDeps,
  request: Request,
  { person, sessionId }: Visitor,
  password: string,
): Promise<{ cookie?: string } | Faulty> {
  const fault = passwordFault(password);
  if (fault !== undefined) return { faults: { password: fault } };
  const secret = sessionSecret();
  const keep = sessionId === undefined ? undefined : { sessionId, hash: sha256(secret) };
  const hash = await deps.passwords.hash(password);
  if (!(await deps.store.accounts.setPassword(person.id, hash, keep))) throw new SignInNeeded();
  return keep === undefined ? {} : { cookie: sessionCookie(deps, request, secret) };
}

async function namespacesOf(
  { namespaces }: Deps["store"],
  names: readonly string[] | undefined,
): Promise<{ ids?: NamespaceId[]; faults: PersonFaults }> {
  if (names === undefined) return { faults: {} };
  const known = new Map((await namespaces.list()).map(({ name, id }) => [name, id]));
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length > 0) return { faults: { namespaces: unknown } };
  return { ids: [...new Set(names)].flatMap((name) => known.get(name) ?? []), faults: {} };
}
