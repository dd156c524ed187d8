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
    const reason = outcome.kind === "accepted" ? "" : reasonLabel(lane, outcome.status, outcome.reason);
    deliveries.of(lane, outcome.kind, reason).inc(rows.length);
    for (const one of rows.map((row) => byRow.get(row)))
      if (one !== undefined && outcome.kind === "accepted" && one.acceptedAt === undefined)
        deliverySeconds.observe((now - (one.message?.createdAt ?? one.createdAt)) / 1000);
  }
}

/** A provider's own word, of which there are few; behind Google's stand others. */
const WORD = /^[A-Za-z_]{1,40}(?=$|: )/;

/**
 * Why, as a label: each one is a time series, so there must be few, and push services of browsers may say what they like.
 * `lane`: as it is, or as people know it. `status`: absent where nobody answered; then the words are our own, and what
 * stands behind a colon names something.
 */
export function reasonLabel(lane: string, status: number | undefined, reason: string): string {
  if (status === undefined) return reason.split(":", 1)[0] ?? "";
  const word = lane.startsWith("webpush:") ? undefined : WORD.exec(reason)?.[0];
  return word ?? `status_${status}`;
}
