/** A topic that the visitor of a page may see: what the dashboard asks wherever somebody names one. */
import { sees } from "../../accounts/visitor.ts";
import type { Deps } from "../../deps.ts";
import { isTopicKey } from "../../names/topic.ts";
import type { Topic } from "../../topics/topic.ts";
import type { Desk } from "./signed-in.ts";

/** Undefined if no topic has this key, or it is not for this visitor: both look alike. */
export async function seenTopic(
  { store }: Pick<Deps, "store">,
  { visitor }: Pick<Desk, "visitor">,
  key: string,
): Promise<Topic | undefined> {
  const topic = isTopicKey(key) ? await store.topics.byKeyAnywhere(key) : undefined;
  return topic !== undefined && sees(visitor, topic.namespaceId) ? topic : undefined;
}
