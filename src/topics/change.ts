/** What an owner does to topics, by the API or on a page. */
import type { Deps } from "../deps.ts";
import { problem } from "../http/problem.ts";
import type { NamespaceId } from "../keys/namespace.ts";
import type { NewTopic, TopicPatch, TopicStore } from "../store/topics.ts";
import { TOPICS_PER_NAMESPACE, type Topic, type TopicId } from "./topic.ts";

type Stored = Pick<Deps, "store">;

/** @throws Problem 409 `topic_exists`, `too_many_topics` */
export async function createTopic({ store }: Stored, namespaceId: NamespaceId, spec: NewTopic): Promise<Topic> {
  const made = await store.topics.create(namespaceId, spec);
  if (made === "name_taken") throw problem.topicExists(spec.name ?? "");
  if (made === "too_many_topics") throw problem.tooManyTopics(TOPICS_PER_NAMESPACE);
  return made;
}

/** @throws Problem 404, 409 `topic_exists` */
export async function changeTopic({ store }: Stored, id: TopicId, patch: TopicPatch): Promise<Topic> {
  const topic = await store.topics.patch(id, patch);
  if (topic === "name_taken") throw problem.topicExists(patch.name ?? "");
  if (topic === undefined) throw problem.unknownTopic();
  return topic;
}

/** Gives the topic a new key; only the devices that are kept still follow it. @throws Problem 404 */
export async function replaceKey(
  { store }: Stored,
  id: TopicId,
  isKept: (deviceId: string) => boolean,
): Promise<NonNullable<Awaited<ReturnType<TopicStore["rotate"]>>>> {
  const rotated = await store.topics.rotate(id, isKept);
  if (rotated === undefined) throw problem.unknownTopic();
  return rotated;
}

/** @throws Problem 404, 409 `topic_in_use` */
export async function deleteTopic({ store }: Stored, id: TopicId): Promise<void> {
  const removed = await store.topics.remove(id);
  if (removed === "in_use") throw problem.topicInUse();
  if (!removed) throw problem.unknownTopic();
}
