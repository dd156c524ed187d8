/** Keys as a visitor may see and change them. */
import type { Visitor } from "../../../accounts/visitor.ts";
import { SCOPES, type ApiKey, type Scope } from "../../../keys/key.ts";
import type { KeyStore } from "../../../store/keys.ts";
import type { View } from "../../view.ts";
import { shownNamespaces } from "../frame/filter.ts";
import type { Desk } from "../signed-in.ts";

/** A page of more than these would be read by nobody. */
export const MOST_KEYS = 500;

/** Keys of the namespaces that are shown, the latest first. */
export async function keysOf(keys: Pick<KeyStore, "list">, desk: Desk): Promise<ApiKey[]> {
  const lists = await Promise.all(shownNamespaces(desk).map(async ({ id }) => keys.list(id)));
  return lists.flat().sort((a, b) => b.createdAt - a.createdAt);
}

/** Undefined if there is none, or it is not for this visitor. */
export async function keyOf(keys: Pick<KeyStore, "list">, desk: Desk, id: string): Promise<ApiKey | undefined> {
  const { namespaces } = desk;
  const lists = await Promise.all(namespaces.map(async (one) => keys.list(one.id)));
  return lists.flat().find((key) => key.id === id);
}

/** The scopes that the visitor may give: only admins make keys that manage keys. */
export const scopesOf = ({ person }: Visitor): readonly Scope[] =>
  SCOPES.filter((scope) => scope !== "admin" || person.isAdmin);

export const mayRevoke = (visitor: Visitor, { scope }: Pick<ApiKey, "scope">): boolean =>
  scopesOf(visitor).includes(scope);

/** What people call it. */
export const keyName = ({ texts }: Pick<View, "texts">, { name, prefix }: Pick<ApiKey, "name" | "prefix">): string =>
  name ?? `${prefix}… (${texts.keys.nameless})`;
