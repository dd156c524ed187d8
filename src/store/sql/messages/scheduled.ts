/** Messages that wait for their time. */
import { and, asc, eq, exists, getTableColumns, lte, min, sql, type SQL } from "drizzle-orm";
import type { Intake } from "../../../messages/intake.ts";
import type { Draft } from "../../../drafts/draft.ts";
import type { TopicId } from "../../../topics/topic.ts";
import type { Committed } from "../../store.ts";
import { SHORT_ID, type Place, type Scheduled, type ScheduledStore } from "../../scheduled.ts";
import { execute, jsonField } from "../differences.ts";
import { LIMIT, placeholders, prepared } from "../statements.ts";
import { takers } from "../topics/destination.ts";
import type { Engine } from "../engine.ts";
import { attachment } from "../schema/files.ts";
import { withOutbox } from "../deliveries/fanout.ts";
import { hookFirer } from "../hooks/use.ts";
import { intakeKeeper } from "./intake.ts";
import { singleAppender } from "./batch.ts";
import { scheduled, topic } from "../schema/schema.ts";
import { isLive, toTopicOfMessage, type TopicRow } from "../topics/rows.ts";

const given = placeholders<typeof scheduled, "seq" | "now">();

/** Comes before every waiting message. */
const FIRST: Place = { deliverAt: -1, seq: 0 };

export function scheduledStore(engine: Engine): ScheduledStore {
  const { write, writer, clock, namespaces } = engine;
  const take = takers(write);
  const append = singleAppender(engine);
  const keepIntake = intakeKeeper(write);
  const noteFired = hookFirer(write);
  const cancelAlike = alikeCanceller(write);
  const q = queries(engine);
  type Row = { scheduled: Omit<typeof scheduled.$inferSelect, "intake" | "sender">; topic: TopicRow };
  const toScheduled = ({ scheduled: { id, deliverAt, createdAt, json }, topic: row }: Row): Scheduled => ({
    id,
    deliverAt,
    createdAt,
    topic: toTopicOfMessage(row, namespaces.name(row.namespaceId)),
    draft: JSON.parse(json) as Draft,
  });

  return {
    list: async (namespaceId, { after = FIRST, limit }) => {
      // one more than asked for tells whether there are more
      const rows = q.list.all({ namespaceId, ...after, limit: limit + 1 });
      const page = rows.slice(0, limit);
      const last = rows.length > limit ? page.at(-1)?.scheduled : undefined;
      const found = page.map(toScheduled);
      return last === undefined
        ? { scheduled: found }
        : { scheduled: found, next: { deliverAt: last.deliverAt, seq: last.row } };
    },

    find: async (namespaceId, id) => q.find.all({ namespaceId, id }).map(toScheduled)[0],

    cancel: async (namespaceId, id) =>
      writer.run(() => ({ result: execute(q.cancel, { namespaceId, id }).changes > 0 })),

    cancelAlike: async (topicId, key) =>
      writer.run(() => {
        cancelAlike(topicId, key);
        return { result: undefined };
      }),

    fire: async (now, limit) =>
      writer.run(() => {
        const due = q.due.all({ now, limit });
        const events: Committed[] = [];
        const hints: Committed[] = [];
        let isFannedOut = false;
        for (const { row, id, namespaceId, topicId, json, intake, sender } of due) {
          const at = clock.now();
          const of = take.byRow(topicId, at, 1);
          if (of !== undefined) {
            const event = append(of, JSON.parse(json) as Draft, json, at, sender ?? undefined);
            const { message } = event;
            if (intake !== null) keepIntake(message.seq, of, JSON.parse(intake) as Intake);
            q.passOn.run({ seq: message.seq, row });
            if (noteFired(topicId, id, message.id)) hints.push({ kind: "hint", of: "hook", namespaceId });
            events.push(event);
            isFannedOut ||= of.subscribers > 0;
          } // otherwise its topic was deleted
          q.fired.run({ row });
        }
        return { result: events.length, events: withOutbox([...events, ...hints], isFannedOut) };
      }),

    nextAt: async () => q.nextAt.all()[0]?.at ?? undefined,
  };
}

/** `cancelAlike` of the port, inside a job. */
export function alikeCanceller(write: Engine["write"]): (topicId: TopicId, key: string) => void {
  const isAlike = sql`(${sql.raw(jsonField("json", "dedup_key"))} = ${given.id} OR substr(id, 1, ${sql.raw(String(SHORT_ID))}) = ${given.id})`;
  const cancel = prepared(() => write.delete(scheduled).where(and(eq(scheduled.topicId, given.topicId), isAlike)));
  return (topicId, key) => {
    cancel.run({ topicId, id: key });
  };
}

function queries({ read, write }: Engine) {
  const { row, id, namespaceId, topicId, deliverAt, delayMs, createdAt, json } = getTableColumns(scheduled);
  // without `intake`: a list would read 64 KiB of each for nothing
  const shown = { row, id, namespaceId, topicId, deliverAt, delayMs, createdAt, json };
  const waiting = (where: SQL | undefined) =>
    read
      .select({ scheduled: shown, topic })
      .from(scheduled)
      .innerJoin(topic, eq(topic.row, scheduled.topicId))
      .where(and(where, isLive));
  const hasTopic = exists(
    write
      .select({ row: topic.row })
      .from(topic)
      .where(and(eq(topic.row, scheduled.topicId), isLive)),
  );
  return {
    list: prepared(() =>
      waiting(
        and(
          eq(scheduled.namespaceId, given.namespaceId),
          sql`(${scheduled.deliverAt}, ${scheduled.row}) > (${given.deliverAt}, ${given.seq})`,
        ),
      )
        .orderBy(asc(scheduled.deliverAt), asc(scheduled.row))
        .limit(LIMIT),
    ),
    find: prepared(() => waiting(and(eq(scheduled.id, given.id), eq(scheduled.namespaceId, given.namespaceId)))),
    nextAt: prepared(() => read.select({ at: min(scheduled.deliverAt) }).from(scheduled)),
    due: prepared(() =>
      write
        .select()
        .from(scheduled)
        .where(lte(scheduled.deliverAt, given.now))
        .orderBy(asc(scheduled.deliverAt), asc(scheduled.row))
        .limit(LIMIT),
    ),
    fired: prepared(() => write.delete(scheduled).where(eq(scheduled.row, given.row))),
    passOn: prepared(() =>
      write
        .update(attachment)
        .set({ messageRow: given.seq, scheduledRow: null })
        .where(eq(attachment.scheduledRow, given.row)),
    ),
    cancel: prepared(() =>
      write
        .delete(scheduled)
        .where(and(eq(scheduled.id, given.id), eq(scheduled.namespaceId, given.namespaceId), hasTopic)),
    ),
  };
}
