export interface Percentiles {
  p50: number;
  p99: number;
  max: number;
}

/** `values` must not be empty. */
export function percentiles(values: readonly number[]): Percentiles {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
  return { p50: at(0.5), p99: at(0.99), max: at(1) };
}

export const median = (values: readonly number[]): number => percentiles(values).p50;
