/** Stops pruning when too many devices are called gone at once: the fault is then not theirs (DELIVERY.md §5). */
import type { DeviceRow } from "../../devices/device.ts";

const WITHIN_MS = 600_000;
const SLOT_MS = 10_000;
const DEVICES = 5;
const SHARE = 0.2;

interface Slot {
  /** The start of the slot, in monotonic ms. */
  from: number;
  sent: number;
  /** The device of each answer that called its token invalid. */
  invalid: DeviceRow[];
}

/** Counts the answers of a lane over the last 10 min, in slots of 10 s. */
export class Brake {
  #slots: Slot[] = [];

  /**
   * Counts an answer. `invalid`: the device, if its token was called invalid. True if too many devices were called so
   * to believe it. A device that is registered again and called gone again counts once.
   */
  note(invalid: DeviceRow | undefined, now: number): boolean {
    this.#slots = this.#slots.filter(({ from }) => now - from < WITHIN_MS);
    const latest = this.#slots.at(-1);
    const slot = latest !== undefined && now - latest.from < SLOT_MS ? latest : { from: now, sent: 0, invalid: [] };
    if (slot !== latest) this.#slots.push(slot);
    slot.sent++;
    if (invalid === undefined) return false;
    slot.invalid.push(invalid);
    const sent = this.#slots.reduce((sum, one) => sum + one.sent, 0);
    const answers = this.#slots.reduce((sum, one) => sum + one.invalid.length, 0);
    return answers > sent * SHARE && new Set(this.#slots.flatMap((one) => one.invalid)).size >= DEVICES;
  }

  /** Forgets all counts: the operator has fixed something since. */
  release(): void {
    this.#slots = [];
  }
}
