/** How many devices there are, inside jobs: kept as numbers, because counting rows would slow down each registration. */
import { and, eq, lt, sql } from "drizzle-orm";
import type { DeviceRow } from "../../../devices/device.ts";
import type { NamespaceId } from "../../../keys/namespace.ts";
import { pick, placeholders, prepared } from "../statements.ts";
import { deviceNamespace, deviceTotal } from "../schema/deliveries.ts";
import type { Engine } from "../engine.ts";
import { namespace } from "../schema/schema.ts";

const given = placeholders<typeof deviceTotal, "device" | "namespaceId" | "by">();

export function deviceTotals(engine: Engine) {
  const { devicesInAll, idleDevices } = engine;
  const q = queries(engine);

  return {
    /** Adds to the totals. `idle`: devices that follow nothing. */
    count(by: { devices: number; idle: number }): void {
      q.count.run(by);
    },

    /** Whether one more device needs room made for it. `isIdle`: it follows nothing at first. */
    isFull(isIdle: boolean): boolean {
      const { devices = 0, idle = 0 } = q.get.all()[0] ?? {};
      return devices >= devicesInAll || (isIdle && idle >= idleDevices);
    },

    /** Whether a device may follow a topic of this namespace. Absent: a device that is not made yet. */
    hasRoomIn(namespaceId: NamespaceId, device: DeviceRow | undefined): boolean {
      const isThere = device !== undefined && q.has.all({ device, namespaceId }).length > 0;
      return isThere || q.roomy.all({ namespaceId }).length > 0;
    },

    /** It follows one more topic of this namespace. */
    follow(device: DeviceRow, namespaceId: NamespaceId): void {
      if (q.follow.all({ device, namespaceId })[0]?.topics === 1) q.tally.run({ namespaceId, by: 1 });
    },

    /** It follows one fewer. */
    leave(device: DeviceRow, namespaceId: NamespaceId): void {
      if (q.leave.all({ device, namespaceId })[0]?.topics !== 0) return;
      q.forget.run({ device, namespaceId });
      q.tally.run({ namespaceId, by: -1 });
    },
  };
}

function queries({ write, devicesPerNamespace }: Engine) {
  const isPair = and(eq(deviceNamespace.deviceRow, given.device), eq(deviceNamespace.namespaceId, given.namespaceId));
  return {
    get: prepared(() => write.select().from(deviceTotal).where(eq(deviceTotal.row, 1))),
    count: prepared(() =>
      write
        .insert(deviceTotal)
        .values({ row: 1, ...pick(given, "devices", "idle") })
        .onConflictDoUpdate({
          target: deviceTotal.row,
          set: {
            devices: sql`${deviceTotal.devices} + excluded.devices`,
            idle: sql`${deviceTotal.idle} + excluded.idle`,
          },
        }),
    ),
    has: prepared(() => write.select({ topics: deviceNamespace.topics }).from(deviceNamespace).where(isPair)),
    follow: prepared(() =>
      write
        .insert(deviceNamespace)
        .values({ deviceRow: given.device, namespaceId: given.namespaceId, topics: 1 })
        .onConflictDoUpdate({
          target: [deviceNamespace.deviceRow, deviceNamespace.namespaceId],
          set: { topics: sql`${deviceNamespace.topics} + 1` },
        })
        .returning({ topics: deviceNamespace.topics }),
    ),
    leave: prepared(() =>
      write
        .update(deviceNamespace)
        .set({ topics: sql`${deviceNamespace.topics} - 1` })
        .where(isPair)
        .returning({ topics: deviceNamespace.topics }),
    ),
    forget: prepared(() => write.delete(deviceNamespace).where(isPair)),
    tally: prepared(() =>
      write
        .update(namespace)
        .set({ devices: sql`${namespace.devices} + ${given.by}` })
        .where(eq(namespace.row, given.namespaceId)),
    ),
    roomy: prepared(() =>
      write
        .select({ row: namespace.row })
        .from(namespace)
        .where(and(eq(namespace.row, given.namespaceId), lt(namespace.devices, devicesPerNamespace))),
    ),
  };
}
