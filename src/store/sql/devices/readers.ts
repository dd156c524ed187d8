/** The built-in forward, which follows the topics that the iPhone app of ntfy reads (NTFY.md §3). */
import { and, eq, lt } from "drizzle-orm";
import type { OF_SERVER } from "../../../devices/device.ts";
import type { ForwardStore } from "../../forwards.ts";
import { deviceRemover } from "../deliveries/purge.ts";
import type { Endings } from "../deliveries/endings.ts";
import type { Engine } from "../engine.ts";
import { inSlices } from "../job.ts";
import { delivery, device, deviceNamespace, isPending, subscription } from "../schema/deliveries.ts";
import { LIMIT, placeholders, prepared } from "../statements.ts";
import { topicByRow } from "../topics/rows.ts";
import { columnsOf } from "./forwards.ts";
import { deviceWriter } from "./put.ts";
import { newRow } from "./registration.ts";
import { SLICE_ROWS, type Subscriptions } from "./subscriptions.ts";

const given = placeholders<typeof subscription, "device" | "lane" | "now" | "before">();

/** The store knows only types: the compiler checks that it is the same number. */
const OWNER = 0 as typeof OF_SERVER;
const CHANGED = [{ kind: "device" }, { kind: "outbox" }] as const;

interface Parts {
  subscriptions: Subscriptions;
  ends: Endings;
}

type Readers = Pick<ForwardStore, "follow" | "leave" | "followed">;

export function readersStore(engine: Engine, { subscriptions, ends }: Parts): Readers {
  const { writer, clock, write } = engine;
  const { insert, put } = deviceWriter(engine);
  const remove = deviceRemover(write, subscriptions, ends);
  const q = queries(engine);

  return {
    follow: async ({ id, base, forward, lane }, topics) =>
      writer.run(() => {
        const now = clock.now();
        const columns = columnsOf(forward);
        const [known] = q.own.all();
        if (known === undefined && topics.length === 0) return { result: undefined };
        const made = () => newRow({ platform: "forward", token: id, base }, now, { id, idleSince: null, ...columns });
        const row = known === undefined ? insert(made()) : put(known, { ...known, ...columns, base });
        if (known !== undefined && known.forward !== row.forward) q.move.run({ device: row.row, lane });
        for (const topicId of topics)
          if (subscriptions.has(row.row, topicId)) q.note.run({ device: row.row, topicId, now });
          else if (q.topic.all({ topicId }).length > 0) subscriptions.add(row.row, topicId, now);
        return { result: undefined, events: CHANGED };
      }),

    leave: async (before) => {
      await inSlices<true>(writer, () => {
        const [found] = q.own.all();
        if (found === undefined) return { result: true };
        const old = q.old.all({
          device: found.row,
          before: Math.min(before, Number.MAX_SAFE_INTEGER),
          limit: SLICE_ROWS,
        });
        for (const { topicId } of old) subscriptions.remove(found.row, topicId);
        if (old.length === SLICE_ROWS) return { result: "more", events: CHANGED };
        const isDone = before !== Infinity || remove(found.row, clock.now(), SLICE_ROWS) < SLICE_ROWS;
        return { result: isDone || "more", events: CHANGED };
      });
    },

    followed: async () => q.followed.all().map(({ namespaceId }) => namespaceId),
  };
}

function queries({ read, write }: Engine) {
  const isOne = and(eq(subscription.deviceRow, given.device), eq(subscription.topicId, given.topicId));
  return {
    own: prepared(() => write.select().from(device).where(eq(device.namespaceId, OWNER))),
    topic: topicByRow(write),
    note: prepared(() => write.update(subscription).set({ subscribedAt: given.now }).where(isOne)),
    old: prepared(() =>
      write
        .select({ topicId: subscription.topicId })
        .from(subscription)
        .where(and(eq(subscription.deviceRow, given.device), lt(subscription.subscribedAt, given.before)))
        .limit(LIMIT),
    ),
    move: prepared(() =>
      write
        .update(delivery)
        .set({ lane: given.lane })
        .where(and(eq(delivery.deviceRow, given.device), isPending)),
    ),
    followed: prepared(() =>
      read
        .select({ namespaceId: deviceNamespace.namespaceId })
        .from(device)
        .innerJoin(deviceNamespace, eq(deviceNamespace.deviceRow, device.row))
        .where(eq(device.namespaceId, OWNER)),
    ),
  };
}
