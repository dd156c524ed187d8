/** The JSON of messages that wait for their time; that of stored ones is in message.ts. */
import type { Scheduled, ScheduledStore } from "../store/store.ts";
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

/** A page of them, with the place where the next one begins. */
export function scheduledPageJson({ scheduled, next }: Awaited<ReturnType<ScheduledStore["list"]>>): string {
  const list = scheduled.map(scheduledJson).join(",");
  const place = next === undefined ? "" : `,"next_after":"${next.deliverAt}.${next.seq}"`;
  return `{"scheduled":[${list}],"has_more":${next !== undefined}${place}}`;
}
