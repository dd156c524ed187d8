/** Lets the event loop turn, so that a server in the test can do its own work. */

/** A commit takes two turns, and what it triggers a few more. */
const ENOUGH = 20;

export async function turns(count = ENOUGH): Promise<void> {
  for (let n = 0; n < count; n++) await new Promise(setImmediate);
}

/** How many turns the event loop made meanwhile. */
export async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let made = 0;
  let isDone = false;
  const count = () => {
    made++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await work.finally(() => (isDone = true));
  return made;
}
