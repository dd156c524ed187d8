/** A namespace: the scope of keys and topics, and the first segment of a path (API.md §1). */
import { isReserved } from "../names/namespace.ts";
import type { Millis } from "../util/clock.ts";

/** Row of a namespace in the store; never leaves the server. */
export type NamespaceId = number & { readonly __brand: "NamespaceId" };

export interface Namespace {
  id: NamespaceId;
  name: string;
  createdAt: Millis;
  /** No pushes of its messages until then. */
  mutedUntil?: Millis;
}

/** Those that were made before their name was reserved: they are served where no route of ours stands in the way. */
export const reservedAmong = (namespaces: readonly Namespace[]): string[] =>
  namespaces.map(({ name }) => name).filter(isReserved);
