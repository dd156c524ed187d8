/** A token bucket: `rate` tokens a second flow in, at most `burst` stay. */

export interface Bucket {
  rate: number;
  burst: number;
}

/** What is in a bucket. */
export interface Level {
  tokens: number;
  /** Monotonic ms of the last look. */
  at: number;
}

export const full = ({ burst }: Bucket, now: number): Level => ({ tokens: burst, at: now });

/** Takes `cost` tokens as soon as there is one: what is missing is owed. False: there is none yet. */
export function take({ rate, burst }: Bucket, level: Level, now: number, cost = 1): boolean {
  level.tokens = Math.min(burst, level.tokens + ((now - level.at) / 1000) * rate);
  level.at = now;
  if (level.tokens < 1) return false;
  level.tokens -= cost;
  return true;
}
