/** What is wrong and what came last, in several namespaces at once: nothing that grows is counted or walked through. */
import type { Check, CheckState } from "../../checks/check.ts";
import type { NamespaceId } from "../../keys/namespace.ts";
import type { Message } from "../../messages/message.ts";
import type { Topic, TopicId } from "../../topics/topic.ts";
import type { Millis } from "../../util/clock.ts";
import { compareNames } from "../../util/names.ts";
import type { Failure, OverviewStore } from "../overview.ts";
import { checkReader } from "./checkrows.ts";
import type { Engine } from "./engine.ts";
import { LIVE_TOPIC, toTopic, type TopicRow } from "./topics.ts";

const SEEN = "IN (SELECT value FROM json_each(?))";
const MESSAGE = "m.id, m.row AS seq, m.created_at AS createdAt, m.level, m.priority, m.json, m.topic_id AS topicId";

/** Failures that are looked at: each costs a look at its message. */
const FAILURES = 500;
const IN_STATE = `SELECT count(*) AS count FROM "check" WHERE state = ? AND namespace_id ${SEEN}`;
// `<> 'accepted'` beside the state: as the partial index says it
const FAILED = `SELECT d.message_row AS messageRow, d.device_row AS deviceRow, d.last_reason AS reason, d.settled_at AS settledAt
  FROM delivery d WHERE d.state = 'failed' AND d.state <> 'accepted' AND d.message_row > 0
  ORDER BY d.message_row DESC LIMIT ${FAILURES}`;
const NAMESPACE = "SELECT namespace_id AS id FROM message WHERE row = ?";
const MESSAGE_AT = `SELECT ${MESSAGE} FROM message m WHERE m.row = ?`;
const DEVICE_AT = "SELECT name FROM device WHERE row = ?";
const LATEST = `SELECT ${MESSAGE} FROM message m WHERE m.namespace_id = ? AND m.row < ? ORDER BY m.row DESC LIMIT ?`;
const UNANSWERED = `SELECT ${MESSAGE} FROM message m WHERE m.namespace_id = ? AND m.priority = 'urgent' AND m.created_at >= ?
    AND json_extract(m.json, '$.ack') AND NOT EXISTS (SELECT 1 FROM acknowledgement a WHERE a.row = m.row)
  ORDER BY m.row DESC LIMIT ?`;
const DEVICE = "SELECT row FROM device WHERE row > 0 LIMIT 1";

type MessageRow = Message & { topicId: TopicId };
interface FailureRow {
  messageRow: number;
  deviceRow: number;
  reason: string | null;
  settledAt: Millis;
}

export function overviewStore({ read, namespaces }: Engine): OverviewStore {
  const { $client: db } = read;
  const q = {
    inState: db.prepare<{ count: number }, [CheckState, string]>(IN_STATE),
    failed: db.prepare<FailureRow, []>(FAILED),
    namespace: db.prepare<{ id: NamespaceId }, [number]>(NAMESPACE),
    message: db.prepare<MessageRow, [number]>(MESSAGE_AT),
    deviceAt: db.prepare<{ name: string | null }, [number]>(DEVICE_AT),
    latest: db.prepare<MessageRow, [NamespaceId, number, number]>(LATEST),
    unanswered: db.prepare<MessageRow, [NamespaceId, Millis, number]>(UNANSWERED),
    topic: db.prepare<TopicRow, [TopicId]>(LIVE_TOPIC),
    device: db.prepare<{ row: number }, []>(DEVICE),
  };
  const checks = checkReader(read, namespaces);
  const inState = (state: CheckState, ids: readonly NamespaceId[]) =>
    q.inState.get(state, JSON.stringify(ids))?.count ?? 0;
  const failedIn = (ids: readonly NamespaceId[], since: Millis): FailureRow[] =>
    q.failed.all().filter(({ settledAt, messageRow }) => {
      const namespace = settledAt >= since ? q.namespace.get(messageRow) : null;
      return namespace !== null && ids.includes(namespace.id);
    });

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
  const told = (rows: readonly MessageRow[], topicOf: ReturnType<typeof topicsOf>) =>
    rows.flatMap(({ topicId, ...message }) => {
      const topic = topicOf(topicId);
      return topic === undefined ? [] : [{ topic, message }];
    });
  const newest = <One extends { message: Message }>(all: One[], limit: number) =>
    all.sort((a, b) => b.message.seq - a.message.seq).slice(0, limit);

  /** Of one namespace; goes on behind messages of topics that were deleted, while there are not too many. */
  const latestOf = (id: NamespaceId, limit: number, topicOf: ReturnType<typeof topicsOf>) => {
    const found: { topic: Topic; message: Message }[] = [];
    let before = Number.MAX_SAFE_INTEGER;
    for (let page = 0; page < MOST_PAGES && found.length < limit; page++) {
      const size = page === 0 ? limit : PAGE;
      const rows = q.latest.all(id, before, size);
      found.push(...told(rows, topicOf));
      if (rows.length < size) break;
      before = rows.at(-1)?.seq ?? 0;
    }
    return found;
  };

  return {
    trouble: async (ids, failedSince) => ({
      down: inState("down", ids),
      failed: failedIn(ids, failedSince).length,
    }),

    checks: async (ids) => ({
      new: inState("new", ids),
      up: inState("up", ids),
      down: inState("down", ids),
      paused: inState("paused", ids),
    }),

    down: async (ids, limit) => checks.down(ids, limit).sort(byName),

    failures: async (ids, since, limit) => {
      const byDevice = new Map<number, FailureRow>();
      for (const row of failedIn(ids, since)) if (!byDevice.has(row.deviceRow)) byDevice.set(row.deviceRow, row);
      const topicOf = topicsOf();
      return [...byDevice.values()].slice(0, limit).flatMap(({ messageRow, deviceRow, reason, settledAt }) => {
        const device = q.deviceAt.get(deviceRow);
        return told(q.message.all(messageRow), topicOf).map(({ topic, message }): Failure => ({
          topic,
          message,
          settledAt,
          ...(device !== null && { device: device.name === null ? {} : { name: device.name } }),
          ...(reason !== null && { reason }),
        }));
      });
    },

    latest: async (ids, limit) => {
      const topicOf = topicsOf();
      return newest(
        ids.flatMap((id) => latestOf(id, limit, topicOf)),
        limit,
      );
    },

    unanswered: async (ids, since, limit) => {
      const topicOf = topicsOf();
      return newest(
        ids.flatMap((id) => told(q.unanswered.all(id, since, limit), topicOf)),
        limit,
      );
    },

    hasDevice: async () => q.device.get() !== null,
  };
}

/** Messages that nobody sees any more, before the rest is left out until the sweeper has taken them. */
const PAGE = 100;
const MOST_PAGES = 20;

const byName = (a: Check, b: Check): number =>
  compareNames(a.standing.settings.name, b.standing.settings.name) || (a.id < b.id ? -1 : 1);
