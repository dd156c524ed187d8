/** What an API key is (API.md §1, §3). The secret itself is never kept. */
import type { Millis } from "../util/clock.ts";
import type { NamespaceId } from "./namespace.ts";

export const SCOPES = ["publish", "full", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

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

/** `publish` < `full` < `admin`: a key may do what its scope and those below it may. */
export const allows = (key: Pick<ApiKey, "scope">, needed: Scope): boolean =>
  SCOPES.indexOf(key.scope) >= SCOPES.indexOf(needed);
