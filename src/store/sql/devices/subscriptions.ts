/** Subscriptions of devices to topics, inside jobs: `topic.subscribers`, `device.idleSince` and the totals follow each row. */
import { and, asc, count, eq, gt, isNotNull, isNull, notExists, sql } from "drizzle-orm";
import type { DeviceRow } from "../../../devices/device.ts";
import type { TopicId } from "../../../topics/topic.ts";
import type { TopicRef } from "../../devices.ts";
import { LIMIT, placeholders, prepared } from "../statements.ts";
import { device, subscription } from "../schema/deliveries.ts";
import { deviceTotals } from "./totals.ts";
import type { Engine } from "../engine.ts";
import { topic } from "../schema/schema.ts";
import { topicByKey, type TopicRow } from "../topics/rows.ts";

const given = placeholders<typeof subscription, "now" | "device" | "by" | "after">();

/** How many rows one job handles where there may be many: cancelling a delivery takes 20 µs (measured). */
export const SLICE_ROWS = 100;

export type Subscriptions = ReturnType<typeof subscriptionsOn>;

export function subscriptionsOn(engine: Engine) {
  const { clock, namespaces, devicesPerTopic, topicsPerDevice } = engine;
  const totals = deviceTotals(engine);
  const q = queries(engine);

  /** Removes a subscription that exists. */
  const remove = (device: DeviceRow, topicId: TopicId): void => {
    q.remove.run({ device, topicId });
    for (const { namespaceId } of q.tally.all({ topicId, by: -1 })) totals.leave(device, namespaceId);
    if (q.idle.all({ device, now: clock.now() }).length > 0) totals.count({ devices: 0, idle: 1 });
  };

  return {
    totals,

    /** The topic that a device names: its key is looked up only in its own namespace. */
    topic: ({ namespace, key }: TopicRef): TopicRow | undefined =>
      q.topic.all({ key }).find(({ namespaceId }) => namespaces.name(namespaceId) === namespace),

    has: (device: DeviceRow, topicId: TopicId): boolean => q.has.all({ device, topicId }).length > 0,

    /** Why a device cannot subscribe to these topics, which it does not follow yet. Absent: a device that is not made yet. */
    refusal(device: DeviceRow | undefined, topics: readonly TopicRow[]) {
      const known = device === undefined ? 0 : (q.count.all({ device })[0]?.topics ?? 0);
      if (topics.length > 0 && known + topics.length > topicsPerDevice) return "too_many_subscriptions";
      if (topics.some(({ subscribers }) => subscribers >= devicesPerTopic)) return "topic_full";
      const among = new Set(topics.map(({ namespaceId }) => namespaceId));
      return [...among].every((id) => totals.hasRoomIn(id, device)) ? undefined : "namespace_full";
    },

    add(device: DeviceRow, topicId: TopicId, now: number): void {
      q.insert.run({ device, topicId, now });
      for (const { namespaceId } of q.tally.all({ topicId, by: 1 })) totals.follow(device, namespaceId);
      if (q.busy.all({ device }).length > 0) totals.count({ devices: 0, idle: -1 });
    },

    remove,

    /** Removes up to `limit` of a device; returns how many. */
    removeOf(device: DeviceRow, limit: number): number {
      const topics = q.topics.all({ device, limit });
      for (const { topicId } of topics) remove(device, topicId);
      return topics.length;
    },

    /**
     * Removes, from the next devices of a topic, subscriptions of those that are not kept; forwards are, because no link made
     * them. `after` is absent at the end.
     */
    removeOthers(topicId: TopicId, isKept: (id: string) => boolean, from: number): Parted {
      const page = q.devices.all({ topicId, after: from });
      const parts = Map.groupBy(page, ({ id, namespaceId }) => namespaceId !== null || isKept(id));
      const [kept = [], dropped = []] = [parts.get(true), parts.get(false)];
      for (const { row } of dropped) remove(row, topicId);
      const after = page.length < SLICE_ROWS ? undefined : page.at(-1)?.row;
      return {
        kept: kept.map(({ id }) => id),
        dropped: dropped.map(({ id }) => id),
        ...(after !== undefined && { after }),
      };
    },

    /** Removes up to `limit` of a deleted topic. */
    sweep(topicId: TopicId, limit: number): number {
      const devices = q.some.all({ topicId, limit });
      for (const { row } of devices) remove(row, topicId);
      return devices.length;
    },
  };
}

/** The ids of devices that keep their subscription and of those that do not. */
export interface Parted {
  kept: string[];
  dropped: string[];
  after?: number;
}

function queries({ write }: Engine) {
  const isOne = and(eq(subscription.topicId, given.topicId), eq(subscription.deviceRow, given.device));
  const isDevice = eq(device.row, given.device);
  const ofDevice = eq(subscription.deviceRow, given.device);
  return {
    topic: topicByKey(write),
    has: prepared(() => write.select({ row: subscription.row }).from(subscription).where(isOne)),
    count: prepared(() => write.select({ topics: count() }).from(subscription).where(ofDevice)),
    insert: prepared(() =>
      write.insert(subscription).values({
        topicId: given.topicId,
        deviceRow: given.device,
        subscribedAt: given.now,
      }),
    ),
    remove: prepared(() => write.delete(subscription).where(isOne)),
    topics: prepared(() =>
      write.select({ topicId: subscription.topicId }).from(subscription).where(ofDevice).limit(LIMIT),
    ),
    tally: prepared(() =>
      write
        .update(topic)
        .set({ subscribers: sql`${topic.subscribers} + ${given.by}` })
        .where(eq(topic.row, given.topicId))
        .returning({ namespaceId: topic.namespaceId }),
    ),
    devices: prepared(() =>
      write
        .select({ row: device.row, id: device.id, namespaceId: device.namespaceId })
        .from(subscription)
        .innerJoin(device, eq(device.row, subscription.deviceRow))
        .where(and(eq(subscription.topicId, given.topicId), gt(subscription.deviceRow, given.after)))
        .orderBy(asc(subscription.deviceRow))
        .limit(SLICE_ROWS),
    ),
    some: prepared(() =>
      write
        .select({ row: subscription.deviceRow })
        .from(subscription)
        .where(eq(subscription.topicId, given.topicId))
        .limit(LIMIT),
    ),
    busy: prepared(() =>
      write
        .update(device)
        .set({ idleSince: null })
        .where(and(isDevice, isNotNull(device.idleSince)))
        .returning({ row: device.row }),
    ),
    idle: prepared(() =>
      write
        .update(device)
        .set({ idleSince: given.now })
        // a forward is its owner's, and is kept whatever it follows
        .where(
          and(
            ...[isDevice, isNull(device.namespaceId)],
            notExists(write.select({ row: subscription.row }).from(subscription).where(ofDevice)),
          ),
        )
        .returning({ row: device.row }),
    ),
  };
}
