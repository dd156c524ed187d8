/** Rate limits: token buckets in tables of bounded size (API.md §7). */
import type { Config } from "../config/config.ts";
import type { Metrics } from "../ops/metrics.ts";
import { type Bucket, full, type Level, take } from "../util/bucket.ts";
import type { Clock } from "../util/clock.ts";
import { network } from "./address.ts";
import { problem, type Problem } from "./problem.ts";

export type LimitName = "publish" | "read" | "ping" | "auth" | "name" | "register";

export interface Limits {
  /**
   * Takes one token or throws 429 `rate_limited`. `who`: the key's id for `publish`, else the client's address (an IPv6
   * address counts as its /64; for `register` its /48 counts too), for `name` the hash of one. The operator (`LOCAL`) is
   * never refused. Returns how many whole tokens are left; undefined: there is no limit.
   */
  take(limit: LimitName, who: string): number | undefined;
  /** Gives a token back that `take` took for what turned out not to be counted. */
  giveBack(limit: LimitName, who: string): void;
}

/** `who` of a request over `peal.sock`: also the address in its context. */
export const LOCAL = "local";

/** What is counted, and the setting that changes it. */
const WORDS: Record<LimitName, { what: string; setting: string }> = {
  publish: { what: "publishes of this API key", setting: "PEAL_LIMITS_PUBLISH" },
  read: { what: "anonymous reads from this address", setting: "PEAL_LIMITS_READ" },
  ping: { what: "pings of unknown checks from this address", setting: "PEAL_LIMITS_PING" },
  auth: { what: "failed tries from this address", setting: "PEAL_LIMITS_AUTH" },
  name: { what: "failed tries for this name", setting: "PEAL_LIMITS_AUTH" },
  register: {
    what: "registrations and tests of devices from this address or network",
    setting: "PEAL_LIMITS_REGISTER",
  },
};

/**
 * What is registered stays: a site is given a /48 for the asking, which is 65,536 times a /64, so that it has a bucket too, so
 * many times as large. (An IPv4 address is its own network: the small one is empty first.)
 */
const WIDE_BITS = 48;
const WIDE = 4;

/** For one name from all addresses so many times as for one address: who guesses from many is slowed, who knows is rarely kept out. */
const NAMES = 4;

/** Beyond this many, the bucket that was not used for longest leaves; it was most likely full again. */
const MAX_BUCKETS = 20_000;

export function createLimits(
  config: Pick<Config, "limits">,
  clock: Clock,
  metrics: Pick<Metrics, "rateLimited">,
): Limits {
  const { publish, read, ping, auth, register } = config.limits;
  const tables: Record<LimitName, Table[]> = {
    ...{ publish: tablesOf(publish), read: tablesOf(read), ping: tablesOf(ping), auth: tablesOf(auth) },
    name: tablesOf(auth && times(auth, NAMES)),
    // the small one first: who is refused there takes nothing from the neighbours
    register: [...tablesOf(register), ...tablesOf(register && times(register, WIDE), WIDE_BITS)],
  };
  return {
    take(limit, who) {
      if (who === LOCAL) return undefined;
      const now = clock.monotonic();
      let left: number | undefined;
      for (const { bucket, bits, levels } of tables[limit]) {
        const id = network(who, bits);
        const level = levels.get(id) ?? full(bucket, now);
        levels.delete(id); // and in again: a Map keeps the order of insertion, so that its first is the least recent
        if (levels.size >= MAX_BUCKETS) levels.delete(levels.keys().next().value ?? id);
        levels.set(id, level);
        if (take(bucket, level, now)) {
          left = Math.min(left ?? Infinity, Math.floor(level.tokens));
          continue;
        }
        metrics.rateLimited.of(limit).inc();
        throw refusal(limit, bucket, level.tokens);
      }
      return left;
    },
    giveBack(limit, who) {
      for (const { bucket, bits, levels } of tables[limit]) {
        const level = levels.get(network(who, bits));
        if (level !== undefined) level.tokens = Math.min(bucket.burst, level.tokens + 1);
      }
    },
  };
}

interface Table {
  bucket: Bucket;
  /** Of an IPv6 address that are counted as one. */
  bits: number;
  levels: Map<string, Level>;
}

/** None where the limit is off. */
const tablesOf = (bucket: Bucket | undefined, bits = 64): Table[] =>
  bucket === undefined ? [] : [{ bucket, bits, levels: new Map() }];

const times = ({ rate, burst }: Bucket, n: number): Bucket => ({ rate: n * rate, burst: n * burst });

/** Source of the fields: draft-ietf-httpapi-ratelimit-headers (`q` tokens in `w` seconds; `r` left, `t` seconds to wait). */
function refusal(limit: LimitName, { rate, burst }: Bucket, tokens: number): Problem {
  const wait = Math.max(1, Math.ceil((1 - tokens) / rate));
  const { what, setting } = WORDS[limit];
  const detail = `Too many ${what}: ${perTime(rate)}, at most ${burst} at once. Wait ${wait} s; \`${setting}\` changes the limit.`;
  return problem.rateLimited(detail, {
    "retry-after": String(wait),
    "ratelimit-policy": `"${limit}";q=${burst};w=${Math.ceil(burst / rate)}`,
    ratelimit: `"${limit}";r=0;t=${wait}`,
  });
}

function perTime(rate: number): string {
  if (rate >= 1) return `${round(rate)} a second`;
  return rate * 60 >= 1 ? `${round(rate * 60)} a minute` : `${round(rate * 3600)} an hour`;
}

const round = (n: number): number => Math.round(n * 100) / 100;
