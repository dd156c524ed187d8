/** What is open: urgent messages that ask for an answer, and alerts that fire. Found by indices that hold nothing else. */
import type { Message } from "../../../messages/message.ts";
import type { Topic, TopicId } from "../../../topics/topic.ts";
import type { Millis } from "../../../util/clock.ts";
import type { OpenMessage, OpenScope, OverviewStore, Taken } from "../../overview.ts";
import { withoutNulls } from "../columns.ts";
import { differs, JOIN_IN_ORDER, jsonField, jsonTrue, type Orm } from "../differences.ts";
import { firstRowFinder, MESSAGE_COLUMNS } from "./rows.ts";

/** The most messages of each kind that one look reads, over all namespaces: 5 µs each. */
const LOOKED = 500;
/** How many more it reads once it has found enough, because somebody may have taken one. */
const LOOKED_ON = 40;
/** How many messages of an alert are searched for somebody who took it, because a tool repeats itself; and of how many alerts. */
const LOOKED_BACK = 20;
const MOST_ALERTS = 100;

type Scope = "namespace_id" | "topic_id";
type Kind = "asks" | "fires";
const CONDITIONS: Record<Kind, { index: string; rest: string }> = {
  asks: {
    index: "priority = 'urgent'",
    rest: `${jsonTrue("m.json", "ack")} AND ${differs(jsonField("m.json", "status"), "'resolved'")}`,
  },
  // the checks of a namespace are listed themselves
  fires: { index: "firing = 1", rest: `(?4 = 1 OR ${differs(jsonField("m.json", "source"), "'check'")})` },
};
// only the newest message of an alert counts
const found = (scope: Scope, { index, rest }: { index: string; rest: string }) => `SELECT ${MESSAGE_COLUMNS},
    m.topic_id AS topicId, m.dedup_key AS dedupKey, a.at AS takenAt, a.by AS takenBy
  FROM (SELECT row FROM message WHERE ${scope} = ?1 AND ${index} AND row >= ?2 ORDER BY row DESC LIMIT ?3) AS found
    ${JOIN_IN_ORDER} message m ON m.row = found.row LEFT JOIN acknowledgement a ON a.row = m.row
  WHERE NOT EXISTS (SELECT 1 FROM message n WHERE n.topic_id = m.topic_id AND n.dedup_key = m.dedup_key AND n.row > m.row)
    AND ${rest} ORDER BY found.row DESC`;
const BEFORE = `SELECT m.firing, a.at, a.by FROM message m LEFT JOIN acknowledgement a ON a.row = m.row
  WHERE m.topic_id = ? AND m.dedup_key = ? AND m.row < ? ORDER BY m.row DESC LIMIT ${LOOKED_BACK}`;

type Row = Message & { topicId: TopicId; dedupKey: string | null; takenAt: Millis | null; takenBy: string | null };
interface Before {
  firing: 1 | null;
  at: Millis | null;
  by: string | null;
}

/** `topicsOf` looks each topic up once; undefined if it is deleted. */
export function openReader(
  { $client: db }: Orm,
  topicsOf: () => (id: TopicId) => Topic | undefined,
): Pick<OverviewStore, "open"> {
  const prepare = (kind: Kind) => ({
    namespace_id: db.prepare<Row, [number, number, number, ...number[]]>(found("namespace_id", CONDITIONS[kind])),
    topic_id: db.prepare<Row, [number, number, number, ...number[]]>(found("topic_id", CONDITIONS[kind])),
  });
  const q = { asks: prepare("asks"), fires: prepare("fires") };
  const before = db.prepare<Before, [TopicId, string, number]>(BEFORE);
  const firstRowAt = firstRowFinder(db);

  /** Who took an earlier message of the same streak. */
  const takenBefore = ({ topicId, dedupKey, seq }: Row): Taken | undefined => {
    if (dedupKey === null) return undefined;
    for (const { firing, at, by } of before.iterate(topicId, dedupKey, seq)) {
      if (firing === null) return undefined;
      if (at !== null) return takenOf(at, by);
    }
    return undefined;
  };

  const look = (kind: Kind, of: OpenScope, since: Millis, limit: number, known: ReadonlySet<number>) => {
    const [scope, ids]: [Scope, readonly number[]] =
      "topic" in of ? ["topic_id", [of.topic]] : ["namespace_id", of.namespaces];
    const share = (most: number) => Math.max(limit, Math.ceil(most / ids.length));
    const from = firstRowAt(since);
    const topicOf = topicsOf();
    const open: OpenMessage[] = [];
    const taken: OpenMessage[] = [];
    for (const id of ids) {
      const full = open.length + limit;
      let left = share(LOOKED_ON);
      let alerts = share(MOST_ALERTS);
      const more = kind === "fires" ? ["topic" in of || of.checks === true ? 1 : 0] : [];
      for (const row of q[kind][scope].iterate(id, from, share(LOOKED), ...more)) {
        if (open.length >= full && left-- <= 0) break;
        const topic = known.has(row.seq) ? undefined : topicOf(row.topicId);
        if (topic === undefined) continue;
        let by = row.takenAt === null ? undefined : takenOf(row.takenAt, row.takenBy);
        // a message that asks again wants another answer
        if (by === undefined && kind === "fires") {
          if (alerts-- <= 0) break;
          by = takenBefore(row);
        }
        const message = messageOf(row);
        if (by === undefined) open.push({ topic, message });
        else taken.push({ topic, message, taken: by });
      }
    }
    return { open: newest(open, limit), taken: newest(taken, limit) };
  };

  return {
    open: async (of, { asksSince, firesSince, limit }) => {
      const asks = look("asks", of, asksSince, limit, new Set());
      const known = new Set([...asks.open, ...asks.taken].map(({ message }) => message.seq));
      const fires = look("fires", of, firesSince, limit, known);
      return { asking: asks.open, firing: fires.open, taken: newest([...asks.taken, ...fires.taken], limit) };
    },
  };
}

const takenOf = (at: Millis, by: string | null): Taken => withoutNulls({ at, by });

const messageOf = ({ id, seq, createdAt, level, priority, json }: Row): Message => ({
  ...{ id, seq, createdAt, level, priority, json },
});

const newest = (all: OpenMessage[], limit: number): OpenMessage[] =>
  all.toSorted((a, b) => b.message.seq - a.message.seq).slice(0, limit);
