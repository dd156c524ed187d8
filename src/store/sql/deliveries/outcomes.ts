/** Stores the outcomes of deliveries that were tried: `settle` of the port. */
import type { DeliveryRow, Outcome } from "../../../delivery/delivery.ts";
import type { Millis } from "../../../util/clock.ts";
import type { DeliveryStore, DeviceNews } from "../../deliveries.ts";
import type { CountAs, End, Ending, Endings } from "./endings.ts";
import type { Engine } from "../engine.ts";
import { SLICE_ROWS } from "../devices/subscriptions.ts";
import { ACKNOWLEDGED, reviver } from "./reviving.ts";

// by hand: each of 10,000 sends runs two of them
const KEEP = `UPDATE delivery SET due_at = ?2, attempts = attempts + ?3, accepted_at = coalesce(accepted_at, ?4),
    provider_id = coalesce(?5, provider_id), last_status = ?6, last_reason = ?7
  WHERE row = ?1 AND state = 'pending'`;
/** Acknowledged while it was under way to a forward: a service that rings by itself has to be told to stop. */
const LATE = `SELECT d.message_row AS seq, d.settled_at AS settledAt FROM delivery d
  WHERE d.row = ? AND d.lane LIKE 'forward:%' AND EXISTS (SELECT 1 FROM acknowledgement a WHERE a.row = d.message_row)
    AND (d.state = 'pending' OR (d.state = 'cancelled' AND d.last_reason = '${ACKNOWLEDGED}'))`;
const SUCCEEDED = "UPDATE device SET last_success_at = ? WHERE row = ? AND registered_at = ?";
const FAILED = "UPDATE device SET last_error_at = ?, last_error = ? WHERE row = ? AND registered_at = ?";
const LOST = `UPDATE device SET lost_at = coalesce(lost_at, ?), lost_reason = coalesce(lost_reason, ?)
  WHERE row = ? AND registered_at = ?`;
const MOVED = "UPDATE device SET environment = ?, was_moved = 1 WHERE row = ? AND registered_at = ?";
const MOVE = "UPDATE delivery SET lane = ? WHERE device_row = ? AND state = 'pending'";

export function settler({ write, writer, clock }: Engine, { ending, cancelOf }: Endings): DeliveryStore["settle"] {
  const { $client: db } = write;
  const keep = db.prepare(KEEP);
  const late = db.prepare<{ seq: number; settledAt: Millis | null }, [DeliveryRow]>(LATE);
  const revive = reviver(write);
  const succeeded = db.prepare(SUCCEEDED);
  const failed = db.prepare(FAILED);
  const lost = db.prepare(LOST);
  const moved = db.prepare(MOVED);
  const move = db.prepare(MOVE);

  /** True if its message was acknowledged meanwhile; if that cancelled it, it waits again. */
  const reopen = (row: DeliveryRow, now: Millis): boolean => {
    const found = late.get(row);
    if (found === null) return false;
    const { seq, settledAt } = found;
    if (settledAt !== null) revive({ row, seq, isCancelled: true, settledAt }, now);
    return true;
  };
  const note = (row: DeliveryRow, outcome: Outcome, now: Millis, end: End, countAs: CountAs): void => {
    if (outcome.kind === "later") {
      const { dueAt, isAttempt, status = null, reason } = outcome;
      keep.run(row, dueAt, isAttempt ? 1 : 0, null, null, status, reason);
    } else if (outcome.kind === "accepted" && outcome.repeatAt !== undefined) {
      const dueAt = reopen(row, now) ? now : outcome.repeatAt;
      countAs(row, now, "accepted");
      keep.run(row, dueAt, 1, now, outcome.providerId ?? null, outcome.status ?? null, null);
    } else end(row, now, endOf(outcome));
  };
  /** True if the device is lost. */
  const tell = ({ device, ...news }: DeviceNews, now: Millis): boolean => {
    const { row, registeredAt } = device;
    if (news.succeeded) succeeded.run(now, row, registeredAt);
    if (news.error !== undefined) failed.run(now, news.error, row, registeredAt);
    if (news.movedTo !== undefined && moved.run(news.movedTo.environment, row, registeredAt).changes > 0)
      move.run(news.movedTo.lane, row);
    return news.lost !== undefined && lost.run(now, news.lost, row, registeredAt).changes > 0;
  };

  return async (settled) => {
    const cancel = (gone: readonly DeviceNews[]) =>
      gone.filter(({ device, lost = "" }) => cancelOf(device.row, clock.now(), lost, SLICE_ROWS) === SLICE_ROWS);
    let rest = await writer.run(() => {
      const now = clock.now();
      const news = ending((end, countAs) =>
        settled.flatMap((one) => {
          for (const row of one.rows) note(row, one.outcome, now, end, countAs);
          return one.news ?? [];
        }),
      );
      const gone = cancel(news.filter((one) => tell(one, now)));
      return { result: gone, events: [{ kind: "delivery" }] };
    });
    // in separate jobs: thousands may wait for a device. After a crash its next push finds out again that it is lost
    while (rest.length > 0) {
      const gone = rest;
      rest = await writer.run(() => ({ result: cancel(gone) }));
    }
  };
}

/** A try is an answer of the push service. */
function endOf(outcome: Exclude<Outcome, { kind: "later" }>): Ending {
  const { kind: state, status } = outcome;
  const isAttempt = status !== undefined;
  if (outcome.kind === "accepted") return { state, status, providerId: outcome.providerId, isAttempt };
  return { state, status, reason: outcome.reason, isAttempt };
}
