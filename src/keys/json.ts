/** An API key as it is answered: without the secret, which nobody keeps. */
import { optionalRfc3339, rfc3339 } from "../util/clock.ts";
import { defined } from "../util/defined.ts";
import type { ApiKey } from "./key.ts";
import type { KeyRecord } from "./schema.ts";

export function keyJson(key: ApiKey): KeyRecord {
  const { id, name, prefix, namespace, scope, createdAt, expiresAt, lastUsedAt, lastUsedFrom } = key;
  return defined<KeyRecord>({
    ...{ id, name, prefix, namespace, scope, created_at: rfc3339(createdAt), expires_at: optionalRfc3339(expiresAt) },
    ...{ last_used_at: optionalRfc3339(lastUsedAt), last_used_from: lastUsedFrom },
  });
}
