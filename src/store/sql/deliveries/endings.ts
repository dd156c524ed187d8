/** Ends deliveries inside a job, and counts how they ended. */
import type { DeliveryRow, DeliveryState } from "../../../delivery/delivery.ts";
import type { DeviceRow } from "../../../devices/device.ts";
import { DAY, type Millis } from "../../../util/clock.ts";
import { indexedBy, type Orm } from "../differences.ts";

type Ended = Exclude<DeliveryState, "pending">;

export interface Ending {
  /** A delivery that was accepted before ends as accepted, whatever became of its repeat. */
  state: Ended;
  status?: number | undefined;
  reason?: string | undefined;
  providerId?: string | undefined;
  isAttempt?: boolean;
}

/** Ends a pending delivery; undefined if it was not pending. */
export type End = (row: DeliveryRow, now: Millis, ending: Ending) => Ended | undefined;

/**
 * Counts a pending delivery by how it ends; undefined if it is not pending. One that is repeated is counted when it is accepted,
 * and not again when its repeats end, because it is shown as accepted all the while.
 */
export type CountAs = (row: DeliveryRow, now: Millis, state: Ended) => Ended | undefined;

// all by hand: each of 10,000 sends runs the first two
const BEFORE =
  "SELECT message_row AS messageRow, accepted_at AS acceptedAt FROM delivery WHERE row = ? AND state = 'pending'";
const END = `UPDATE delivery SET state = ?3, accepted_at = CASE ?3 WHEN 'accepted' THEN coalesce(accepted_at, ?2) END,
    settled_at = ?2, attempts = attempts + ?4, provider_id = coalesce(?5, provider_id), last_status = ?6, last_reason = ?7
  WHERE row = ?1`;
const COUNT = `UPDATE delivery_count SET pending = pending - ?2 - ?3 - ?4 - ?5,
    accepted = accepted + ?2, failed = failed + ?3, expired = expired + ?4, cancelled = cancelled + ?5
  WHERE row = ?1`;
const COUNT_DAY = `INSERT INTO delivery_day AS was (day, namespace_id, accepted, failed, expired, cancelled)
  SELECT ?2, namespace_id, ?3, ?4, ?5, ?6 FROM message WHERE row = ?1
  ON CONFLICT (day, namespace_id) DO UPDATE SET accepted = was.accepted + excluded.accepted,
    failed = was.failed + excluded.failed, expired = was.expired + excluded.expired,
    cancelled = was.cancelled + excluded.cancelled`;
const PENDING = `SELECT row FROM delivery ${indexedBy("delivery_device")} WHERE device_row = ? AND state = 'pending' LIMIT ?`;

/** The day since 1970, in UTC. */
export const dayOf = (at: Millis): number => Math.floor(at / DAY);

/** Made once, on the connection that writes. Counts are written when the job's part ends: many deliveries of a message end. */
export function endings({ $client: db }: Orm) {
  const before = db.prepare<{ messageRow: number | null; acceptedAt: Millis | null }, [DeliveryRow]>(BEFORE);
  const end = db.prepare<unknown, (string | number | null)[]>(END);
  const count = db.prepare(COUNT);
  const countDay = db.prepare(COUNT_DAY);
  const pending = db.prepare<{ row: DeliveryRow }, [DeviceRow, number]>(PENDING);

  const ending = <T>(part: (end: End, countAs: CountAs) => T): T => {
    const ended = new Map<number, Record<Ended, number> & { day: number }>();
    const countAs: CountAs = (row, now, state) => {
      const was = before.get(row);
      if (was === null) return undefined;
      if (was.acceptedAt !== null) return "accepted";
      if (was.messageRow === null) return state;
      const counted = ended.get(was.messageRow) ?? {
        day: dayOf(now),
        accepted: 0,
        failed: 0,
        expired: 0,
        cancelled: 0,
      };
      ended.set(was.messageRow, counted);
      counted[state]++;
      return state;
    };
    const result = part((row, now, { state, status, reason, providerId, isAttempt = false }) => {
      const final = countAs(row, now, state);
      if (final !== undefined)
        end.run(row, now, final, isAttempt ? 1 : 0, providerId ?? null, status ?? null, reason ?? null);
      return final;
    }, countAs);
    for (const [row, { day, accepted, failed, expired, cancelled }] of ended) {
      count.run(row, accepted, failed, expired, cancelled);
      countDay.run(row, day, accepted, failed, expired, cancelled);
    }
    return result;
  };

  return {
    ending,
    /** Cancels up to `limit` pending deliveries of a device; returns how many. */
    cancelOf: (device: DeviceRow, now: Millis, reason: string, limit: number): number =>
      ending((end) => {
        const rows = pending.all(device, limit);
        for (const { row } of rows) end(row, now, { state: "cancelled", reason });
        return rows.length;
      }),
  };
}

export type Endings = ReturnType<typeof endings>;
