/**
 * Counts failed tries (OPERATIONS.md §6): by address, by IPv6 site and by name, and separately if we know who tries. So strangers
 * keep nobody out: neither a signed-in browser that is asked once more, nor a person at an address where they are signed in,
 * nor at a new address, if they try again.
 */
import { site } from "../http/address.ts";
import type { LimitName, Limits } from "../http/limits.ts";
import { problem } from "../http/problem.ts";
import type { Clock } from "../util/clock.ts";
import { createPatience, type Patience } from "../util/patience.ts";

/**
 * Who tries. `who`: the place where they are signed in, or the session itself; then there is no `address`. `name`: a hash of
 * `foldName` of the name whose password it is: short, and not an address.
 */
export type Tryer =
  { kind: "known"; who: string; address?: string } | { kind: "stranger"; address: string; name?: string };

export interface Try {
  /** That are left at once; undefined: no limit. */
  left: number | undefined;
  /** It was right, or nobody looked at it: only failed tries count. */
  giveBack(): void;
}

export interface Tries {
  /** Taken before the password is looked at: many at once are many. @throws Problem 429 */
  take(tryer: Tryer): Try;
}

/** The most names whose askers are remembered: only those whose tries are used up, which takes 40 passwords a minute. */
const MOST_NAMES = 200;
/** Sites that ask for one name: 150 kB. */
const MOST_ASKING = 1_000;
const RETRY_S = 5;

export function createTries({ limits, clock }: { limits: Limits; clock: Clock }): Tries {
  const lines = new Map<string, Patience>();

  function take(limit: LimitName, who: string): Try {
    const left = limits.take(limit, who);
    return {
      left,
      giveBack: () => {
        limits.giveBack(limit, who);
      },
    };
  }

  /**
   * Each of those who have asked for a name for longer, and still ask, keeps one of the tries that it has left. So somebody who
   * tries again gets one, however many sites guess.
   */
  function takeOfName(name: string, who: string): Try {
    const line = lines.get(name) ?? createPatience(clock, MOST_ASKING);
    const since = line.since(who);
    try {
      const tried = take("name", name);
      if (tried.left !== undefined && line.ahead(who, tried.left + 1) > tried.left) {
        tried.giveBack();
        throw othersFirst();
      }
      line.served(who);
      return tried;
    } catch (error) {
      line.refused(who, since);
      throw error;
    } finally {
      keep(name, line);
    }
  }

  /** The name that was asked for longest ago leaves. */
  function keep(name: string, line: Patience): void {
    lines.delete(name);
    if (line.size === 0) return;
    const [oldest] = lines.size >= MOST_NAMES ? lines.keys() : [];
    if (oldest !== undefined) lines.delete(oldest);
    lines.set(name, line);
  }

  function takeAsStranger(address: string, name: string | undefined): Try {
    const tried = take("auth", address);
    if (name === undefined) return tried;
    try {
      return both(tried.left, tried, takeOfName(name, site(address)));
    } catch (error) {
      tried.giveBack();
      throw error;
    }
  }

  /** Counts for the address too, so that no answer reveals that somebody is known there; others may have used that up. */
  function takeAsKnown(who: string, address: string | undefined): Try {
    const own = take("known", who);
    if (address === undefined) return own;
    try {
      const ofAddress = take("auth", address);
      return both(ofAddress.left, own, ofAddress);
    } catch {
      return own;
    }
  }

  return {
    take: (tryer) =>
      tryer.kind === "known" ? takeAsKnown(tryer.who, tryer.address) : takeAsStranger(tryer.address, tryer.name),
  };
}

const both = (left: number | undefined, one: Try, other: Try): Try => ({
  left,
  giveBack: () => {
    one.giveBack();
    other.giveBack();
  },
});

const othersFirst = () =>
  problem.rateLimited(
    `Too many failed attempts for this name. Whoever has been trying longest goes first: try again every ${RETRY_S} s.`,
    { "retry-after": String(RETRY_S) },
  );
