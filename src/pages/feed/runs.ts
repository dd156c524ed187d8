/** Neighbours that say the same, as one: for the page, and for its script (static/runs.ts). Pure. */

/** Two are read sooner than they are opened. */
const SHORTEST = 3;

/** The whole list in its order, in runs of neighbours with the same key; an item without a key (`undefined`) is its own run. */
export function runsOf<T>(list: readonly T[], keyOf: (one: T) => string | undefined): T[][] {
  const runs: T[][] = [];
  let before: string | undefined;
  for (const one of list) {
    const key = keyOf(one);
    if (key !== undefined && key === before) runs.at(-1)?.push(one);
    else runs.push([one]);
    before = key;
  }
  return runs.flatMap((run) => (run.length < SHORTEST ? run.map((one) => [one]) : [run]));
}
