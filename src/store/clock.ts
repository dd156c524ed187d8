/** The part of the port that moves what waits when the wall clock is set back (CHECKINS.md §5). */
import type { NamespaceId } from "../keys/namespace.ts";
import type { Millis } from "../util/clock.ts";
import type { SetBack } from "../util/setback.ts";
import type { Rules } from "./checks.ts";

/** The latest time that the clock was set back, as it is kept over restarts. */
export interface NotedSetBack extends SetBack {
  /** Operators know of it. */
  isTold: boolean;
  /** Those in which something waited, or would have. */
  namespaces: readonly NamespaceId[];
}

/**
 * Why what waits is moved. At a start the store finds out by itself how far: what was noted last lies in the future. Of what
 * came late, as at a start where nothing was noted, only what is further away than it can be is moved.
 */
export type Move = SetBack | "start" | "latecomers";

export interface ClockStore {
  /**
   * Moves the times of all that waits: checks by `rulesAt`, delayed messages, deliveries; in one transaction, before every
   * write that is asked for after the call. What jobs before it write is moved too. Asked again after a failure, it does not move
   * what was written since by the distance. Resolves to the latest that is noted, now or before.
   */
  setBack(rulesAt: (by: number, now: Millis) => Rules, move: Move): Promise<NotedSetBack | undefined>;
  /** Operators know of it. */
  told(of: SetBack): Promise<void>;
}
