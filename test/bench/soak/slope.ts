/** Whether a series of samples grows. Pure. */

export interface Sample {
  /** Seconds since the start. */
  at: number;
  value: number;
}

/** Of the value, for each second: the best guess, and between what it lies with 99 % confidence. */
export interface Slope {
  slope: number;
  low: number;
  high: number;
}

/** Of the normal distribution, for 99 % on both sides together. */
const Z = 2.576;

/**
 * The median of the slopes between all pairs of samples, which a few outliers do not move, with the interval that Kendall's
 * variance gives it (Theil 1950; Sen 1968). Zeros for fewer than three samples.
 */
export function slopeOf(samples: readonly Sample[]): Slope {
  const slopes = samples
    .flatMap((a, n) => samples.slice(n + 1).map((b) => (b.value - a.value) / (b.at - a.at)))
    .filter(Number.isFinite)
    .sort((a, b) => a - b);
  if (samples.length < 3 || slopes.length === 0) return { slope: 0, low: 0, high: 0 };
  const n = samples.length;
  const spread = Z * Math.sqrt((n * (n - 1) * (2 * n + 5)) / 18);
  const at = (index: number) => slopes[Math.min(slopes.length - 1, Math.max(0, Math.round(index)))] ?? 0;
  const middle = (slopes.length - 1) / 2;
  return { slope: at(middle), low: at(middle - spread / 2), high: at(middle + spread / 2) };
}

/** The last three quarters: in the first, code is compiled and caches fill. */
export function settled(samples: readonly Sample[]): Sample[] {
  const end = samples.at(-1)?.at ?? 0;
  return samples.filter(({ at }) => at >= end / 4);
}

/** Whether it surely grew by more than `allowed` over its time. What may come from noise is flat. */
export function grows(samples: readonly Sample[], allowed: number): boolean {
  const lasted = (samples.at(-1)?.at ?? 0) - (samples[0]?.at ?? 0);
  return slopeOf(samples).low * lasted > allowed;
}
