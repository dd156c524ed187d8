/** Reads deliveries as people see them. */
import type { Delivery } from "../../../delivery/delivery.ts";
import { withoutNulls } from "../columns.ts";
import { delivery, type device } from "../schema/deliveries.ts";

export const DELIVERY_COLUMNS = {
  row: delivery.row,
  state: delivery.state,
  lane: delivery.lane,
  attempts: delivery.attempts,
  createdAt: delivery.createdAt,
  dueAt: delivery.dueAt,
  expiresAt: delivery.expiresAt,
  acceptedAt: delivery.acceptedAt,
  settledAt: delivery.settledAt,
  shownAt: delivery.shownAt,
  providerId: delivery.providerId,
  lastStatus: delivery.lastStatus,
  lastReason: delivery.lastReason,
};

type StoredDelivery = typeof delivery.$inferSelect;
type Shown = Pick<StoredDelivery, keyof typeof DELIVERY_COLUMNS> & {
  /** Null if the device was removed. */
  device: Pick<typeof device.$inferSelect, "row" | "id" | "platform" | "name"> | null;
};

export function toDelivery({ device: of, ...row }: Shown): Delivery {
  const { state, lane, attempts, createdAt, dueAt, expiresAt } = row;
  const { acceptedAt, settledAt, shownAt, providerId, lastStatus, lastReason } = row;
  return {
    ...{ row: row.row, state, lane, attempts, createdAt, dueAt, expiresAt },
    ...withoutNulls({ acceptedAt, settledAt, shownAt, providerId, lastStatus, lastReason }),
    ...(of !== null && { device: withoutNulls(of) }),
  };
}
