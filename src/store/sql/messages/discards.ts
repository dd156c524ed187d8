/**
 * Messages that were deleted in a page and can be restored. The deletion itself is committed at once, and the rows are kept
 * elsewhere: a crash loses neither. The sweeper deletes what was not restored.
 */
import { and, eq, getTableColumns, lte, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { TopicId } from "../../../topics/topic.ts";
import type { MessageStore } from "../../messages.ts";
import { execute, type Orm } from "../differences.ts";
import { deleteSome, pick, placeholders, prepared } from "../statements.ts";
import { acknowledgement, deliveryCount, fanout } from "../schema/deliveries.ts";
import type { Engine } from "../engine.ts";
import { attachment } from "../schema/files.ts";
import { intake } from "../schema/intake.ts";
import { discarded, message } from "../schema/schema.ts";
import { topicByRow } from "../topics/rows.ts";

const given = placeholders<typeof discarded, "now" | "before">();

/** Pages offer 10 s; a request takes its time. */
const UNDO_MS = 15_000;

type Rows = Record<string, unknown>[];
/** All rows of a message, its own first: the others refer to it. */
const TABLES = { message, fanout, deliveryCount, acknowledgement, intake };

export interface Discards extends Pick<MessageStore, "discard" | "restore" | "remove"> {
  /** Deletes up to `limit` that can no longer be restored, inside a job; returns how many. */
  purge: (limit: number) => number;
}

export function discards(engine: Engine): Discards {
  const { write, writer, clock } = engine;
  const parts = Object.entries(TABLES).map(([name, table]) => ({ name, ...movable(write, table) }));
  const q = queries(engine);
  const hint = (topicId: TopicId) => {
    const [topic] = q.topic.all({ topicId });
    return topic === undefined ? [] : [{ kind: "hint", of: "message", namespaceId: topic.namespaceId } as const];
  };

  return {
    remove: async (topicId, id) =>
      writer.run(() => {
        const [found] = q.find.all({ topicId, id });
        if (found === undefined) return { result: false };
        q.remove.run({ row: found.row });
        return { result: true, events: hint(topicId) };
      }),

    discard: async (topicId, id) =>
      writer.run(() => {
        const [found] = q.find.all({ topicId, id });
        if (found === undefined) return { result: false };
        const { row } = found;
        const json = JSON.stringify(Object.fromEntries(parts.map(({ name, find }) => [name, find(row)])));
        q.keep.run({ row, topicId, id, now: clock.now(), json });
        q.hold.run({ row });
        q.remove.run({ row });
        return { result: true, events: hint(topicId) };
      }),

    restore: async (topicId, id) =>
      writer.run(() => {
        const [kept] = q.kept.all({ topicId, id });
        const [topic] = q.topic.all({ topicId });
        const age = clock.now() - (kept?.discardedAt ?? 0);
        // what retention has passed meanwhile would stay for ever
        if (kept === undefined || topic === undefined || id <= topic.prunedTo || age > UNDO_MS || age < 0)
          return { result: false };
        const rows = JSON.parse(kept.json) as Partial<Record<string, Rows>>;
        for (const { name, put } of parts) for (const row of rows[name] ?? []) put(row);
        q.giveBack.run({ row: kept.row });
        q.forget.run({ row: kept.row });
        return { result: true, events: hint(topicId) };
      }),

    purge: (limit) => execute(q.purge, { before: clock.now() - UNDO_MS, limit }).changes,
  };
}

/** Reads rows of a table by number, and puts them back unchanged. */
function movable(write: Orm, table: SQLiteTable & { row: SQLiteColumn }) {
  const fields = Object.keys(getTableColumns(table));
  const find = prepared(() => write.select().from(table).where(eq(table.row, given.row)));
  const put = prepared(() =>
    write.insert(table).values(Object.fromEntries(fields.map((field) => [field, sql.placeholder(field)]))),
  );
  return {
    find: (row: number): Rows => find.all({ row }),
    put: (row: Record<string, unknown>): void => {
      put.run(row);
    },
  };
}

function queries({ write }: Engine) {
  const ofTopic = (table: typeof message | typeof discarded) =>
    and(eq(table.topicId, given.topicId), eq(table.id, given.id));
  return {
    topic: topicByRow(write),
    find: prepared(() => write.select({ row: message.row }).from(message).where(ofTopic(message))),
    remove: prepared(() => write.delete(message).where(eq(message.row, given.row))),
    keep: prepared(() =>
      write.insert(discarded).values({ ...pick(given, "row", "topicId", "id", "json"), discardedAt: given.now }),
    ),
    kept: prepared(() => write.select().from(discarded).where(ofTopic(discarded))),
    // files are deleted with the row that names them
    hold: prepared(() =>
      write
        .update(attachment)
        .set({ messageRow: null, discardedRow: given.row })
        .where(eq(attachment.messageRow, given.row)),
    ),
    giveBack: prepared(() =>
      write
        .update(attachment)
        .set({ messageRow: given.row, discardedRow: null })
        .where(eq(attachment.discardedRow, given.row)),
    ),
    forget: prepared(() => write.delete(discarded).where(eq(discarded.row, given.row))),
    purge: prepared(() => deleteSome(write, discarded, lte(discarded.discardedAt, given.before))),
  };
}
