/** The part of the port that is messages which wait for their time. */
import type { Draft } from "../drafts/draft.ts";
import type { NamespaceId } from "../keys/namespace.ts";
import type { Topic } from "../topics/topic.ts";
import type { Millis } from "../util/clock.ts";

/** A message that waits for its time; it gets its message id when it fires. */
export interface Scheduled {
  id: string;
  deliverAt: Millis;
  createdAt: Millis;
  topic: Topic;
  draft: Draft;
}

/** After which waiting message a page begins: it need not wait any more. */
export interface Place {
  deliverAt: Millis;
  /** Tells those of one time apart. */
  seq: number;
}

/** Of live topics only: those of a deleted one are gone with it, their rows go in slices by `sweep`. */
export interface ScheduledStore {
  /** In the order of their times. `next`: there are more, pass it as `after`. */
  list(
    namespaceId: NamespaceId,
    options: { after?: Place; limit: number },
  ): Promise<{ scheduled: Scheduled[]; next?: Place }>;
  find(namespaceId: NamespaceId, id: string): Promise<Scheduled | undefined>;
  /** False: it has fired already or never was. */
  cancel(namespaceId: NamespaceId, id: string): Promise<boolean>;
  /**
   * Stores up to `limit` messages whose time has come, with ids, in the order of their times. How many it
   * stored: fewer, and more may still be due, where topics were deleted.
   */
  fire(now: Millis, limit: number): Promise<number>;
  /** The next time one is due. */
  nextAt(): Promise<Millis | undefined>;
}
