/** What a topic is. */
import type { Millis } from "../util/clock.ts";
import type { NamespaceId } from "../keys/namespace.ts";

/** Row of a topic in the store; never leaves the server. */
export type TopicId = number & { readonly __brand: "TopicId" };

export const TOPICS_PER_NAMESPACE = 10_000;

export interface Topic {
  id: TopicId;
  namespaceId: NamespaceId;
  namespace: string;
  /** The capability: `<slug>-<26 characters>`. */
  key: string;
  name: string;
  description?: string;
  /** Id of the newest message ever stored, 0 before the first. */
  lastId: number;
  /** Highest id that retention deleted, 0 if it deleted none. */
  prunedTo: number;
  /** The topic's own retention; absent: the server's. 0: no limit. */
  retentionDays?: number;
  retentionMessages?: number;
  archivedAt?: Millis;
  /** Until then its messages are not pushed. */
  mutedUntil?: Millis;
  createdAt: Millis;
  /** Time of the newest message. */
  lastAt?: Millis;
}

/** The topic of a message: without the counter, which each message moves. */
export type TopicOfMessage = Omit<Topic, "lastId">;
