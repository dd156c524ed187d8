/** The part of the port that the overview is made of: what is wrong, and what came last. */
import type { Check, CheckState } from "../checks/check.ts";
import type { Delivery } from "../delivery/delivery.ts";
import type { NamespaceId } from "../keys/namespace.ts";
import type { Message } from "../messages/message.ts";
import type { Topic } from "../topics/topic.ts";
import type { Millis } from "../util/clock.ts";

export interface Trouble extends Failed {
  /** Checks that are down. */
  down: number;
}

export interface Failed {
  /** Pushes that no push service took. */
  failed: number;
  /** So many were counted, and no more. */
  isMore: boolean;
}

/** The latest message that did not reach a device. */
export interface Failure {
  delivery: Delivery;
  message: Message;
  topic: Topic;
}

export interface OverviewStore {
  /** `failedSince`: what became of older messages is no trouble any more. */
  trouble(namespaces: readonly NamespaceId[], failedSince: Millis): Promise<Trouble>;
  /** How many checks there are, by state. */
  checks(namespaces: readonly NamespaceId[]): Promise<Readonly<Record<CheckState, number>>>;
  /** Some of those that are down, by name. */
  down(namespaces: readonly NamespaceId[], limit: number): Promise<Check[]>;
  /** Pushes of messages since then that failed, and of each device the latest of them, the latest first. */
  failures(namespaces: readonly NamespaceId[], since: Millis, limit: number): Promise<Failed & { latest: Failure[] }>;
  /** Messages of live topics, the newest first. */
  latest(namespaces: readonly NamespaceId[], limit: number): Promise<{ topic: Topic; message: Message }[]>;
  /** Urgent messages since then that ask for an answer and have none, the newest first; of an alert its newest message. */
  unanswered(
    namespaces: readonly NamespaceId[],
    since: Millis,
    limit: number,
  ): Promise<{ topic: Topic; message: Message }[]>;
  /** A device has subscribed to one of their topics. */
  hasDevice(namespaces: readonly NamespaceId[]): Promise<boolean>;
}
