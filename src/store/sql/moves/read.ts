/** The records of an export: topics with their messages, and who owns and follows them. */
import { and, asc, eq, isNotNull, type SQL } from "drizzle-orm";
import type { MoveRecord } from "../../../moves/record.ts";
import type { NamespaceId } from "../../../keys/namespace.ts";
import type { Draft } from "../../../drafts/draft.ts";
import { optionalRfc3339, rfc3339 } from "../../../util/clock.ts";
import { defined } from "../../../util/defined.ts";
import type { Orm } from "../differences.ts";
import { person } from "../schema/accounts.ts";
import { device, subscription } from "../schema/deliveries.ts";
import { attachment, file } from "../schema/files.ts";
import { hook } from "../schema/hooks.ts";
import { apiKey, scheduled, setting, topic } from "../schema/schema.ts";
import { isLive } from "../topics/rows.ts";

export interface Reading {
  /** In a read transaction. */
  orm: Orm;
  /** The namespaces that are read. */
  names: ReadonlyMap<NamespaceId, string>;
  /** All of them, and what belongs to none. */
  isWhole: boolean;
  withSecrets: boolean;
}

export const time = (at: number | null): string | undefined => optionalRfc3339(at ?? undefined);
type Place = { namespace: string; topic: string };
type Of<Kind extends MoveRecord["kind"]> = Extract<MoveRecord, { kind: Kind }>;

/** The topics that are read, by row. */
export function topicsOf({ orm, names }: Reading) {
  const rows = orm.select().from(topic).where(isLive).orderBy(asc(topic.row)).all();
  return rows.flatMap((row) => {
    const name = names.get(row.namespaceId);
    return name === undefined ? [] : [{ row, place: { namespace: name, topic: row.name } }];
  });
}

export function* recordsOf(reading: Reading): Generator<MoveRecord> {
  const topics = topicsOf(reading);
  const places = new Map(topics.map(({ row, place }) => [row.row as number, place]));
  if (reading.isWhole) yield* serverRecords(reading);
  yield* keys(reading);
  for (const { row, place } of topics)
    yield defined<Of<"topic">>({
      ...{ kind: "topic", ...place, created_at: rfc3339(row.createdAt), description: row.description ?? undefined },
      ...{ retention_days: row.retentionDays ?? undefined, retention_messages: row.retentionMessages ?? undefined },
      ...{ archived_at: time(row.archivedAt), muted_until: time(row.mutedUntil) },
      key: reading.withSecrets ? row.key : undefined,
    });
  yield* messages(reading, places);
  for (const { row, place } of topics)
    yield { kind: "topic_ids", ...place, last_id: row.lastId, pruned_to: row.prunedTo };
  yield* waiting(reading, places);
  yield* hooks(reading, places);
  if (reading.isWhole) yield* devices(reading, places);
}

interface MessageRow {
  seq: number;
  topicId: number;
  id: number;
  createdAt: number;
  json: string;
  ackAt: number | null;
  ackBy: string | null;
}

// by hand: read row by row, because there may be a million
const MESSAGES = `SELECT m.row AS seq, m.topic_id AS topicId, m.id, m.created_at AS createdAt, m.json, a.at AS ackAt, a.by AS ackBy
  FROM message m LEFT JOIN acknowledgement a ON a.row = m.row ORDER BY m.row`;

function* messages({ orm }: Reading, places: ReadonlyMap<number, Place>): Generator<MoveRecord> {
  for (const row of orm.$client.query<MessageRow, []>(MESSAGES).iterate()) {
    const place = places.get(row.topicId);
    if (place === undefined) continue;
    const draft = JSON.parse(row.json) as Draft;
    yield defined<Of<"message">>({
      ...{ kind: "message", ...place, id: row.id, created_at: rfc3339(row.createdAt) },
      draft: withHashes(orm, draft, eq(attachment.messageRow, row.seq)),
      acknowledged:
        row.ackAt === null ? undefined : { at: rfc3339(row.ackAt), ...(row.ackBy !== null && { by: row.ackBy }) },
    });
  }
}

/** Each file with the SHA-256 by which its bytes are found in `files/`, unless it has expired. */
function withHashes(orm: Orm, { attachments, ...draft }: Draft, isOf: SQL): Draft {
  if (attachments === undefined) return draft;
  const rows = orm
    .select({ hash: file.hash })
    .from(attachment)
    .innerJoin(file, eq(file.row, attachment.fileRow))
    .where(isOf)
    .all();
  const hashOf = (id: string) => rows.find(({ hash }) => hash.startsWith(id))?.hash;
  const named = attachments.map((one) => defined({ ...one, sha256: hashOf(one.id) }));
  return { attachments: named, ...draft };
}

function* waiting({ orm }: Reading, places: ReadonlyMap<number, Place>): Generator<MoveRecord> {
  for (const row of orm.select().from(scheduled).orderBy(asc(scheduled.row)).all()) {
    const place = places.get(row.topicId);
    if (place === undefined) continue;
    const times = { created_at: rfc3339(row.createdAt), deliver_at: rfc3339(row.deliverAt) };
    const draft = withHashes(orm, JSON.parse(row.json) as Draft, eq(attachment.scheduledRow, row.row));
    const delay = row.delayMs !== null && { delay_ms: row.delayMs };
    yield { kind: "scheduled", id: row.id, ...place, ...times, ...delay, draft };
  }
}

function* hooks({ orm, withSecrets }: Reading, places: ReadonlyMap<number, Place>): Generator<MoveRecord> {
  for (const row of orm.select().from(hook).orderBy(asc(hook.row)).all()) {
    const place = places.get(row.topicId);
    if (place === undefined) continue;
    yield defined<Of<"hook">>({
      ...{ kind: "hook", id: row.id, ...place, created_at: rfc3339(row.createdAt) },
      ...{ settings: JSON.parse(row.settings) as Record<string, unknown>, requests: row.requests },
      last_used_at: time(row.lastUsedAt),
      token: withSecrets ? tokensOf(row) : undefined,
      gotify: withSecrets
        ? { hash: row.gotifyHash, ...(row.oldGotifyHash !== null && { old_hash: row.oldGotifyHash }) }
        : undefined,
    });
  }
}

interface TokenRow {
  tokenHash: string;
  tokenGeneration: number;
  oldTokenHash: string | null;
  oldTokenUntil: number | null;
}

export const tokensOf = (row: TokenRow): NonNullable<Of<"hook">["token"]> =>
  defined<NonNullable<Of<"hook">["token"]>>({
    ...{ hash: row.tokenHash, generation: row.tokenGeneration, old_hash: row.oldTokenHash ?? undefined },
    old_until: time(row.oldTokenUntil),
  });

function* keys({ orm, names, withSecrets }: Reading): Generator<MoveRecord> {
  for (const row of orm.select().from(apiKey).orderBy(asc(apiKey.row)).all()) {
    const name = names.get(row.namespaceId);
    if (name === undefined) continue;
    yield defined<Of<"key">>({
      ...{ kind: "key", id: row.id, namespace: name, scope: row.scope, name: row.name ?? undefined },
      ...{ created_at: rfc3339(row.createdAt), expires_at: time(row.expiresAt), last_used_at: time(row.lastUsedAt) },
      secret: withSecrets ? { hash: row.hash, prefix: row.prefix } : undefined,
    });
  }
}

/** What belongs to no namespace. */
function* serverRecords({ orm, names, withSecrets }: Reading): Generator<MoveRecord> {
  const [vapid] = orm.select().from(setting).where(eq(setting.name, "vapid")).all();
  if (withSecrets && vapid !== undefined) yield { kind: "server_secret", name: "vapid", value: vapid.value };
  for (const row of orm.select().from(person).orderBy(asc(person.row)).all()) {
    const seen = row.namespaces === null ? undefined : (JSON.parse(row.namespaces) as NamespaceId[]);
    yield defined<Of<"person">>({
      ...{
        kind: "person",
        id: row.id,
        name: row.name,
        is_admin: row.isAdmin === 1,
        created_at: rfc3339(row.createdAt),
      },
      namespaces: seen?.flatMap((id) => names.get(id) ?? []),
      last_seen_at: time(row.lastSeenAt),
      password_hash: withSecrets ? (row.passwordHash ?? undefined) : undefined,
    });
  }
}

function* devices({ orm, names, withSecrets }: Reading, places: ReadonlyMap<number, Place>): Generator<MoveRecord> {
  for (const row of orm.select().from(device).where(isNotNull(device.ref)).orderBy(asc(device.row)).all()) {
    const { row: deviceRow, idleSince, namespaceId, ...columns } = row;
    // one of the server, which its settings make, or of a namespace that is being deleted
    if (namespaceId !== null && !names.has(namespaceId)) continue;
    const subscriptions = orm
      .select()
      .from(subscription)
      .where(and(eq(subscription.deviceRow, deviceRow)))
      .orderBy(asc(subscription.row))
      .all()
      .flatMap(({ topicId, subscribedAt, mutedUntil, minPriority }) => {
        const place = places.get(topicId);
        if (place === undefined) return [];
        const more = { muted_until: time(mutedUntil), min_priority: minPriority ?? undefined };
        return [defined<Of<"device">["subscriptions"][number]>({ ...place, at: rfc3339(subscribedAt), ...more })];
      });
    yield defined<Of<"device">>({
      ...{ kind: "device", ref: row.ref ?? "", platform: row.platform, name: row.name ?? undefined },
      ...{
        created_at: rfc3339(row.createdAt),
        subscriptions,
        row: withSecrets ? columns : undefined,
        namespace: namespaceId === null ? undefined : names.get(namespaceId),
        idle_since: time(idleSince),
      },
    });
  }
}
