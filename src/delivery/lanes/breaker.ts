/** Stops sending to a push service that does not answer, and probes it now and then (DELIVERY.md §3). */

/** This many failures in a row open the breaker. */
const FAILURES = 5;
/** The waits between probes. The last one repeats. */
const PROBES_MS = [5_000, 15_000, 30_000, 60_000];

/** All times are monotonic ms. */
export class Breaker {
  #failures = 0;
  #probes = 0;
  #probeAt: number | undefined;

  get isOpen(): boolean {
    return this.#probeAt !== undefined;
  }
  /** While it is open, nothing is sent before this time. */
  get probeAt(): number | undefined {
    return this.#probeAt;
  }
  /** While it is open, the number of failed probes. */
  get probes(): number {
    return this.#probes;
  }

  /** The push service answered. */
  succeed(): void {
    this.#failures = 0;
    this.#probes = 0;
    this.#probeAt = undefined;
  }

  /** There was no answer, or an error of the push service's. `isProbe`: the request left after the breaker opened. */
  fail(now: number, isProbe: boolean): void {
    this.#failures++;
    if (this.#probeAt === undefined ? this.#failures < FAILURES : !isProbe) return;
    if (this.#probeAt !== undefined) this.#probes++;
    this.#probeAt = now + (PROBES_MS[Math.min(this.#probes, PROBES_MS.length - 1)] ?? 0);
  }
}
