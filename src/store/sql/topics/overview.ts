/** What is wrong and what came last, in several namespaces at once: nothing that grows is counted or walked through. */
import type { Check, CheckState } from "../../../checks/check.ts";
import type { DeviceRow } from "../../../devices/device.ts";
import type { NamespaceId } from "../../../keys/namespace.ts";
import type { Message } from "../../../messages/message.ts";
import type { Topic, TopicId } from "../../../topics/topic.ts";
import type { Millis } from "../../../util/clock.ts";
import { compareNames } from "../../../util/text/compare.ts";
import type { Failed, Failure, OverviewStore } from "../../overview.ts";
import { checkReader, IS_TAKEN } from "../checks/rows.ts";
import { alreadyBy, JOIN_IN_ORDER, listed } from "../differences.ts";
import type { Engine } from "../engine.ts";
import { firstRowFinder, MESSAGE_COLUMNS, messagesWith } from "../messages/rows.ts";
import { openReader } from "../messages/open.ts";
import { deliveryOf, ROW_OF_DEVICE, type Row } from "../deliveries/list.ts";
import { topicsFinder } from "./rows.ts";

const SEEN = `IN ${listed("?")}`;
const MESSAGE = `${MESSAGE_COLUMNS}, m.topic_id AS topicId`;

/** The most failures that are counted; beyond it, the page says "more than" this. */
const MOST_COUNTED = 500;
// not by the JSON: a broken one would make every page fail
const DOWN = `SELECT count(*) AS count FROM "check" c WHERE state = 'down' AND namespace_id ${SEEN} AND NOT ${IS_TAKEN}`;
const IN_STATE = `SELECT count(*) AS count FROM "check" WHERE state = ? AND namespace_id ${SEEN}`;
// in order: the newest message first, so that it ends at the limit
const FAILED = `${messagesWith("failed")} SELECT d.message_row AS messageRow, d.device_row AS deviceRow
  FROM found ${JOIN_IN_ORDER} message m ON m.row = found.row ${JOIN_IN_ORDER} delivery d ON d.message_row = found.row
  WHERE m.namespace_id IN ${listed("?2")} AND d.state = 'failed' AND d.state <> 'accepted'
  ${alreadyBy("found.row DESC")} LIMIT ${MOST_COUNTED + 1}`;
const MESSAGE_AT = `SELECT ${MESSAGE} FROM message m WHERE m.row = ?`;
const LATEST = `SELECT ${MESSAGE} FROM message m WHERE m.namespace_id = ? AND m.row < ? ORDER BY m.row DESC LIMIT ?`;
/** How many topics with subscribers are looked at: 5 µs each. */
const TOPICS = 1_000;
const DEVICE = `WITH RECURSIVE subscribed(topic, n) AS (SELECT min(topic_id), 1 FROM subscription UNION ALL
    SELECT (SELECT min(topic_id) FROM subscription WHERE topic_id > subscribed.topic), n + 1 FROM subscribed
    WHERE subscribed.topic IS NOT NULL AND n < ${TOPICS})
  SELECT 1 AS found FROM subscribed ${JOIN_IN_ORDER} topic t ON t.row = subscribed.topic
  WHERE t.deleted_at IS NULL AND t.namespace_id ${SEEN} LIMIT 1`;

type MessageRow = Message & { topicId: TopicId };
interface FailureRow {
  messageRow: number;
  deviceRow: DeviceRow;
}

export function overviewStore(engine: Engine): OverviewStore {
  const { read, namespaces } = engine;
  const q = queries(engine);
  const firstRowAt = firstRowFinder(read.$client);
  const checks = checkReader(read, namespaces);
  const inState = (state: CheckState, ids: readonly NamespaceId[]) =>
    q.inState.get(state, JSON.stringify(ids))?.count ?? 0;
  const failedIn = (ids: readonly NamespaceId[], since: Millis): Failed & { rows: FailureRow[] } => {
    const rows = q.failed.all(firstRowAt(since), JSON.stringify(ids));
    return { failed: Math.min(rows.length, MOST_COUNTED), isMore: rows.length > MOST_COUNTED, rows };
  };

  const topicsOf = topicsFinder(read, namespaces);
  const told = (rows: readonly MessageRow[], topicOf: ReturnType<typeof topicsOf>) =>
    rows.flatMap(({ topicId, ...message }) => {
      const topic = topicOf(topicId);
      return topic === undefined ? [] : [{ topic, message }];
    });
  const newest = <One extends { message: Message }>(all: One[], limit: number) =>
    all.sort((a, b) => b.message.seq - a.message.seq).slice(0, limit);

  /** The latest of one namespace; it goes on behind messages of deleted topics while these are not too many. */
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
    trouble: async (ids, failedSince) => {
      const { failed, isMore } = failedIn(ids, failedSince);
      return { down: q.down.get(JSON.stringify(ids))?.count ?? 0, failed, isMore };
    },

    checks: async (ids) => ({
      new: inState("new", ids),
      up: inState("up", ids),
      down: inState("down", ids),
      paused: inState("paused", ids),
    }),

    down: async (ids, limit, isTaken = false) => checks.down(ids, isTaken, limit).sort(byName),

    failures: async (ids, since, limit) => {
      const { rows, ...failed } = failedIn(ids, since);
      const byDevice = new Map<DeviceRow, FailureRow>();
      for (const row of rows) if (!byDevice.has(row.deviceRow)) byDevice.set(row.deviceRow, row);
      const topicOf = topicsOf();
      const latest = [...byDevice.values()].slice(0, limit).flatMap(({ messageRow, deviceRow }): Failure[] => {
        const row = q.delivery.get(messageRow, deviceRow);
        if (row === null) return [];
        return told(q.message.all(messageRow), topicOf).map((of) => ({ ...of, delivery: deliveryOf(row) }));
      });
      return { ...failed, latest };
    },

    latest: async (ids, limit) => {
      const topicOf = topicsOf();
      return newest(
        ids.flatMap((id) => latestOf(id, limit, topicOf)),
        limit,
      );
    },

    ...openReader(read, topicsOf),

    hasDevice: async (ids) => q.device.get(JSON.stringify(ids)) !== null,
  };
}

/** Messages of a page; after `MOST_PAGES` of deleted topics the rest is left out until the sweeper has deleted them. */
const PAGE = 100;
const MOST_PAGES = 20;

const byName = (a: Check, b: Check): number =>
  compareNames(a.standing.settings.name, b.standing.settings.name) || (a.id < b.id ? -1 : 1);

function queries({ read: { $client: db } }: Engine) {
  return {
    inState: db.prepare<{ count: number }, [CheckState, string]>(IN_STATE),
    down: db.prepare<{ count: number }, [string]>(DOWN),
    failed: db.prepare<FailureRow, [number, string]>(FAILED),
    message: db.prepare<MessageRow, [number]>(MESSAGE_AT),
    delivery: db.prepare<Row, [number, DeviceRow]>(ROW_OF_DEVICE),
    latest: db.prepare<MessageRow, [NamespaceId, number, number]>(LATEST),
    device: db.prepare<{ found: 1 }, [string]>(DEVICE),
  };
}
