/** Forwards: rows of `device` that belong to a namespace, and the store's methods on them. */
import { and, asc, count, eq, sql } from "drizzle-orm";
import type { Device, Forwarding } from "../../../devices/device.ts";
import type { NamespaceId } from "../../../keys/namespace.ts";
import type { ForwardStore, TopicNamed } from "../../forwards.ts";
import { delivery, device, isPending } from "../schema/deliveries.ts";
import { placeholders, prepared } from "../statements.ts";
import type { Engine } from "../engine.ts";
import { topicByName, topicByNamespaceAndKey } from "../topics/rows.ts";
import { deviceWriter } from "./put.ts";
import { newRow } from "./registration.ts";
import { deviceReader, type StoredDevice, toDevice } from "./rows.ts";
import type { Subscriptions } from "./subscriptions.ts";

const given = placeholders<typeof device, "device" | "lane" | "now">();

const CHANGED = [{ kind: "device" }, { kind: "delivery" }, { kind: "outbox" }] as const;

type Answer<Method extends keyof ForwardStore> = Awaited<ReturnType<ForwardStore[Method]>>;

type Own = Omit<ForwardStore, "follow" | "leave" | "followed">;

export function forwardStore(engine: Engine, subscriptions: Subscriptions): Own {
  const { read, write, writer, clock, namespaces, forwardsPerNamespace } = engine;
  const q = queries(engine);
  const outside = deviceReader(read, namespaces);
  const inside = deviceReader(write, namespaces);
  const { insert, put } = deviceWriter(engine);

  return {
    create: async ({ topics: named, forward, ...spec }) =>
      writer.run<Answer<"create">>(() => {
        const { namespaceId } = forward;
        if (namespaces.isGone(namespaceId)) return { result: { kind: "gone" } };
        const found = named.map((one) => topicOf(q.inside, namespaceId, one));
        const unknown = found.flatMap((topic, index) => (topic === undefined ? [index] : []));
        if (unknown.length > 0) return { result: { kind: "unknown_topics", unknown } };
        if ((q.count.all({ namespaceId })[0]?.forwards ?? 0) >= forwardsPerNamespace)
          return { result: { kind: "too_many_forwards" } };
        const topics = new Map(found.flatMap((topic) => (topic === undefined ? [] : [[topic.row, topic]])));
        const refusal = subscriptions.refusal(undefined, [...topics.values()]);
        if (refusal !== undefined) return { result: { kind: refusal } };
        const now = clock.now();
        const { id, ...settings } = spec;
        const own = { id, idleSince: null, ...columnsOf(forward) };
        const row = insert(newRow({ platform: "forward", token: id, ...settings }, now, own));
        for (const topicId of topics.keys()) subscriptions.add(row.row, topicId, now);
        return { result: { kind: "made", ...inside.registered(row) }, events: CHANGED };
      }),

    topicNamed: async (namespaceId, named) => topicOf(q.outside, namespaceId, named),

    list: async (namespaceId) => q.list.all({ namespaceId }).map(outside.registered),

    find: async (namespaceId, ref) => q.find.all({ namespaceId, ref }).map(outside.registered)[0],

    change: async (namespaceId, ref, change) =>
      writer.run<Answer<"change">>(() => {
        const [before] = q.own.all({ namespaceId, ref });
        if (before === undefined) return { result: undefined };
        const old = toDevice(before);
        if (!isForward(old)) return { result: undefined };
        const { forward, lane, name, quietHours, minPriority } = change(old);
        const isElsewhere = JSON.stringify(forward) !== JSON.stringify(old.forward);
        const after: StoredDevice = {
          ...{ ...before, ...columnsOf(forward), name: name ?? null, minPriority: minPriority ?? null },
          quietHours: quietHours === undefined ? null : JSON.stringify(quietHours),
          ...(isElsewhere && { registeredAt: clock.now(), lastSuccessAt: null, lastErrorAt: null, lastError: null }),
        };
        if (isElsewhere) q.move.run({ device: before.row, lane, now: clock.now() });
        return { result: inside.registered(put(before, after)), events: CHANGED };
      }),
  };
}

const topicOf = ({ byKey, byName }: Queries["inside"], namespaceId: NamespaceId, named: TopicNamed) =>
  "key" in named ? byKey.all({ namespaceId, key: named.key })[0] : byName.all({ namespaceId, name: named.name })[0];

const isForward = (one: Device): one is Device & { forward: Forwarding } => one.forward !== undefined;

export const columnsOf = ({ namespaceId, sealed, ...forward }: Forwarding) => ({
  ...{ namespaceId, sealed: sealed ?? null, forward: JSON.stringify(forward) },
});

type Queries = ReturnType<typeof queries>;

function queries({ read, write }: Engine) {
  const isOwners = eq(device.namespaceId, given.namespaceId);
  const isOne = and(isOwners, eq(device.ref, given.ref));
  return {
    inside: { byKey: topicByNamespaceAndKey(write), byName: topicByName(write) },
    outside: { byKey: topicByNamespaceAndKey(read), byName: topicByName(read) },
    count: prepared(() => write.select({ forwards: count() }).from(device).where(isOwners)),
    list: prepared(() => read.select().from(device).where(isOwners).orderBy(asc(device.row))),
    find: prepared(() => read.select().from(device).where(isOne)),
    own: prepared(() => write.select().from(device).where(isOne)),
    // a repeat keeps its time; all else is tried with the new settings at once
    move: prepared(() =>
      write
        .update(delivery)
        .set({
          lane: given.lane,
          dueAt: sql`CASE WHEN ${delivery.acceptedAt} IS NULL THEN ${given.now} ELSE ${delivery.dueAt} END`,
        })
        .where(and(eq(delivery.deviceRow, given.device), isPending)),
    ),
  };
}
