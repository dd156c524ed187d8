/** The part of the port for pages: many topics at a glance, and what is deleted with one. */
import type { DeviceRow, Subscription } from "../devices/device.ts";
import type { NamespaceId } from "../keys/namespace.ts";
import type { Message } from "../messages/message.ts";
import type { Topic, TopicId } from "../topics/topic.ts";
import type { Millis } from "../util/clock.ts";

/** What was published in one hour. */
export interface Hour {
  messages: number;
  /** Known of the newest messages only: a busy topic has too many to read. */
  hasError: boolean;
}

export interface Glance {
  topic: Topic;
  /** Subscriptions, those of lost devices included. */
  subscribers: number;
  /** The newest message that is kept. */
  last?: Message;
  /** The last 24, the oldest first; absent if nothing was published in them. */
  hours?: readonly Hour[];
}

/** What is deleted with a topic. */
export interface Extent {
  /** At most `COUNTED`: if it is that many, there may be more. */
  messages: number;
  /** When the oldest message was stored. */
  since?: Millis;
  subscribers: number;
  /** Some of the checks that alert to it: while there is one, the topic cannot be deleted. */
  checks: { id: string; name: string }[];
}

export const COUNTED = 100_000;

export interface GlanceStore {
  /** Topics of one namespace by name. `text`: occurs in name or description, any case. `after`: the last name before. */
  list(
    namespaceId: NamespaceId,
    options: { archived: boolean; text?: string; after?: string; limit: number },
  ): Promise<Glance[]>;
  /** A topic that is not deleted. */
  find(topicId: TopicId): Promise<Glance | undefined>;
  extent(topicId: TopicId): Promise<Extent>;
  /** The settings that devices have for a topic, by device; the same page as `devices.ofTopic`. */
  rules(
    topicId: TopicId,
    options: { after?: number; limit: number },
  ): Promise<ReadonlyMap<DeviceRow, Pick<Subscription, "mutedUntil" | "minPriority">>>;
}
