/** What is counted of deliveries (docs/design/DELIVERY.md §6). */
import type { Metrics } from "../ops/metrics.ts";
import type { Settled } from "../store/deliveries.ts";
import type { Millis } from "../util/clock.ts";
import type { Pending } from "./delivery.ts";

interface Figures {
  settled: readonly Settled[];
  /** Those that it is about are among them. */
  pending: readonly Pending[];
  now: Millis;
}

/** `lane`: as people know it. A repeat of what was accepted before takes no time from its publish. */
export function count(
  { deliveries, deliverySeconds }: Pick<Metrics, "deliveries" | "deliverySeconds">,
  lane: string,
  { settled, pending, now }: Figures,
): void {
  const byRow = new Map(pending.map((one) => [one.row, one]));
  for (const { rows, outcome } of settled) {
    deliveries.of(lane, outcome.kind, outcome.kind === "accepted" ? "" : outcome.reason).inc(rows.length);
    for (const one of rows.map((row) => byRow.get(row)))
      if (one !== undefined && outcome.kind === "accepted" && one.acceptedAt === undefined)
        deliverySeconds.observe((now - (one.message?.createdAt ?? one.createdAt)) / 1000);
  }
}
