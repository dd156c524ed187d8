/** A message: the record that the store keeps of a draft. */
import type { Draft, Level, Priority } from "../drafts/draft.ts";
import { attachmentJson } from "../files/file.ts";
import { forLatest } from "./latest.ts";
import { rfc3339, type Millis } from "../util/clock.ts";
import type { Topic } from "../topics/topic.ts";

/** A stored message. `json` is the serialized draft, which is parsed only if a field of it is needed. */
export interface Message {
  /** Counted per topic: 1, 2, 3 … in commit order. */
  id: number;
  /** Increases over the whole store in commit order; the id in a namespace's stream. */
  seq: number;
  createdAt: Millis;
  level: Level;
  priority: Priority;
  /** `JSON.stringify(draft)`. */
  json: string;
}

/** The bytes of the stored JSON of all messages; an answer that shows them usually has more. */
export const storedBytes = (messages: readonly Pick<Message, "json">[]): number =>
  messages.reduce((bytes, { json }) => bytes + Buffer.byteLength(json), 0);

/** The draft inside a stored message. */
export const draftOf = (message: Message): Draft => JSON.parse(message.json) as Draft;

/** Tells without parsing: most messages have no files, and pay nothing for those that do. */
export const hasFiles = ({ json }: Pick<Message, "json">): boolean => json.startsWith('{"attachments":');

/** The draft as it is answered: each file has its URL. `base`: of absolute URLs. */
export const draftJson = (base: string, topic: Pick<Topic, "namespace" | "key">, draft: Draft): object =>
  draft.attachments === undefined
    ? draft
    : { ...draft, attachments: draft.attachments.map((one) => attachmentJson(base, topic, one)) };

type Named = Pick<Topic, "namespace" | "key" | "name">;

/**
 * The JSON of a stored message (API.md §4), the same text in the publish answer, history, events and feeds. It has the topic's
 * present key and name: a rename or a rotated key is not written into old messages. `base`: of absolute URLs. `more`: further
 * fields at its end, each behind a comma.
 */
export function messageJson(topic: Named, message: Message, base: string, more = ""): string {
  const draft = hasFiles(message) ? JSON.stringify(draftJson(base, topic, draftOf(message))) : message.json;
  return `{"id":${message.id}${topicFields(topic)}"${rfc3339(message.createdAt)}",${draft.slice(1, -1)}${more}}`;
}

const topicFields = forLatest(
  ({ namespace, key, name }: Named) =>
    `,"namespace":"${namespace}","topic":"${key}","topic_name":"${name}","created_at":`,
);
