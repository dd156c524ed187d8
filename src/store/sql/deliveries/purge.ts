/** Deletes devices and deliveries inside jobs, as many rows at once as the caller has time for. */
import { and, asc, eq, isNotNull, lt } from "drizzle-orm";
import type { DeviceRow } from "../../../devices/device.ts";
import type { DeliveryStore } from "../../deliveries.ts";
import { execute, type Orm } from "../differences.ts";
import { deleteSome, placeholders, prepared } from "../statements.ts";
import { delivery, deliveryDay, device } from "../schema/deliveries.ts";
import { dayOf, type Endings } from "./endings.ts";
import type { Engine } from "../engine.ts";
import type { Subscriptions } from "../devices/subscriptions.ts";

const given = placeholders<typeof delivery, "device" | "before">();

/** Deletes a device with its subscriptions and deliveries. Returns how many rows: if fewer than `limit`, the device is gone. */
export function deviceRemover(write: Orm, subscriptions: Subscriptions, { cancelOf }: Endings) {
  const drop = prepared(() =>
    write.delete(device).where(eq(device.row, given.device)).returning({ namespaceId: device.namespaceId }),
  );
  return (row: DeviceRow, now: number, limit: number): number => {
    let taken = cancelOf(row, now, "the device was removed", limit);
    if (taken < limit) taken += subscriptions.removeOf(row, limit - taken);
    const [gone] = taken < limit ? drop.all({ device: row }) : [];
    // forwards have a cap of their own, and are not counted
    if (gone?.namespaceId === null) subscriptions.totals.count({ devices: -1, idle: -1 });
    return taken;
  };
}

export type Purge = (before: Parameters<DeliveryStore["purge"]>[0], limit: number) => number;

/** Deletes settled deliveries, then devices that are lost or idle. Returns how many rows: if fewer than `limit`, none is left. */
export function purger({ write, clock }: Engine, subscriptions: Subscriptions, ends: Endings): Purge {
  const remove = deviceRemover(write, subscriptions, ends);
  const firstBy = (time: typeof device.lostAt | typeof device.idleSince) =>
    prepared(() =>
      write
        .select({ row: device.row })
        .from(device)
        .where(and(isNotNull(time), lt(time, given.before)))
        .orderBy(asc(time))
        .limit(1),
    );
  const q = {
    settled: prepared(() =>
      deleteSome(
        write,
        delivery,
        and(isNotNull(delivery.settledAt), lt(delivery.settledAt, given.before)),
        asc(delivery.settledAt),
      ),
    ),
    days: prepared(() => write.delete(deliveryDay).where(lt(deliveryDay.day, given.before))),
    lost: firstBy(device.lostAt),
    idle: firstBy(device.idleSince),
  };
  return ({ settledBefore, lostBefore, idleBefore }, limit) => {
    q.days.run({ before: dayOf(lostBefore) });
    let taken = execute(q.settled, { before: settledBefore, limit }).changes;
    while (taken < limit) {
      const gone = q.lost.all({ before: lostBefore })[0] ?? q.idle.all({ before: idleBefore })[0];
      if (gone === undefined) break;
      taken += Math.max(1, remove(gone.row, clock.now(), limit - taken));
    }
    return taken;
  };
}
