/** Turns the bodies of topic requests into arguments for the store. */
import { problem } from "../http/problem.ts";
import { oneLine } from "../util/text/text.ts";
import { parseTime } from "../util/time.ts";
import type { NewTopic, TopicPatch } from "../store/topics.ts";
import type { Millis } from "../util/clock.ts";
import { looksLikeKey } from "../names/topic.ts";
import type { NewTopicBody, TopicPatchBody } from "./schema.ts";

/** @throws Problem 422 */
export function newTopic({ prefix, name, description, retention_days, retention_messages }: NewTopicBody): NewTopic {
  if (prefix !== undefined && name !== undefined) throw refused("/prefix", "can't be combined with `name`");
  return {
    ...(prefix !== undefined && { prefix: chosen("/prefix", prefix) }),
    ...(name !== undefined && { name: chosen("/name", name) }),
    ...(description !== undefined && description !== "" && { description: oneLine(description) }),
    ...(retention_days !== undefined && { retentionDays: retention_days }),
    ...(retention_messages !== undefined && { retentionMessages: retention_messages }),
  };
}

/** @throws Problem 422 */
export function topicPatch({
  name,
  description,
  retention_days,
  retention_messages,
  archived,
  muted_until,
}: TopicPatchBody): TopicPatch {
  return {
    ...(name !== undefined && { name: chosen("/name", name) }),
    ...(description !== undefined && { description: description === null ? null : oneLine(description) || null }),
    ...(retention_days !== undefined && { retentionDays: retention_days }),
    ...(retention_messages !== undefined && { retentionMessages: retention_messages }),
    ...(archived !== undefined && { archived }),
    ...(muted_until !== undefined && { mutedUntil: mutedUntilOf(muted_until) }),
  };
}

/** The `muted_until` of a topic or a namespace. @throws Problem 422 */
export function mutedUntilOf(text: string | null): Millis | null {
  if (text === null) return null;
  const at = parseTime(text);
  if (at === undefined) throw refused("/muted_until", "must be an RFC 3339 time");
  return at;
}

/** A name that looks like a key could not be told from a key that was rotated away. */
function chosen(path: string, name: string): string {
  if (looksLikeKey(name)) throw refused(path, "must not look like a topic key");
  return name;
}

const refused = (path: string, message: string) => problem.validationFailed([{ path, message }]);
