/** Finds the row of the topic that a message goes to, inside a job. */
import type { NamespaceId } from "../../../keys/namespace.ts";
import { looksLikeKey } from "../../../names/topic.ts";
import type { TopicId } from "../../../topics/topic.ts";
import type { Publication } from "../../messages.ts";
import { columnsOf } from "../columns.ts";
import type { Orm } from "../differences.ts";
import { topic } from "../schema/schema.ts";
import type { MakeTopic } from "./make.ts";
import { topicByName, topicByNamespaceAndKey, topicByRow, type TopicRow } from "./rows.ts";

/** `count`: how many messages go there. */
export interface Lookups {
  byName(namespaceId: NamespaceId, name: string, now: number, count: number): TopicRow | undefined;
  byKey(namespaceId: NamespaceId, key: string, now: number, count: number): TopicRow | undefined;
  byRow(topicId: TopicId, now: number, count: number): TopicRow | undefined;
}

/** A set-back by less does not turn the times of a topic around; a clock that was wrong by more is believed again. */
const CLOCK_STEP_MS = 60_000;

// by hand: drizzle's binding and mapping of the two statements that every publish runs cost 2 of its 14 µs (measured)
const takeIds = (where: string) => `UPDATE topic
  SET last_id = last_id + ?2, archived_at = NULL,
    last_at = CASE WHEN last_at BETWEEN ?1 AND ?1 + ${CLOCK_STEP_MS} THEN last_at ELSE ?1 END
  WHERE ${where} AND deleted_at IS NULL RETURNING ${columnsOf(topic, "topic")}`;

/**
 * Look-ups that take the next ids, of which `lastId` is the last; they note the time, and bring an archived topic back. A counter
 * gives no id twice; max(id) would, after the newest message was deleted.
 */
export function takers({ $client }: Orm): Lookups {
  const named = takeIds("namespace_id = ?3 AND name = ?4");
  const keyed = takeIds("namespace_id = ?3 AND key = ?4");
  const byName = $client.prepare<TopicRow, [number, number, NamespaceId, string]>(named);
  const byKey = $client.prepare<TopicRow, [number, number, NamespaceId, string]>(keyed);
  const byRow = $client.prepare<TopicRow, [number, number, TopicId]>(takeIds("row = ?3"));
  return {
    byName: (namespaceId, name, now, count) => byName.get(now, count, namespaceId, name) ?? undefined,
    byKey: (namespaceId, key, now, count) => byKey.get(now, count, namespaceId, key) ?? undefined,
    byRow: (topicId, now, count) => byRow.get(now, count, topicId) ?? undefined,
  };
}

/** The same without taking an id. */
export function finders(write: Orm): Lookups {
  const byName = topicByName(write);
  const byKey = topicByNamespaceAndKey(write);
  const byRow = topicByRow(write);
  return {
    byName: (namespaceId, name) => byName.all({ namespaceId, name })[0],
    byKey: (namespaceId, key) => byKey.all({ namespaceId, key })[0],
    byRow: (topicId) => byRow.all({ topicId })[0],
  };
}

/** Why there is no topic to publish to. */
export type NoTopic = "unknown_topic" | "too_many_topics";

/** Finds the topic, in whichever way it is named; a new name makes one. A name that equals a topic's key means that topic. */
export const topicFinder =
  (makeTopic: MakeTopic) =>
  (
    lookups: Lookups,
    { namespaceId, to }: Pick<Publication, "namespaceId" | "to">,
    now: number,
    count = 1,
  ): { row: TopicRow; createdTopic: boolean } | NoTopic => {
    if ("id" in to) {
      const row = lookups.byRow(to.id, now, count);
      return row === undefined ? "unknown_topic" : { row, createdTopic: false };
    }
    if ("key" in to || looksLikeKey(to.name)) {
      const row = lookups.byKey(namespaceId, "key" in to ? to.key : to.name, now, count);
      return row === undefined ? "unknown_topic" : { row, createdTopic: false };
    }
    const known = lookups.byName(namespaceId, to.name, now, count);
    if (known !== undefined) return { row: known, createdTopic: false };
    const made = makeTopic(namespaceId, to.name);
    if (made === "too_many_topics") return made;
    const row = lookups.byRow(made.row, now, count);
    return row === undefined ? "unknown_topic" : { row, createdTopic: true };
  };
