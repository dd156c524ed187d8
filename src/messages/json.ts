/** The JSON of messages that wait for their time; message.ts has that of stored ones. */
import type { Scheduled, ScheduledStore } from "../store/scheduled.ts";
import { rfc3339 } from "../util/clock.ts";
import { draftJson } from "./message.ts";

/** `{scheduled: {id, deliver_at}, …the message without id}` (API.md §3). `base`: of absolute URLs. */
export function scheduledJson({ id, deliverAt, createdAt, topic, draft }: Scheduled, base: string): string {
  return JSON.stringify({
    scheduled: { id, deliver_at: rfc3339(deliverAt) },
    namespace: topic.namespace,
    topic: topic.key,
    topic_name: topic.name,
    created_at: rfc3339(createdAt),
    ...draftJson(base, topic, draft),
  });
}

/** A page of them, with the place where the next begins. */
export function scheduledPageJson(
  { scheduled, next }: Awaited<ReturnType<ScheduledStore["list"]>>,
  base: string,
): string {
  const list = scheduled.map((one) => scheduledJson(one, base)).join(",");
  const place = next === undefined ? "" : `,"next_after":"${next.deliverAt}.${next.seq}"`;
  return `{"scheduled":[${list}],"has_more":${next !== undefined}${place}}`;
}
