/** Earlier messages of an alert (`dedup_key`), read in small columns: the texts are long, and a page has fifty alerts. */
import type { TopicId } from "../../../topics/topic.ts";
import type { Millis } from "../../../util/clock.ts";
import type { EarlierMessage, MessageStore } from "../../messages.ts";
import { withoutNulls } from "../columns.ts";
import { jsonField } from "../differences.ts";
import type { Engine } from "../engine.ts";

/** How far back the begin of a streak is searched: 1 ms of the event loop (measured). */
const MAX_STREAK_BYTES = 1_048_576;
const MAX_STREAK = 1_000;

const OF_ALERT = "FROM message WHERE topic_id = ? AND dedup_key = ?";
const EARLIER = `SELECT created_at AS createdAt, level, priority, ${jsonField("json", "status")} AS status,
    ${jsonField("json", "title")} AS title, substr(${jsonField("json", "message")}, 1, ?) AS message, octet_length(json) AS bytes
  ${OF_ALERT} AND row < ? ORDER BY row DESC LIMIT ?`;
const LATER = `SELECT 1 AS found ${OF_ALERT} AND row > ? LIMIT 1`;
const STREAK = `SELECT created_at AS createdAt, ${jsonField("json", "status")} AS status,
    ${jsonField("json", "timestamp")} AS timestamp, octet_length(json) AS bytes
  ${OF_ALERT} AND row <= ? ORDER BY row DESC LIMIT ${MAX_STREAK + 1}`;

type Nullable<T> = { [K in keyof T]-?: undefined extends T[K] ? Exclude<T[K], undefined> | null : T[K] };
type Earlier = Nullable<EarlierMessage> & { bytes: number };
type Told = Nullable<{ createdAt: Millis; status?: string; timestamp?: string }> & { bytes: number };

export function alertReader({ read: { $client: db } }: Engine, turn: () => Promise<void>) {
  const q = {
    // the texts first, because their length is read before the alert
    earlier: db.prepare<Earlier, [number, TopicId, string, number, number]>(EARLIER),
    later: db.prepare<{ found: 1 }, [TopicId, string, number]>(LATER),
    streak: db.prepare<Told, [TopicId, string, number]>(STREAK),
  };
  return {
    alert: async (topicId, dedupKey, seq, most) => {
      await turn();
      const isNewest = q.later.get(topicId, dedupKey, seq) === null;
      const earlier: EarlierMessage[] = [];
      let bytes = 0;
      for (const row of q.earlier.iterate(most.characters, topicId, dedupKey, seq, most.limit + 1)) {
        const isFull = earlier.length === most.limit || (earlier.length > 0 && bytes + row.bytes > most.bytes);
        if (isFull) return { isNewest, earlier, moreEarlier: true, bytes };
        bytes += row.bytes;
        earlier.push(earlierOf(row));
      }
      return { isNewest, earlier, moreEarlier: false, bytes };
    },

    firingSince: async (topicId, dedupKey, seq) => {
      await turn();
      let first: Told | undefined;
      let [rows, bytes] = [0, 0];
      for (const row of q.streak.iterate(topicId, dedupKey, seq)) {
        if (row.status === "resolved") break;
        bytes += row.bytes;
        if (++rows > MAX_STREAK || bytes > MAX_STREAK_BYTES) return undefined;
        first = row;
      }
      if (first === undefined) return undefined;
      const { createdAt, timestamp } = first;
      return timestamp === null ? createdAt : Math.min(createdAt, Date.parse(timestamp));
    },
  } satisfies Partial<MessageStore>;
}

const earlierOf = ({ createdAt, level, priority, status, title, message }: Earlier): EarlierMessage =>
  withoutNulls({ createdAt, level, priority, status, title, message });
