/** Deliveries: what people see of them, and the store's methods on them. */
import { and, asc, desc, eq, gt, isNull, sql } from "drizzle-orm";
import type { DeliveryStore } from "../../deliveries.ts";
import { LIMIT, placeholders, prepared } from "../statements.ts";
import { acknowledging } from "./acknowledging.ts";
import { deliveryLists } from "./list.ts";
import { DELIVERY_COLUMNS, toDelivery } from "./rows.ts";
import { delivery, deliveryCount, device } from "../schema/deliveries.ts";
import { deviceReader, toDevice } from "../devices/rows.ts";
import type { Endings } from "./endings.ts";
import { silently } from "../job.ts";
import type { Engine } from "../engine.ts";
import { expander } from "./fanout.ts";
import { outbox } from "./outbox.ts";
import { settler } from "./outcomes.ts";
import type { Purge } from "./purge.ts";
import { retrier } from "./retry.ts";
import type { Settings } from "../settings.ts";

const given = placeholders<typeof delivery, "seq" | "device" | "after" | "now">();

const NOTHING = { pending: 0, accepted: 0, failed: 0, expired: 0, cancelled: 0 };

interface Parts {
  settings: Settings;
  ends: Endings;
  purge: Purge;
}

export function deliveryStore(engine: Engine, { settings, ends, purge }: Parts): DeliveryStore {
  const { write, writer, clock, namespaces } = engine;
  const q = queries(engine);
  const devices = deviceReader(write, namespaces);

  return {
    ...outbox(engine, ends),
    ...acknowledging(engine, ends),
    ...deliveryLists(engine),
    retry: retrier(engine),
    expand: expander(engine),
    settle: settler(engine, ends),

    addTest: async (id, plan) =>
      writer.run<Awaited<ReturnType<DeliveryStore["addTest"]>>>(() => {
        const stored = devices.stored(id);
        if (stored === undefined) return { result: undefined };
        const { lane, isUrgent, expiresAt } = plan(toDevice(stored));
        const now = clock.now();
        ends.ending((end) => {
          for (const { row } of q.tests.all({ device: stored.row }))
            end(row, now, { state: "cancelled", reason: "another test was asked for" });
        });
        q.addTest.run({ device: stored.row, lane, urgent: isUrgent ? 1 : 0, now, expiresAt });
        return { result: { lane }, events: [{ kind: "outbox" }, { kind: "delivery" }] };
      }),

    lastTest: async (device) => q.lastTest.all({ device }).map(toDelivery)[0],

    ofMessage: async (seq, { after = 0, limit }) => {
      // one more than asked for tells whether there are more
      const found = q.ofMessage.all({ seq, after, limit: limit + 1 });
      const counts = q.counts.all({ seq })[0] ?? NOTHING;
      return { deliveries: found.slice(0, limit).map(toDelivery), hasMore: found.length > limit, counts };
    },

    shown: async (device, seq) => silently(writer, () => q.shown.run({ device, seq, now: clock.now() })),

    kept: async (name) => settings.get(name),
    keep: async (name, text) => silently(writer, () => settings.set(name, text)),

    purge: async (before, limit) => writer.run(() => ({ result: purge(before, limit) >= limit })),
  };
}

function queries({ read, write }: Engine) {
  const ofMessage = eq(delivery.messageRow, given.seq);
  const isTest = and(eq(delivery.deviceRow, given.device), isNull(delivery.messageRow));
  const columns = {
    ...DELIVERY_COLUMNS,
    device: { row: device.row, id: device.id, platform: device.platform, name: device.name },
  };
  const shown = () => read.select(columns).from(delivery).leftJoin(device, eq(device.row, delivery.deviceRow));
  return {
    ofMessage: prepared(() =>
      shown()
        .where(and(ofMessage, gt(delivery.row, given.after)))
        .orderBy(asc(delivery.deviceRow)) // for one message also the order of rows, and of the index
        .limit(LIMIT),
    ),
    lastTest: prepared(() => shown().where(isTest).orderBy(desc(delivery.row)).limit(1)),
    counts: prepared(() =>
      read
        .select({
          ...{ pending: deliveryCount.pending, accepted: deliveryCount.accepted, failed: deliveryCount.failed },
          ...{ expired: deliveryCount.expired, cancelled: deliveryCount.cancelled },
        })
        .from(deliveryCount)
        .where(eq(deliveryCount.row, given.seq)),
    ),
    // a bound word keeps partial indices of pending deliveries out: a device has few tests
    tests: prepared(() =>
      write
        .select({ row: delivery.row })
        .from(delivery)
        .where(and(isTest, eq(delivery.state, "pending"))),
    ),
    addTest: prepared(() =>
      write.insert(delivery).values({
        ...{ deviceRow: given.device, lane: given.lane, urgent: given.urgent, createdAt: given.now },
        ...{ dueAt: given.now, expiresAt: given.expiresAt },
      }),
    ),
    shown: prepared(() =>
      write
        .update(delivery)
        .set({ shownAt: sql`coalesce(${delivery.shownAt}, ${given.now})` })
        .where(and(ofMessage, eq(delivery.deviceRow, given.device))),
    ),
  };
}
