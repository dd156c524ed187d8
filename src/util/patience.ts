/** Those who were refused and still ask, in the order in which they began. However many newcomers there are, they come after. */
import type { Clock } from "./clock.ts";

export interface Patience {
  /** Since when they have asked, in monotonic ms: now, unless they were refused before. */
  since(who: string): number;
  /** They were refused. `since`: what `since()` returned. */
  refused(who: string, since: number): void;
  /** They got what they asked for. */
  served(who: string): void;
  /** How many of those that still ask have asked for longer; counts up to `atMost`. */
  ahead(who: string, atMost: number): number;
  readonly size: number;
}

/** Somebody who does not ask again for this long has given up: people type a password again sooner. */
const GIVEN_UP_MS = 30_000;

/** `max`: how many are remembered; while all of them still ask, a newcomer is not. */
export function createPatience(clock: Clock, max: number): Patience {
  const asking = new Map<string, { since: number; latest: number }>();
  let tidiedAt = -Infinity;

  const isGone = ({ latest }: { latest: number }): boolean => clock.monotonic() - latest > GIVEN_UP_MS;

  /** Whether there is room for one more. It looks through all at most once a second: a flood of newcomers must not cost more. */
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
        asking.delete(who); // and in again, last: the map is in the order of asking
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
