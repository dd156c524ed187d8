/** Stops asking a push service that does not answer, and asks it once in a while (docs/design/DELIVERY.md §3). */

/** So many failures in a row open it. */
const FAILURES = 5;
/** It is asked again so long after it opened, and after each time that it failed again; then always after the last. */
const PROBES_MS = [5_000, 15_000, 30_000, 60_000];

/** Times are monotonic ms. */
export class Breaker {
  #failures = 0;
  #probes = 0;
  #probeAt: number | undefined;

  get isOpen(): boolean {
    return this.#probeAt !== undefined;
  }
  /** While it is open: nothing is asked before. */
  get probeAt(): number | undefined {
    return this.#probeAt;
  }
  /** While it is open: times that it was asked in vain. */
  get probes(): number {
    return this.#probes;
  }

  /** The push service answered. */
  succeed(): void {
    this.#failures = 0;
    this.#probes = 0;
    this.#probeAt = undefined;
  }

  /** It did not, or with an error of its own. `isProbe`: it was asked since it is open, not before. */
  fail(now: number, isProbe: boolean): void {
    this.#failures++;
    if (this.#probeAt === undefined ? this.#failures < FAILURES : !isProbe) return;
    if (this.#probeAt !== undefined) this.#probes++;
    this.#probeAt = now + (PROBES_MS[Math.min(this.#probes, PROBES_MS.length - 1)] ?? 0);
  }
}
