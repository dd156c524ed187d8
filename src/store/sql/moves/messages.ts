/** Messages of an import, inside jobs: with their own times, announced to nobody, and none twice. */
import type { MessageRecord } from "../../../moves/record.ts";
import type { Draft } from "../../../drafts/draft.ts";
import { DAY, type Millis } from "../../../util/clock.ts";
import type { Imported } from "../../moves.ts";
import type { Committed } from "../../store.ts";
import type { StoredFile } from "../../../files/file.ts";
import type { Engine } from "../engine.ts";
import { attacher } from "../files/files.ts";
import type { TopicRow } from "../topics/rows.ts";

// by hand, like batch.ts: an import may have a million
const INSERT = `INSERT INTO message (topic_id, namespace_id, id, created_at, level, priority, dedup_key, json)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
const NEWEST = "SELECT id, created_at AS at FROM message WHERE topic_id = ? ORDER BY id DESC LIMIT 1";
const OLDEST = "SELECT id FROM message WHERE topic_id = ? ORDER BY id LIMIT 1";
const FROM = "SELECT id, created_at AS at, json FROM message WHERE topic_id = ? AND id >= ? ORDER BY id LIMIT 1";
const NOTE = "UPDATE topic SET last_id = ?, last_at = ? WHERE row = ?";
const IDS = "UPDATE topic SET last_id = max(last_id, ?1), pruned_to = max(pruned_to, min(?2, ?3)) WHERE row = ?4";
const ACKNOWLEDGE = "INSERT INTO acknowledgement (row, at, by) VALUES (?, ?, ?)";

type Drafted = Pick<MessageRecord, "draft"> & { files?: readonly StoredFile[] };

/** A topic as the messages of a job have left it. */
interface Filling {
  row: TopicRow;
  lastId: number;
  lastAt: Millis;
  /** Where messages that are there already are looked for next: those of an import come in the order of time. */
  cursor: number | undefined;
  claimed: Set<number>;
  added: { seq: number; createdAt: Millis; level: Draft["level"] }[];
}

interface Found {
  id: number;
  at: Millis;
  json: string;
}

export function messageImporter(engine: Engine) {
  const { clock } = engine;
  const db = engine.write.$client;
  const insert = db.prepare<unknown, (string | number | null)[]>(INSERT);
  const newest = db.prepare<{ id: number; at: Millis }, [number]>(NEWEST);
  const oldest = db.prepare<{ id: number }, [number]>(OLDEST);
  const from = db.prepare<Found, [number, number]>(FROM);
  const note = db.prepare<unknown, [number, Millis, number]>(NOTE);
  const ids = db.prepare<unknown, [number, number, number, number]>(IDS);
  const acknowledge = db.prepare<unknown, [number, Millis, string | null]>(ACKNOWLEDGE);

  const filling = (row: TopicRow): Filling => {
    const last = newest.get(row.row);
    return {
      row,
      lastId: row.lastId,
      lastAt: row.lastAt ?? last?.at ?? 0,
      cursor: undefined,
      claimed: new Set(),
      added: [],
    };
  };

  const isThere = finder(from);
  const withFiles = filer(engine);

  const keepsFor = ({ retentionDays }: TopicRow, days: number): Millis => (retentionDays ?? days) * DAY;

  return {
    filling,
    withFiles,

    add(of: Filling, record: MessageRecord & Drafted, days: number): Imported {
      const at = Date.parse(record.created_at);
      const keeps = keepsFor(of.row, days);
      if (keeps > 0 && at < clock.now() - keeps) return "expired";
      const { draft } = record;
      if (at <= of.lastAt && isThere(of, at, JSON.stringify(draft))) return "exists";
      if (at < of.lastAt) return "older";
      const { json, kept } = withFiles(record, of.row, at);
      const id = record.id !== undefined && record.id > of.lastId ? record.id : of.lastId + 1;
      const { row, namespaceId } = of.row;
      // not `firing`: what is imported is told to nobody as an alert
      const values = [row, namespaceId, id, at, draft.level, draft.priority, draft.dedup_key ?? null, json];
      const seq = Number(insert.run(...values).lastInsertRowid);
      kept.tie({ messageRow: seq });
      if (record.acknowledged !== undefined)
        acknowledge.run(seq, Date.parse(record.acknowledged.at), record.acknowledged.by ?? null);
      of.lastId = id;
      of.lastAt = at;
      of.claimed.add(id);
      of.added.push({ seq, createdAt: at, level: draft.level });
      return "created";
    },

    /** Writes what the messages of a job have made of a topic. */
    note({ row, lastId, lastAt, added }: Filling): Committed[] {
      if (added.length === 0) return [];
      note.run(lastId, lastAt, row.row);
      const { namespaceId } = row;
      return [
        { kind: "imported", topicId: row.row, namespaceId, messages: added },
        { kind: "hint", of: "message", namespaceId },
      ];
    },

    /** Notes which ids a topic had given. What is there is not called deleted. */
    ids(row: TopicRow, lastId: number, prunedTo: number): void {
      const first = oldest.get(row.row)?.id ?? Infinity;
      ids.run(lastId, prunedTo, Math.min(first - 1, Number.MAX_SAFE_INTEGER), row.row);
    },

    /** The row of a message, if it is there. */
    rowOf: (topicId: number, id: number): number | null =>
      db
        .query<{ row: number }, [number, number]>("SELECT row FROM message WHERE topic_id = ? AND id = ?")
        .get(topicId, id)?.row ?? null,
  };
}

/** Writes a draft with those of its files that have not expired, to be tied to the row of its message. */
function filer(engine: Engine) {
  const attach = attacher(engine);
  return ({ draft, files = [] }: Drafted, { row }: TopicRow, seen: Millis) => {
    const kept = attach(seen + engine.fileMs > engine.clock.now() ? files : [], row, seen);
    const { attachments } = kept;
    return { json: JSON.stringify(attachments.length === 0 ? draft : { attachments, ...draft }), kept };
  };
}

/** Looks for messages that a topic has already. `from`: the first one from an id on. */
function finder(from: { get(topic: number, id: number): Found | null }) {
  /** The first id whose message is not older than `at`: ids are given in the order of time. */
  const firstFrom = (topic: number, lastId: number, at: Millis): number => {
    let [low, high] = [1, lastId + 1];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const found = from.get(topic, middle);
      if (found !== null && found.at < at) low = found.id + 1;
      else high = middle;
    }
    return low;
  };

  /** Whether the topic has this message. Each that it has stands for one that comes, so that two equal ones stay two. */
  return (of: Filling, at: Millis, json: string): boolean => {
    if (of.cursor === undefined || (from.get(of.row.row, of.cursor)?.at ?? Infinity) > at)
      of.cursor = firstFrom(of.row.row, of.lastId, at);
    for (let id = of.cursor; ;) {
      const found = from.get(of.row.row, id);
      if (found === null || found.at > at) return false;
      if (found.at < at) of.cursor = found.id + 1;
      else if (!of.claimed.has(found.id) && withoutFiles(found.json) === json) {
        of.claimed.add(found.id);
        return true;
      }
      id = found.id + 1;
    }
  };
}

/** Not every export has the bytes of files. */
function withoutFiles(json: string): string {
  if (!json.startsWith('{"attachments":')) return json;
  const draft = JSON.parse(json) as Draft;
  delete draft.attachments;
  return JSON.stringify(draft);
}
