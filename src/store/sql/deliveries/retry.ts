/** Sends again what failed or expired: `retry` of the port. */
import type { DeliveryRow, DeliveryState, Lane } from "../../../delivery/delivery.ts";
import type { DeviceRow } from "../../../devices/device.ts";
import type { NamespaceId } from "../../../keys/namespace.ts";
import type { Message } from "../../../messages/message.ts";
import type { TopicId } from "../../../topics/topic.ts";
import type { Millis } from "../../../util/clock.ts";
import type { DeliveryStore } from "../../deliveries.ts";
import { DEVICE_COLUMNS, toDevice, type StoredDevice } from "../devices/rows.ts";
import { dayOf } from "./endings.ts";
import { indexedBy, larger, oneIf } from "../differences.ts";
import type { Engine } from "../engine.ts";
import { MESSAGE_COLUMNS } from "../messages/rows.ts";
import { SLICE_ROWS } from "../devices/subscriptions.ts";
import { LIVE_TOPIC, toTopic, type TopicRow } from "../topics/rows.ts";

// all by hand: a message may have 20,000. The partial index needs `state <> 'accepted'` in the statement
const MESSAGE = `SELECT ${MESSAGE_COLUMNS}, m.topic_id AS topicId, m.namespace_id AS namespaceId FROM message m
  WHERE m.row = ? AND NOT EXISTS (SELECT 1 FROM acknowledgement a WHERE a.row = m.row)`;
const ENDED = `SELECT row, device_row AS device, settled_at AS settledAt FROM delivery ${indexedBy("delivery_state")}
  WHERE state = ? AND state <> 'accepted' AND message_row = ? AND device_row > ? AND device_row <= ?
  ORDER BY device_row LIMIT ?`;
/** A device that is lost or no longer follows the topic would not get it. */
const DEVICE = `SELECT ${DEVICE_COLUMNS} FROM device d WHERE d.row = ?2 AND d.lost_at IS NULL
  AND EXISTS (SELECT 1 FROM subscription s WHERE s.topic_id = ?1 AND s.device_row = d.row)`;
const AGAIN = `UPDATE delivery SET state = 'pending', lane = ?2, urgent = ?3, due_at = ?4, expires_at = ?5, settled_at = NULL
  WHERE row = ?1`;
/** A count, less one if the parameter names its state. */
const less = (count: Retried, parameter: string) => `${count} - ${oneIf(`${parameter} = '${count}'`)}`;
const COUNT = `UPDATE delivery_count SET pending = pending + 1, failed = ${less("failed", "?2")},
  expired = ${less("expired", "?2")} WHERE row = ?1`;
// deliveries that ended before days were counted are in none of them
const COUNT_DAY = `UPDATE delivery_day SET failed = ${larger("0", less("failed", "?3"))}, expired = ${larger("0", less("expired", "?3"))}
  WHERE day = ?1 AND namespace_id = ?2`;

const RETRIED = ["failed", "expired"] as const satisfies DeliveryState[];
type Retried = (typeof RETRIED)[number];

const CHANGED = [{ kind: "outbox" }, { kind: "delivery" }] as const;

export function retrier({ write, writer, clock, namespaces }: Engine): DeliveryStore["retry"] {
  const { $client: db } = write;
  const messages = db.prepare<Message & { topicId: TopicId; namespaceId: NamespaceId }, [number]>(MESSAGE);
  const topics = db.prepare<TopicRow, [TopicId]>(LIVE_TOPIC);
  const ended = db.prepare<
    { row: DeliveryRow; device: DeviceRow; settledAt: Millis },
    [Retried, number, number, number, number]
  >(ENDED);
  const devices = db.prepare<StoredDevice, [TopicId, DeviceRow]>(DEVICE);
  const again = db.prepare<unknown, [DeliveryRow, Lane, number, Millis, Millis]>(AGAIN);
  const count = db.prepare<unknown, [number, Retried]>(COUNT);
  const countDay = db.prepare<unknown, [number, NamespaceId, Retried]>(COUNT_DAY);

  return async (seq, plan, device) => {
    const upTo = device ?? Number.MAX_SAFE_INTEGER;
    const done = { retried: 0, left: 0 };
    /** Handles a slice; returns where to continue. */
    const slice = (state: Retried, after: number) => {
      const found = messages.get(seq);
      const topicRow = found && topics.get(found.topicId);
      const rows = ended.all(state, seq, after, upTo, SLICE_ROWS);
      let retried = 0;
      const now = clock.now();
      for (const one of rows) {
        if (found === null || topicRow === null) break;
        const { topicId, namespaceId, ...message } = found;
        const stored = devices.get(topicId, one.device);
        if (stored === null) continue;
        const topic = toTopic(topicRow, namespaces.name(namespaceId));
        const planned = plan({ message, topic, device: toDevice(stored) });
        again.run(one.row, planned.lane, planned.isUrgent ? 1 : 0, now, planned.expiresAt);
        count.run(seq, state);
        countDay.run(dayOf(one.settledAt), namespaceId, state);
        retried++;
      }
      const last = rows.length < SLICE_ROWS ? undefined : rows.at(-1)?.device;
      return { retried, left: rows.length - retried, last };
    };
    for (const state of RETRIED)
      for (let after: number | undefined = (device ?? 1) - 1; after !== undefined;) {
        const from: number = after;
        const part = await writer.run(() => {
          const result = slice(state, from);
          return { result, ...(result.retried > 0 && { events: CHANGED }) };
        });
        done.retried += part.retried;
        done.left += part.left;
        after = part.last;
      }
    return done;
  };
}
