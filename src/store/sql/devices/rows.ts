/** Reads devices and subscriptions, on either connection. */
import { and, asc, eq, getTableColumns, gt } from "drizzle-orm";
import type { Device, DeviceRow, Forwarding, QuietHours, Subscription } from "../../../devices/device.ts";
import type { Registered } from "../../devices.ts";
import { columnsOf, withoutNulls } from "../columns.ts";
import type { Orm } from "../differences.ts";
import { LIMIT, placeholders, prepared } from "../statements.ts";
import { device, subscription } from "../schema/deliveries.ts";
import type { Namespaces } from "../engine.ts";
import { topic } from "../schema/schema.ts";
import { isLive } from "../topics/rows.ts";

const given = placeholders<typeof device, "device" | "topicId" | "after">();

export type StoredDevice = typeof device.$inferSelect;

export function toDevice(row: StoredDevice): Device {
  const { id, platform, token, base, createdAt, registeredAt, environment } = row;
  const { name, locale, minPriority, lastSuccessAt } = row;
  return {
    ...{ row: row.row, id, platform, token, base, createdAt, registeredAt, environment, wasMoved: row.wasMoved === 1 },
    ...withoutNulls({ name, locale, minPriority, lastSuccessAt }),
    ...(row.p256dh !== null && row.auth !== null && { keys: { p256dh: row.p256dh, auth: row.auth } }),
    ...forwarding(row),
    ...(row.quietHours !== null && { quietHours: JSON.parse(row.quietHours) as QuietHours }),
    ...(row.lastErrorAt !== null && { lastError: { at: row.lastErrorAt, text: row.lastError ?? "" } }),
    ...(row.lostAt !== null && { lost: { at: row.lostAt, reason: row.lostReason ?? "" } }),
  };
}

function forwarding({ namespaceId, forward, sealed }: StoredDevice): Pick<Device, "forward"> {
  if (namespaceId === null || forward === null) return {};
  const kept = JSON.parse(forward) as Omit<Forwarding, "namespaceId" | "sealed">;
  return { forward: { namespaceId, ...kept, ...(sealed !== null && { sealed }) } };
}

/** The columns of `StoredDevice` for statements by hand. */
export const DEVICE_COLUMNS = columnsOf(device, "d");

const subscribed = {
  id: topic.row,
  namespaceId: topic.namespaceId,
  key: topic.key,
  name: topic.name,
  subscribedAt: subscription.subscribedAt,
  mutedUntil: subscription.mutedUntil,
  minPriority: subscription.minPriority,
};

/** The reads of one connection. */
export function deviceReader(orm: Orm, namespaces: Namespaces) {
  const subscriptions = (...where: Parameters<typeof and>) =>
    prepared(() =>
      orm
        .select(subscribed)
        .from(subscription)
        .innerJoin(topic, eq(topic.row, subscription.topicId))
        .where(and(eq(subscription.deviceRow, given.device), isLive, ...where))
        .orderBy(asc(subscription.row)),
    );
  const q = {
    byId: prepared(() => orm.select().from(device).where(eq(device.id, given.id))),
    subscriptions: subscriptions(),
    one: subscriptions(eq(subscription.topicId, given.topicId)),
    ofTopic: prepared(() =>
      orm
        .select(getTableColumns(device))
        .from(subscription)
        .innerJoin(device, eq(device.row, subscription.deviceRow))
        .where(and(eq(subscription.topicId, given.topicId), gt(subscription.deviceRow, given.after)))
        .orderBy(asc(subscription.deviceRow))
        .limit(LIMIT),
    ),
  };
  type Row = ReturnType<typeof q.subscriptions.all>[number];
  const toSubscription = ({ id, namespaceId, key, name, subscribedAt, ...own }: Row): Subscription => ({
    topic: { id, namespace: namespaces.name(namespaceId), key, name },
    subscribedAt,
    ...withoutNulls(own),
  });

  return {
    stored: (id: string): StoredDevice | undefined => q.byId.all({ id })[0],
    registered: (row: StoredDevice): Registered => ({
      device: toDevice(row),
      subscriptions: q.subscriptions.all({ device: row.row }).map(toSubscription),
    }),
    subscription: (row: DeviceRow, topicId: Subscription["topic"]["id"]): Subscription | undefined =>
      q.one.all({ device: row, topicId }).map(toSubscription)[0],
    ofTopic: (topicId: Subscription["topic"]["id"], after: number, limit: number): Device[] =>
      q.ofTopic.all({ topicId, after, limit }).map(toDevice),
  };
}
