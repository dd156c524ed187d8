/** Devices: their rows, and the store's methods on them and on their subscriptions. */
import { and, asc, count, eq, gt, isNotNull } from "drizzle-orm";
import type { Device, DeviceRow } from "../../../devices/device.ts";
import type { NamespaceId } from "../../../keys/namespace.ts";
import { createTurns } from "../../../util/turns.ts";
import type { DeviceStore, TopicRef } from "../../devices.ts";
import { placeholders, prepared } from "../statements.ts";
import { delivery, device, isPending, subscription } from "../schema/deliveries.ts";
import { deviceLister, nameDevices, PLATFORMS } from "./list.ts";
import { deviceReader } from "./rows.ts";
import type { Endings } from "../deliveries/endings.ts";
import { inSlices } from "../job.ts";
import { JOIN_IN_ORDER } from "../differences.ts";
import type { Engine } from "../engine.ts";
import { deviceRemover } from "../deliveries/purge.ts";
import { deviceWriter } from "./put.ts";
import { hasOtherKeys, newRow, patched, registered } from "./registration.ts";
import { SLICE_ROWS, type Subscriptions } from "./subscriptions.ts";
import type { TopicRow } from "../topics/rows.ts";

const given = placeholders<typeof device, "device" | "topicId" | "lane" | "mutedUntil">();

const CHANGED = [{ kind: "device" }] as const;

interface Parts {
  subscriptions: Subscriptions;
  ends: Endings;
}
type Answer<Method extends keyof DeviceStore> = Awaited<ReturnType<DeviceStore[Method]>>;

export function deviceStore(engine: Engine, parts: Parts): DeviceStore {
  const q = queries(engine);
  const jobs = jobParts(engine, parts);
  nameDevices(engine.write);
  return {
    ...reads(engine, q),
    register: registration(engine, q, jobs),
    ...changes(engine, q, jobs),
    ...subscribing(engine, q, jobs),
  };
}

function reads(engine: Engine, q: Queries) {
  const { read, namespaces } = engine;
  const outside = deviceReader(read, namespaces);
  const lister = deviceLister(engine);
  const turn = createTurns();
  return {
    find: async (id) => {
      const row = outside.stored(id);
      return row && outside.registered(row);
    },

    byRef: async (ref) => {
      const row = lister.stored(ref);
      return row && outside.registered(row);
    },
    list: lister.list,
    latestOf: lister.latestOf,

    ofTopic: async (topicId, { after = 0, limit }) => outside.ofTopic(topicId, after, limit),

    counts: async () => {
      const counts = [];
      for (const platform of PLATFORMS) {
        await turn(); // walking over 100,000 takes a few milliseconds
        const all = q.ofPlatform.all({ platform })[0]?.devices ?? 0;
        const lost = q.lost.all({ platform })[0]?.devices ?? 0;
        counts.push({ platform, isLost: false, count: all - lost }, { platform, isLost: true, count: lost });
      }
      return counts;
    },

    namespacesOf: async (platform) => {
      const found: NamespaceId[] = [];
      for (const { id } of namespaces.all()) {
        await turn();
        if (q.inNamespace.get(id, platform) !== null) found.push(id);
      }
      return found;
    },
  } satisfies Partial<DeviceStore>;
}

type Jobs = ReturnType<typeof jobParts>;

/** What the jobs below share. */
function jobParts(engine: Engine, { subscriptions, ends }: Parts) {
  const { write, namespaces } = engine;
  const inside = deviceReader(write, namespaces);
  /** The row of a device and of a topic that it has subscribed to. */
  const subscribed = (id: string, ref: TopicRef): { row: DeviceRow; topicId: TopicRow["row"] } | undefined => {
    const row = inside.stored(id)?.row;
    const topicId = subscriptions.topic(ref)?.row;
    return row !== undefined && topicId !== undefined && subscriptions.has(row, topicId) ? { row, topicId } : undefined;
  };
  return {
    inside,
    subscriptions,
    subscribed,
    ...deviceWriter(engine),
    remove: deviceRemover(write, subscriptions, ends),
  };
}

function registration({ writer, clock }: Engine, q: Queries, jobs: Jobs): DeviceStore["register"] {
  const { inside, subscriptions, insert, put, remove } = jobs;
  return async (spec) =>
    inSlices<Answer<"register">>(writer, () => {
      const topics = spec.topics.map(subscriptions.topic);
      const unknown = topics.flatMap((topic, index) => (topic === undefined ? [index] : []));
      if (unknown.length > 0) return { result: { kind: "unknown_topics", unknown } };
      const [known] = q.byToken.all({ platform: spec.platform, token: spec.token });
      if (known !== undefined && hasOtherKeys(known, spec)) return { result: { kind: "token_taken" } };
      const byRow = new Map(topics.flatMap((topic) => (topic === undefined ? [] : [[topic.row, topic]])));
      const added = [...byRow.values()].filter(({ row }) => known === undefined || !subscriptions.has(known.row, row));
      const refusal = subscriptions.refusal(known?.row, added);
      if (refusal !== undefined) return { result: { kind: refusal } };
      const now = clock.now();
      let madeRoom = false;
      if (known === undefined && subscriptions.totals.isFull(added.length === 0)) {
        const [idlest] = q.idlest.all();
        if (idlest === undefined) return { result: { kind: "server_full" } };
        // its deliveries are cancelled in slices
        if (remove(idlest.row, now, SLICE_ROWS) >= SLICE_ROWS) return { result: "more" };
        madeRoom = true;
      }
      if (known === undefined) subscriptions.totals.count({ devices: 1, idle: 1 });
      const row = known === undefined ? insert(newRow(spec, now)) : put(known, registered(known, spec, now));
      for (const topic of added) subscriptions.add(row.row, topic.row, now);
      const kind = known === undefined ? "made" : "known";
      return { result: { kind, madeRoom, ...inside.registered(row) }, events: CHANGED };
    });
}

function changes({ writer, clock }: Engine, q: Queries, { inside, put, remove }: Jobs) {
  return {
    patch: async (id, patch) =>
      writer.run<Answer<"patch">>(() => {
        const before = inside.stored(id);
        if (before === undefined) return { result: undefined };
        const after = patched(before, patch, clock.now());
        const [holder] = q.byToken.all({ platform: after.platform, token: after.token });
        if (holder !== undefined && holder.row !== before.row) return { result: "token_taken" };
        // on other platforms the lane stays: it does not depend on the token
        if (after.platform === "web" && after.token !== before.token)
          q.move.run({ device: before.row, lane: `webpush:${new URL(after.token).origin}` });
        return { result: inside.registered(put(before, after)), events: CHANGED };
      }),

    remove: async (id) =>
      inSlices<boolean>(writer, () => {
        const gone = inside.stored(id);
        if (gone === undefined) return { result: false };
        const isGone = remove(gone.row, clock.now(), SLICE_ROWS) < SLICE_ROWS;
        return { result: isGone || "more", events: CHANGED };
      }),
  } satisfies Partial<DeviceStore>;
}

function subscribing({ writer, clock }: Engine, q: Queries, { inside, subscriptions, subscribed }: Jobs) {
  return {
    subscribe: async (id, ref) =>
      writer.run<Answer<"subscribe">>(() => {
        const row = inside.stored(id)?.row;
        if (row === undefined) return { result: { kind: "unknown_device" } };
        const topic = subscriptions.topic(ref);
        if (topic === undefined) return { result: { kind: "unknown_topic" } };
        const known = inside.subscription(row, topic.row);
        if (known !== undefined) return { result: { kind: "known", subscription: known } };
        const refusal = subscriptions.refusal(row, [topic]);
        if (refusal !== undefined) return { result: { kind: refusal } };
        subscriptions.add(row, topic.row, clock.now());
        const made = inside.subscription(row, topic.row);
        if (made === undefined) throw new Error("a subscription that was just made is not there");
        return { result: { kind: "made", subscription: made }, events: CHANGED };
      }),

    patchSubscription: async (id, ref, patch) =>
      writer.run<Answer<"patchSubscription">>(() => {
        const found = subscribed(id, ref);
        if (found === undefined) return { result: undefined };
        const { row, topicId } = found;
        const before = inside.subscription(row, topicId);
        q.rules.run({ device: row, topicId, mutedUntil: null, minPriority: null, ...before, ...patch });
        return { result: inside.subscription(row, topicId), events: CHANGED };
      }),

    unsubscribe: async (id, ref) =>
      writer.run(() => {
        const found = subscribed(id, ref);
        if (found === undefined) return { result: undefined };
        subscriptions.remove(found.row, found.topicId);
        return { result: undefined, events: CHANGED };
      }),
  } satisfies Partial<DeviceStore>;
}

type Queries = ReturnType<typeof queries>;

function queries({ read, write }: Engine) {
  const isWaiting = and(eq(delivery.deviceRow, given.device), isPending);
  const isToken = eq(device.token, given.token);
  const isPlatform = eq(device.platform, given.platform);
  return {
    byToken: prepared(() => write.select().from(device).where(and(isPlatform, isToken))),
    /** The device that has followed nothing for longest. */
    idlest: prepared(() =>
      write
        .select({ row: device.row })
        .from(device)
        .where(isNotNull(device.idleSince))
        .orderBy(asc(device.idleSince))
        .limit(1),
    ),
    move: prepared(() => write.update(delivery).set({ lane: given.lane }).where(isWaiting)),
    rules: prepared(() =>
      write
        .update(subscription)
        .set({ mutedUntil: given.mutedUntil, minPriority: given.minPriority })
        .where(and(eq(subscription.topicId, given.topicId), eq(subscription.deviceRow, given.device))),
    ),
    ofPlatform: prepared(() => read.select({ devices: count() }).from(device).where(isPlatform)),
    lost: prepared(() =>
      read
        .select({ devices: count() })
        .from(device)
        .where(and(gt(device.lostAt, 0), isPlatform)),
    ),
    // by hand: joined in order, so that it ends at the first match
    inNamespace: read.$client.prepare<{ found: 1 }, [NamespaceId, Device["platform"]]>(
      `SELECT 1 AS found FROM topic t ${JOIN_IN_ORDER} subscription s ON s.topic_id = t.row
         ${JOIN_IN_ORDER} device d ON d.row = s.device_row
       WHERE t.namespace_id = ? AND t.deleted_at IS NULL AND t.subscribers > 0 AND d.platform = ? AND d.lost_at IS NULL LIMIT 1`,
    ),
  };
}
