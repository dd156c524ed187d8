/** The part of the port that moves what waits when the wall clock is set back (docs/design/CHECKINS.md §5). */
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

export interface ClockStore {
  /**
   * Moves the times of all that waits: checks by `rulesAt`, delayed messages, deliveries; in one transaction, before every
   * write that is asked for after the call. Without `setBack` it finds out by itself, as at the start: what was noted last
   * lies in the future, or a wait is longer than it can be. Resolves to the latest that is noted, now or before.
   */
  setBack(rulesAt: (by: number, now: Millis) => Rules, setBack?: SetBack): Promise<NotedSetBack | undefined>;
  /** Operators know of the latest. */
  told(): Promise<void>;
}
