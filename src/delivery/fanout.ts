/** Fan-out: makes a delivery for each device that was subscribed when a message was published (DELIVERY.md §2). */
import type { Deps } from "../deps.ts";
import type { DeviceRow } from "../devices/device.ts";
import type { Queues } from "./lanes/queues.ts";
import { planOf } from "./push/plan.ts";

/** The number of devices that one transaction makes deliveries for: this takes 2 ms of the event loop. */
const CHUNK = 300;

export function createFanout({ store: { deliveries }, log }: Pick<Deps, "store" | "log">, queues: Queues) {
  let isDue = true;
  /** Devices that cannot be read and were logged: each is logged once. */
  const logged = new Set<DeviceRow>();
  return {
    /** Something may wait for its fan-out. */
    get isDue() {
      return isDue;
    },
    /** A message was published, or something else changed the outbox. */
    note: () => {
      isDue = true;
    },
    /** Makes one slice of deliveries. When this throws, it is due again. */
    expand: async (): Promise<void> => {
      isDue = false; // what is published from here on sets it again
      try {
        const { hasMore, unreadable } = await deliveries.expand(planOf, CHUNK);
        for (const { device, error } of unreadable) {
          if (!logged.has(device)) log.error("a device cannot be read: it gets no pushes", { device, error });
          logged.add(device);
        }
        for (const name of await deliveries.lanes()) queues.refresh(name);
        isDue ||= hasMore;
      } catch (error) {
        isDue = true;
        throw error;
      }
    },
  };
}
