/** Rate limits: token buckets in tables of bounded size (API.md §7). */
import type { Config } from "../config/config.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { type Bucket, full, type Level, take } from "../util/bucket.ts";
import type { Clock } from "../util/clock.ts";
import { network } from "./address.ts";
import { problem, type Problem } from "./problem.ts";

export type LimitName =
  "publish" | "bytes" | "hook" | "hook-bytes" | "read" | "ping" | "auth" | "known" | "name" | "register";

export interface Limits {
  /**
   * Takes one token (of `bytes`: `cost` tokens) or throws 429 `rate_limited`. `who`: for `publish` and `bytes` the key's id, for
   * `hook` and `hook-bytes` the hook's, for `name` the hash of a name, for `known` who it is, else the client's address (an IPv6
   * address counts as its /64; for `register` and `auth` its /48 counts too). The operator (`LOCAL`) is never refused. Returns
   * how many whole tokens are left; undefined if there is no limit.
   */
  take(limit: LimitName, who: string, cost?: number): number | undefined;
  /** Gives back a token that `take` took for something that turned out not to count. */
  giveBack(limit: LimitName, who: string): void;
}

/** The `who` of a request over `peal.sock`, which is also the address in its context. */
export const LOCAL = "local";

/** What is counted, and the setting that changes it. */
const WORDS: Record<LimitName, { what: string; setting: string; isOfBytes?: true }> = {
  publish: { what: "publishes of this API key", setting: "PEAL_LIMITS_PUBLISH" },
  bytes: { what: "bytes sent with this API key", setting: "PEAL_LIMITS_PUBLISH", isOfBytes: true },
  hook: { what: "requests to this hook", setting: "PEAL_LIMITS_PUBLISH" },
  "hook-bytes": { what: "bytes sent to this hook", setting: "PEAL_LIMITS_PUBLISH", isOfBytes: true },
  read: { what: "anonymous reads from this address", setting: "PEAL_LIMITS_READ" },
  ping: {
    what: "pings of unknown checks and requests to unknown hooks from this address",
    setting: "PEAL_LIMITS_PING",
  },
  auth: { what: "failed attempts from this address or network", setting: "PEAL_LIMITS_AUTH" },
  known: { what: "failed attempts with this password here", setting: "PEAL_LIMITS_AUTH" },
  name: { what: "failed attempts for this name", setting: "PEAL_LIMITS_AUTH" },
  register: {
    what: "registrations and tests of devices from this address or network",
    setting: "PEAL_LIMITS_REGISTER",
  },
};

/**
 * Registrations stay, and passwords are costly. A site easily gets a /48, which is 65,536 times a /64, so it has a bucket too,
 * this many times as large. (An IPv4 address is its own network, so the small bucket is empty first.)
 */
const WIDE_BITS = 48;
const WIDE = 4;

/** A name has this many times the tries of one address: it slows guessing from many, and rarely keeps the owner out. */
const NAMES = 4;

/** Beyond this many, the least recently used bucket is dropped; it was most likely full again. */
const MAX_BUCKETS = 20_000;

export function createLimits(
  config: Pick<Config, "limits">,
  clock: Clock,
  metrics: Pick<Metrics, "rateLimited">,
): Limits {
  const { publish, bytes, read, ping, auth, register } = config.limits;
  const tables: Record<LimitName, Table[]> = {
    ...{ publish: tablesOf(publish), bytes: tablesOf(bytes), read: tablesOf(read), ping: tablesOf(ping) },
    ...{ hook: tablesOf(publish), "hook-bytes": tablesOf(bytes) },
    ...{ auth: withSites(auth), known: tablesOf(auth), name: tablesOf(auth && times(auth, NAMES)) },
    register: withSites(register),
  };
  return {
    take(limit, who, cost = 1) {
      if (who === LOCAL || tables[limit].length === 0) return undefined;
      const now = clock.monotonic();
      let left: number | undefined;
      const taken: { bucket: Bucket; level: Level }[] = [];
      for (const { bucket, bits, levels } of tables[limit]) {
        const id = network(who, bits);
        const level = levels.get(id) ?? full(bucket, now);
        levels.delete(id); // and in again: the first entry of a Map is then the least recently used
        if (levels.size >= MAX_BUCKETS) levels.delete(levels.keys().next().value ?? id);
        levels.set(id, level);
        if (take(bucket, level, now, cost)) {
          taken.push({ bucket, level });
          left = Math.min(left ?? Infinity, Math.floor(level.tokens));
          continue;
        }
        metrics.rateLimited.of(limit).inc();
        for (const one of taken) one.level.tokens = Math.min(one.bucket.burst, one.level.tokens + cost);
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
  /** How many bits of an IPv6 address are counted as one client. */
  bits: number;
  levels: Map<string, Level>;
}

/** No table if the limit is off. */
const tablesOf = (bucket: Bucket | undefined, bits = 64): Table[] =>
  bucket === undefined ? [] : [{ bucket, bits, levels: new Map() }];

/** The small bucket first: somebody who is refused there takes nothing from the neighbours. */
const withSites = (bucket: Bucket | undefined): Table[] => [
  ...tablesOf(bucket),
  ...tablesOf(bucket && times(bucket, WIDE), WIDE_BITS),
];

const times = ({ rate, burst }: Bucket, n: number): Bucket => ({ rate: n * rate, burst: n * burst });

/**
 * Source of the fields: draft-ietf-httpapi-ratelimit-headers (`q` tokens of the unit `qu` in `w` seconds; `r` left, `t`
 * seconds to wait).
 */
function refusal(limit: LimitName, { rate, burst }: Bucket, tokens: number): Problem {
  const wait = Math.max(1, Math.ceil((1 - tokens) / rate));
  const { what, setting, isOfBytes } = WORDS[limit];
  const [size, unit] = isOfBytes === true ? [1e6, " MB"] : [1, ""];
  const detail = `Too many ${what}: ${perTime(rate / size, unit)}, at most ${round(burst / size)}${unit} at once. Wait ${wait} s; \`${setting}\` changes the limit.`;
  return problem.rateLimited(detail, {
    "retry-after": String(wait),
    "ratelimit-policy": `"${limit}";q=${burst};w=${Math.ceil(burst / rate)}${isOfBytes === true ? ';qu="content-bytes"' : ""}`,
    ratelimit: `"${limit}";r=0;t=${wait}`,
  });
}

function perTime(rate: number, unit: string): string {
  if (rate >= 1) return `${round(rate)}${unit} a second`;
  return rate * 60 >= 1 ? `${round(rate * 60)}${unit} a minute` : `${round(rate * 3600)}${unit} an hour`;
}

const round = (n: number): number => Math.round(n * 100) / 100;
