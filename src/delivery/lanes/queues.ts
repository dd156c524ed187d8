/** The queues of all lanes that something waits in, or that are still worth remembering (DELIVERY.md §3). */
import type { DeliveryStore } from "../../store/deliveries.ts";
import type { Clock } from "../../util/clock.ts";
import type { Lane as LaneName } from "../delivery.ts";
import { Lane } from "./lane.ts";
import { Queue } from "./queue.ts";

export class Queues {
  readonly #deliveries: DeliveryStore;
  readonly #clock: Clock;
  readonly #byName = new Map<LaneName, Queue>();
  #news = 0;

  constructor(deliveries: DeliveryStore, clock: Clock) {
    this.#deliveries = deliveries;
    this.#clock = clock;
  }

  /** Counts how often something came that was not due before. */
  get news(): number {
    return this.#news;
  }
  /** A copy, in the order of their turns. */
  all(): Queue[] {
    return [...this.#byName.values()];
  }
  lanes(): Lane[] {
    return this.all().map(({ lane }) => lane);
  }
  lane(name: LaneName): Lane | undefined {
    return this.#byName.get(name)?.lane;
  }
  /** The queue of a lane, which begins here if there is none. */
  of(name: LaneName): Queue {
    const known = this.#byName.get(name);
    if (known !== undefined) return known;
    const queue = new Queue(new Lane(name, this.#clock.monotonic()), this.#deliveries, this.#clock);
    this.#byName.set(name, queue);
    return queue;
  }

  /** Something new waits in the lane. */
  refresh(name: LaneName): void {
    this.#news++;
    this.of(name).refresh();
  }
  /** Refreshes the queues in which something has become due because time passed. */
  refreshLate(): void {
    for (const { lane, isLate } of this.all()) if (isLate) this.refresh(lane.name);
  }
  /** The other queues begin the next turn. */
  putLast(queue: Queue): void {
    this.#byName.delete(queue.lane.name);
    this.#byName.set(queue.lane.name, queue);
  }
  /** Looks again at the lanes with something pending, and forgets the others that need not be remembered. */
  keepPending(pending: readonly LaneName[]): void {
    const waiting = new Set(pending); // every forward has a lane of its own: there may be thousands
    for (const name of waiting) this.of(name).mayHaveMore = true;
    for (const lane of this.lanes())
      if (!waiting.has(lane.name) && lane.isForgotten(this.#clock.monotonic())) this.#byName.delete(lane.name);
  }
}
