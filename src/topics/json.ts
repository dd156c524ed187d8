/** The JSON of a topic. */
import { topicUrl } from "../http/urls.ts";
import { rfc3339 } from "../util/clock.ts";
import type { TopicRecord } from "./schema.ts";
import type { Topic } from "./topic.ts";

/** `base`: of the absolute URLs of this request. */
export function topicJson(topic: Topic, base: string): TopicRecord {
  const { namespace, key, name, description, lastId, lastAt, retentionDays, retentionMessages, mutedUntil } = topic;
  return {
    namespace,
    topic: key,
    key,
    name,
    url: topicUrl(base, topic),
    ...(description !== undefined && { description }),
    last_id: lastId,
    ...(lastAt !== undefined && { last_message_at: rfc3339(lastAt) }),
    ...(retentionDays !== undefined && { retention_days: retentionDays }),
    ...(retentionMessages !== undefined && { retention_messages: retentionMessages }),
    archived: topic.archivedAt !== undefined,
    ...(mutedUntil !== undefined && { muted_until: rfc3339(mutedUntil) }),
    created_at: rfc3339(topic.createdAt),
  };
}
