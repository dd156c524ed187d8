/** The median; of an even number of values the lower one in the middle. Undefined if there are none. */
export const median = (values: readonly number[]): number | undefined =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)];
