/** A namespace: the scope of keys and topics, and the first segment of a path (API.md §1). */
import { looksLikeKey } from "../names/topic.ts";
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

/** First segments that the server keeps for itself, now or later. */
const RESERVED = new Set(
  (
    "v1 v2 api ntfy health healthz ready metrics docs devices keys ping summary webpush static assets app login logout " +
    "setup account settings signup file hook message notify status"
  ).split(" "),
);
const NAMESPACE = /^[a-z0-9][a-z0-9_-]{0,31}$/;

export const isReserved = (segment: string): boolean => RESERVED.has(segment);

/** Those that were made before their name was reserved: they are served where no route of ours stands in the way. */
export const reservedAmong = (namespaces: readonly Namespace[]): string[] =>
  namespaces.map(({ name }) => name).filter(isReserved);

/** May be the name of a namespace: not a topic key, no word of the server's. `base`: first segment of the base path. */
export const isNamespaceName = (text: string, base?: string): boolean =>
  NAMESPACE.test(text) && !looksLikeKey(text) && !isReserved(text) && text !== base;
