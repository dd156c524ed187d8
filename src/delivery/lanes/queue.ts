/** Decides which device a lane's next push is for (DELIVERY.md §2, §3, §9). */
import type { DeviceRow } from "../../devices/device.ts";
import type { DeliveryStore } from "../../store/deliveries.ts";
import type { Clock, Millis } from "../../util/clock.ts";
import { dropOldest } from "../../util/oldest.ts";
import { createTurns } from "../../util/turns.ts";
import type { Lane } from "./lane.ts";

/** The number of due deliveries that are looked up at once. */
const AHEAD = 100;
/** The number of devices remembered for one round. Beyond it the one that was served longest ago counts as not served. */
const MOST_SERVED = 1_000;

type QueueDeps = Pick<DeliveryStore, "due" | "isCrowded" | "dueByDevice" | "firstDue" | "firstProven" | "nextAt">;

/** Devices to pass over, as a set or as the keys of a map. */
export type Taken = ReadonlySetLike<DeviceRow>;

/** The devices of a lane with something due, the longest due first. One that has more waits until all had their turn. */
export class Queue {
  readonly lane: Lane;
  readonly #deliveries: QueueDeps;
  readonly #clock: Clock;
  #ready: DeviceRow[] = [];
  /** Devices that were served in this round and may have more. */
  readonly #served = new Set<DeviceRow>();
  readonly #turn = createTurns();
  /** When the next delivery is due, if none is now. */
  #nextAt: Millis | undefined;
  /** More may be due than was looked up. To be set when something new comes, or when a device may be chosen again. */
  mayHaveMore = true;

  constructor(lane: Lane, deliveries: QueueDeps, clock: Clock) {
    this.lane = lane;
    this.#deliveries = deliveries;
    this.#clock = clock;
  }

  /** Looks everything up again, since urgent pushes go first. */
  refresh(): void {
    this.#ready = [];
    this.mayHaveMore = true;
    this.#nextAt = undefined;
  }
  /** Something has become due with the time. */
  get isLate(): boolean {
    return (this.#nextAt ?? Infinity) <= this.#clock.now();
  }
  /** The earliest time at which a delivery is known to be due; Infinity if nothing waits. */
  get dueAt(): Millis {
    const isDue = this.#ready.length > 0 || this.mayHaveMore;
    return isDue ? this.#clock.now() : (this.#nextAt ?? Infinity);
  }

  /** The device whose turn it is; undefined if nobody waits. */
  async next(...taken: readonly Taken[]): Promise<DeviceRow | undefined> {
    const { name, status, suspects } = this.lane;
    const all = () => taken.reduce<Set<DeviceRow>>((some, more) => some.union(more), new Set(suspects));
    // otherwise somebody who made up many failing endpoints would be probed first, for each of them
    const proven =
      status.kind === "open" ? undefined : await this.#deliveries.firstProven(name, this.#clock.now(), all());
    if (proven !== undefined) return proven;
    while (this.#ready.length > 0 || (this.mayHaveMore && (await this.#lookUp(all())))) {
      const device = this.#ready.shift();
      if (device === undefined || suspects.has(device) || taken.some((some) => some.has(device))) continue;
      this.#serve(device);
      return device;
    }
    return this.#nextSuspect(taken);
  }
  /** Nothing more waits for the device, so it need not be remembered. */
  done(device: DeviceRow): void {
    this.#served.delete(device);
  }
  /** The device was not served after all. */
  putBack(device: DeviceRow): void {
    this.#served.delete(device);
    this.#ready.unshift(device);
  }

  #serve(device: DeviceRow): void {
    dropOldest(this.#served, MOST_SERVED);
    this.#served.add(device);
  }
  /** The suspect to try next, if nobody else waits. */
  async #nextSuspect(taken: readonly Taken[]): Promise<DeviceRow | undefined> {
    const { name, suspects, suspectsAt } = this.lane;
    if (suspects.size === 0 || suspectsAt > this.#clock.monotonic()) return undefined;
    const free = taken.reduce<Set<DeviceRow>>((some, less) => some.difference(less), new Set(suspects));
    return this.#deliveries.firstDue(name, this.#clock.now(), free);
  }
  /** False if none of the devices may be chosen. */
  async #lookUp(taken: ReadonlySet<DeviceRow>): Promise<boolean> {
    const { name } = this.lane;
    const now = this.#clock.now();
    this.mayHaveMore = false; // what comes from here on sets it again
    try {
      this.#ready = await this.#find(taken.union(this.#served), now);
      if (this.#ready.length === 0 && this.#served.size > 0) {
        this.#served.clear();
        this.#ready = await this.#find(taken, now);
      }
      if (this.#ready.length > 0) this.mayHaveMore = true;
      else this.#nextAt = await this.#deliveries.nextAt(name, now);
    } catch (error) {
      this.mayHaveMore = true;
      throw error;
    }
    return this.#ready.length > 0;
  }
  /** The devices that have waited longest. If devices that may not be chosen hold all of the oldest deliveries, any others. */
  async #find(except: ReadonlySet<DeviceRow>, now: Millis): Promise<DeviceRow[]> {
    const { name } = this.lane;
    const due = await this.#deliveries.due(name, now, AHEAD, except);
    if (due.length > 0) return [...new Set(due.map(({ device }) => device))];
    let after = (await this.#deliveries.isCrowded(name, now)) ? 0 : undefined;
    while (after !== undefined) {
      const { devices, last } = await this.#deliveries.dueByDevice(name, now, after, except);
      if (devices.length > 0) return devices;
      after = last;
      await this.#turn();
    }
    return [];
  }
}
