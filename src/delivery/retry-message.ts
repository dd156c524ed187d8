/** Sends a message's failed and expired pushes once more: for an admin in the dashboard, over the API or on the command line. */
import type { Deps } from "../deps.ts";
import type { DeviceRow } from "../devices/device.ts";
import type { Message } from "../messages/message.ts";
import { planOf } from "./push/plan.ts";

/**
 * They have as much time as when the message was published. Each is the same delivery with the same identity, and
 * accepted ones are not among them, so nothing is shown twice. `left`: the number that cannot be sent.
 */
export async function retryMessage(
  { store, clock }: Pick<Deps, "store" | "clock">,
  { seq }: Pick<Message, "seq">,
  device?: DeviceRow,
): Promise<{ retried: number; left: number }> {
  const createdAt = clock.now();
  return store.deliveries.retry(seq, (to) => planOf({ ...to, message: { ...to.message, createdAt } }), device);
}
