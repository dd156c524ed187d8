/** Counts deliveries and breakers for the metrics (DELIVERY.md §6). */
import type { Metrics } from "../telemetry/metrics.ts";
import type { Settled } from "../store/deliveries.ts";
import type { Millis } from "../util/clock.ts";
import type { Lane as LaneName, Pending } from "./delivery.ts";
import { serviceAbove } from "./transport/endpoint.ts";
import type { Lane } from "./lanes/lane.ts";

interface Figures {
  settled: readonly Settled[];
  /** All deliveries that were pending, the settled ones among them. */
  pending: readonly Pending[];
  now: Millis;
}

/** `lane`: its name in metrics. The repeat of an accepted delivery has no time from its publish. */
export function count(
  { deliveries, deliverySeconds }: Pick<Metrics, "deliveries" | "deliverySeconds">,
  lane: string,
  { settled, pending, now }: Figures,
): void {
  const byRow = new Map(pending.map((one) => [one.row, one]));
  for (const { rows, outcome } of settled) {
    // this is how the repeats of a delivery end that was counted when it was accepted
    if (outcome.kind === "accepted" && (outcome.status ?? 400) >= 400) continue;
    const reason = outcome.kind === "accepted" ? "" : reasonLabel(lane, outcome.status, outcome.reason);
    deliveries.of(lane, outcome.kind, reason).inc(rows.length);
    for (const one of rows.map((row) => byRow.get(row)))
      if (one !== undefined && outcome.kind === "accepted" && one.acceptedAt === undefined)
        deliverySeconds.observe((now - (one.message?.createdAt ?? one.createdAt)) / 1000);
  }
}

const WEB = "webpush:";

/** The name of a lane in metrics. Hosts below a browser's service share one, since anybody can make up more; so do forwards of a kind. */
export function seriesOf(label: string): string {
  if (label.startsWith("forward:")) return label.split(":", 2).join(":");
  const host = label.startsWith(WEB) ? URL.parse(label.slice(WEB.length))?.hostname : undefined;
  const service = host === undefined ? undefined : serviceAbove(host);
  return service === undefined ? label : `${WEB}*.${service}`;
}

/** `lanes`: all that are in use. Of lanes that share a name, only those count that have accepted pushes before. */
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

/** A reason of Apple's or Google's, of which there are few. Google's may have more text behind it. */
const WORD = /^[A-Za-z_]{1,40}(?=$|: )/;

/**
 * A reason as a label. Each label is a time series, so there must be few, while push services of browsers may say
 * anything. `lane`: any of its names. `status`: absent if nobody answered. The words are our own then, and what follows
 * a colon in them is a name.
 */
export function reasonLabel(lane: string, status: number | undefined, reason: string): string {
  if (status === undefined) return reason.split(":", 1)[0] ?? "";
  const word = /^(?:webpush|forward):/.test(lane) ? undefined : WORD.exec(reason)?.[0];
  return word ?? `status_${status}`;
}
