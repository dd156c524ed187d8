/** Lets deliveries that an acknowledgement ended wait again, inside jobs. */
import type { DeliveryRow } from "../../../delivery/delivery.ts";
import type { Millis } from "../../../util/clock.ts";
import { larger, type Orm } from "../differences.ts";
import { dayOf } from "./endings.ts";

/** The reason of what an acknowledgement ended. */
export const ACKNOWLEDGED = "somebody acknowledged it";

// all by hand: a message may have 20,000 deliveries
// what a service rang for by itself is over there: without its receipt it is sent anew
const REVIVE = `UPDATE delivery SET state = 'pending', due_at = ?2, settled_at = NULL, last_reason = NULL,
    provider_id = CASE WHEN lane LIKE 'forward:%' THEN NULL ELSE provider_id END
  WHERE row = ?1`;
// a delivery that was accepted before it was cancelled counts as accepted, repeated or not
const COUNT = "UPDATE delivery_count SET pending = pending + 1, cancelled = cancelled - 1 WHERE row = ?";
const COUNT_DAY = `UPDATE delivery_day SET cancelled = ${larger("0", "cancelled - 1")}
  WHERE day = ?1 AND namespace_id = (SELECT namespace_id FROM message WHERE row = ?2)`;

interface Stopped {
  row: DeliveryRow;
  /** Of its message. */
  seq: number;
  isCancelled: boolean;
  settledAt: Millis;
}

export function reviver({ $client: db }: Orm): (stopped: Stopped, now: Millis) => void {
  const revive = db.prepare<unknown, [DeliveryRow, Millis]>(REVIVE);
  const count = db.prepare<unknown, [number]>(COUNT);
  const countDay = db.prepare<unknown, [number, number]>(COUNT_DAY);
  return ({ row, seq, isCancelled, settledAt }, now) => {
    revive.run(row, now);
    if (!isCancelled) return;
    count.run(seq);
    countDay.run(dayOf(settledAt), seq);
  };
}
