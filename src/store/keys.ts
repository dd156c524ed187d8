/** The parts of the port that keep API keys and namespaces. Each method that writes is one transaction. */
import type { ApiKey, Scope } from "../keys/key.ts";
import type { Namespace, NamespaceId } from "../keys/namespace.ts";
import type { Millis } from "../util/clock.ts";

export interface NewKey {
  namespaceId: NamespaceId;
  scope: Scope;
  name?: string;
  expiresAt?: Millis;
}

export interface KeyStore {
  /** By SHA-256 of the secret, expired keys too; from memory: this is on the way of every publish. */
  find(hash: string): ApiKey | undefined;
  /** `gone`: the namespace was deleted. */
  create(key: NewKey): Promise<{ key: ApiKey; secret: string } | "gone">;
  list(namespaceId: NamespaceId): Promise<ApiKey[]>;
  /** False: no such key in this namespace. */
  revoke(namespaceId: NamespaceId, id: string): Promise<boolean>;
  /** Notes when keys were last used and from which address, many at once. */
  touch(uses: readonly { id: string; at: Millis; from: string }[]): Promise<void>;
  /**
   * Puts a key that the operator chose (PEAL_ADMIN_KEY) in place, its namespace too. The same one twice is one key;
   * `revoked`: it was in place once and is no longer.
   */
  ensureAdmin(namespace: string, secret: string): Promise<ApiKey | "revoked">;
}

export interface NamespaceStore {
  create(name: string): Promise<Namespace | "name_taken">;
  byName(name: string): Promise<Namespace | undefined>;
  list(): Promise<Namespace[]>;
  /** Its paths begin with the new name from then on. Undefined: it is gone. */
  rename(id: NamespaceId, name: string): Promise<Namespace | "name_taken" | undefined>;
  /** No pushes of its messages until then; `null`: as ever. Undefined: it is gone. */
  mute(id: NamespaceId, until: Millis | null): Promise<Namespace | undefined>;
  /** The same of all that there are, at once, but one that is muted for longer stays so. */
  muteAll(until: Millis | null): Promise<void>;
  /** What is in each of them. */
  sizes(): Promise<Map<NamespaceId, { topics: number; checks: number; keys: number }>>;
  /** How many there are, each at most `COUNTED`: then there may be more. */
  extent(id: NamespaceId): Promise<{ messages: number; subscriptions: number }>;
  /**
   * Nothing of it is found from its first commit on, its keys work no longer and its name is free; the rows go in slices by
   * `sweep`. False: it was gone already.
   */
  remove(id: NamespaceId): Promise<boolean>;
}
