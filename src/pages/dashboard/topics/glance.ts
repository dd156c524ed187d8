/** A topic that the visitor of a page may see, with what a page shows of it. */
import type { Deps } from "../../../deps.ts";
import type { Glance } from "../../../store/glances.ts";
import type { Topic } from "../../../topics/topic.ts";
import type { Millis } from "../../../util/clock.ts";
import type { Desk } from "../signed-in.ts";
import { seenTopic } from "../seen-topic.ts";

/** Undefined if no topic has this key, or it is not for this visitor. */
export async function glanceOf(deps: Pick<Deps, "store">, desk: Desk, key: string): Promise<Glance | undefined> {
  const topic = await seenTopic(deps, desk, key);
  return topic && deps.store.glances.find(topic.id);
}

/** Until when the topic itself is muted; undefined if it is not. */
export const mutedUntil = ({ mutedUntil: until = 0 }: Pick<Topic, "mutedUntil">, now: Millis): Millis | undefined =>
  until > now ? until : undefined;

/** Below the base path. */
export const topicPath = ({ key }: Pick<Topic, "key">, tab = ""): string => `/-/topics/${key}${tab}`;
