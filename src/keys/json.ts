/** An API key as it is answered: without the secret, which nobody keeps. */
import { rfc3339 } from "../util/clock.ts";
import type { ApiKey } from "./key.ts";
import type { KeyRecord } from "./schema.ts";

export function keyJson(key: ApiKey): KeyRecord {
  const { id, name, prefix, namespace, scope, createdAt, expiresAt, lastUsedAt, lastUsedFrom } = key;
  return {
    id,
    ...(name !== undefined && { name }),
    prefix,
    namespace,
    scope,
    created_at: rfc3339(createdAt),
    ...(expiresAt !== undefined && { expires_at: rfc3339(expiresAt) }),
    ...(lastUsedAt !== undefined && { last_used_at: rfc3339(lastUsedAt) }),
    ...(lastUsedFrom !== undefined && { last_used_from: lastUsedFrom }),
  };
}
