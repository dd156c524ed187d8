/** Lets the event loop turn, so that a server in the test can do its own work. */

/** A commit takes two turns, and what it triggers a few more. */
const ENOUGH = 20;

export async function turns(count = ENOUGH): Promise<void> {
  for (let n = 0; n < count; n++) await new Promise(setImmediate);
}
