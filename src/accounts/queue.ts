/**
 * Decides whose password is looked at next (OPERATIONS.md §6). Strangers can fill any queue, so they have a separate one: each
 * network waits in it once, and the one that has asked for longest goes first. Somebody who tries again goes before a flood
 * from ever new networks.
 */
import { site } from "../http/address.ts";
import { problem, type Problem } from "../http/problem.ts";
import type { Clock } from "../util/clock.ts";
import { createPatience } from "../util/patience.ts";

/** `known`: signed in, signed in at this address, or the operator. `who` waits once; absent: any number of times. */
export type Place = { kind: "known"; who?: string } | { kind: "stranger"; address: string };

interface Waiting {
  who: string | undefined;
  /** Since when they have asked, monotonic ms. */
  since: number;
  go(): void;
  refuse(reason: Problem): void;
}

/** A password is slow and large on purpose: 30 ms, 19 MiB. */
const AT_ONCE = 2;
/** For each kind: 1.5 s of waiting, 10 s on a small NAS. */
const PLACES = 100;
/** Networks that are remembered for having asked in vain: 4 MB. */
const MOST_PATIENT = 20_000;

export interface Queue {
  /** Runs `work` in its turn. `signal` ends the wait if the client hangs up. @throws Problem 503 `sign_in_busy`: it did not */
  run<T>(place: Place, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/** `onBusy`: somebody was sent away. */
export function createQueue(clock: Clock, onBusy: () => void): Queue {
  const patience = createPatience(clock, MOST_PATIENT);
  const known: Waiting[] = [];
  /** In the order of `since`. */
  const strangers: Waiting[] = [];
  let running = 0;

  function busy(): Problem {
    onBusy();
    return problem.signInBusy();
  }

  /** Waits for a turn, behind those who have asked for longer. */
  async function join(line: Waiting[], who: string | undefined, since: number, signal?: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    if (signal?.aborted === true) throw problem.signInBusy(); // nobody reads it
    const go = () => {
      resolve(undefined);
    };
    const waiting: Waiting = { who, since, go, refuse: reject };
    line.splice(line.findLastIndex((one) => one.since <= since) + 1, 0, waiting);
    const leave = () => {
      const at = line.indexOf(waiting);
      if (at < 0) return;
      line.splice(at, 1);
      reject(problem.signInBusy()); // nobody reads it
    };
    signal?.addEventListener("abort", leave);
    try {
      await promise;
    } finally {
      signal?.removeEventListener("abort", leave);
    }
  }

  async function waitAsKnown(who: string | undefined, signal?: AbortSignal): Promise<void> {
    const isThere = who !== undefined && known.some((one) => one.who === who);
    if (isThere || known.length >= PLACES) throw busy();
    return join(known, who, clock.monotonic(), signal);
  }

  async function waitAsStranger(address: string, signal?: AbortSignal): Promise<void> {
    const who = site(address);
    if (strangers.some((one) => one.who === who)) throw busy();
    const since = patience.since(who);
    const last = strangers.at(-1);
    if (strangers.length >= PLACES && last?.who !== undefined) {
      if (since >= last.since) {
        patience.refused(who, since);
        throw busy();
      }
      strangers.pop(); // has asked for a shorter time
      patience.refused(last.who, last.since);
      last.refuse(busy());
    }
    patience.served(who);
    return join(strangers, who, since, signal);
  }

  return {
    run: async (place, work, signal) => {
      if (running < AT_ONCE) running += 1;
      // else is given the turn of another
      else await (place.kind === "known" ? waitAsKnown(place.who, signal) : waitAsStranger(place.address, signal));
      try {
        return await work();
      } finally {
        const next = known.shift() ?? strangers.shift();
        if (next === undefined) running -= 1;
        else next.go();
      }
    },
  };
}
