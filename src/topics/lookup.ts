/** Finds the topic that a path names. */
import type { Deps } from "../deps.ts";
import { problem } from "../http/problem.ts";
import { isTopicKey } from "../names/topic.ts";
import type { Topic } from "./topic.ts";

/** The parts of a path that name a topic. */
export interface TopicPath {
  ns: string;
  key: string;
}

/** The topic of a path. A rotated or unknown key, and one of another namespace, get the same 404. */
export async function topicAt({ store }: Pick<Deps, "store">, { ns, key }: TopicPath): Promise<Topic> {
  const topic = isTopicKey(key) ? await store.topics.byKey(ns, key) : undefined;
  if (topic === undefined) throw problem.unknownTopic();
  return topic;
}

/** The topic that a route's path names. @throws Problem 404 `unknown_topic` */
export const namedTopic = async ({ deps, params }: { deps: Pick<Deps, "store">; params: TopicPath }): Promise<Topic> =>
  topicAt(deps, params);
