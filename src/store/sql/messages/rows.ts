/** Messages in statements by hand: their columns, the first of a time, and those with deliveries in a state. */
import type { Database } from "bun:sqlite";
import type { DeliveryState } from "../../../delivery/delivery.ts";
import type { Message } from "../../../messages/message.ts";
import type { Millis } from "../../../util/clock.ts";
import type { PageQuery } from "../../messages.ts";

/** As in `Message`; for `message m`. */
export const MESSAGE_COLUMNS = "m.id, m.row AS seq, m.created_at AS createdAt, m.level, m.priority, m.json";

/** The most messages that one look reads: 5 µs each (measured). */
const LOOKED = 2_000;

/**
 * The rows of messages with a delivery in a state, as the table `found`, from row `?1` on, the newest first: one step a message,
 * however many devices it has. `<> 'accepted'` beside the state, because the partial index has it.
 */
export const messagesWith = (state: Exclude<DeliveryState, "accepted">): string => {
  const from = `FROM delivery WHERE state = '${state}' AND state <> 'accepted' AND message_row >= ?1`;
  return `WITH RECURSIVE found(row, n) AS (SELECT max(message_row), 1 ${from} UNION ALL
    SELECT (SELECT max(message_row) ${from} AND message_row < found.row), n + 1
    FROM found WHERE found.row IS NOT NULL AND n < ${LOOKED})`;
};

const LAST_ROW = "SELECT row FROM message ORDER BY row DESC LIMIT 1";
const TIME_AT = "SELECT created_at AS at FROM message WHERE row >= ? ORDER BY row LIMIT 1";

/** Finds the first row that was stored at a time or later: rows are given in the order of time. `from`: no earlier row is it. */
export function firstRowFinder(db: Database): (at: Millis, from?: number) => number {
  const lastRow = db.prepare<{ row: number }, []>(LAST_ROW);
  const timeAt = db.prepare<{ at: Millis }, [number]>(TIME_AT);
  return (at, from = 1) => {
    let low = from;
    let high = (lastRow.get()?.row ?? 0) + 1;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((timeAt.get(middle)?.at ?? Infinity) < at) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

/** Collects what is read for a page. */
export function collector<One extends Pick<Message, "json">>({
  limit,
  bytes = Infinity,
}: Pick<PageQuery, "limit" | "bytes">) {
  const found: One[] = [];
  let left = bytes;
  return {
    found,
    /** False: the page is full without it, so there is more. */
    add: (one: One): boolean => {
      if (found.length === limit) return false;
      if (left < Infinity) left -= Buffer.byteLength(one.json);
      if (left < 0 && found.length > 0) return false;
      found.push(one);
      return true;
    },
  };
}

/** A search answers with what it has found by then, and where it stopped. */
export const SEARCH_MS = 250;
