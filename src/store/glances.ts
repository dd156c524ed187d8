/** The part of the port that pages are made of: many topics at a glance, and what hangs on one. */
import type { DeviceRow, Subscription } from "../devices/device.ts";
import type { NamespaceId } from "../keys/namespace.ts";
import type { Message } from "../messages/message.ts";
import type { Topic, TopicId } from "../topics/topic.ts";
import type { Millis } from "../util/clock.ts";

/** What was published in one hour. */
export interface Hour {
  messages: number;
  /** Of the newest messages only: those of a busy topic are too many to read. */
  hasError: boolean;
}

export interface Glance {
  topic: Topic;
  /** Subscriptions, of lost devices too. */
  subscribers: number;
  /** The newest that is kept. */
  last?: Message;
  /** The last 24, the oldest first; absent: nothing was published in them. */
  hours?: readonly Hour[];
}

/** What goes with a topic. */
export interface Extent {
  /** As many as were counted, at most `COUNTED`: then there may be more. */
  messages: number;
  /** Of the oldest message. */
  since?: Millis;
  subscribers: number;
  /** Some of those that alert to it: while there is one, it stays. */
  checks: { id: string; name: string }[];
}

export const COUNTED = 100_000;

export interface GlanceStore {
  /** Topics of one namespace by name. `text`: occurs in name or description, any case. `after`: the last name before. */
  list(
    namespaceId: NamespaceId,
    options: { archived: boolean; text?: string; after?: string; limit: number },
  ): Promise<Glance[]>;
  /** One that is live. */
  find(topicId: TopicId): Promise<Glance | undefined>;
  extent(topicId: TopicId): Promise<Extent>;
  /** What the devices of a topic have set for it, by device; the page of `devices.ofTopic`. */
  rules(
    topicId: TopicId,
    options: { after?: number; limit: number },
  ): Promise<ReadonlyMap<DeviceRow, Pick<Subscription, "mutedUntil" | "minPriority">>>;
}
