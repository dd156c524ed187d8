/** The part of the port for messages that wait for their time. */
import type { Draft } from "../drafts/draft.ts";
import type { NamespaceId } from "../keys/namespace.ts";
import type { TopicOfMessage } from "../topics/topic.ts";
import type { Millis } from "../util/clock.ts";

/** A message that waits for its time; it gets its message id when it fires. */
export interface Scheduled {
  id: string;
  deliverAt: Millis;
  createdAt: Millis;
  topic: TopicOfMessage;
  draft: Draft;
}

/** How many characters of its id name it at an address of ntfy, whose ids have no more. */
export const SHORT_ID = 12;

/** The waiting message after which a page begins; it need not wait any more. */
export interface Place {
  deliverAt: Millis;
  /** Tells messages of the same time apart. */
  seq: number;
}

/** Of live topics only: those of a deleted topic are gone with it, and `sweep` deletes their rows in slices. */
export interface ScheduledStore {
  /** In the order of their times. `next`: there are more; pass it as `after`. */
  list(
    namespaceId: NamespaceId,
    options: { after?: Place; limit: number },
  ): Promise<{ scheduled: Scheduled[]; next?: Place }>;
  find(namespaceId: NamespaceId, id: string): Promise<Scheduled | undefined>;
  /** False: it has fired already, or never was. */
  cancel(namespaceId: NamespaceId, id: string): Promise<boolean>;
  /**
   * Stores up to `limit` messages whose time has come, with ids, in the order of their times. Resolves to how many it stored: if
   * topics were deleted, fewer, and more may still be due.
   */
  fire(now: Millis, limit: number): Promise<number>;
  /** The next time at which one is due. */
  nextAt(): Promise<Millis | undefined>;
}
