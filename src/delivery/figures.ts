/** What is counted of deliveries (docs/design/DELIVERY.md §6). */
import type { Metrics } from "../telemetry/metrics.ts";
import type { Settled } from "../store/deliveries.ts";
import type { Millis } from "../util/clock.ts";
import type { Lane as LaneName, Pending } from "./delivery.ts";
import { serviceAbove } from "./transport/endpoint.ts";
import type { Lane } from "./lanes/lane.ts";

interface Figures {
  settled: readonly Settled[];
  /** Those that it is about are among them. */
  pending: readonly Pending[];
  now: Millis;
}

/** `lane`: as it is counted. A repeat of what was accepted before takes no time from its publish. */
export function count(
  { deliveries, deliverySeconds }: Pick<Metrics, "deliveries" | "deliverySeconds">,
  lane: string,
  { settled, pending, now }: Figures,
): void {
  const byRow = new Map(pending.map((one) => [one.row, one]));
  for (const { rows, outcome } of settled) {
    // it was counted when it was accepted; this is how its repeats end
    if (outcome.kind === "accepted" && (outcome.status ?? 400) >= 400) continue;
    const reason = outcome.kind === "accepted" ? "" : reasonLabel(lane, outcome.status, outcome.reason);
    deliveries.of(lane, outcome.kind, reason).inc(rows.length);
    for (const one of rows.map((row) => byRow.get(row)))
      if (one !== undefined && outcome.kind === "accepted" && one.acceptedAt === undefined)
        deliverySeconds.observe((now - (one.message?.createdAt ?? one.createdAt)) / 1000);
  }
}

const WEB = "webpush:";

/** A lane as it is counted. `label`: as people know it. All hosts below a browser's service are one: anybody can make up more. */
export function seriesOf(label: string): string {
  const host = label.startsWith(WEB) ? URL.parse(label.slice(WEB.length))?.hostname : undefined;
  const service = host === undefined ? undefined : serviceAbove(host);
  return service === undefined ? label : `${WEB}*.${service}`;
}

/** `lanes`: all that are in use. Of those that are counted together only such count as accepted pushes before. */
export function countBreakers(
  { breakerOpen }: Pick<Metrics, "breakerOpen">,
  lanes: Iterable<Lane>,
  labelOf: (lane: LaneName) => string,
): void {
  breakerOpen.clear();
  for (const { name, status, isProven } of lanes) {
    const label = labelOf(name);
    const series = seriesOf(label);
    const isDown = status.kind === "unreachable" && (isProven || series === label);
    if (isDown) breakerOpen.of(series).value = 1;
    else breakerOpen.of(series).inc(0);
  }
}

/** A provider's own word, of which there are few; behind Google's stand others. */
const WORD = /^[A-Za-z_]{1,40}(?=$|: )/;

/**
 * Why, as a label: each one is a time series, so there must be few, and push services of browsers may say what they like.
 * `lane`: as it is, as people know it or as it is counted. `status`: absent where nobody answered; then the words are our own, and what
 * stands behind a colon names something.
 */
export function reasonLabel(lane: string, status: number | undefined, reason: string): string {
  if (status === undefined) return reason.split(":", 1)[0] ?? "";
  const word = lane.startsWith(WEB) ? undefined : WORD.exec(reason)?.[0];
  return word ?? `status_${status}`;
}
