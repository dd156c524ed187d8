/** What an API key is (API.md §1, §3). The secret itself is never kept. */
import type { Millis } from "../util/clock.ts";
import type { NamespaceId } from "./namespace.ts";

export const SCOPES = ["publish", "read", "full", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

/** What a route asks of a key: a scope, or only that there is one. */
export const NEEDS = [...SCOPES, "any key"] as const;
export type Need = (typeof NEEDS)[number];

/** The scopes that each includes beside itself: `publish` and `read` exclude each other. */
const INCLUDED: Readonly<Record<Scope, readonly Scope[]>> = {
  publish: [],
  read: [],
  full: ["publish", "read"],
  admin: ["publish", "read", "full"],
};

export interface ApiKey {
  /** Row of the key in the store; never leaves the server. */
  row: number;
  /** Public id, as in `DELETE /v1/keys/{id}`. */
  id: string;
  namespaceId: NamespaceId;
  namespace: string;
  /** SHA-256 of the secret, hex. */
  hash: string;
  /** The first 12 characters of the secret, for lists. */
  prefix: string;
  scope: Scope;
  name?: string;
  createdAt: Millis;
  expiresAt?: Millis;
  lastUsedAt?: Millis;
  /** The client's address at that time. */
  lastUsedFrom?: string;
}

/** A key may do what its scope may, and the scopes that this one includes. */
export const allows = ({ scope }: Pick<ApiKey, "scope">, needed: Need): boolean =>
  needed === "any key" || needed === scope || INCLUDED[scope].includes(needed);
