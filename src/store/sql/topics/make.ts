/** Makes topics, in jobs that may do more. */
import { and, eq, lt, sql } from "drizzle-orm";
import type { NamespaceId } from "../../../keys/namespace.ts";
import { newTopicKey } from "../../../names/topic.ts";
import { pick, placeholders, prepared } from "../statements.ts";
import type { NewTopic } from "../../topics.ts";
import type { Engine } from "../engine.ts";
import { namespace, topic } from "../schema/schema.ts";
import type { TopicRow } from "./rows.ts";

const given = placeholders<typeof topic>();

/** Makes a topic, inside a job. The caller has checked that the name is free. */
export type MakeTopic = (namespaceId: NamespaceId, name: string, spec?: NewTopic) => TopicRow | "too_many_topics";

export function topicMaker({ write, clock, topicsPerNamespace }: Engine): MakeTopic {
  const q = {
    // the counter decides: counting the rows would take 0.3 ms at 10,000 topics
    count: prepared(() =>
      write
        .update(namespace)
        .set({ topics: sql`${namespace.topics} + 1` })
        .where(and(eq(namespace.row, given.namespaceId), lt(namespace.topics, topicsPerNamespace)))
        .returning({ topics: namespace.topics }),
    ),
    insert: prepared(() =>
      write
        .insert(topic)
        .values({
          ...pick(given, "namespaceId", "key", "name", "description", "retentionDays", "retentionMessages"),
          createdAt: given.createdAt,
        })
        .returning(),
    ),
  };
  return (namespaceId, name, spec = {}) => {
    if (q.count.all({ namespaceId }).length === 0) return "too_many_topics";
    return q.insert.get({
      namespaceId,
      key: newTopicKey(name),
      name,
      description: spec.description ?? null,
      retentionDays: spec.retentionDays ?? null,
      retentionMessages: spec.retentionMessages ?? null,
      createdAt: clock.now(),
    });
  };
}
