/** The outcomes of pushes to a device, hour by hour. Pure. */
import type { DeliveryState } from "../../../delivery/delivery.ts";
import { HOUR, type Millis } from "../../../util/clock.ts";
import { median } from "../../../util/median.ts";
import type { DeviceHour } from "../../days.ts";

/** Fields as the delivery has them. */
export interface Push {
  createdAt: Millis;
  dueAt: Millis;
  acceptedAt: Millis | null;
  attempts: number;
  state: DeliveryState;
}

/** By the hour since 1970. A push that waits and was never accepted is in none yet. */
export function deviceHours(pushes: readonly Push[], since: Millis): ReadonlyMap<number, DeviceHour> {
  const hours = new Map<number, { failed: number; waits: number[] }>();
  for (const push of pushes) {
    const { createdAt, acceptedAt, state } = push;
    const isFailed = state === "failed" || state === "expired";
    if (createdAt < since || (acceptedAt === null && !isFailed)) continue;
    const from = sentFrom(push);
    const hour = Math.floor(from / HOUR);
    const counts = hours.get(hour) ?? { failed: 0, waits: [] };
    hours.set(hour, counts);
    if (acceptedAt === null) counts.failed++;
    else counts.waits.push(Math.max(0, acceptedAt - from));
  }
  return new Map([...hours].map(([hour, counts]) => [hour, toHour(counts)]));
}

function toHour({ failed, waits }: { failed: number; waits: readonly number[] }): DeviceHour {
  const medianMs = median(waits);
  return { accepted: waits.length, failed, ...(medianMs !== undefined && { medianMs }) };
}

/** When it was to be sent: quiet hours hold a push until their end. After more tries or a repeat, `dueAt` is a later one's. */
function sentFrom({ createdAt, dueAt, acceptedAt, attempts }: Push): Millis {
  return attempts <= 1 && acceptedAt !== null && dueAt <= acceptedAt ? dueAt : createdAt;
}
