/** The JSON of a topic. */
import { topicUrl } from "../http/urls.ts";
import { optionalRfc3339, rfc3339 } from "../util/clock.ts";
import { defined } from "../util/defined.ts";
import type { TopicRecord } from "./schema.ts";
import type { Topic } from "./topic.ts";

/** `base`: of the absolute URLs of this request. */
export function topicJson(topic: Topic, base: string): TopicRecord {
  const { namespace, key, name, description, lastId, lastAt, retentionDays, retentionMessages, mutedUntil } = topic;
  return defined<TopicRecord>({
    ...{ namespace, topic: key, key, name, url: topicUrl(base, topic), description },
    ...{ last_id: lastId, last_message_at: optionalRfc3339(lastAt) },
    ...{ retention_days: retentionDays, retention_messages: retentionMessages },
    ...{ archived: topic.archivedAt !== undefined, muted_until: optionalRfc3339(mutedUntil) },
    created_at: rfc3339(topic.createdAt),
  });
}
