/** Looks at the server, paced. */
import { NoPage } from "./document.ts";

/**
 * What a look costs: as many as these add up to in a stretch of time are made in it. Messages that come one a second never
 * wait, a hundred a second make no more than two looks and a half.
 */
const COST_MS = 400;
/** After quiet so much may be had in advance: four looks in a row. */
const ADVANCE_MS = 1_200;
/** A server that takes long is asked less: a look costs so many times what it took. */
const SHARE = 3;
/** After one that failed, and up to a fifth more: not all pages at once. */
const RETRY_MS = 15_000;
const SPREAD = 0.2;
/** Whatever a proxy asked for: a timer of more than 24 days would ring at once. */
const LONGEST_RETRY_MS = 3_600_000;

export interface Looks {
  /** There is something new, or may be: one look, as soon as may be. */
  soon(): void;
  /** The server is back: what is to be done again need not wait any longer. */
  atOnce(): void;
  /** How long a page is content without a look, ms. */
  every(ms: number): void;
  stop(): void;
}

/**
 * One look at a time, however often it is asked for; one more when it was asked for meanwhile. One that rejects is
 * repeated, not before the server has asked for (`NoPage`), but within some 70 minutes.
 */
export function paced(look: () => Promise<void>): Looks {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let interval = Infinity;
  let notBefore = 0;
  /** When the looks so far are paid for. */
  let paidAt = 0;
  let isWanted = false;
  let isLooking = false;
  let isStopped = false;

  const plan = () => {
    clearTimeout(timer);
    if (isLooking || isStopped) return;
    const wait = Math.max(isWanted ? 0 : interval, notBefore - performance.now());
    if (wait <= 0) run();
    else if (wait < Infinity) timer = setTimeout(run, wait);
  };
  const run = () => {
    isLooking = true;
    isWanted = false;
    const startedAt = performance.now();
    void look()
      .then(
        () => {
          const took = performance.now() - startedAt;
          paidAt = Math.max(paidAt, startedAt) + Math.max(COST_MS, SHARE * took);
          return paidAt - ADVANCE_MS;
        },
        (error: unknown) => {
          isWanted = true;
          const asked = error instanceof NoPage ? error.retryAfter : 0;
          const rest = Math.min(Math.max(asked, RETRY_MS), LONGEST_RETRY_MS) * (1 + Math.random() * SPREAD);
          return performance.now() + rest;
        },
      )
      .then((next) => {
        isLooking = false;
        notBefore = next;
        plan();
      });
  };
  return {
    soon: () => {
      isWanted = true;
      plan();
    },
    atOnce: () => {
      notBefore = 0;
      plan();
    },
    every: (ms) => {
      interval = ms;
      plan();
    },
    stop: () => {
      isStopped = true;
      plan();
    },
  };
}
