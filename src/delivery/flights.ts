/** The pushes that are under way: whose turn it is, and how many there may be (DELIVERY.md §2, §3). */
import type { Deps } from "../deps.ts";
import type { DeviceRow } from "../devices/device.ts";
import type { Millis } from "../util/clock.ts";
import type { Credentials } from "./credentials/credentials.ts";
import { type Departure, type FlightDeps, fly } from "./flight.ts";
import type { Slice } from "./lanes/pace.ts";
import type { Queue } from "./lanes/queue.ts";

/** For all lanes: Bun has at most 256 requests under way, and some of them are not pushes. */
const MOST_BUSY = 192;

export class Flights {
  readonly #deps: FlightDeps & Pick<Deps, "log"> & { credentials: Credentials };
  readonly #underWay = new Set<Promise<void>>();
  /** Devices with a push in flight, until it is written what became of it. */
  readonly #busy = new Set<DeviceRow>();
  /** Devices that cannot be read, or whose deliveries cannot: nothing is sent to them until the next look. */
  readonly #broken = new Set<DeviceRow>();

  constructor(deps: FlightDeps & Pick<Deps, "log"> & { credentials: Credentials }) {
    this.#deps = deps;
  }

  get count(): number {
    return this.#busy.size;
  }
  /** Resolves when all that are under way have ended. */
  async landed(): Promise<void> {
    await Promise.all(this.#underWay);
  }
  /** Tries devices again that could not be read. */
  retryBroken(): void {
    this.#broken.clear();
  }

  /** Starts as many pushes as the slice takes, so that requests come in between. */
  async start(slice: Slice): Promise<Slice> {
    const { queues } = this.#deps;
    for (const queue of queues.all()) {
      const before = slice.cost;
      while (!slice.isFull && (await this.#startNext(queue))) slice.add(queue.lane.platform);
      if (slice.cost > before) queues.putLast(queue);
    }
    return slice;
  }

  async #startNext(queue: Queue): Promise<boolean> {
    const { clock, credentials, rests } = this.#deps;
    const { lane } = queue;
    const opensAt = lane.opensAt(clock.monotonic());
    if (this.#busy.size >= MOST_BUSY || !credentials.isConfigured(lane.platform)) return false;
    if (opensAt === undefined || opensAt > clock.monotonic()) return false;
    const device = await queue.next(this.#busy, this.#broken, rests.in(lane.name));
    if (device === undefined) return false;
    const place = lane.begin(clock.monotonic());
    if (place === undefined) {
      queue.putBack(device); // an answer came meanwhile and closed the lane
      return false;
    }
    this.#busy.add(device);
    const flight = this.#follow(queue, { lane, device, place }).finally(() => this.#underWay.delete(flight));
    this.#underWay.add(flight);
    return true;
  }

  async #follow(queue: Queue, departure: Departure): Promise<void> {
    const { queues, labelOf, log, wake } = this.#deps;
    const { lane, device } = departure;
    const before = queues.news;
    try {
      const { hasMoved, hasMore } = await fly(this.#deps, departure);
      this.#busy.delete(device);
      if (!hasMore) queue.done(device);
      // while it was busy its turn was skipped, also in lanes that it moved from or to; looked up without any news it
      // would be looked up forever
      if (hasMoved || queues.news !== before)
        for (const other of queues.all()) other.mayHaveMore ||= other.lane.platform === lane.platform;
    } catch (error) {
      this.#busy.delete(device);
      // one line between two looks is enough: it may be the store that cannot be read
      if (this.#broken.size === 0) log.error("deliveries cannot be read", { lane: labelOf(lane.name), device, error });
      this.#broken.add(device);
    }
    wake();
  }

  /** The next time at which a push may start although no answer and no commit tells of it; Infinity if there is none. */
  nextAt(): Millis {
    const { clock, queues, rests, credentials } = this.#deps;
    const [now, monotonic] = [clock.now(), clock.monotonic()];
    const onWall = (time: number) => (time > monotonic ? now + Math.ceil(time - monotonic) : Infinity);
    let at = rests.nextEnd;
    for (const { lane, dueAt } of queues.all()) {
      const opensAt = credentials.isConfigured(lane.platform) ? lane.opensAt(monotonic) : undefined;
      if (opensAt === undefined || this.#busy.size >= MOST_BUSY) continue;
      at = Math.min(at, opensAt <= monotonic ? dueAt : onWall(opensAt));
      if (lane.suspects.size > 0) at = Math.min(at, onWall(lane.suspectsAt));
    }
    return at;
  }
}
