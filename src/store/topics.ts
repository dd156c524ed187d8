/** The part of the port that is topics. */
import type { NamespaceId } from "../keys/namespace.ts";
import type { Topic, TopicId } from "../topics/topic.ts";
import type { Erasable } from "../util/defined.ts";

type Settings = Pick<Topic, "description" | "retentionDays" | "retentionMessages">;

export interface NewTopic extends Settings {
  name?: string;
  /** Named after it, with a short random tail when that name is taken. */
  prefix?: string;
}

/** `null` takes the value away: the server's default holds again. */
export interface TopicPatch extends Erasable<Settings & Pick<Topic, "mutedUntil">> {
  name?: string;
  archived?: boolean;
}

export interface TopicStore {
  create(namespaceId: NamespaceId, topic: NewTopic): Promise<Topic | "name_taken" | "too_many_topics">;
  /** The topic of this key in this namespace. */
  byKey(namespace: string, key: string): Promise<Topic | undefined>;
  /** The topic of this key, whatever its namespace: `GET /{topic-key}`. */
  byKeyAnywhere(key: string): Promise<Topic | undefined>;
  /** By name; `after`: the last name of the page before. */
  list(namespaceId: NamespaceId, options: { archived: boolean; after?: string; limit: number }): Promise<Topic[]>;
  /** The name of another topic that differs from this one by capitals alone. */
  namedAlike(namespaceId: NamespaceId, name: string): Promise<string | undefined>;
  patch(topicId: TopicId, patch: TopicPatch): Promise<Topic | "name_taken" | undefined>;
  /**
   * A new key; the old one stops working with the last commit, and with it all subscriptions are gone but those of
   * the devices that are kept. `kept`, `dropped`: ids of devices that had subscribed.
   */
  rotate(
    topicId: TopicId,
    isKept?: (id: string) => boolean,
  ): Promise<{ topic: Topic; kept: string[]; dropped: string[] } | undefined>;
  /**
   * 404 from this commit on; the rows go in slices by `sweep`. False: it was gone already. `in_use`: checks alert to it.
   */
  remove(topicId: TopicId): Promise<boolean | "in_use">;
}
