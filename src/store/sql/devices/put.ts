/** Writes the rows of devices, inside jobs. */
import { and, eq, gt } from "drizzle-orm";
import type { IN_QUIET_HOURS } from "../../../devices/device.ts";
import { delivery, device, isPending } from "../schema/deliveries.ts";
import { pick, placeholders, prepared } from "../statements.ts";
import type { Engine } from "../engine.ts";
import type { StoredDevice } from "./rows.ts";

const given = placeholders<typeof device, "device" | "now">();

/** The store knows only types: the compiler checks that it is the same word. */
export const HELD: typeof IN_QUIET_HOURS = "quiet hours";

/** The columns that a registration gives and a change may change. */
const columns = {
  ...pick(given, "token", "p256dh", "auth", "name", "locale", "quietHours", "minPriority", "base"),
  ...pick(given, "registeredAt", "wasMoved", "lastSuccessAt", "lostAt", "lostReason", "idleSince"),
  ...pick(given, "lastErrorAt", "lastError", "namespaceId", "forward", "sealed"),
};

export function deviceWriter({ write, clock }: Engine) {
  const isWaiting = and(eq(delivery.deviceRow, given.device), isPending);
  const q = {
    insert: prepared(() =>
      write
        .insert(device)
        .values({ ...columns, ...pick(given, "id", "ref", "platform", "createdAt") })
        .returning(),
    ),
    put: prepared(() => write.update(device).set(columns).where(eq(device.row, given.device)).returning()),
    release: prepared(() =>
      write
        .update(delivery)
        .set({ dueAt: given.now })
        .where(and(isWaiting, eq(delivery.lastReason, HELD), gt(delivery.dueAt, given.now))),
    ),
  };
  return {
    insert: (row: Omit<StoredDevice, "row">): StoredDevice => q.insert.get(row),
    /** If its quiet hours change, deliveries that wait for their end are looked at again. */
    put: (before: StoredDevice, row: StoredDevice): StoredDevice => {
      if (row.quietHours !== before.quietHours) q.release.run({ device: row.row, now: clock.now() });
      return q.put.get({ ...row, device: row.row });
    },
  };
}
