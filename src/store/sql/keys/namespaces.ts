/** Namespaces. */
import { eq, sql, type SQL } from "drizzle-orm";
import type { ApiKey } from "../../../keys/key.ts";
import type { Namespace, NamespaceId } from "../../../keys/namespace.ts";
import { COUNTED } from "../../glances.ts";
import type { NamespaceStore } from "../../keys.ts";
import { placeholders, prepared, pick } from "../statements.ts";
import { JOIN_IN_ORDER, largerOf } from "../differences.ts";
import { NAMESPACE_COLUMNS, tombstone, toNamespace, type Engine } from "../engine.ts";
import type { Outcome } from "../job.ts";
import type { EnsureNamespace, KeysInMemory } from "./keys.ts";
import { apiKey, namespace } from "../schema/schema.ts";
import type { Tombs } from "./tombs.ts";

const given = placeholders<typeof namespace, "id" | "until">();

export function namespaceMaker({ write, clock }: Engine): EnsureNamespace {
  const insert = prepared(() =>
    write
      .insert(namespace)
      .values(pick(given, "name", "createdAt"))
      .returning(NAMESPACE_COLUMNS),
  );
  const find = prepared(() => write.select(NAMESPACE_COLUMNS).from(namespace).where(eq(namespace.name, given.name)));
  return (name) => {
    const [known] = find.all({ name });
    if (known !== undefined) return { one: toNamespace(known), isNew: false };
    return { one: toNamespace(insert.get({ name, createdAt: clock.now() })), isNew: true };
  };
}

interface Parts {
  keys: KeysInMemory;
  tombs: Tombs;
  ensureNamespace: EnsureNamespace;
}

/** How many topics one job buries: 10 µs each. */
const AT_ONCE = 100;

// by hand: counts of a few rows in one look, and counts that end when they get long
const SIZE = "SELECT topics, checks FROM namespace WHERE row = ?";
const MESSAGES = "SELECT count(*) AS count FROM (SELECT 1 FROM message WHERE namespace_id = ? LIMIT ?) AS found";
const DEVICES = `SELECT count(*) AS count FROM (SELECT 1 FROM topic t ${JOIN_IN_ORDER} subscription s ON s.topic_id = t.row
  WHERE t.namespace_id = ? AND t.deleted_at IS NULL LIMIT ?) AS found`;

export function namespaceStore(engine: Engine, parts: Parts): NamespaceStore {
  const { namespaces } = engine;
  const q = queries(engine);
  const keysOf = (id: NamespaceId) => [...parts.keys.values()].filter((key) => key.namespaceId === id);
  return {
    byName: async (name) => namespaces.byName(name),
    list: async () => namespaces.all(),
    sizes: async () =>
      new Map(
        namespaces
          .all()
          .map(({ id }) => [id, { ...(q.size.get(id) ?? { topics: 0, checks: 0 }), keys: keysOf(id).length }]),
      ),
    extent: async (id) => ({
      messages: q.messages.get(id, COUNTED)?.count ?? 0,
      subscriptions: q.devices.get(id, COUNTED)?.count ?? 0,
    }),
    ...changes(engine, q, { ...parts, keysOf }),
    remove: removal(engine, q, { ...parts, keysOf }),
  };
}

interface Held extends Parts {
  keysOf: (id: NamespaceId) => ApiKey[];
}

function changes({ writer, namespaces }: Engine, q: Queries, { keys, keysOf, ensureNamespace }: Held) {
  const add = (one: Namespace) => {
    namespaces.add(one);
  };
  /** `note`: notes in memory what it is now. */
  const changed = (now: Namespace, note = add): Outcome<Namespace> => ({
    result: now,
    events: [{ kind: "hint", of: "namespace", namespaceId: now.id }],
    after: () => {
      note(now);
    },
  });
  return {
    create: async (name) =>
      writer.run<Namespace | "name_taken">(() => {
        const { one, isNew } = ensureNamespace(name);
        return isNew ? changed(one) : { result: "name_taken" };
      }),
    rename: async (id, name) =>
      writer.run<Namespace | "name_taken" | undefined>(() => {
        if (namespaces.isGone(id)) return { result: undefined };
        if (q.find.all({ name }).length > 0) return { result: "name_taken" };
        const [row] = q.rename.all({ id, name });
        if (row === undefined) return { result: undefined };
        return changed(toNamespace(row), (renamed) => {
          namespaces.rename(renamed);
          for (const key of keysOf(id)) keys.set(key.hash, { ...key, namespace: name });
        });
      }),
    mute: async (id, until) =>
      writer.run<Namespace | undefined>(() => {
        if (namespaces.isGone(id)) return { result: undefined };
        const [row] = q.mute.all({ id, until });
        return row === undefined ? { result: undefined } : changed(toNamespace(row));
      }),
    muteAll: async (until) =>
      writer.run(() => {
        const rows = namespaces.all().flatMap(({ id }) => q.muteLonger.all({ id, until }));
        return {
          result: undefined,
          events: [{ kind: "hint", of: "namespace" }],
          after: () => {
            for (const row of rows) namespaces.add(toNamespace(row));
          },
        };
      }),
  } satisfies Partial<NamespaceStore>;
}

function removal(engine: Engine, q: Queries, { keys, keysOf, tombs }: Held): NamespaceStore["remove"] {
  const { writer, namespaces } = engine;
  return async (id) => {
    const isRemoved = await writer.run<boolean>(() => {
      if (namespaces.isGone(id)) return { result: false };
      const held = keysOf(id);
      q.bury.run({ id, name: tombstone(id) });
      q.revoke.run({ id });
      return {
        result: true,
        events: [
          ...held.map((key) => ({ kind: "revoked", keyId: key.id }) as const),
          { kind: "hint", of: "namespace", namespaceId: id },
        ],
        after: () => {
          namespaces.bury(id);
          for (const { hash } of held) keys.delete(hash);
        },
      };
    });
    const slice = async () =>
      writer.run(() => {
        const events = tombs.bury(id, AT_ONCE);
        return { result: events.length === AT_ONCE, events };
      });
    let hasMore = isRemoved;
    while (hasMore) hasMore = await slice();
    return isRemoved;
  };
}

type Queries = ReturnType<typeof queries>;

function queries({ read, write }: Engine) {
  const { $client: db } = read;
  const named = eq(namespace.row, given.id);
  const muting = (until: SQL) =>
    prepared(() => write.update(namespace).set({ mutedUntil: until }).where(named).returning(NAMESPACE_COLUMNS));
  return {
    mute: muting(given.until),
    muteLonger: muting(largerOf(sql`coalesce(${namespace.mutedUntil}, 0)`, given.until)),
    find: prepared(() => write.select({ row: namespace.row }).from(namespace).where(eq(namespace.name, given.name))),
    rename: prepared(() => write.update(namespace).set({ name: given.name }).where(named).returning(NAMESPACE_COLUMNS)),
    bury: prepared(() => write.update(namespace).set({ name: given.name, pingKeyHash: null }).where(named)),
    revoke: prepared(() => write.delete(apiKey).where(eq(apiKey.namespaceId, given.id))),
    size: db.prepare<{ topics: number; checks: number }, [NamespaceId]>(SIZE),
    messages: db.prepare<{ count: number }, [NamespaceId, number]>(MESSAGES),
    devices: db.prepare<{ count: number }, [NamespaceId, number]>(DEVICES),
  };
}
