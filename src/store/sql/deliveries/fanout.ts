/** From a message to a delivery for each device: noted in the job that stores the message, made in slices afterwards. */
import type { Lane } from "../../../delivery/delivery.ts";
import type { DeviceRow } from "../../../devices/device.ts";
import type { Message } from "../../../messages/message.ts";
import type { TopicId } from "../../../topics/topic.ts";
import type { DeliveryStore, Expanded, Plan } from "../../deliveries.ts";
import type { Committed } from "../../store.ts";
import { JOIN_IN_ORDER, type Orm } from "../differences.ts";
import { DEVICE_COLUMNS, toDevice, type StoredDevice } from "../devices/rows.ts";
import type { Engine } from "../engine.ts";
import { MESSAGE_COLUMNS } from "../messages/rows.ts";
import { toTopic, topicByRow } from "../topics/rows.ts";

const OUTBOX: readonly Committed[] = [{ kind: "outbox" }];

/** The events of a job that stored messages, and last, once, that deliveries are to be made. */
export const withOutbox = (events: readonly Committed[], isFannedOut: boolean): readonly Committed[] =>
  isFannedOut ? [...events, ...OUTBOX] : events;

// all by hand: a publish runs the first, and 10,000 devices the rest
const NOTE = "INSERT INTO fanout (row, cursor, upto) VALUES (?, 0, (SELECT coalesce(max(row), 0) FROM subscription))";
const NEXT = "SELECT row, cursor, upto FROM fanout ORDER BY row LIMIT 1";
const MESSAGE = `SELECT ${MESSAGE_COLUMNS}, m.topic_id AS topicId FROM message m WHERE m.row = ?`;
// in order: the topic's subscriptions first, then a look-up for each device
const DEVICES = `SELECT ${DEVICE_COLUMNS} FROM subscription s ${JOIN_IN_ORDER} device d ON d.row = s.device_row
  WHERE s.topic_id = ? AND s.device_row > ? AND s.row <= ? ORDER BY s.device_row LIMIT ?`;
const DELIVER = `INSERT INTO delivery (message_row, device_row, lane, urgent, created_at, due_at, expires_at)
  VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?6) ON CONFLICT (message_row, device_row) DO NOTHING`;
const COUNT = `INSERT INTO delivery_count AS was (row, pending) VALUES (?, ?)
  ON CONFLICT (row) DO UPDATE SET pending = was.pending + excluded.pending`;
const ADVANCE = "UPDATE fanout SET cursor = ? WHERE row = ?";
const DONE = "DELETE FROM fanout WHERE row = ?";

/** Notes that a message has to be fanned out: only devices that subscribe by now get it. */
export function fanoutNoter({ $client: db }: Orm): (seq: number) => void {
  const note = db.prepare(NOTE);
  return (seq) => {
    note.run(seq);
  };
}

interface Fanout {
  row: number;
  cursor: number;
  upto: number;
}

/** Collected over all messages of a slice. */
interface Into {
  lanes: Set<Lane>;
  unreadable: Expanded["unreadable"];
}

/** `expand` of the port. */
export function expander({ read, write, writer, clock, namespaces }: Engine): DeliveryStore["expand"] {
  const { $client: db } = write;
  const isWaiting = read.$client.prepare<Fanout, []>(NEXT);
  const next = db.prepare<Fanout, []>(NEXT);
  const message = db.prepare<Message & { topicId: TopicId }, [number]>(MESSAGE);
  const devices = db.prepare<StoredDevice, [TopicId, number, number, number]>(DEVICES);
  const deliver = db.prepare(DELIVER);
  const count = db.prepare(COUNT);
  const advance = db.prepare<unknown, [DeviceRow, number]>(ADVANCE);
  const done = db.prepare(DONE);
  const topics = topicByRow(write);

  /** Makes up to `limit` deliveries of one message; returns how many devices it looked at, and how many it made. */
  const expandOne = ({ row, cursor, upto }: Fanout, plan: Plan, limit: number, into: Into) => {
    const found = message.get(row);
    const [topicRow] = found === null ? [] : topics.all({ topicId: found.topicId });
    if (found === null || topicRow === undefined) {
      done.run(row); // the topic was deleted
      return { looked: 1, made: 0 };
    }
    const { topicId, ...told } = found;
    const topic = toTopic(topicRow, namespaces.name(topicRow.namespaceId));
    /** A device that cannot be read stops no other. */
    const planFor = (stored: StoredDevice): ReturnType<Plan> | undefined => {
      try {
        return plan({ message: told, topic, device: toDevice(stored) });
      } catch (error) {
        into.unreadable.push({ device: stored.row, error });
        return undefined;
      }
    };
    const page = devices.all(topicId, cursor, upto, limit);
    const now = clock.now();
    let made = 0;
    for (const stored of page) {
      if (stored.lostAt !== null) continue;
      const planned = planFor(stored);
      if (planned === undefined) continue;
      const { lane, isUrgent, expiresAt } = planned;
      made += deliver.run(row, stored.row, lane, isUrgent ? 1 : 0, now, expiresAt).changes;
      into.lanes.add(lane);
    }
    if (made > 0) count.run(row, made);
    const last = page.at(-1);
    if (last === undefined || page.length < limit) done.run(row);
    else advance.run(last.row, row);
    return { looked: page.length + 1, made };
  };

  return async (plan, limit) => {
    if (isWaiting.get() === null) return { made: 0, lanes: [], hasMore: false, unreadable: [] };
    return writer.run(() => {
      const into: Into = { lanes: new Set(), unreadable: [] };
      let made = 0;
      let left = limit;
      let waiting = next.get();
      for (; waiting !== null && left > 0; waiting = next.get()) {
        const part = expandOne(waiting, plan, left, into);
        left -= part.looked;
        made += part.made;
      }
      const { lanes, unreadable } = into;
      const result = { made, lanes: [...lanes], hasMore: waiting !== null, unreadable };
      return { result, events: [{ kind: "delivery" }] };
    });
  };
}
