/** Reads topics, on either connection. */
import { and, eq, isNull, type SQL } from "drizzle-orm";
import type { Topic, TopicId, TopicOfMessage } from "../../../topics/topic.ts";
import { placeholders, prepared } from "../statements.ts";
import { columnsOf, withoutNulls } from "../columns.ts";
import type { Engine } from "../engine.ts";
import { topic } from "../schema/schema.ts";

const given = placeholders<typeof topic, "topicId">();

export type TopicRow = typeof topic.$inferSelect;

export const toTopic = (row: TopicRow, namespace: string): Topic => ({
  ...toTopicOfMessage(row, namespace),
  lastId: row.lastId,
});

export function toTopicOfMessage(row: TopicRow, namespace: string): TopicOfMessage {
  const { namespaceId, key, name, prunedTo, createdAt } = row;
  const { description, retentionDays, retentionMessages, archivedAt, mutedUntil, lastAt } = row;
  return {
    ...{ id: row.row, namespaceId, namespace, key, name, prunedTo, createdAt },
    ...withoutNulls({ description, retentionDays, retentionMessages, archivedAt, mutedUntil, lastAt }),
  };
}

/** The partial index on names serves a query only if the query has this condition too. */
export const isLive: SQL = isNull(topic.deletedAt);

const liveTopic =
  (...where: SQL[]) =>
  (orm: Engine["write"]) =>
    prepared(() =>
      orm
        .select()
        .from(topic)
        .where(and(...where, isLive)),
    );
export const topicByName = liveTopic(eq(topic.namespaceId, given.namespaceId), eq(topic.name, given.name));
export const topicByNamespaceAndKey = liveTopic(eq(topic.namespaceId, given.namespaceId), eq(topic.key, given.key));
export const topicByKey = liveTopic(eq(topic.key, given.key));
export const topicByRow = liveTopic(eq(topic.row, given.topicId));

/** As `topicByRow` reads it, for statements by hand. */
export const LIVE_TOPIC = `SELECT ${columnsOf(topic, "t")} FROM topic t WHERE t.row = ? AND t.deleted_at IS NULL`;

/** Looks each live topic up once; undefined if it is deleted. */
export function topicsFinder({ $client: db }: Engine["read"], namespaces: Engine["namespaces"]) {
  const byRow = db.prepare<TopicRow, [TopicId]>(LIVE_TOPIC);
  return () => {
    const known = new Map<TopicId, Topic | undefined>();
    return (id: TopicId): Topic | undefined => {
      if (known.has(id)) return known.get(id);
      const row = byRow.get(id);
      const topic = row === null ? undefined : toTopic(row, namespaces.name(row.namespaceId));
      known.set(id, topic);
      return topic;
    };
  };
}
