/** Whom a lane's next push is for (docs/design/DELIVERY.md §2, §3, §9). */
import type { DeviceRow } from "../devices/device.ts";
import type { DeliveryStore } from "../store/deliveries.ts";
import type { Clock, Millis } from "../util/clock.ts";
import type { Lane } from "./lane.ts";

/** So many that are due are looked up at once. */
const AHEAD = 100;

type QueueDeps = Pick<DeliveryStore, "due" | "firstDue" | "firstProven" | "nextAt">;

/** The devices of a lane that something is due for. */
export class Queue {
  readonly lane: Lane;
  readonly #deliveries: QueueDeps;
  readonly #clock: Clock;
  #ready: DeviceRow[] = [];
  /** When the next is due, where none is now. */
  #nextAt: Millis | undefined;
  /** More may be due than was looked up: say so when something comes, or may be chosen again. */
  mayHaveMore = true;

  constructor(lane: Lane, deliveries: QueueDeps, clock: Clock) {
    this.lane = lane;
    this.#deliveries = deliveries;
    this.#clock = clock;
  }

  /** What is urgent comes first: what was looked up before is looked up again. */
  refresh(): void {
    this.#ready = [];
    this.mayHaveMore = true;
    this.#nextAt = undefined;
  }
  /** Something has become due by itself. */
  get isLate(): boolean {
    return (this.#nextAt ?? Infinity) <= this.#clock.now();
  }
  /** When something is due, as far as is known; Infinity: nothing waits. */
  get dueAt(): Millis {
    const isDue = this.#ready.length > 0 || this.mayHaveMore;
    return isDue ? this.#clock.now() : (this.#nextAt ?? Infinity);
  }

  /** Devices of `busy` and `broken` are passed over. */
  async next(busy: ReadonlySet<DeviceRow>, broken: ReadonlySet<DeviceRow>): Promise<DeviceRow | undefined> {
    const { name, status, suspects } = this.lane;
    const taken = () => busy.union(broken).union(suspects);
    // whoever made up many endpoints that fail would be asked first for each of them
    const proven =
      status.kind === "open" ? undefined : await this.#deliveries.firstProven(name, this.#clock.now(), taken());
    if (proven !== undefined) return proven;
    while (this.#ready.length > 0 || (this.mayHaveMore && (await this.#lookUp(taken())))) {
      const device = this.#ready.shift();
      if (device !== undefined && !busy.has(device) && !broken.has(device) && !suspects.has(device)) return device;
    }
    return this.#nextSuspect(busy, broken);
  }
  /** It was not its turn after all. */
  putBack(device: DeviceRow): void {
    this.#ready.unshift(device);
  }

  /** Where nobody else waits. */
  async #nextSuspect(busy: ReadonlySet<DeviceRow>, broken: ReadonlySet<DeviceRow>): Promise<DeviceRow | undefined> {
    const { name, suspects, suspectsAt } = this.lane;
    if (suspects.size === 0 || suspectsAt > this.#clock.monotonic()) return undefined;
    return this.#deliveries.firstDue(name, this.#clock.now(), suspects.difference(busy).difference(broken));
  }
  /** False: of those that may be chosen none. */
  async #lookUp(taken: ReadonlySet<DeviceRow>): Promise<boolean> {
    const { name } = this.lane;
    const now = this.#clock.now();
    this.mayHaveMore = false; // what comes from here on says so again
    try {
      const due = await this.#deliveries.due(name, now, AHEAD, taken);
      this.#ready = [...new Set(due.map(({ device }) => device))];
      if (this.#ready.length > 0) this.mayHaveMore = true;
      else this.#nextAt = await this.#deliveries.nextAt(name, now);
    } catch (error) {
      this.mayHaveMore = true;
      throw error;
    }
    return this.#ready.length > 0;
  }
}
