/** Whom a lane's next push is for (docs/design/DELIVERY.md §2, §3, §9). */
import type { DeviceRow } from "../../devices/device.ts";
import type { DeliveryStore } from "../../store/deliveries.ts";
import type { Clock, Millis } from "../../util/clock.ts";
import { dropOldest } from "../../util/oldest.ts";
import { createTurns } from "../../util/turns.ts";
import type { Lane } from "./lane.ts";

/** So many that are due are looked up at once. */
const AHEAD = 100;
/** Devices of a round: beyond it the one that had its turn the longest ago is taken for one that had none. */
const MOST_SERVED = 1_000;

type QueueDeps = Pick<DeliveryStore, "due" | "isCrowded" | "dueByDevice" | "firstDue" | "firstProven" | "nextAt">;

/** Devices that are passed over: a set, or a map by them. */
export type Taken = ReadonlySetLike<DeviceRow>;

/**
 * The devices of a lane that something is due for, what has been due the longest first; one that more waits for comes after all
 * others have had their turn.
 */
export class Queue {
  readonly lane: Lane;
  readonly #deliveries: QueueDeps;
  readonly #clock: Clock;
  #ready: DeviceRow[] = [];
  /** Have or had their turn in this round, and may have more. */
  readonly #served = new Set<DeviceRow>();
  readonly #turn = createTurns();
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

  /** Whose turn it is. */
  async next(...taken: readonly Taken[]): Promise<DeviceRow | undefined> {
    const { name, status, suspects } = this.lane;
    const all = () => taken.reduce<Set<DeviceRow>>((some, more) => some.union(more), new Set(suspects));
    // whoever made up many endpoints that fail would be asked first for each of them
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
  /** Nothing more waits for it: it need not be remembered. */
  done(device: DeviceRow): void {
    this.#served.delete(device);
  }
  /** It was not its turn after all. */
  putBack(device: DeviceRow): void {
    this.#served.delete(device);
    this.#ready.unshift(device);
  }

  #serve(device: DeviceRow): void {
    dropOldest(this.#served, MOST_SERVED);
    this.#served.add(device);
  }
  /** Where nobody else waits. */
  async #nextSuspect(taken: readonly Taken[]): Promise<DeviceRow | undefined> {
    const { name, suspects, suspectsAt } = this.lane;
    if (suspects.size === 0 || suspectsAt > this.#clock.monotonic()) return undefined;
    const free = taken.reduce<Set<DeviceRow>>((some, less) => some.difference(less), new Set(suspects));
    return this.#deliveries.firstDue(name, this.#clock.now(), free);
  }
  /** False: of those that may be chosen none. */
  async #lookUp(taken: ReadonlySet<DeviceRow>): Promise<boolean> {
    const { name } = this.lane;
    const now = this.#clock.now();
    this.mayHaveMore = false; // what comes from here on says so again
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
  /** Those that have waited the longest; where a few devices that may not be chosen have all of the oldest, any other. */
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
