/** Acknowledges messages: their pushes end, and continue if that is undone in time. */
import { eq } from "drizzle-orm";
import type { DeliveryRow } from "../../../delivery/delivery.ts";
import type { DeviceRow } from "../../../devices/device.ts";
import type { NamespaceId } from "../../../keys/namespace.ts";
import type { TopicId } from "../../../topics/topic.ts";
import type { Millis } from "../../../util/clock.ts";
import { ACK_UNDO_MS, type DeliveryStore } from "../../deliveries.ts";
import type { Committed } from "../../store.ts";
import { placeholders, prepared } from "../statements.ts";
import { acknowledgement } from "../schema/deliveries.ts";
import type { Endings } from "./endings.ts";
import { oneIf } from "../differences.ts";
import type { Engine } from "../engine.ts";
import { SLICE_ROWS } from "../devices/subscriptions.ts";
import { ACKNOWLEDGED, reviver } from "./reviving.ts";

const given = placeholders<typeof acknowledgement, "seq">();

// all by hand: drizzle has no INSERT … SELECT of rows that may not exist, and a message may have 20,000 deliveries
const ACKNOWLEDGE = `INSERT INTO acknowledgement (row, at, by, fanout_cursor, fanout_upto)
  SELECT m.row, ?1, ?2, f.cursor, f.upto FROM message m LEFT JOIN fanout f ON f.row = m.row
  WHERE m.row = ?3 AND m.topic_id = ?4 ON CONFLICT DO NOTHING`;
const STOP_FANOUT = "DELETE FROM fanout WHERE row = ?";
const PENDING = `SELECT row, device_row AS device, ${oneIf("lane LIKE 'forward:%' AND accepted_at IS NOT NULL AND provider_id IS NOT NULL")} AS isHeld
  FROM delivery WHERE message_row = ? AND device_row > ? AND state = 'pending' ORDER BY device_row LIMIT ?`;
/** A service that rings by itself, such as Pushover, is told to stop: the engine looks whether there is anything to tell. */
const LOOK = "UPDATE delivery SET due_at = ?2 WHERE row = ?1";
const TAKE_BACK = `DELETE FROM acknowledgement WHERE row = ?1 AND at >= ?2
  AND EXISTS (SELECT 1 FROM message m WHERE m.row = ?1 AND m.topic_id = ?3)
  RETURNING at, fanout_cursor AS cursor, fanout_upto AS upto`;
const RESUME_FANOUT = "INSERT INTO fanout (row, cursor, upto) VALUES (?, ?, ?)";
// of a forward that had it before, the engine ended the repeats
const STOPPED = `SELECT row, device_row AS device, ${oneIf("state = 'cancelled'")} AS isCancelled, settled_at AS settledAt FROM delivery
  WHERE message_row = ?1 AND device_row > ?2 AND settled_at >= ?3
    AND (last_reason = '${ACKNOWLEDGED}' OR (lane LIKE 'forward:%' AND state = 'accepted' AND accepted_at < ?3))
  ORDER BY device_row LIMIT ?4`;
const NAMESPACE = "SELECT namespace_id AS namespaceId FROM topic WHERE row = ?";

/** Returns where an unfinished part continues. */
type Slice = (seq: number, after: DeviceRow) => DeviceRow | undefined;

export function acknowledging(
  engine: Engine,
  ends: Endings,
): Pick<DeliveryStore, "acknowledge" | "unacknowledge" | "acknowledgedAt"> {
  const { writer, clock } = engine;
  const q = queries(engine);
  const revive = reviver(engine.write);
  const hints = (topicId: TopicId): Committed[] =>
    q.namespace.all(topicId).map((of) => ({ kind: "hint", of: "message", ...of }));
  const rest = (rows: readonly { device: DeviceRow }[]): DeviceRow | undefined =>
    rows.length < SLICE_ROWS ? undefined : rows.at(-1)?.device;

  const cancelFrom: Slice = (seq, after) =>
    ends.ending((end) => {
      const rows = q.pending.all(seq, after, SLICE_ROWS);
      for (const { row, isHeld } of rows)
        if (isHeld === 1) q.look.run(row, clock.now());
        else end(row, clock.now(), { state: "cancelled", reason: ACKNOWLEDGED });
      return rest(rows);
    });

  const reviveFrom =
    (since: Millis): Slice =>
    (seq, after) => {
      const rows = q.stopped.all(seq, after, since, SLICE_ROWS);
      for (const { row, isCancelled, settledAt } of rows)
        revive({ row, seq, isCancelled: isCancelled === 1, settledAt }, clock.now());
      return rest(rows);
    };

  /** In separate jobs, because a message may have 20,000 deliveries. */
  const goOn = async (slice: Slice, seq: number, from: DeviceRow | undefined, events: readonly Committed[]) => {
    for (let after = from; after !== undefined;) {
      const device: DeviceRow = after;
      after = await writer.run(() => ({ result: slice(seq, device), events }));
    }
  };

  return {
    acknowledge: async (topicId, { seq }, by) => {
      const begun = await writer.run<{ after: DeviceRow | undefined } | undefined>(() => {
        if (q.acknowledge.run(clock.now(), by ?? null, seq, topicId).changes === 0) return { result: undefined };
        q.stopFanout.run(seq);
        return { result: { after: cancelFrom(seq, 0 as DeviceRow) }, events: [...hints(topicId), { kind: "outbox" }] };
      });
      // what a crash leaves is cancelled when it becomes due
      if (begun !== undefined) await goOn(cancelFrom, seq, begun.after, []);
      return begun !== undefined;
    },

    unacknowledge: async (topicId, { seq }) => {
      const outbox: readonly Committed[] = [{ kind: "outbox" }, { kind: "delivery" }];
      const begun = await writer.run<{ slice: Slice; after: DeviceRow | undefined } | undefined>(() => {
        const ack = q.takeBack.get(seq, clock.now() - ACK_UNDO_MS, topicId);
        if (ack === null) return { result: undefined };
        if (ack.cursor !== null && ack.upto !== null) q.resumeFanout.run(seq, ack.cursor, ack.upto);
        const slice = reviveFrom(ack.at);
        return { result: { slice, after: slice(seq, 0 as DeviceRow) }, events: [...hints(topicId), ...outbox] };
      });
      if (begun !== undefined) await goOn(begun.slice, seq, begun.after, outbox);
      return begun !== undefined;
    },

    acknowledgedAt: async (seq) => q.at.all({ seq })[0]?.at,
  };
}

function queries({ read, write }: Engine) {
  const { $client: db } = write;
  return {
    acknowledge: db.prepare<unknown, [Millis, string | null, number, TopicId]>(ACKNOWLEDGE),
    stopFanout: db.prepare<unknown, [number]>(STOP_FANOUT),
    pending: db.prepare<{ row: DeliveryRow; device: DeviceRow; isHeld: 0 | 1 }, [number, DeviceRow, number]>(PENDING),
    look: db.prepare<unknown, [DeliveryRow, Millis]>(LOOK),
    takeBack: db.prepare<{ at: Millis; cursor: DeviceRow | null; upto: number | null }, [number, Millis, TopicId]>(
      TAKE_BACK,
    ),
    resumeFanout: db.prepare<unknown, [number, DeviceRow, number]>(RESUME_FANOUT),
    stopped: db.prepare<
      { row: DeliveryRow; device: DeviceRow; isCancelled: 0 | 1; settledAt: Millis },
      [number, DeviceRow, Millis, number]
    >(STOPPED),
    namespace: db.prepare<{ namespaceId: NamespaceId }, [TopicId]>(NAMESPACE),
    at: prepared(() =>
      read.select({ at: acknowledgement.at }).from(acknowledgement).where(eq(acknowledgement.row, given.seq)),
    ),
  };
}
