/** Devices that rest: their push service wants no more for them for a while, so nothing is sent (DELIVERY.md §9). */
import type { DeviceRow } from "../../devices/device.ts";
import type { Clock, Millis } from "../../util/clock.ts";
import type { Taken } from "./queue.ts";

export class Rests {
  /** The end of each rest, in monotonic ms. */
  readonly #until = new Map<DeviceRow, number>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get devices(): Taken {
    return this.#until;
  }
  /** When the first rest ends, epoch ms; Infinity if nobody rests. */
  get nextEnd(): Millis {
    let first = Infinity;
    for (const until of this.#until.values()) first = Math.min(first, until);
    return this.#onWall(first);
  }
  until(device: DeviceRow): Millis | undefined {
    const until = this.#until.get(device);
    return until === undefined ? undefined : this.#onWall(until);
  }

  begin(device: DeviceRow, ms: number): void {
    this.#until.set(device, this.#clock.monotonic() + ms);
  }
  /** Ends the rests that are over. False if there were none. */
  end(): boolean {
    const now = this.#clock.monotonic();
    const over = [...this.#until].filter(([, until]) => until <= now);
    for (const [device] of over) this.#until.delete(device);
    return over.length > 0;
  }

  #onWall(until: number): Millis {
    return this.#clock.now() + Math.ceil(until - this.#clock.monotonic());
  }
}
