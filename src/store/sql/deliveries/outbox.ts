/** What waits in the lanes: the reads that begin every send, and deliveries that expire. */
import type { DeliveryRow, Lane, Pending } from "../../../delivery/delivery.ts";
import type { DeviceRow } from "../../../devices/device.ts";
import type { Message } from "../../../messages/message.ts";
import type { Priority } from "../../../drafts/draft.ts";
import type { Topic, TopicId } from "../../../topics/topic.ts";
import type { Millis } from "../../../util/clock.ts";
import { createTurns } from "../../../util/turns.ts";
import type { Backlog, DeliveryStore } from "../../deliveries.ts";
import { DEVICE_COLUMNS, toDevice, type StoredDevice } from "../devices/rows.ts";
import type { Endings } from "./endings.ts";
import { withoutNulls } from "../columns.ts";
import { alreadyBy, EACH, EACH_PLACE, eachOf, indexedBy, JOIN_IN_ORDER, listed } from "../differences.ts";
import type { Engine } from "../engine.ts";
import { LIVE_TOPIC, toTopic, type TopicRow } from "../topics/rows.ts";

// by hand: the partial indices need `state = 'pending'` in the statement, and a send runs most of them
/** The most rows that a look at a lane steps over: one device may have 100,000 that are due before all others. */
export const MOST_STEPS = 1_000;
const DUE = `SELECT row, device FROM (SELECT row, device_row AS device, due_at FROM delivery
    WHERE state = 'pending' AND lane = ? AND urgent = ? AND due_at <= ? ORDER BY due_at LIMIT ${MOST_STEPS}) AS found
  WHERE device NOT IN ${listed("?")} ORDER BY due_at LIMIT ?`;
const CROWDED = `SELECT 1 AS found FROM delivery
  WHERE state = 'pending' AND lane = ? AND urgent = ? AND due_at <= ? LIMIT 1 OFFSET ${MOST_STEPS - 1}`;
const NEXT_DEVICE = `SELECT device_row AS device FROM delivery ${indexedBy("delivery_device")}
  WHERE state = 'pending' AND device_row > ? ORDER BY device_row LIMIT 1`;
// both urgencies by name, so that the whole index is used, and a backlog that is not due is not stepped through
const DUE_AMONG = `SELECT ${EACH} AS device FROM ${eachOf("?")}
  WHERE EXISTS (SELECT 1 FROM delivery ${indexedBy("delivery_device")}
    WHERE device_row = ${EACH} AND state = 'pending' AND lane = ? AND urgent IN (0, 1) AND due_at <= ?)
  ${alreadyBy(EACH_PLACE)} LIMIT ?`;
const FIRST_PROVEN = `SELECT d.device_row AS device FROM delivery d ${JOIN_IN_ORDER} device v ON v.row = d.device_row
  WHERE d.state = 'pending' AND d.lane = ? AND d.urgent = ? AND d.due_at <= ?
    AND d.device_row NOT IN ${listed("?")} AND v.last_success_at IS NOT NULL
  ORDER BY d.due_at LIMIT 1`;
const NEXT = `SELECT due_at AS at FROM delivery
  WHERE state = 'pending' AND lane = ? AND urgent = ? AND due_at > ? ORDER BY due_at LIMIT 1`;
const LANE = "SELECT lane FROM delivery WHERE state = 'pending' AND lane > ? ORDER BY lane LIMIT 1";
const DEVICE = `SELECT ${DEVICE_COLUMNS} FROM device d WHERE d.row = ?`;
// an acknowledged message is as good as deleted: nothing more is sent of it
const ofDevice = (
  which: string,
  order: string,
) => `SELECT d.row, d.message_row AS messageRow, d.lane, d.urgent, d.attempts, d.created_at AS createdAt,
    d.due_at AS dueAt, d.expires_at AS expiresAt, d.accepted_at AS acceptedAt, d.provider_id AS providerId,
    m.id, m.created_at AS messageAt, m.level, m.priority, m.json, m.topic_id AS topicId,
    s.row AS subscription, s.muted_until AS mutedUntil, s.min_priority AS minPriority
  FROM delivery d ${indexedBy("delivery_device")}
    LEFT JOIN message m ON m.row = d.message_row AND NOT EXISTS (SELECT 1 FROM acknowledgement a WHERE a.row = m.row)
    LEFT JOIN subscription s ON s.topic_id = m.topic_id AND s.device_row = d.device_row
  WHERE d.device_row = ? AND d.state = 'pending' AND d.lane = ? AND ${which} ORDER BY ${order}, d.row LIMIT ?`;
const EXPIRED = `SELECT row, lane FROM delivery WHERE state = 'pending' AND expires_at <= ? ORDER BY expires_at LIMIT ?`;
const NEXT_EXPIRY =
  "SELECT expires_at AS at FROM delivery WHERE state = 'pending' AND expires_at > 0 ORDER BY expires_at LIMIT 1";
// rows are made in the order of time: the lowest is the oldest, and the index finds it
const BACKLOG = "SELECT count(*) AS count, min(row) AS oldest FROM delivery WHERE state = 'pending' AND lane = ?";
const CREATED = "SELECT created_at AS at FROM delivery WHERE row = ?";

/** The most characters of messages that are read for one device at once: hundreds of devices are looked at together. */
const MOST_CHARACTERS = 262_144;
/** This many fit, however long: nearly always all that waits. Reading more in steps costs 40 µs (Bun 1.4.5, measured). */
const FEW = 8;
/** How many devices one slice of a walk over all of them steps over: 2 ms. */
const MOST_DEVICES = 500;

interface Row extends Pick<Pending, "row" | "lane" | "attempts" | "createdAt" | "dueAt" | "expiresAt"> {
  messageRow: number | null;
  urgent: number;
  acceptedAt: Millis | null;
  providerId: string | null;
  /** Null, like all fields of the message, if it is gone. */
  id: number | null;
  messageAt: Millis;
  level: Message["level"];
  priority: Message["priority"];
  json: string;
  topicId: TopicId;
  subscription: number | null;
  mutedUntil: Millis | null;
  minPriority: Priority | null;
}

type Outbox = Pick<
  DeliveryStore,
  | "lanes"
  | "due"
  | "isCrowded"
  | "dueByDevice"
  | "firstDue"
  | "firstProven"
  | "nextAt"
  | "ofDevice"
  | "expire"
  | "nextExpiry"
  | "backlog"
>;

export function outbox(engine: Engine, ends: Endings): Outbox {
  const q = queries(engine);
  return { ...inLanes(q), ofDevice: pendingReader(engine, q), ...expiry(engine, q, ends) };
}

function inLanes(q: Queries) {
  const turn = createTurns();
  const due = (lane: Lane, isUrgent: boolean, now: Millis, except: string, limit: number) =>
    q.due.all(lane, isUrgent ? 1 : 0, now, except, limit).map((row) => ({ ...row, isUrgent }));
  const dueAmong = (devices: readonly DeviceRow[], lane: Lane, now: Millis, limit: number): DeviceRow[] =>
    q.dueAmong.all(JSON.stringify(devices), lane, now, limit).map(({ device }) => device);
  /** One look for each: there are few lanes, and many rows in each. */
  const lanes = (): Lane[] => {
    const found: Lane[] = [];
    for (let next = q.lane.get(""); next !== null; next = q.lane.get(next.lane)) found.push(next.lane);
    return found;
  };

  return {
    lanes: async () => lanes(),

    due: async (lane, now, limit, except = []) => {
      const others = JSON.stringify([...except]);
      const urgent = due(lane, true, now, others, limit);
      return urgent.length === limit ? urgent : [...urgent, ...due(lane, false, now, others, limit - urgent.length)];
    },

    isCrowded: async (lane, now) => [1, 0].some((urgent) => q.crowded.get(lane, urgent, now) !== null),

    dueByDevice: async (lane, now, after, except) => {
      const met: DeviceRow[] = [];
      let last: number | undefined = after;
      while (met.length < MOST_DEVICES && last !== undefined) {
        last = q.nextDevice.get(last)?.device;
        if (last !== undefined) met.push(last as DeviceRow);
      }
      const devices = dueAmong(
        met.filter((device) => !except.has(device)),
        lane,
        now,
        MOST_DEVICES,
      );
      return { devices, ...(last !== undefined && { last }) };
    },

    firstDue: async (lane, now, of) => dueAmong([...of], lane, now, 1)[0],

    firstProven: async (lane, now, except) => {
      const others = JSON.stringify([...except]);
      const [first] = [1, 0].flatMap((urgent) => q.firstProven.get(lane, urgent, now, others) ?? []);
      return first?.device;
    },

    nextAt: async (lane, after) => {
      const times = [1, 0].flatMap((urgent) => q.next.get(lane, urgent, after)?.at ?? []);
      return times.length === 0 ? undefined : Math.min(...times);
    },

    backlog: async () => {
      const backlog: Backlog[] = [];
      for (const lane of lanes()) {
        await turn(); // walking over 100,000 takes 3 ms
        const { count, oldest } = q.backlog.get(lane) ?? { count: 0, oldest: 0 };
        const oldestAt = q.created.get(oldest)?.at;
        if (oldestAt !== undefined) backlog.push({ lane, count, oldestAt });
      }
      return backlog;
    },
  } satisfies Partial<Outbox>;
}

/** Pending deliveries of a device, with everything that a push is made of. */
function pendingReader({ namespaces }: Engine, q: Queries): Outbox["ofDevice"] {
  const topicOf = (topicId: TopicId): Topic | undefined => {
    const row = q.topic.get(topicId);
    return row === null ? undefined : toTopic(row, namespaces.name(row.namespaceId));
  };
  return async (row, lane, limit) => {
    const stored = q.device.get(row);
    if (stored === null) return [];
    const device = toDevice(stored);
    const topics = new Map<TopicId, Topic | undefined>();
    const toOne = (found: Row): Pending => {
      if (found.id !== null && !topics.has(found.topicId)) topics.set(found.topicId, topicOf(found.topicId));
      const topic = topics.get(found.topicId);
      const until = topic && namespaces.byId(topic.namespaceId).mutedUntil;
      const muted = until === undefined ? {} : { namespaceMutedUntil: until };
      return { ...toPending(found), ...aboutMessage(found, topic), ...muted, device };
    };
    const few = limit < FEW ? undefined : q.ofDevice.all(row, lane, FEW);
    if (few !== undefined && few.length < FEW) return few.toSorted((a, b) => b.urgent - a.urgent).map(toOne);
    const pending: Pending[] = [];
    let characters = 0;
    for (const urgent of [1, 0])
      for (const found of q.ofDeviceByUrgency.iterate(row, lane, urgent, limit - pending.length)) {
        characters += found.id === null ? 0 : found.json.length;
        if (pending.length > 0 && characters > MOST_CHARACTERS) break;
        pending.push(toOne(found));
      }
    return pending;
  };
}

function expiry({ writer }: Engine, q: Queries, { ending }: Endings) {
  return {
    expire: async (now, limit) =>
      writer.run(() => ({
        result: ending((end) => {
          const lanes = new Map<Lane, number>();
          for (const { row, lane } of q.expired.all(now, limit))
            if (end(row, now, { state: "expired", reason: "its time ran out" }) === "expired")
              lanes.set(lane, (lanes.get(lane) ?? 0) + 1);
          return lanes;
        }),
      })),

    nextExpiry: async () => q.nextExpiry.get()?.at,
  } satisfies Partial<Outbox>;
}

type Queries = ReturnType<typeof queries>;

function queries({ read: { $client: db }, write }: Engine) {
  return {
    due: db.prepare<{ row: DeliveryRow; device: DeviceRow }, [Lane, number, Millis, string, number]>(DUE),
    crowded: db.prepare<{ found: 1 }, [Lane, number, Millis]>(CROWDED),
    nextDevice: db.prepare<{ device: DeviceRow }, [number]>(NEXT_DEVICE),
    dueAmong: db.prepare<{ device: DeviceRow }, [string, Lane, Millis, number]>(DUE_AMONG),
    firstProven: db.prepare<{ device: DeviceRow }, [Lane, number, Millis, string]>(FIRST_PROVEN),
    next: db.prepare<{ at: Millis }, [Lane, number, Millis]>(NEXT),
    lane: db.prepare<{ lane: Lane }, [string]>(LANE),
    device: db.prepare<StoredDevice, [DeviceRow]>(DEVICE),
    ofDevice: db.prepare<Row, [DeviceRow, Lane, number]>(ofDevice("true", "d.urgent, d.due_at")),
    ofDeviceByUrgency: db.prepare<Row, [DeviceRow, Lane, number, number]>(ofDevice("d.urgent = ?", "d.due_at")),
    nextExpiry: db.prepare<{ at: Millis }, []>(NEXT_EXPIRY),
    backlog: db.prepare<{ count: number; oldest: number }, [Lane]>(BACKLOG),
    created: db.prepare<{ at: Millis }, [number]>(CREATED),
    topic: db.prepare<TopicRow, [TopicId]>(LIVE_TOPIC),
    expired: write.$client.prepare<{ row: DeliveryRow; lane: Lane }, [Millis, number]>(EXPIRED),
  };
}

const toPending = (row: Row): Omit<Pending, "device"> => ({
  row: row.row,
  kind: row.messageRow === null ? "test" : "message",
  lane: row.lane,
  isUrgent: row.urgent === 1,
  attempts: row.attempts,
  createdAt: row.createdAt,
  dueAt: row.dueAt,
  expiresAt: row.expiresAt,
  ...withoutNulls({ acceptedAt: row.acceptedAt, providerId: row.providerId }),
});

/** `topic` is absent if it was deleted, with its messages. */
function aboutMessage(row: Row, topic: Topic | undefined): Pick<Pending, "message" | "topic" | "subscription"> {
  if (topic === undefined || row.id === null || row.messageRow === null) return {};
  const { id, messageRow: seq, messageAt: createdAt, level, priority, json } = row;
  const { mutedUntil, minPriority } = row;
  return {
    message: { id, seq, createdAt, level, priority, json },
    topic,
    ...(row.subscription !== null && { subscription: withoutNulls({ mutedUntil, minPriority }) }),
  };
}
