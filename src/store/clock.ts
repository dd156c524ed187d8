/** The part of the port that moves what waits when the wall clock is set back (CHECKINS.md §5). */
import type { NamespaceId } from "../keys/namespace.ts";
import type { Millis } from "../util/clock.ts";
import type { SetBack } from "../util/setback.ts";
import type { Rules } from "./checks.ts";

/** The latest set-back of the clock, which is kept over restarts. */
export interface NotedSetBack extends SetBack {
  /** Operators have been notified. */
  isTold: boolean;
  /** Namespaces in which something waited, or would have. */
  namespaces: readonly NamespaceId[];
}

/**
 * Why times are moved. At a start the store itself finds out how far: the time that was noted last lies in the future. Of
 * latecomers, and at a start where nothing was noted, only times that are further ahead than they can be are moved.
 */
export type Move = SetBack | "start" | "latecomers";

export interface ClockStore {
  /**
   * Moves the times of everything that waits: checks by `rulesAt`, delayed messages, deliveries; in one transaction, before every
   * write that is asked for after the call. What earlier jobs write is moved too. Called again after a failure, it does not move
   * what was written since. Resolves to the latest set-back that is noted, now or before.
   */
  setBack(rulesAt: (by: number, now: Millis) => Rules, move: Move): Promise<NotedSetBack | undefined>;
  /** Notes that operators have been notified. */
  told(of: SetBack): Promise<void>;
}
