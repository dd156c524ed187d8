/** A topic that the visitor of a page may see. */
import type { Deps } from "../../../deps.ts";
import { sees } from "../../../accounts/visitor.ts";
import type { Glance } from "../../../store/glances.ts";
import { isTopicKey } from "../../../topics/names.ts";
import type { Topic } from "../../../topics/topic.ts";
import type { Millis } from "../../../util/clock.ts";
import type { Desk } from "../desk.ts";

/** Undefined: there is none of this key, or it is not for this visitor. Both are told alike. */
export async function topicOf({ store }: Pick<Deps, "store">, desk: Desk, key: string): Promise<Topic | undefined> {
  const topic = isTopicKey(key) ? await store.topics.byKeyAnywhere(key) : undefined;
  return topic !== undefined && sees(desk.visitor, topic.namespaceId) ? topic : undefined;
}

/** The same with what a page shows of it. */
export async function glanceOf(deps: Pick<Deps, "store">, desk: Desk, key: string): Promise<Glance | undefined> {
  const topic = await topicOf(deps, desk, key);
  return topic && deps.store.glances.find(topic.id);
}

/** Until when a topic itself is muted; undefined: it is not. */
export const mutedUntil = ({ mutedUntil: until = 0 }: Pick<Topic, "mutedUntil">, now: Millis): Millis | undefined =>
  until > now ? until : undefined;

/** Below the base path. */
export const topicPath = ({ key }: Pick<Topic, "key">, tab = ""): string => `/-/topics/${key}${tab}`;
