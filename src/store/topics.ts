/** The part of the port for topics. */
import type { NamespaceId } from "../keys/namespace.ts";
import type { Topic, TopicId } from "../topics/topic.ts";
import type { Erasable } from "../util/defined.ts";

type Settings = Pick<Topic, "description" | "retentionDays" | "retentionMessages">;

export interface NewTopic extends Settings {
  name?: string;
  /** The name begins with it: a short random tail follows if the name is taken. */
  prefix?: string;
}

/** `null` takes the value away, so that the server's default counts again. */
export interface TopicPatch extends Erasable<Settings & Pick<Topic, "mutedUntil">> {
  name?: string;
  archived?: boolean;
}

export interface TopicStore {
  create(namespaceId: NamespaceId, topic: NewTopic): Promise<Topic | "name_taken" | "too_many_topics">;
  /** The topic with this key in this namespace. */
  byKey(namespace: string, key: string): Promise<Topic | undefined>;
  /** The topic with this key in any namespace: `GET /{topic-key}`. */
  byKeyAnywhere(key: string): Promise<Topic | undefined>;
  byName(namespaceId: NamespaceId, name: string): Promise<Topic | undefined>;
  /** In the order of names; `after`: the last name of the page before. */
  list(namespaceId: NamespaceId, options: { archived: boolean; after?: string; limit: number }): Promise<Topic[]>;
  /** The name of another topic that differs only in case. */
  namedAlike(namespaceId: NamespaceId, name: string): Promise<string | undefined>;
  patch(topicId: TopicId, patch: TopicPatch): Promise<Topic | "name_taken" | undefined>;
  /**
   * Gives it a new key; the old one stops working with the last commit, and all subscriptions end but those of the devices that
   * are kept. `kept`, `dropped`: ids of devices that had subscribed.
   */
  rotate(
    topicId: TopicId,
    isKept?: (id: string) => boolean,
  ): Promise<{ topic: Topic; kept: string[]; dropped: string[] } | undefined>;
  /**
   * From this commit on it is not found; `sweep` deletes its rows. False: it was already gone. `in_use`: checks alert to it.
   */
  remove(topicId: TopicId): Promise<boolean | "in_use">;
}
