/** The JSON of deliveries (DELIVERY.md §6). */
import { namedTo } from "../devices/ref.ts";
import type { Principal } from "../keys/auth.ts";
import { optionalRfc3339, rfc3339 } from "../util/clock.ts";
import { defined } from "../util/defined.ts";
import { type Delivery, TOO_MANY } from "./delivery.ts";
import type { DeliveryRecord } from "./schema.ts";
import type { LaneStatus, Delivery as Service } from "./service.ts";

export type Lanes = Pick<Service, "lane" | "labelOf" | "restsUntil">;

/** The delivery as it is shown to those who ask what became of a message. */
export function deliveryJson(asking: Principal, delivery: Delivery, lanes: Lanes): DeliveryRecord {
  const { device, lane, attempts, createdAt, expiresAt, providerId, lastStatus, lastReason } = delivery;
  return defined<DeliveryRecord>({
    device: device && defined({ ...namedTo(asking, device), platform: device.platform, name: device.name }),
    state: stateOf(delivery),
    lane: lanes.labelOf(lane),
    waits_for: waitsFor(delivery, lanes),
    attempts,
    created_at: rfc3339(createdAt),
    due_at: delivery.state === "pending" ? rfc3339(delivery.dueAt) : undefined,
    expires_at: rfc3339(expiresAt),
    accepted_at: optionalRfc3339(delivery.acceptedAt),
    settled_at: optionalRfc3339(delivery.settledAt),
    shown_at: optionalRfc3339(delivery.shownAt),
    provider_id: providerId,
    last_status: lastStatus,
    last_reason: lastReason,
  });
}

/** The state that is shown: a delivery that is only repeated until somebody acknowledges was accepted. */
export const stateOf = ({ state, acceptedAt }: Delivery): Delivery["state"] =>
  state === "pending" && acceptedAt !== undefined ? "accepted" : state;

/** Why it is not sent now; undefined if nothing holds it up. */
export function waitsFor({ state, lane, device }: Delivery, lanes: Lanes): string | undefined {
  if (state !== "pending") return undefined;
  const isResting = device !== undefined && lanes.restsUntil(device.row) !== undefined;
  return words(lanes.lane(lane)) ?? (isResting ? TOO_MANY : undefined);
}

function words(status: LaneStatus): string | undefined {
  switch (status.kind) {
    case "open":
      return undefined;
    case "unreachable":
      return `unreachable: ${status.reason}`;
    case "paused":
      return `paused: ${status.reason}`;
    case "not_configured":
      return "paused: not configured";
  }
}
