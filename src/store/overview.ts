/** The part of the port that the overview is made of: what is wrong, and what came last. */
import type { Check, CheckState } from "../checks/check.ts";
import type { NamespaceId } from "../keys/namespace.ts";
import type { Message } from "../messages/message.ts";
import type { Topic } from "../topics/topic.ts";
import type { Millis } from "../util/clock.ts";

export interface Trouble {
  /** Checks that are down. */
  down: number;
  /** Pushes that no push service took, of the latest 500. */
  failed: number;
}

/** The latest message that did not reach a device. */
export interface Failure {
  /** Absent: it was removed since. */
  device?: { name?: string };
  message: Message;
  topic: Topic;
  /** What the push service said, as it was kept. */
  reason?: string;
  settledAt: Millis;
}

export interface OverviewStore {
  /** `failedSince`: older ones are no trouble any more. */
  trouble(namespaces: readonly NamespaceId[], failedSince: Millis): Promise<Trouble>;
  /** How many checks there are, by state. */
  checks(namespaces: readonly NamespaceId[]): Promise<Readonly<Record<CheckState, number>>>;
  /** Some of those that are down, by name. */
  down(namespaces: readonly NamespaceId[], limit: number): Promise<Check[]>;
  /** The latest failure of each device, the latest first; of those 500. */
  failures(namespaces: readonly NamespaceId[], since: Millis, limit: number): Promise<Failure[]>;
  /** Messages of live topics, the newest first. */
  latest(namespaces: readonly NamespaceId[], limit: number): Promise<{ topic: Topic; message: Message }[]>;
  /** Urgent messages since then that ask for an answer and have none, the newest first. */
  unanswered(
    namespaces: readonly NamespaceId[],
    since: Millis,
    limit: number,
  ): Promise<{ topic: Topic; message: Message }[]>;
  /** Somebody has connected a device once. */
  hasDevice(): Promise<boolean>;
}
