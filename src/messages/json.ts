/** The JSON of messages that wait for their time; that of stored ones is in message.ts. */
import type { Scheduled } from "../store/store.ts";
import { rfc3339 } from "../util/clock.ts";

/** `{scheduled: {id, deliver_at}, …the message without id}` (API.md §3). */
export function scheduledJson({ id, deliverAt, createdAt, topic, draft }: Scheduled): string {
  return JSON.stringify({
    scheduled: { id, deliver_at: rfc3339(deliverAt) },
    namespace: topic.namespace,
    topic: topic.key,
    topic_name: topic.name,
    created_at: rfc3339(createdAt),
    ...draft,
  });
}
