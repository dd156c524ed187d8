/** A token bucket: `rate` tokens a second flow in, and it holds at most `burst`. */

export interface Bucket {
  rate: number;
  burst: number;
}

/** How full a bucket is. */
export interface Level {
  tokens: number;
  /** When it was last looked at, in monotonic ms. */
  at: number;
}

export const full = ({ burst }: Bucket, now: number): Level => ({ tokens: burst, at: now });

/** Takes `cost` tokens if there is at least one; the rest is owed. False: there is none yet. */
export function take({ rate, burst }: Bucket, level: Level, now: number, cost = 1): boolean {
  level.tokens = Math.min(burst, level.tokens + ((now - level.at) / 1000) * rate);
  level.at = now;
  if (level.tokens < 1) return false;
  level.tokens -= cost;
  return true;
}
