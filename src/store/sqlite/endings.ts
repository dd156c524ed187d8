/** How a delivery ends, inside a job, and is counted. */
import type { DeliveryRow, DeliveryState } from "../../delivery/delivery.ts";
import type { DeviceRow } from "../../devices/device.ts";
import type { Millis } from "../../util/clock.ts";
import type { Orm } from "./connection.ts";

type Ended = Exclude<DeliveryState, "pending">;

export interface Ending {
  /** What was accepted before ends as accepted, whatever became of its repeat. */
  state: Ended;
  status?: number | undefined;
  reason?: string | undefined;
  providerId?: string | undefined;
  isAttempt?: boolean;
}

/** Ends a delivery that is pending; undefined: it was not. */
export type End = (row: DeliveryRow, now: Millis, ending: Ending) => Ended | undefined;

// By hand: each of 10,000 sends runs it.
const END = `UPDATE delivery SET
    state = CASE WHEN accepted_at IS NULL THEN ?3 ELSE 'accepted' END,
    accepted_at = CASE ?3 WHEN 'accepted' THEN coalesce(accepted_at, ?2) ELSE accepted_at END,
    settled_at = ?2, attempts = attempts + ?4, provider_id = coalesce(?5, provider_id), last_status = ?6, last_reason = ?7
  WHERE row = ?1 AND state = 'pending' RETURNING message_row AS messageRow, state`;
const COUNT = `UPDATE delivery_count SET pending = pending - ?2 - ?3 - ?4 - ?5,
    accepted = accepted + ?2, failed = failed + ?3, expired = expired + ?4, cancelled = cancelled + ?5
  WHERE row = ?1`;
const PENDING =
  "SELECT row FROM delivery INDEXED BY delivery_device WHERE device_row = ? AND state = 'pending' LIMIT ?";

/** Made once, on the connection that writes. Counts are written when the part of the job ends: many end of one message. */
export function endings({ $client: db }: Orm) {
  const end = db.prepare<{ messageRow: number | null; state: Ended }, (string | number | null)[]>(END);
  const count = db.prepare(COUNT);
  const pending = db.prepare<{ row: DeliveryRow }, [DeviceRow, number]>(PENDING);

  const ending = <T>(part: (end: End) => T): T => {
    const ended = new Map<number, Record<Ended, number>>();
    const result = part((row, now, { state, status, reason, providerId, isAttempt = false }) => {
      const given = [row, now, state, isAttempt ? 1 : 0, providerId ?? null, status ?? null, reason ?? null];
      const done = end.get(...given);
      if (done === null) return undefined;
      if (done.messageRow === null) return done.state;
      const counted = ended.get(done.messageRow) ?? { accepted: 0, failed: 0, expired: 0, cancelled: 0 };
      ended.set(done.messageRow, counted);
      counted[done.state]++;
      return done.state;
    });
    for (const [row, { accepted, failed, expired, cancelled }] of ended)
      count.run(row, accepted, failed, expired, cancelled);
    return result;
  };

  return {
    ending,
    /** Cancels up to `limit` of what waits for a device; returns how many. */
    cancelOf: (device: DeviceRow, now: Millis, reason: string, limit: number): number =>
      ending((end) => {
        const rows = pending.all(device, limit);
        for (const { row } of rows) end(row, now, { state: "cancelled", reason });
        return rows.length;
      }),
  };
}

export type Endings = ReturnType<typeof endings>;
