/** Paces pushes to half of what a core can do, and to less while others publish (measured, DELIVERY.md §9). */
import type { Platform } from "../../devices/device.ts";
import { type Clock, systemClock } from "../../util/clock.ts";
import { SLICE_MS } from "../../util/turns.ts";

/** The cost of the pushes that one slice may start. */
const SLICE_COST = 8;
/** A push to a browser costs more, since it is encrypted. */
const costOf = (platform: Platform): number => (platform === "web" ? 3 : 1);
/** The rest between two full slices. */
const PAUSE_MS = 2;
/** The rest while others publish, who come first. */
const GIVE_WAY_MS = 20;
/** For this long after a message was published, more are expected. */
const CROWDED_MS = 50;
/** Pushes come last for at most this long: behind publishers that never rest they would pile up. */
const PATIENCE_MS = 60_000;

/** Pushes that start in one turn of the event loop: always at least one may. */
export interface Slice {
  readonly cost: number;
  /** The others wait for the next slice. */
  readonly isFull: boolean;
  add(platform: Platform): void;
}

export interface Pace {
  /** A message was published. */
  noteMessage(): void;
  slice(): Slice;
  /** The rest between a full slice and the next, in ms. */
  restMs(): number;
}

/** `machine`: the clock for rests, which are about the load of the machine, whatever time the deliveries go by. */
export function createPace(clock: Pick<Clock, "monotonic">, machine: Pick<Clock, "monotonic"> = systemClock): Pace {
  let publishedAt = -Infinity;
  /** Every slice since then was full, if the last one was. */
  let fullSince = 0;
  let wasFull = false;
  return {
    noteMessage: () => {
      publishedAt = machine.monotonic();
    },
    slice: () => {
      if (!wasFull) fullSince = machine.monotonic();
      wasFull = false;
      const until = clock.monotonic() + SLICE_MS;
      let cost = 0;
      return {
        get cost() {
          return cost;
        },
        get isFull() {
          return cost >= SLICE_COST || (cost > 0 && clock.monotonic() >= until);
        },
        add: (platform) => {
          cost += costOf(platform);
        },
      };
    },
    restMs: () => {
      wasFull = true;
      const now = machine.monotonic();
      return now - publishedAt < CROWDED_MS && now - fullSince < PATIENCE_MS ? GIVE_WAY_MS : PAUSE_MS;
    },
  };
}
