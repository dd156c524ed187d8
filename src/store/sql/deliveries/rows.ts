/** How deliveries are read: as people see them. */
import type { Delivery } from "../../../delivery/delivery.ts";
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
  /** Null: it was removed. */
  device: Pick<typeof device.$inferSelect, "row" | "id" | "platform" | "name"> | null;
};

export function toDelivery({ device: of, ...row }: Shown): Delivery {
  const { state, lane, attempts, createdAt, dueAt, expiresAt } = row;
  return {
    ...{ row: row.row, state, lane, attempts, createdAt, dueAt, expiresAt },
    ...(row.acceptedAt !== null && { acceptedAt: row.acceptedAt }),
    ...(row.settledAt !== null && { settledAt: row.settledAt }),
    ...(row.shownAt !== null && { shownAt: row.shownAt }),
    ...(row.providerId !== null && { providerId: row.providerId }),
    ...(row.lastStatus !== null && { lastStatus: row.lastStatus }),
    ...(row.lastReason !== null && { lastReason: row.lastReason }),
    ...(of !== null && {
      device: { row: of.row, id: of.id, platform: of.platform, ...(of.name !== null && { name: of.name }) },
    }),
  };
}
