/** Paces the requests ("looks") with which a page asks the server for what is new. */
import { NoPage } from "./document.ts";

/**
 * What a look costs at least: a stretch of time pays for as many looks as fit into it. Messages that come one a second never
 * wait; a hundred a second cause no more than two and a half looks.
 */
const COST_MS = 400;
/** Looks may be paid for up to this much later, so after a quiet time four follow each other at once. */
const ADVANCE_MS = 1_200;
/** A look costs this many times what it took, so that a slow server is asked less often. */
const SHARE = 3;
/** The wait after a failed look. Up to a fifth is added, so that pages do not all ask at once. */
const RETRY_MS = 15_000;
const SPREAD = 0.2;
/** The longest wait, whatever a proxy asks for: a timer of more than 24 days would fire at once. */
const LONGEST_RETRY_MS = 3_600_000;

export interface Looks {
  /** There may be something new: looks once, as soon as the pace allows. */
  soon(): void;
  /** The server is back: a look that is due does not wait any longer. */
  atOnce(): void;
  /** The longest time between two looks, in ms. */
  every(ms: number): void;
  stop(): void;
}

/**
 * Looks once at a time, however often it is asked to, and once more if it was asked to meanwhile. A look that rejects is
 * repeated: not earlier than the server asked for (`NoPage`), but within some 70 minutes.
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
