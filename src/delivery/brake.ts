/** Stops the loss of all devices at once: then it is not they that are gone (docs/design/DELIVERY.md §5). */

const WITHIN_MS = 600_000;
const SLOT_MS = 10_000;
const TOKENS = 5;
const SHARE = 0.2;

interface Slot {
  /** Monotonic ms. */
  from: number;
  sent: number;
  invalid: number;
}

/** Counts the answers of a lane: of the last 10 min, in slots of 10 s. */
export class Brake {
  #slots: Slot[] = [];

  /** Notes an answer. True: so many tokens were invalid, with this one, that none of it is believed. */
  note(isInvalid: boolean, now: number): boolean {
    this.#slots = this.#slots.filter(({ from }) => now - from < WITHIN_MS);
    const latest = this.#slots.at(-1);
    const slot = latest !== undefined && now - latest.from < SLOT_MS ? latest : { from: now, sent: 0, invalid: 0 };
    if (slot !== latest) this.#slots.push(slot);
    slot.sent++;
    if (!isInvalid) return false;
    slot.invalid++;
    const [sent, invalid] = [total(this.#slots, "sent"), total(this.#slots, "invalid")];
    return invalid >= TOKENS && invalid > sent * SHARE;
  }

  /** What was counted is of another time: the operator has mended something. */
  release(): void {
    this.#slots = [];
  }
}

const total = (slots: readonly Slot[], count: "sent" | "invalid"): number =>
  slots.reduce((sum, slot) => sum + slot[count], 0);
