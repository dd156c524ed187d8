/** What failed or came too late, once more: by an admin in the dashboard, over the API, or on the command line. */
import type { Deps } from "../deps.ts";
import type { DeviceRow } from "../devices/device.ts";
import type { Message } from "../messages/message.ts";
import { planOf } from "./push/plan.ts";

/**
 * For as long as when it was published. It is the same delivery with the same identity, and what was accepted is none of
 * these: nothing is shown twice. `left`: that cannot be sent.
 */
export async function retryMessage(
  { store, clock }: Pick<Deps, "store" | "clock">,
  { seq }: Pick<Message, "seq">,
  device?: DeviceRow,
): Promise<{ retried: number; left: number }> {
  const createdAt = clock.now();
  return store.deliveries.retry(seq, (to) => planOf({ ...to, message: { ...to.message, createdAt } }), device);
}
