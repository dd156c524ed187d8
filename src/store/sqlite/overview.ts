/** What is wrong and what came last, in several namespaces at once: nothing that grows is counted or walked through. */
import type { CheckState } from "../../checks/check.ts";
import type { NamespaceId } from "../../keys/namespace.ts";
import type { Message } from "../../messages/message.ts";
import type { Topic, TopicId } from "../../topics/topic.ts";
import type { Millis } from "../../util/clock.ts";
import type { Failure, OverviewStore } from "../overview.ts";
import { checkReader } from "./checkrows.ts";
import type { Engine } from "./engine.ts";
import { LIVE_TOPIC, toTopic, type TopicRow } from "./topics.ts";

const SEEN = "IN (SELECT value FROM json_each(?))";
const MESSAGE = "m.id, m.row AS seq, m.created_at AS createdAt, m.level, m.priority, m.json, m.topic_id AS topicId";

/** Failures that are looked at: each costs a look at its message. */
const FAILURES = 500;
const STATES = `SELECT state, count(*) AS count FROM "check" WHERE namespace_id ${SEEN} GROUP BY state`;
const DOWN = `SELECT count(*) AS count FROM "check" WHERE state = 'down' AND namespace_id ${SEEN}`;
// `<> 'accepted'` beside the state: as the partial index says it
const FAILED = `SELECT d.message_row AS messageRow, d.device_row AS deviceRow, d.last_reason AS reason, d.settled_at AS settledAt
  FROM delivery d WHERE d.state = 'failed' AND d.state <> 'accepted' AND d.message_row > 0
  ORDER BY d.message_row DESC LIMIT ${FAILURES}`;
const FAILED_COUNT = `SELECT count(*) AS count FROM (${FAILED}) f JOIN message m ON m.row = f.messageRow
  WHERE f.settledAt >= ? AND m.namespace_id ${SEEN}`;
const FAILED_MESSAGES = `SELECT ${MESSAGE}, f.deviceRow, f.reason, f.settledAt,
    v.row AS device, v.name AS deviceName
  FROM (${FAILED}) f JOIN message m ON m.row = f.messageRow LEFT JOIN device v ON v.row = f.deviceRow
  WHERE f.settledAt >= ? AND m.namespace_id ${SEEN} ORDER BY f.messageRow DESC`;
const LATEST = `SELECT ${MESSAGE} FROM message m WHERE m.namespace_id = ? AND m.row < ? ORDER BY m.row DESC LIMIT ?`;
const UNANSWERED = `SELECT ${MESSAGE} FROM message m WHERE m.namespace_id = ? AND m.priority = 'urgent' AND m.created_at >= ?
    AND json_extract(m.json, '$.ack') AND NOT EXISTS (SELECT 1 FROM acknowledgement a WHERE a.row = m.row)
  ORDER BY m.row DESC LIMIT ?`;
const DEVICE = "SELECT 1 AS one FROM device LIMIT 1";

type MessageRow = Message & { topicId: TopicId };
type FailureRow = MessageRow & {
  deviceRow: number;
  reason: string | null;
  settledAt: Millis;
  device: number | null;
  deviceName: string | null;
};

export function overviewStore({ read, namespaces }: Engine): OverviewStore {
  const { $client: db } = read;
  const q = {
    states: db.prepare<{ state: CheckState; count: number }, [string]>(STATES),
    down: db.prepare<{ count: number }, [string]>(DOWN),
    failed: db.prepare<{ count: number }, [Millis, string]>(FAILED_COUNT),
    failures: db.prepare<FailureRow, [Millis, string]>(FAILED_MESSAGES),
    latest: db.prepare<MessageRow, [NamespaceId, number, number]>(LATEST),
    unanswered: db.prepare<MessageRow, [NamespaceId, Millis, number]>(UNANSWERED),
    topic: db.prepare<TopicRow, [TopicId]>(LIVE_TOPIC),
    device: db.prepare<{ one: 1 }, []>(DEVICE),
  };
  const checks = checkReader(read, namespaces);
  const seen = (ids: readonly NamespaceId[]) => JSON.stringify(ids);

  /** Looks each topic up once. */
  const topicsOf = () => {
    const known = new Map<TopicId, Topic | undefined>();
    return (id: TopicId): Topic | undefined => {
      if (known.has(id)) return known.get(id);
      const row = q.topic.get(id);
      const topic = row === null ? undefined : toTopic(row, namespaces.name(row.namespaceId));
      known.set(id, topic);
      return topic;
    };
  };
  const told = <Row extends MessageRow>(rows: readonly Row[], topicOf = topicsOf()) =>
    rows.flatMap((row) => {
      const topic = topicOf(row.topicId);
      const { id, seq, createdAt, level, priority, json } = row;
      return topic === undefined ? [] : [{ row, topic, message: { id, seq, createdAt, level, priority, json } }];
    });
  const newest = <One extends { message: Message }>(all: One[], limit: number) =>
    all.sort((a, b) => b.message.seq - a.message.seq).slice(0, limit);

  /** Of one namespace; goes on behind messages of topics that were deleted, while there are not too many. */
  const latestOf = (id: NamespaceId, limit: number, topicOf: ReturnType<typeof topicsOf>) => {
    const found: { topic: Topic; message: Message }[] = [];
    let before = Number.MAX_SAFE_INTEGER;
    for (let page = 0; page < MOST_PAGES && found.length < limit; page++) {
      const rows = q.latest.all(id, before, limit);
      for (const { topic, message } of told(rows, topicOf)) found.push({ topic, message });
      if (rows.length < limit) break;
      before = rows.at(-1)?.seq ?? 0;
    }
    return found;
  };

  return {
    trouble: async (ids, failedSince) => ({
      down: q.down.get(seen(ids))?.count ?? 0,
      failed: q.failed.get(failedSince, seen(ids))?.count ?? 0,
    }),

    checks: async (ids) => {
      const counts = { new: 0, up: 0, down: 0, paused: 0 };
      for (const { state, count } of q.states.all(seen(ids))) counts[state] = count;
      return counts;
    },

    down: async (ids, limit) => checks.down(ids, limit),

    failures: async (ids, since, limit) => {
      const byDevice = new Map<number, FailureRow>();
      for (const row of q.failures.all(since, seen(ids)))
        if (!byDevice.has(row.deviceRow)) byDevice.set(row.deviceRow, row);
      return told([...byDevice.values()].slice(0, limit)).map(({ row, topic, message }): Failure => {
        const { device, deviceName, reason, settledAt } = row;
        return {
          message,
          topic,
          settledAt,
          ...(device !== null && { device: deviceName === null ? {} : { name: deviceName } }),
          ...(reason !== null && { reason }),
        };
      });
    },

    latest: async (ids, limit) => {
      const topicOf = topicsOf();
      return newest(
        ids.flatMap((id) => latestOf(id, limit, topicOf)),
        limit,
      );
    },

    unanswered: async (ids, since, limit) =>
      newest(
        told(ids.flatMap((id) => q.unanswered.all(id, since, limit))).map(({ topic, message }) => ({ topic, message })),
        limit,
      ),

    hasDevice: async () => q.device.get() !== null,
  };
}

/** Of messages that nobody sees any more, before the rest is left out. */
const MOST_PAGES = 20;
