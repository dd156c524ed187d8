/** One flight: reads what waits for a device, sends one push, and writes what became of it (DELIVERY.md §2, §3). */
import type { Deps } from "../deps.ts";
import type { DeviceRow } from "../devices/device.ts";
import type { Settled } from "../store/deliveries.ts";
import { random } from "../util/ids.ts";
import type { Courier } from "./courier.ts";
import type { Lane as LaneName, Pending } from "./delivery.ts";
import { count, reasonLabel } from "./figures.ts";
import type { Lane, Place } from "./lanes/lane.ts";
import type { Queues } from "./lanes/queues.ts";
import type { Rests } from "./lanes/rests.ts";
import type { OutcomeWriter } from "./outcome-writer.ts";
import { restMs, settle, sift, type Sifted } from "./push/outcome.ts";
import type { Status } from "./status.ts";

export type FlightDeps = Pick<Deps, "store" | "clock" | "metrics"> & {
  courier: Courier;
  status: Status;
  labelOf: (lane: LaneName) => string;
  queues: Queues;
  rests: Rests;
  writer: OutcomeWriter;
  /** More may be started. */
  wake: () => void;
};

/** `place`: the one that the push takes in the lane; it is free as soon as the push service has answered. */
export interface Departure {
  lane: Lane;
  device: DeviceRow;
  place: Place;
}

/** `hasMoved`: a delivery is no longer what it was. `hasMore`: others wait for the device in this lane. */
export type Landing = Record<"hasMoved" | "hasMore", boolean>;

/** The number of deliveries of one device that are read, those due first: the rest waits for its next turn. */
const MOST_PENDING = 500;

/** Resolves once it is on disk what became of the push. Rejects if what waits for the device cannot be read. */
export async function fly(deps: FlightDeps, { lane, device, place }: Departure): Promise<Landing> {
  const { store, clock, metrics, labelOf, queues, writer, wake } = deps;
  let pending: readonly Pending[] = [];
  let settled: readonly Settled[] = [];
  try {
    pending = await store.deliveries.ofDevice(device, lane.name, MOST_PENDING);
    const sifted = sift(pending, clock.now());
    const sent = await send(deps, lane, sifted, place);
    settled = [...sifted.settled, ...sent];
    // a push that a rule puts off was not tried, and is looked at again
    const counted = [...sifted.settled.filter(({ outcome }) => outcome.kind !== "later"), ...sent];
    count(metrics, labelOf(lane.name), { settled: counted, pending, now: clock.now() });
  } finally {
    lane.end(place);
    wake(); // the next push may leave while this one's outcome is being written
  }
  if (settled.length > 0) await writer.write(settled);
  for (const { news } of settled) if (news?.movedTo !== undefined) queues.refresh(news.movedTo.lane);
  return { hasMoved: settled.length > 0, hasMore: pending.length > settled.length };
}

async function send(
  { store, courier, status, clock, metrics, queues, rests }: FlightDeps,
  lane: Lane,
  { choice }: Sifted,
  place: Place,
): Promise<Settled[]> {
  if (choice === undefined) return [];
  const { row, lastSuccessAt } = choice.chosen[0].device;
  const answer = await courier.send(lane.name, choice);
  const addressee = { device: row, isProven: lastSuccessAt !== undefined };
  const judged = lane.hear(answer, { ...place, ...addressee }, clock.monotonic());
  status.look(queues.lanes());
  void status.tell();
  if (judged.kind === "prune") metrics.pruned.of(reasonLabel(lane.name, answer.status, judged.proof)).inc();
  const isDown = judged.kind === "retry" && lane.status.kind !== "open";
  const { message, topic } = choice.chosen[0];
  if (answer.isAcknowledged === true && message !== undefined && topic !== undefined)
    await store.deliveries.acknowledge(topic.id, message);
  const rest = restMs(judged, answer.status);
  if (rest !== undefined) rests.begin(row, lane.name, rest);
  const tried = { choice, judged, status: answer.status, isDown, isLast: answer.isLast === true };
  return settle(tried, clock.now(), random());
}
