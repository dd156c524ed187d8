/** Expiry: ends deliveries whose time has run out (DELIVERY.md §2). */
import type { Deps } from "../deps.ts";
import type { Millis } from "../util/clock.ts";
import { createTurns } from "../util/turns.ts";
import type { Lane } from "./delivery.ts";
import { TOO_LATE } from "./push/outcome.ts";

/** The number of deliveries that one transaction ends. */
const CHUNK = 300;
/** A push that was sent in time may be accepted this much later: the slowest services of forwards have a minute to answer. */
const ANSWER_MS = 65_000;

type ExpiryDeps = Pick<Deps, "store" | "clock" | "metrics"> & { labelOf: (lane: Lane) => string };

export function createExpiry({ store: { deliveries }, clock, metrics, labelOf }: ExpiryDeps) {
  const turn = createTurns();
  let at: Millis | undefined;
  return {
    /** The earliest time at which a delivery is known to expire; Infinity if none is known. */
    get at() {
      return at ?? Infinity;
    },
    /** A delivery may have expired, or nobody knows when the next one does. */
    get isDue() {
      return at === undefined || at <= clock.now();
    },
    /** Ends all that has expired, a slice a turn of the event loop. */
    run: async (isStopped: () => boolean): Promise<void> => {
      for (;;) {
        const next = await deliveries.nextExpiry();
        at = next && next + ANSWER_MS;
        if (at === undefined || at > clock.now() || isStopped()) return;
        for (const [name, count] of await deliveries.expire(clock.now() - ANSWER_MS, CHUNK))
          metrics.deliveries.of(labelOf(name), "expired", TOO_LATE).inc(count);
        await turn();
      }
    },
    /** Deliveries may have been added or changed: the next `run` looks again. */
    forget: () => {
      at = undefined;
    },
  };
}
