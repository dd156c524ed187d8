/** Keys as a visitor may see and change them. */
import type { Visitor } from "../../../accounts/visitor.ts";
import { SCOPES, type ApiKey, type Scope } from "../../../keys/key.ts";
import type { KeyStore } from "../../../store/keys.ts";
import type { View } from "../../view.ts";
import { shownNamespaces } from "../frame/filter.ts";
import type { Desk } from "../signed-in.ts";

/** A page of more than these would be read by nobody. */
export const MOST_KEYS = 500;

/** Of the namespaces that are shown, the latest first. */
export async function keysOf(keys: Pick<KeyStore, "list">, desk: Desk): Promise<ApiKey[]> {
  const lists = await Promise.all(shownNamespaces(desk).map(async ({ id }) => keys.list(id)));
  return lists.flat().sort((a, b) => b.createdAt - a.createdAt);
}

/** Undefined: there is none, or not for this visitor. */
export async function keyOf(keys: Pick<KeyStore, "list">, desk: Desk, id: string): Promise<ApiKey | undefined> {
  const { namespaces } = desk;
  const lists = await Promise.all(namespaces.map(async (one) => keys.list(one.id)));
  return lists.flat().find((key) => key.id === id);
}

/** What the visitor's keys may do: one that makes and revokes keys is an admin's. */
export const scopesOf = ({ person }: Visitor): readonly Scope[] =>
  SCOPES.filter((scope) => scope !== "admin" || person.isAdmin);

export const mayRevoke = (visitor: Visitor, { scope }: Pick<ApiKey, "scope">): boolean =>
  scopesOf(visitor).includes(scope);

/** What people call it. */
export const keyName = ({ texts }: Pick<View, "texts">, { name, prefix }: Pick<ApiKey, "name" | "prefix">): string =>
  name ?? `${prefix}… (${texts.keys.nameless})`;
