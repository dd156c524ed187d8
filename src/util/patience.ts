/** Those who asked in vain and still ask, in the order in which they began: newcomers, however many, come after them. */
import type { Clock } from "./clock.ts";

export interface Patience {
  /** Since when they have asked, monotonic ms: now, unless they asked in vain before. */
  since(who: string): number;
  /** They asked in vain. `since`: from `since()`. */
  refused(who: string, since: number): void;
  /** They have what they asked for. */
  served(who: string): void;
  /** How many of those that still ask have asked for longer; counts no further than `atMost`. */
  ahead(who: string, atMost: number): number;
  readonly size: number;
}

/** Who does not ask again for so long has given up: people type a password again within it. */
const GIVEN_UP_MS = 30_000;

/** `max`: of whom it knows; when all of them still ask, a newcomer is not noted until one is gone. */
export function createPatience(clock: Clock, max: number): Patience {
  const asking = new Map<string, { since: number; latest: number }>();
  let tidiedAt = -Infinity;

  const isGone = ({ latest }: { latest: number }): boolean => clock.monotonic() - latest > GIVEN_UP_MS;

  /** Whether there is room for one more. Looks through all at most once a second: a flood of newcomers must not cost more. */
  function hasRoom(): boolean {
    if (asking.size >= max && clock.monotonic() - tidiedAt >= 1_000) {
      tidiedAt = clock.monotonic();
      for (const [who, one] of asking) if (isGone(one)) asking.delete(who);
    }
    return asking.size < max;
  }

  return {
    since: (who) => {
      const known = asking.get(who);
      return known === undefined || isGone(known) ? clock.monotonic() : known.since;
    },
    refused: (who, since) => {
      const latest = clock.monotonic();
      const known = asking.get(who);
      if (known?.since === since) known.latest = latest;
      else {
        asking.delete(who); // and in again, last: the order of the map is that of asking
        if (hasRoom()) asking.set(who, { since, latest });
      }
    },
    served: (who) => {
      asking.delete(who);
    },
    ahead: (who, atMost) => {
      let ahead = 0;
      for (const [one, asked] of asking) {
        if (one === who || ahead >= atMost) break;
        if (isGone(asked)) asking.delete(one);
        else ahead += 1;
      }
      return ahead;
    },
    get size() {
      return asking.size;
    },
  };
}
