/** A namespace: the scope of keys and topics, and the first segment of a path (API.md §1). */
import { isReserved } from "../names/namespace.ts";
import type { Millis } from "../util/clock.ts";

/** Row of a namespace in the store; never leaves the server. */
export type NamespaceId = number & { readonly __brand: "NamespaceId" };

export interface Namespace {
  id: NamespaceId;
  name: string;
  createdAt: Millis;
  /** Until then its messages are not pushed. */
  mutedUntil?: Millis;
}

/** Namespaces that are older than the reservation of their name: they are served where no route of ours is in the way. */
export const reservedAmong = (namespaces: readonly Namespace[]): string[] =>
  namespaces.map(({ name }) => name).filter(isReserved);
