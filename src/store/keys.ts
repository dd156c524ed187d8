/** The parts of the port for API keys and namespaces. Each method that writes is one transaction. */
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
  /** By SHA-256 of the secret, expired keys too; from memory, because every publish calls it. */
  find(hash: string): ApiKey | undefined;
  /** By its public id, from memory too. */
  byId(id: string): ApiKey | undefined;
  /** `gone`: the namespace was deleted. */
  create(key: NewKey): Promise<{ key: ApiKey; secret: string } | "gone">;
  list(namespaceId: NamespaceId): Promise<ApiKey[]>;
  /** False: there is no such key in this namespace. */
  revoke(namespaceId: NamespaceId, id: string): Promise<boolean>;
  /** Notes when keys were last used and from which address, many at once. */
  touch(uses: readonly { id: string; at: Millis; from: string }[]): Promise<void>;
  /**
   * Puts the key that the operator chose (PEAL_ADMIN_KEY) in place, with its namespace. Doing it twice makes one key; `revoked`:
   * it was in place once and is no longer.
   */
  ensureAdmin(namespace: string, secret: string): Promise<ApiKey | "revoked">;
}

export interface NamespaceStore {
  create(name: string): Promise<Namespace | "name_taken">;
  byName(name: string): Promise<Namespace | undefined>;
  list(): Promise<Namespace[]>;
  /** Its paths begin with the new name from then on. Undefined: it is gone. */
  rename(id: NamespaceId, name: string): Promise<Namespace | "name_taken" | undefined>;
  /** Pushes none of its messages until then; `null` ends that. Undefined: it is gone. */
  mute(id: NamespaceId, until: Millis | null): Promise<Namespace | undefined>;
  /** The same for all namespaces at once; one that is muted for longer stays so. */
  muteAll(until: Millis | null): Promise<void>;
  /** How much each of them has. */
  sizes(): Promise<Map<NamespaceId, { topics: number; checks: number; keys: number }>>;
  /** What is deleted with it, each at most `COUNTED`: if it is that many, there may be more. */
  extent(id: NamespaceId): Promise<{ messages: number; subscriptions: number }>;
  /**
   * From the first commit on nothing of it is found, its keys no longer work, and its name is free; `sweep` deletes the rows in
   * slices. False: it was already gone.
   */
  remove(id: NamespaceId): Promise<boolean>;
}
