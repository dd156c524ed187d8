/** Lists deliveries for people: message by message, the newest first, by a filter. */
import type { Delivery, DeliveryState } from "../../../delivery/delivery.ts";
import type { DeviceRow, Platform } from "../../../devices/device.ts";
import type { NamespaceId } from "../../../keys/namespace.ts";
import type { Message } from "../../../messages/message.ts";
import type { TopicId } from "../../../topics/topic.ts";
import type { Millis } from "../../../util/clock.ts";
import { createTurns, SLICE_MS } from "../../../util/turns.ts";
import type { DeliveryFilter, DeliveryLists, DeliveryPlace, Listed } from "../../deliveries.ts";
import { columnsOf } from "../columns.ts";
import { toDelivery } from "./rows.ts";
import { delivery } from "../schema/deliveries.ts";
import { HELD } from "../devices/put.ts";
import { isAbsent, JOIN_IN_ORDER, listed } from "../differences.ts";
import type { Engine } from "../engine.ts";
import { MESSAGE_COLUMNS, messagesWith } from "../messages/rows.ts";
import { LIVE_TOPIC, toTopic, type TopicRow } from "../topics/rows.ts";

/** The most that are counted; beyond it, the answer is "more than" this. */
const MOST_COUNTED = 1_000;

// by hand: each reads an index backwards, and the partial index needs `state <> 'accepted'` in the statement
const SEQ = "SELECT message_row AS seq FROM delivery WHERE";
const NEWEST = "message_row <= ? ORDER BY message_row DESC LIMIT 1";
const ANY = `${SEQ} ${NEWEST}`;
const OF_STATE = `${SEQ} state = ? AND state <> 'accepted' AND ${NEWEST}`;
const OF_DEVICE = `${SEQ} device_row = ? AND ${NEWEST}`;
const MESSAGE = `SELECT ${MESSAGE_COLUMNS}, m.topic_id AS topicId, m.namespace_id AS namespaceId
  FROM message m WHERE m.row = ?`;
const rowsOf = (which: string) => `SELECT ${columnsOf(delivery, "d")}, v.id AS deviceId, v.platform, v.name,
  v.lost_at AS lostAt
  FROM delivery d LEFT JOIN device v ON v.row = d.device_row WHERE ${which}`;
const PAGE = "d.message_row = ? AND d.device_row > ? ORDER BY d.device_row LIMIT ?";
const ROWS = rowsOf(PAGE);
const ROWS_OF_STATE = rowsOf(`d.state = ? AND d.state <> 'accepted' AND ${PAGE}`);
export const ROW_OF_DEVICE = rowsOf("d.message_row = ? AND d.device_row = ?");
const WAITING = `${messagesWith("pending")} SELECT d.last_reason AS reason
  FROM found ${JOIN_IN_ORDER} message m ON m.row = found.row ${JOIN_IN_ORDER} delivery d ON d.message_row = found.row
  WHERE (${isAbsent("?2")} OR m.namespace_id IN ${listed("?2")})
    AND d.state = 'pending' AND d.state <> 'accepted' AND d.accepted_at IS NULL LIMIT ${MOST_COUNTED}`;
const DAYS = `SELECT day, namespace_id AS namespaceId, accepted, failed, expired, cancelled
  FROM delivery_day WHERE day >= ? ORDER BY day`;

/** The most messages and deliveries that one page looks at: 20 ms, in slices. The rest is for the next page. */
const MOST_LOOKED = 5_000;
const ROWS_AT_ONCE = 100;

export type Row = typeof delivery.$inferSelect & {
  deviceId: string | null;
  platform: Platform;
  name: string | null;
  lostAt: Millis | null;
};

export const deliveryOf = ({ deviceId: id, platform, name, ...row }: Row): Delivery =>
  toDelivery({ ...row, device: id === null ? null : { row: row.deviceRow, id, platform, name } });

type StoredMessage = Message & { topicId: TopicId; namespaceId: NamespaceId };

export function deliveryLists(engine: Engine): DeliveryLists {
  const { namespaces, clock } = engine;
  const q = queries(engine);
  const turn = createTurns();

  /** The newest message up to `upTo` that may match the filter, by the most selective index. */
  const newest = ({ seq, device, state }: DeliveryFilter, upTo: number): number | undefined => {
    if (seq !== undefined) return seq <= upTo ? seq : undefined;
    if (device !== undefined) return q.ofDevice.get(device, upTo)?.seq;
    if (isIndexed(state)) return q.ofState.get(state, upTo)?.seq;
    return q.any.get(upTo)?.seq;
  };
  const rows = ({ device, state }: DeliveryFilter, { seq, after }: DeliveryPlace): Row[] => {
    if (device !== undefined) return q.rowOfDevice.all(seq, device).filter(({ deviceRow }) => deviceRow > after);
    if (isIndexed(state)) return q.rowsOfState.all(state, seq, after, ROWS_AT_ONCE);
    return q.rows.all(seq, after, ROWS_AT_ONCE);
  };
  const aboutOf = (seq: number, { namespaces: among, topicId }: DeliveryFilter): About | undefined => {
    const found = q.message.get(seq);
    if (found === null) return among === undefined && topicId === undefined ? { seq } : undefined;
    const { topicId: of, namespaceId, ...message } = found;
    if (among?.includes(namespaceId) === false || (topicId !== undefined && topicId !== of)) return undefined;
    const row = q.topic.get(of);
    const topic = row === null ? {} : { topic: toTopic(row, namespaces.name(namespaceId)) };
    return { seq, message, ...topic };
  };

  return {
    list: async (filter, { from = { seq: Number.MAX_SAFE_INTEGER, after: 0 }, limit }) => {
      const listed: Listed[] = [];
      let at = from;
      let pause = -Infinity;
      for (let looked = 0; looked < MOST_LOOKED; looked++) {
        if (clock.monotonic() >= pause) {
          await turn();
          pause = clock.monotonic() + SLICE_MS;
        }
        const seq = newest(filter, at.seq);
        if (seq === undefined) return { listed };
        if (seq < at.seq) at = { seq, after: 0 };
        const about = aboutOf(seq, filter);
        for (let page = about && rows(filter, at); page !== undefined;) {
          for (const row of page) {
            const one = deliveryOf(row);
            if (isWanted(one, filter)) {
              if (listed.length === limit) return { listed, next: at };
              listed.push({ delivery: one, seq, isLost: row.lostAt !== null, ...about });
            }
            at = { seq, after: row.deviceRow };
          }
          looked += page.length;
          if (looked >= MOST_LOOKED) return { listed, next: at };
          page = page.length < ROWS_AT_ONCE ? undefined : rows(filter, at);
        }
        at = { seq: seq - 1, after: 0 };
      }
      return { listed, next: at };
    },

    waiting: async (among) => {
      const found = q.waiting.all(0, among === undefined ? null : JSON.stringify(among));
      const held = found.filter(({ reason }) => reason === HELD).length;
      return { waiting: found.length - held, held, isMore: found.length === MOST_COUNTED };
    },

    days: async (since, among) => {
      const days = new Map<number, typeof NONE>();
      for (const { day, namespaceId, ...counts } of q.days.all(since)) {
        if (among?.includes(namespaceId) === false) continue;
        const sum = days.get(day) ?? NONE;
        const add = (state: keyof typeof NONE) => sum[state] + counts[state];
        days.set(day, {
          ...{ accepted: add("accepted"), failed: add("failed") },
          ...{ expired: add("expired"), cancelled: add("cancelled") },
        });
      }
      return days;
    },
  };
}

const NONE = { accepted: 0, failed: 0, expired: 0, cancelled: 0 };

type About = Pick<Listed, "seq" | "message" | "topic">;

const isIndexed = (state: DeliveryState | undefined): state is DeliveryState =>
  state !== undefined && state !== "accepted";

/** One that is repeated until somebody acknowledges it is shown as accepted. */
function isWanted(one: Delivery, { state, is = () => true }: DeliveryFilter): boolean {
  const shown = one.state === "pending" && one.acceptedAt !== undefined ? "accepted" : one.state;
  return (state === undefined || shown === state) && is(one);
}

function queries({ read: { $client: db } }: Engine) {
  return {
    any: db.prepare<{ seq: number }, [number]>(ANY),
    ofState: db.prepare<{ seq: number }, [DeliveryState, number]>(OF_STATE),
    ofDevice: db.prepare<{ seq: number }, [DeviceRow, number]>(OF_DEVICE),
    message: db.prepare<StoredMessage, [number]>(MESSAGE),
    rows: db.prepare<Row, [number, number, number]>(ROWS),
    rowsOfState: db.prepare<Row, [DeliveryState, number, number, number]>(ROWS_OF_STATE),
    rowOfDevice: db.prepare<Row, [number, DeviceRow]>(ROW_OF_DEVICE),
    topic: db.prepare<TopicRow, [TopicId]>(LIVE_TOPIC),
    waiting: db.prepare<{ reason: string | null }, [number, string | null]>(WAITING),
    days: db.prepare<Record<keyof typeof NONE | "day", number> & { namespaceId: NamespaceId }, [number]>(DAYS),
  };
}
