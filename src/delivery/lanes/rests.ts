/** Devices that rest: their push service wants no more for them for a while, so nothing is sent (DELIVERY.md §9). */
import type { DeviceRow } from "../../devices/device.ts";
import type { Clock, Millis } from "../../util/clock.ts";
import type { Lane as LaneName } from "../delivery.ts";
import type { Taken } from "./queue.ts";

/** `until`: in monotonic ms. */
interface Rest {
  lane: LaneName;
  until: number;
}

export class Rests {
  readonly #rests = new Map<DeviceRow, Rest>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The devices that rest in a lane: a forward that was changed does not rest at its new service. */
  in(lane: LaneName): Taken {
    const rests = this.#rests;
    return {
      size: rests.size,
      has: (device) => rests.get(device)?.lane === lane,
      keys: () => [...rests].flatMap(([device, rest]) => (rest.lane === lane ? [device] : [])).values(),
    };
  }
  /** When the first rest ends, epoch ms; Infinity if nobody rests. */
  get nextEnd(): Millis {
    let first = Infinity;
    for (const { until } of this.#rests.values()) first = Math.min(first, until);
    return this.#onWall(first);
  }
  until(device: DeviceRow): Millis | undefined {
    const rest = this.#rests.get(device);
    return rest && this.#onWall(rest.until);
  }

  begin(device: DeviceRow, lane: LaneName, ms: number): void {
    this.#rests.set(device, { lane, until: this.#clock.monotonic() + ms });
  }
  /** Ends the rests that are over. False if there were none. */
  end(): boolean {
    const now = this.#clock.monotonic();
    const over = [...this.#rests].filter(([, { until }]) => until <= now);
    for (const [device] of over) this.#rests.delete(device);
    return over.length > 0;
  }

  #onWall(until: number): Millis {
    return this.#clock.now() + Math.ceil(until - this.#clock.monotonic());
  }
}
