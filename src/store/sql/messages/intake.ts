/** What is kept beside messages: written in the job that stores the message, and within bounds. */
import type { FieldError } from "../../../http/problem.ts";
import type { Intake } from "../../../messages/intake.ts";
import type { TopicId } from "../../../topics/topic.ts";
import { BODIES_PER_NAMESPACE, BODIES_PER_TOPIC, LOOKED_AT, type IntakeStore, type KeptIntake } from "../../intake.ts";
import { withoutNulls } from "../columns.ts";
import { EACH, eachOf, type Orm } from "../differences.ts";
import type { Engine } from "../engine.ts";
import type { TopicRow } from "../topics/rows.ts";

const KEEP = `INSERT INTO intake (row, topic_id, namespace_id, ignored, body, has_body, is_cut, content_type, user_agent)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;
type Within = "topic_id" | "namespace_id";
/** The newest body beyond the limit. Not in the next statement: there SQLite would read more than the index. */
const behind = (within: Within, kept: number) =>
  `SELECT row FROM intake WHERE ${within} = ? AND has_body = 1 ORDER BY row DESC LIMIT 1 OFFSET ${kept}`;
const drop = (within: Within) =>
  `UPDATE intake SET body = NULL, has_body = 0 WHERE ${within} = ? AND has_body = 1 AND row <= ?`;
const OF = `SELECT i.row AS seq, i.ignored, substr(i.body, 1, ?2) AS body, length(i.body) AS length, i.is_cut AS isCut,
  i.content_type AS contentType, i.user_agent AS userAgent FROM ${eachOf("?1")} JOIN intake i ON i.row = ${EACH}`;
const LEFT_OUT = `SELECT found.id, i.ignored FROM (
  SELECT row, id FROM message WHERE topic_id = ? ORDER BY id DESC LIMIT ${LOOKED_AT}) AS found
  LEFT JOIN intake i ON i.row = found.row ORDER BY found.id DESC`;

interface Row {
  seq: number;
  ignored: string;
  body: string | null;
  length: number | null;
  isCut: number;
  contentType: string | null;
  userAgent: string | null;
}

/** Keeps what came with a message that was just stored, inside its job. */
export function intakeKeeper({ $client: db }: Orm) {
  const keep = db.prepare(KEEP);
  const trimmer = (within: Within, kept: number) => {
    const last = db.prepare<{ row: number }, [number]>(behind(within, kept));
    const dropUpTo = db.prepare(drop(within));
    return (of: number) => {
      const [found] = last.all(of);
      if (found !== undefined) dropUpTo.run(of, found.row);
    };
  };
  const trimTopic = trimmer("topic_id", BODIES_PER_TOPIC);
  const trimNamespace = trimmer("namespace_id", BODIES_PER_NAMESPACE);
  return (seq: number, topic: TopicRow, { ignored, came }: Intake): void => {
    const { body = null, isCut = false, contentType = null, userAgent = null } = came ?? {};
    const of = [seq, topic.row, topic.namespaceId] as const;
    keep.run(...of, JSON.stringify(ignored), body, body === null ? 0 : 1, isCut ? 1 : 0, contentType, userAgent);
    if (came === undefined) return;
    trimTopic(topic.row);
    trimNamespace(topic.namespaceId);
  };
}

export function intakeStore({ read }: Engine): IntakeStore {
  const { $client: db } = read;
  const ofMessages = db.prepare<Row, [string, number]>(OF);
  const leftOut = db.prepare<{ id: number; ignored: string | null }, [TopicId]>(LEFT_OUT);
  return {
    of: async (seqs, characters) =>
      new Map(ofMessages.all(JSON.stringify(seqs), characters).map((row) => [row.seq, toIntake(row)])),
    leftOut: async (topicId) => {
      const rows = leftOut.all(topicId);
      const found = rows.map(({ id, ignored }) => ({ id, ignored: fieldsOf(ignored ?? "[]") }));
      return { looked: rows.length, lacking: found.filter(({ ignored }) => ignored.length > 0) };
    },
  };
}

const fieldsOf = (json: string) => JSON.parse(json) as FieldError[];

function toIntake({ ignored, body, length, isCut, contentType, userAgent }: Row): KeptIntake {
  if (body === null) return { ignored: fieldsOf(ignored) };
  const headers = withoutNulls({ contentType, userAgent });
  return { ignored: fieldsOf(ignored), came: { body, length: length ?? 0, isCut: isCut === 1, ...headers } };
}
