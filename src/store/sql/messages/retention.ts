/** Retention: deletes the messages of a topic that are too old, or more than it keeps. */
import { and, asc, eq, gt, lte } from "drizzle-orm";
import { type Clock, DAY, type Millis } from "../../../util/clock.ts";
import type { Store } from "../../store.ts";
import type { Orm } from "../differences.ts";
import { message, topic } from "../schema/schema.ts";
import { LIMIT, placeholders, prepared } from "../statements.ts";

/** What the server keeps of topics without limits of their own. */
export type Retention = Parameters<Store["sweep"]>[0];
type TopicRow = typeof topic.$inferSelect;

const given = placeholders<typeof message, "after">();

/**
 * For a topic: deletes at most `limit` of its messages inside a job, the oldest first, and returns how many it deleted. Undefined
 * if there are none to delete.
 */
export function pruner(read: Orm, write: Orm, clock: Clock) {
  const beyond = and(eq(message.topicId, given.topicId), gt(message.id, given.after));
  const age = { id: message.id, createdAt: message.createdAt };
  const first = prepared(() => read.select(age).from(message).where(beyond).orderBy(asc(message.id)).limit(1));
  const oldest = prepared(() => write.select(age).from(message).where(beyond).orderBy(asc(message.id)).limit(LIMIT));
  const drop = prepared(() =>
    write.delete(message).where(and(eq(message.topicId, given.topicId), lte(message.id, given.id))),
  );
  const pruned = prepared(() => write.update(topic).set({ prunedTo: given.id }).where(eq(topic.row, given.topicId)));

  return (row: TopicRow, retention: Retention): ((limit: number) => number) | undefined => {
    const { row: topicId, prunedTo } = row;
    const isOver = limits(row, retention, clock.now());
    const [one] = first.all({ topicId, after: prunedTo });
    if (one === undefined || !isOver(one)) return undefined;
    return (limit) => {
      const found = oldest.all({ topicId, after: prunedTo, limit });
      const kept = found.findIndex((each) => !isOver(each));
      const taken = kept === -1 ? found : found.slice(0, kept);
      const id = taken.at(-1)?.id;
      if (id === undefined) return 0;
      drop.run({ topicId, id });
      pruned.run({ topicId, id });
      return taken.length;
    };
  };
}

type IsOver = (message: { id: number; createdAt: Millis }) => boolean;

/** The topic's own limits, else the server's; 0 is none. Counted in ids: messages that were deleted by hand count too. */
function limits(row: TopicRow, retention: Retention, now: Millis): IsOver {
  if (row.deletedAt !== null) return () => true;
  const days = row.retentionDays ?? retention.days;
  const messages = row.retentionMessages ?? retention.messages;
  const oldestAt = days === 0 ? 0 : now - days * DAY;
  const lastTaken = messages === 0 ? 0 : row.lastId - messages;
  return ({ id, createdAt }) => id <= lastTaken || createdAt < oldestAt;
}
