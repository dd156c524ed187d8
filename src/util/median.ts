/** The one in the middle; of an even number the lower of the two. Undefined: there is none. */
export const median = (values: readonly number[]): number | undefined =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)];
