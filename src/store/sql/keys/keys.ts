/** API keys: in the table by their hash, and all of them in memory, because every publish looks one up. */
import { and, asc, eq, sql } from "drizzle-orm";
import type { ApiKey, Scope } from "../../../keys/key.ts";
import type { Namespace } from "../../../keys/namespace.ts";
import { apiKeySecret, recordId, sha256 } from "../../../util/ids.ts";
import type { KeyStore, NewKey } from "../../keys.ts";
import { withoutNulls } from "../columns.ts";
import { placeholders, prepared, pick } from "../statements.ts";
import { tombstone, type Engine } from "../engine.ts";
import { apiKey, namespace } from "../schema/schema.ts";
import type { Settings } from "../settings.ts";

/** Finds or makes a namespace, inside a job; the caller adds a new one to `Namespaces` after the commit. */
export type EnsureNamespace = (name: string) => { one: Namespace; isNew: boolean };

const given = placeholders<typeof apiKey, "at" | "from">();

const PREFIX_LENGTH = 12;
/** The name of a server's first key. */
export const FIRST_KEY = "first key";

type KeyRow = typeof apiKey.$inferSelect;

/** Keys by the SHA-256 of their secret. Changed only after the commit that changes the table. */
export type KeysInMemory = Map<string, ApiKey>;

export const loadKeys = ({ write, namespaces }: Engine): KeysInMemory =>
  new Map(
    write
      .select()
      .from(apiKey)
      .orderBy(asc(apiKey.row))
      .all()
      .map((row) => [row.hash, toKey(row, namespaces.name(row.namespaceId))]),
  );

const toKey = (row: KeyRow, namespaceName: string): ApiKey => withoutNulls({ ...row, namespace: namespaceName });

/** Makes a key with this secret, inside a job. A secret that exists already becomes this key. */
export type PutKey = (
  namespace: Pick<Namespace, "id" | "name">,
  spec: { scope: Scope; name?: string; expiresAt?: number },
  secret: string,
) => ApiKey;

export function keyPutter({ write, clock }: Engine): PutKey {
  const insert = prepared(() =>
    write
      .insert(apiKey)
      .values(pick(given, "id", "namespaceId", "hash", "prefix", "scope", "name", "createdAt", "expiresAt"))
      .onConflictDoUpdate({
        target: apiKey.hash,
        set: {
          namespaceId: sql`excluded.namespace_id`,
          scope: sql`excluded.scope`,
          expiresAt: sql`excluded.expires_at`,
        },
      })
      .returning(),
  );
  return ({ id: namespaceId, name: namespaceName }, spec, secret) => {
    const row = insert.get({
      id: recordId(),
      namespaceId,
      hash: sha256(secret),
      prefix: secret.slice(0, PREFIX_LENGTH),
      scope: spec.scope,
      name: spec.name ?? null,
      createdAt: clock.now(),
      expiresAt: spec.expiresAt ?? null,
    });
    return toKey(row, namespaceName);
  };
}

interface Parts {
  keys: KeysInMemory;
  settings: Settings;
  putKey: PutKey;
  ensureNamespace: EnsureNamespace;
}

export function keyStore(engine: Engine, { keys, settings, putKey, ensureNamespace }: Parts): KeyStore {
  const { writer, namespaces } = engine;
  const q = queries(engine);
  const remember = (key: ApiKey) => () => {
    keys.set(key.hash, key);
  };

  return {
    find: (hash) => keys.get(hash),
    byId: (id) => keys.values().find((key) => key.id === id),

    create: async ({ namespaceId, ...spec }: NewKey) =>
      writer.run<Awaited<ReturnType<KeyStore["create"]>>>(() => {
        // from its row: memory learns of a deletion in the same batch only after the commit
        const [found] = q.namespace.all({ namespaceId });
        if (found === undefined || found.name === tombstone(namespaceId)) return { result: "gone" };
        const secret = apiKeySecret();
        const key = putKey({ id: namespaceId, name: found.name }, spec, secret);
        const events = [{ kind: "hint", of: "key", namespaceId }] as const;
        return { result: { key, secret }, events, after: remember(key) };
      }),

    list: async (namespaceId) => [...keys.values()].filter((key) => key.namespaceId === namespaceId),

    revoke: async (namespaceId, id) =>
      writer.run(() => {
        const [gone] = q.revoke.all({ namespaceId, id });
        if (gone === undefined) return { result: false };
        return {
          result: true,
          events: [{ kind: "revoked", keyId: id }],
          after: () => {
            keys.delete(gone.hash);
          },
        };
      }),

    touch: async (uses) =>
      writer.run(() => {
        const touched = uses.flatMap((use) => q.touch.all(use));
        return {
          result: undefined,
          after: () => {
            for (const row of touched) keys.set(row.hash, toKey(row, namespaces.name(row.namespaceId)));
          },
        };
      }),

    ensureAdmin: async (namespaceName, secret) =>
      writer.run<ApiKey | "revoked">(() => {
        const hash = sha256(secret);
        const known = settings.get("admin_keys")?.split(" ") ?? [];
        if (known.includes(hash) && !keys.has(hash)) return { result: "revoked" };
        const { one, isNew } = ensureNamespace(namespaceName);
        const key = putKey(one, { scope: "admin", ...(keys.size === 0 && { name: FIRST_KEY }) }, secret);
        settings.set("admin_keys", [...new Set([...known, hash])].join(" "));
        return {
          result: key,
          after: () => {
            if (isNew) namespaces.add(one);
            keys.set(key.hash, key);
          },
        };
      }),
  };
}

function queries({ write }: Engine) {
  return {
    namespace: prepared(() =>
      write.select({ name: namespace.name }).from(namespace).where(eq(namespace.row, given.namespaceId)),
    ),
    revoke: prepared(() =>
      write
        .delete(apiKey)
        .where(and(eq(apiKey.id, given.id), eq(apiKey.namespaceId, given.namespaceId)))
        .returning({ hash: apiKey.hash }),
    ),
    touch: prepared(() =>
      write
        .update(apiKey)
        .set({ lastUsedAt: given.at, lastUsedFrom: given.from })
        .where(eq(apiKey.id, given.id))
        .returning(),
    ),
  };
}
