/** Messages that wait for their time. */
import { and, asc, eq, lte, min, sql } from "drizzle-orm";
import type { Draft } from "../../messages/message.ts";
import type { Committed, ScheduledStore } from "../store.ts";
import { execute } from "./connection.ts";
import type { Engine } from "./engine.ts";
import { appender, takers } from "./publish.ts";
import { scheduled, topic } from "./schema.ts";
import { toTopic } from "./topics.ts";

const { placeholder } = sql;

export function scheduledStore(engine: Engine): ScheduledStore {
  const { read, write, writer, clock, namespaces } = engine;
  const take = takers(write);
  const append = appender(engine);
  const q = {
    list: read
      .select({ waiting: scheduled, topic })
      .from(scheduled)
      .innerJoin(topic, eq(topic.row, scheduled.topicId))
      .where(eq(scheduled.namespaceId, placeholder("namespaceId")))
      .orderBy(asc(scheduled.deliverAt), asc(scheduled.row))
      .prepare(),
    nextAt: read
      .select({ at: min(scheduled.deliverAt) })
      .from(scheduled)
      .prepare(),
    due: write
      .select()
      .from(scheduled)
      .where(lte(scheduled.deliverAt, placeholder("now")))
      .orderBy(asc(scheduled.deliverAt), asc(scheduled.row))
      .limit(placeholder("limit"))
      .prepare(),
    fired: write
      .delete(scheduled)
      .where(eq(scheduled.row, placeholder("row")))
      .prepare(),
    cancel: write
      .delete(scheduled)
      .where(and(eq(scheduled.id, placeholder("id")), eq(scheduled.namespaceId, placeholder("namespaceId"))))
      .prepare(),
  };

  return {
    list: async (namespaceId) =>
      q.list.all({ namespaceId }).map(({ waiting: { id, deliverAt, createdAt, json }, topic: row }) => ({
        id,
        deliverAt,
        createdAt,
        topic: toTopic(row, namespaces.name(row.namespaceId)),
        draft: JSON.parse(json) as Draft,
      })),

    cancel: async (namespaceId, id) =>
      writer.run(() => ({ result: execute(q.cancel, { namespaceId, id }).changes > 0 })),

    fire: async (now, limit) =>
      writer.run(() => {
        const due = q.due.all({ now, limit });
        const events: Committed[] = [];
        for (const { row, topicId, json } of due) {
          const at = clock.now();
          const of = take.byRow(topicId, at);
          q.fired.run({ row });
          if (of === undefined) continue; // its topic was deleted
          events.push(append(of, JSON.parse(json) as Draft, json, at).event);
        }
        return { result: due.length, events };
      }),

    nextAt: async () => q.nextAt.all()[0]?.at ?? undefined,
  };
}
