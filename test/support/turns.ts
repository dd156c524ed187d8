/** Turns of the event loop: what a server in the test does by itself, it does meanwhile. */

/** A commit takes two turns, and what it wakes a few more. */
const ENOUGH = 20;

export async function turns(count = ENOUGH): Promise<void> {
  for (let n = 0; n < count; n++) await new Promise(setImmediate);
}
