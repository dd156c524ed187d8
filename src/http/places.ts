/**
 * Places for work that is costly while it lasts: a network, its site and the server each have a limited number. The others wait; sites
 * take turns, and in each site its networks, however many wait there. When none is left, a place that was held for long may
 * end for somebody who holds fewer (ARCHITECTURE.md §5).
 */
import type { Metrics } from "../telemetry/metrics.ts";
import type { Clock } from "../util/clock.ts";
import { network, site } from "./address.ts";
import { problem, type Problem } from "./problem.ts";

interface Caps {
  /** For one network: an IPv4 address, or the /64 of an IPv6 address. */
  network: number;
  /** For all networks of one site: a /48 of IPv6. An IPv4 address is its own site. */
  site: number;
  all: number;
}

export interface PlaceRules {
  /** The label of `peal_rate_limited_total`. */
  name: string;
  /** What the refusal says that too many of are waiting. */
  what: string;
  /** `idle`: for a network while less than half of all are held; then a household behind one address is not a crowd. */
  held: Caps & { idle?: number };
  waiting: Caps;
  waitMs: number;
}

/** How many may wait, and for how long. */
export const QUEUE = { waiting: { network: 256, site: 1_024, all: 4_096 }, waitMs: 10_000 } as const;

/** A place may be held for this long, even if others wait: a page of 1 MiB at 70 KB/s. */
const LONG_MS = 15_000;

/** Disposing of it gives it back. */
export interface Place extends Disposable {
  /** From now on it may be taken away, and then `end` is called, if it is held for long and somebody who holds fewer waits. */
  mayEnd(end: () => void): void;
}

export interface Places {
  /** A place at once; undefined if the network, its site or the server has none left, or others of the network wait. */
  tryTake(address: string): Place | undefined;
  /**
   * A place as soon as it is this network's turn.
   * @throws Problem 429 `rate_limited` if the network or its site has too many waiting, or waited too long for its own places;
   * 503 `busy` if the server's places ran out; the signal's reason once that is aborted
   */
  take(address: string, signal: AbortSignal): Promise<Place>;
}

/** A network, its site, or all of them. */
interface Group {
  readonly level: keyof Caps;
  readonly id: string;
  /** Undefined: it is the group of all. */
  readonly within: Group | undefined;
  held: number;
  waiting: number;
  /** The networks or sites in it that hold a place or wait for one. */
  readonly inside: Map<string, Group>;
  /** The groups in it that wait, in the order of their turns. */
  readonly turns: Set<Group>;
  /** The requests of a network that wait; each is given a place, in the order in which they came. */
  readonly queue: Set<(place: Place) => void>;
}

interface Held extends Place {
  readonly of: Group;
  /** Gives the place back without a turn for those who wait. */
  release(): void;
  end(): void;
}

/** In seconds: when somebody who was refused may ask again. */
const RETRY_AFTER = 5;

export const createPlaces = (rules: PlaceRules, deps: PlaceDeps): Places => new Line(rules, deps);

interface PlaceDeps {
  clock: Clock;
  metrics: Pick<Metrics, "rateLimited">;
}

/** Those who hold places, and those who wait for one. */
class Line implements Places {
  readonly #rules: PlaceRules;
  readonly #deps: PlaceDeps;
  readonly #all = newGroup("all", "");
  /** Places that are held for long, the longest first. */
  readonly #lasting = new Set<Held>();

  constructor(rules: PlaceRules, deps: PlaceDeps) {
    this.#rules = rules;
    this.#deps = deps;
  }

  tryTake(address: string): Place | undefined {
    const of = this.#networkOf(address);
    return this.#isFree(of) ? this.#hold(of) : undefined;
  }

  async take(address: string, signal: AbortSignal): Promise<Place> {
    signal.throwIfAborted();
    const of = this.#networkOf(address);
    if (this.#isFree(of)) return this.#hold(of);
    if (lineage(of).some((one) => this.#isCrowded(one))) throw this.#refusal(of);
    return this.#wait(of, signal);
  }

  #networkOf(address: string): Group {
    const within = this.#all.inside.get(site(address)) ?? newGroup("site", site(address), this.#all);
    return within.inside.get(network(address)) ?? newGroup("network", network(address), within);
  }

  #isFull({ level, held }: Group): boolean {
    const most = this.#rules.held;
    const isIdle = level === "network" && this.#all.held < most.all / 2;
    return held >= (isIdle ? (most.idle ?? most.network) : most[level]);
  }

  #isCrowded({ level, waiting }: Group): boolean {
    return waiting >= this.#rules.waiting[level];
  }

  #isFree(of: Group): boolean {
    return of.waiting === 0 && !lineage(of).some((one) => this.#isFull(one));
  }

  #hold(of: Group): Held {
    count(of, "held", 1);
    let isHeld = true;
    let stopWatch = () => {};
    const place: Held = {
      of,
      end: () => {},
      mayEnd: (end) => {
        if (!isHeld) return;
        place.end = end;
        stopWatch = this.#deps.clock.after(LONG_MS, () => {
          this.#lasting.add(place);
          this.#serve();
        });
      },
      release: () => {
        if (!isHeld) return;
        isHeld = false;
        stopWatch();
        this.#lasting.delete(place);
        count(of, "held", -1);
      },
      [Symbol.dispose]: () => {
        place.release();
        this.#serve();
      },
    };
    return place;
  }

  /** Gives away the free places, then those that are held for too long. */
  #serve(): void {
    for (let of = this.#next(this.#all); of !== undefined; of = this.#next(this.#all)) this.#give(of);
    for (let owed = this.#nextOwed(); owed !== undefined; owed = this.#nextOwed()) {
      owed.place.release();
      this.#deps.metrics.rateLimited.of(this.#rules.name).inc();
      this.#give(owed.to);
      owed.place.end();
    }
  }

  /** The network whose turn it is and for which there is a place. */
  #next(of: Group): Group | undefined {
    if (this.#isFull(of)) return undefined;
    if (of.level === "network") return of;
    return firstOf(of.turns, (one) => this.#next(one));
  }

  /** Gives a place to the request of the network that has waited longest. */
  #give(of: Group): void {
    const [first] = of.queue;
    first?.(this.#hold(of));
  }

  /** A network that waits and has fewer places than somebody who holds one for long, and that place. */
  #nextOwed(): { to: Group; place: Held } | undefined {
    if (this.#lasting.size === 0) return undefined;
    return firstOf(this.#all.turns, (site) =>
      firstOf(site.turns, (to) => {
        const place = this.#isFull(to) ? undefined : this.#owedTo(to, site);
        return place && { to, place };
      }),
    );
  }

  /** A place of the group that holds most. Within one site its networks are compared, else the sites. */
  #owedTo(to: Group, site: Group): Held | undefined {
    const isOwed = ({ of }: Held) =>
      of.within === site ? of.held > to.held : !this.#isFull(site) && siteOf(of).held > site.held;
    return [...this.#lasting].filter(isOwed).reduce<Held | undefined>(ofMore, undefined);
  }

  #refusal(of: Group): Problem {
    const { name, what } = this.#rules;
    this.#deps.metrics.rateLimited.of(name).inc();
    const headers = { "retry-after": String(RETRY_AFTER) };
    const again = `Try again in ${RETRY_AFTER} s.`;
    return [of, siteOf(of)].some((one) => this.#isFull(one) || this.#isCrowded(one))
      ? problem.rateLimited(
          `Too many ${what} to this address or network are waiting or still being read. ${again}`,
          headers,
        )
      : problem.busy(`Too many ${what} are waiting on this server. ${again}`, headers);
  }

  async #wait(of: Group, signal: AbortSignal): Promise<Place> {
    const { promise, resolve, reject } = Promise.withResolvers<Place>();
    const leave = () => {
      of.queue.delete(give);
      count(of, "waiting", -1);
      stopWaiting();
      signal.removeEventListener("abort", gone);
    };
    const give = (place: Place) => {
      leave();
      resolve(place);
    };
    const giveUp = (reason: unknown) => {
      leave();
      reject(reason);
    };
    const gone = () => {
      giveUp(signal.reason);
    };
    const stopWaiting = this.#deps.clock.after(this.#rules.waitMs, () => {
      giveUp(this.#refusal(of));
    });
    signal.addEventListener("abort", gone);
    of.queue.add(give);
    count(of, "waiting", 1);
    this.#serve();
    return promise;
  }
}

const newGroup = (level: Group["level"], id: string, within?: Group): Group => ({
  ...{ level, id, within, held: 0, waiting: 0 },
  ...{ inside: new Map(), turns: new Set(), queue: new Set() },
});

const siteOf = (network: Group): Group => network.within ?? network;

/** A network, its site, and the group of all. */
const lineage = (of: Group): Group[] => (of.within === undefined ? [of] : [of, ...lineage(of.within)]);

/**
 * Counts on each level; groups that hold nothing and wait for nothing are forgotten. A group that is given a place, or gives one
 * back, goes behind the others that wait.
 */
function count(of: Group, what: "held" | "waiting", by: 1 | -1): void {
  for (const one of lineage(of)) {
    one[what] += by;
    const { id, within } = one;
    if (one.held + one.waiting > 0) within?.inside.set(id, one);
    else within?.inside.delete(id);
    if (what === "held" || one.waiting === 0) within?.turns.delete(one);
    if (one.waiting > 0) within?.turns.add(one);
  }
}

/** The first result that `find` has for one of the groups. */
function firstOf<T>(groups: Iterable<Group>, find: (group: Group) => T | undefined): T | undefined {
  for (const one of groups) {
    const found = find(one);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The one whose site, or else whose network, holds more; of equals the first. */
function ofMore(one: Held | undefined, other: Held): Held {
  if (one === undefined) return other;
  const more = siteOf(other.of).held - siteOf(one.of).held || other.of.held - one.of.held;
  return more > 0 ? other : one;
}
