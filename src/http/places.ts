/**
 * Places for what costs much while it lasts: so many at once for a network and in all. The others wait, and networks take
 * turns, however many wait in each (ARCHITECTURE.md §2.6).
 */
import type { Metrics } from "../ops/metrics.ts";
import type { Clock } from "../util/clock.ts";
import { network } from "./address.ts";
import { problem, type Problem } from "./problem.ts";

interface Caps {
  /** Of one network: an IPv4 address, or the /64 of an IPv6 address. */
  each: number;
  all: number;
}

export interface PlaceRules {
  /** Label of `peal_rate_limited_total`. */
  name: string;
  /** For the refusal: too many of these are waiting. */
  what: string;
  held: Caps;
  waiting: Caps;
  waitMs: number;
}

export interface Places {
  /** A place at once; undefined where the network or the server has none left, or others wait. */
  tryTake(address: string): Disposable | undefined;
  /**
   * A place as soon as it is this network's turn.
   * @throws Problem 429 `rate_limited` when the network has too many waiting, or waited too long for its own places; 503
   * `busy` when it was the server's that ran out; the signal's reason once that is aborted
   */
  take(address: string, signal: AbortSignal): Promise<Disposable>;
}

interface Network {
  readonly id: string;
  held: number;
  /** Each is given a place, in the order of coming. */
  readonly waiting: Set<(place: Disposable) => void>;
}

/** Seconds until somebody who was refused may ask again. */
const RETRY_AFTER = 5;

export function createPlaces(
  { name, what, held: most, waiting: mostWaiting, waitMs }: PlaceRules,
  { clock, metrics }: { clock: Clock; metrics: Pick<Metrics, "rateLimited"> },
): Places {
  /** Those that hold a place or wait for one. */
  const networks = new Map<string, Network>();
  /** Those that wait and may hold another, in the order of their turns. */
  const turns = new Set<Network>();
  let held = 0;
  let waiting = 0;

  const networkOf = (address: string): Network => {
    const id = network(address);
    return networks.get(id) ?? { id, held: 0, waiting: new Set() };
  };
  const isFree = (of: Network): boolean => held < most.all && of.held < most.each && of.waiting.size === 0;

  function hold(of: Network): Disposable {
    networks.set(of.id, of);
    of.held++;
    held++;
    let isHeld = true;
    return {
      [Symbol.dispose]: () => {
        if (!isHeld) return;
        isHeld = false;
        of.held--;
        held--;
        arrange(of);
        serve();
      },
    };
  }

  /** After a change of it. */
  function arrange(of: Network): void {
    if (of.waiting.size > 0 && of.held < most.each) turns.add(of);
    else turns.delete(of);
    if (of.waiting.size === 0 && of.held === 0) networks.delete(of.id);
  }

  /** Gives away what is free: one to a network, then to the next. */
  function serve(): void {
    while (held < most.all) {
      const [of] = turns;
      const [give] = of?.waiting ?? [];
      if (of === undefined || give === undefined) return;
      turns.delete(of); // and in again, behind the others
      give(hold(of));
      arrange(of);
    }
  }

  function refusal(of: Network): Problem {
    metrics.rateLimited.of(name).inc();
    const headers = { "retry-after": String(RETRY_AFTER) };
    const again = `Try again in ${RETRY_AFTER} s.`;
    return of.held >= most.each || of.waiting.size >= mostWaiting.each
      ? problem.rateLimited(`Too many ${what} to this address are waiting or still being read. ${again}`, headers)
      : problem.busy(`Too many ${what} are waiting on this server. ${again}`, headers);
  }

  async function wait(of: Network, signal: AbortSignal): Promise<Disposable> {
    const { promise, resolve, reject } = Promise.withResolvers<Disposable>();
    const leave = () => {
      of.waiting.delete(give);
      waiting--;
      stopWaiting();
      signal.removeEventListener("abort", gone);
    };
    const give = (place: Disposable) => {
      leave();
      resolve(place);
    };
    const giveUp = (reason: unknown) => {
      leave();
      arrange(of);
      reject(reason);
    };
    const gone = () => {
      giveUp(signal.reason);
    };
    const stopWaiting = clock.after(waitMs, () => {
      giveUp(refusal(of));
    });
    signal.addEventListener("abort", gone);
    networks.set(of.id, of);
    of.waiting.add(give);
    waiting++;
    arrange(of);
    return promise;
  }

  return {
    tryTake: (address) => {
      const of = networkOf(address);
      return isFree(of) ? hold(of) : undefined;
    },
    take: async (address, signal) => {
      signal.throwIfAborted();
      const of = networkOf(address);
      if (isFree(of)) return hold(of);
      if (of.waiting.size >= mostWaiting.each || waiting >= mostWaiting.all) throw refusal(of);
      return wait(of, signal);
    },
  };
}
