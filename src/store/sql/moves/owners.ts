/** People, keys, devices and hooks of an import, inside jobs. Each row is written whole: it has to be the one that was exported. */
import { count, eq, or } from "drizzle-orm";
import type { HookRecord, MoveRecord } from "../../../moves/record.ts";
import type { ApiKey } from "../../../keys/key.ts";
import type { NamespaceId } from "../../../keys/namespace.ts";
import { foldName } from "../../accounts.ts";
import { HOOKS_PER_NAMESPACE, HOOKS_PER_TOPIC } from "../../hooks.ts";
import type { Imported, Prepared } from "../../moves.ts";
import type { Engine } from "../engine.ts";
import { person } from "../schema/accounts.ts";
import { device, subscription } from "../schema/deliveries.ts";
import { hook } from "../schema/hooks.ts";
import { apiKey } from "../schema/schema.ts";
import type { deviceTotals } from "../devices/totals.ts";
import { withoutNulls } from "../columns.ts";
import type { TopicRow } from "../topics/rows.ts";

type Of<Kind extends MoveRecord["kind"]> = Extract<MoveRecord, { kind: Kind }>;

/** Epoch ms of a time that may be absent. */
export const at = (text: string | undefined): number | null => (text === undefined ? null : Date.parse(text));

export interface Places {
  /** Made if it is new. */
  namespace: (name: string) => NamespaceId;
  /** None is made. */
  topic: (namespace: string, name: string) => TopicRow | undefined;
}

type Known = typeof person | typeof hook | typeof device | typeof apiKey;

const knows =
  ({ write }: Pick<Engine, "write">) =>
  (table: Known, where: ReturnType<typeof eq>): boolean =>
    write.select({ row: table.row }).from(table).where(where).limit(1).all().length > 0;

export function ownerImporter({ write }: Pick<Engine, "write">) {
  const isKnown = knows({ write });

  return {
    person(record: Of<"person">, places: Pick<Places, "namespace">): Imported {
      const folded = foldName(record.name);
      if (isKnown(person, or(eq(person.folded, folded), eq(person.id, record.id)) ?? eq(person.id, record.id)))
        return "exists";
      const namespaces = record.namespaces?.map((name) => places.namespace(name));
      write
        .insert(person)
        .values({
          ...{ id: record.id, name: record.name, folded, isAdmin: record.is_admin ? 1 : 0 },
          passwordHash: record.password_hash ?? null,
          namespaces: namespaces === undefined ? null : JSON.stringify(namespaces),
          ...{ createdAt: Date.parse(record.created_at), lastSeenAt: at(record.last_seen_at) },
        })
        .run();
      return "created";
    },

    /** With the key, for the memory of keys. */
    key(record: Of<"key">, namespaceId: NamespaceId): ApiKey | Imported {
      const { id, scope, name, secret } = record;
      if (isKnown(apiKey, eq(apiKey.id, id))) return "exists";
      if (secret === undefined) return "no_secret";
      if (isKnown(apiKey, eq(apiKey.hash, secret.hash))) return "exists";
      const times = { expiresAt: at(record.expires_at), lastUsedAt: at(record.last_used_at) };
      const values = {
        id,
        namespaceId,
        ...secret,
        scope,
        name: name ?? null,
        createdAt: Date.parse(record.created_at),
        ...times,
      };
      const row = write.insert(apiKey).values(values).returning().get();
      return withoutNulls({ ...row, namespace: record.namespace });
    },

    hook(record: HookRecord, topic: TopicRow, made: Prepared["made"]): Imported {
      const tokenHash = record.token?.hash ?? made?.tokenHash;
      const gotifyHash = record.gotify?.hash ?? made?.gotifyHash;
      if (tokenHash === undefined || gotifyHash === undefined) return "no_secret";
      const isSame = or(eq(hook.id, record.id), eq(hook.tokenHash, tokenHash), eq(hook.gotifyHash, gotifyHash));
      if (isSame !== undefined && isKnown(hook, isSame)) return "exists";
      const hooks = (where: ReturnType<typeof eq>) =>
        write.select({ row: hook.row }).from(hook).where(where).all().length;
      if (hooks(eq(hook.namespaceId, topic.namespaceId)) >= HOOKS_PER_NAMESPACE) return "too_many_hooks";
      if (hooks(eq(hook.topicId, topic.row)) >= HOOKS_PER_TOPIC) return "too_many_hooks";
      write
        .insert(hook)
        .values({
          ...{ id: record.id, namespaceId: topic.namespaceId, topicId: topic.row, tokenHash, gotifyHash },
          ...{ oldTokenHash: record.token?.old_hash ?? null, oldGotifyHash: record.gotify?.old_hash ?? null },
          ...{ oldTokenUntil: at(record.token?.old_until), tokenGeneration: record.token?.generation ?? 0 },
          ...{ settings: JSON.stringify(record.settings), createdAt: Date.parse(record.created_at) },
          ...{ requests: record.requests ?? 0, lastUsedAt: at(record.last_used_at) },
        })
        .run();
      return "created";
    },
  };
}

/** `totals`: the numbers of devices, which have to stay right. */
export function deviceImporter(
  { write, forwardsPerNamespace }: Pick<Engine, "write" | "forwardsPerNamespace">,
  totals: ReturnType<typeof deviceTotals>,
) {
  const isKnown = knows({ write });
  const hasRoom = (owner: NamespaceId): boolean => {
    const [found] = write.select({ forwards: count() }).from(device).where(eq(device.namespaceId, owner)).all();
    return (found?.forwards ?? 0) < forwardsPerNamespace;
  };
  return (record: Of<"device">, places: Places, now: number): Imported => {
    if (isKnown(device, eq(device.ref, record.ref))) return "exists";
    if (record.row === undefined) return "no_secret";
    if ((record.platform === "forward") !== (record.namespace !== undefined)) return "invalid";
    const namespaceId = record.namespace === undefined ? null : places.namespace(record.namespace);
    const isForward = namespaceId !== null;
    const isFull = isForward ? !hasRoom(namespaceId) : totals.isFull(record.subscriptions.length === 0);
    if (isFull) return "too_many_devices";
    const values = record.row as typeof device.$inferInsert;
    if (isKnown(device, eq(device.token, values.token))) return "taken";
    const topics = record.subscriptions.flatMap((one) => {
      const topic = places.topic(one.namespace, one.topic);
      return topic === undefined ? [] : [{ one, topic }];
    });
    const isIdle = !isForward && topics.length === 0;
    if (!isForward) totals.count({ devices: 1, idle: isIdle ? 1 : 0 });
    const { row } = write
      .insert(device)
      .values({ ...values, namespaceId, idleSince: isIdle ? (at(record.idle_since) ?? now) : null })
      .returning({ row: device.row })
      .get();
    for (const { one, topic } of topics) {
      const { at: subscribedAt, muted_until: mutedUntil, min_priority: minPriority = null } = one;
      write
        .insert(subscription)
        .values({
          ...{
            topicId: topic.row,
            deviceRow: row,
            subscribedAt: Date.parse(subscribedAt),
            mutedUntil: at(mutedUntil),
          },
          minPriority: minPriority as typeof subscription.$inferInsert.minPriority,
        })
        .run();
      write.$client.run("UPDATE topic SET subscribers = subscribers + 1 WHERE row = ?", [topic.row]);
      totals.follow(row, topic.namespaceId);
    }
    return "created";
  };
}
