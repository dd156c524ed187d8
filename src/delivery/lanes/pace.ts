/**
 * How many pushes are started at once, and how soon more (docs/design/DELIVERY.md §9): half of what a core can do, so that
 * requests come in between, and less while others publish (measured).
 */
import type { Platform } from "../../devices/device.ts";
import { type Clock, systemClock } from "../../util/clock.ts";
import { SLICE_MS } from "../../util/turns.ts";

/** What one slice may start. */
const SLICE_COST = 8;
/** A push to a browser is encrypted. */
const costOf = (platform: Platform): number => (platform === "web" ? 3 : 1);
/** From one full slice to the next. */
const PAUSE_MS = 2;
/** While others publish: they come first. */
const GIVE_WAY_MS = 20;
/** So long after a message was published more are taken to come. */
const CROWDED_MS = 50;
/** Pushes come last for no longer than this: they would pile up behind publishers that never rest. */
const PATIENCE_MS = 60_000;

/** Pushes that are started in one turn of the event loop: one at least may be. */
export interface Slice {
  readonly cost: number;
  /** The rest waits for the next one. */
  readonly isFull: boolean;
  add(platform: Platform): void;
}

export interface Pace {
  /** A message was published. */
  noteMessage(): void;
  slice(): Slice;
  /** From a full slice to the next, ms. */
  restMs(): number;
}

/** `machine`: rests are about its load, whatever the time of the pushes is. */
export function createPace(clock: Pick<Clock, "monotonic">, machine: Pick<Clock, "monotonic"> = systemClock): Pace {
  let publishedAt = -Infinity;
  /** Since when each slice was full, and whether the last one was. */
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
