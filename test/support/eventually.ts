/** Waits for a condition, never for a fixed time. */

const PATIENCE_MS = 30_000;
const PAUSE_MS = 5;

/**
 * Resolves to what `look` returns once that is not undefined, null or false.
 * @throws Error with `what` when that takes too long
 */
export async function eventually<T>(what: string, look: () => T | Promise<T>): Promise<NonNullable<T>> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== null && seen !== false) return seen;
    if (performance.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await Bun.sleep(PAUSE_MS);
  }
}
