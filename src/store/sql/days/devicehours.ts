/** What became of pushes to a device, hour by hour. Pure. */
import type { DeliveryState } from "../../../delivery/delivery.ts";
import { HOUR, type Millis } from "../../../util/clock.ts";
import { median } from "../../../util/median.ts";
import type { DeviceHour } from "../../days.ts";

/** As the delivery has it. */
export interface Push {
  createdAt: Millis;
  dueAt: Millis;
  acceptedAt: Millis | null;
  attempts: number;
  state: DeliveryState;
}

/** By the hour since 1970. What waits and was never accepted is in none yet. */
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

/** One that quiet hours held was to be sent at their end. Of one that was tried more often, or is repeated, `dueAt` is that of a later try. */
function sentFrom({ createdAt, dueAt, acceptedAt, attempts }: Push): Millis {
  return attempts <= 1 && acceptedAt !== null && dueAt <= acceptedAt ? dueAt : createdAt;
}
