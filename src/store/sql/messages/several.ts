/**
 * Several topics as one feed, in commit order. There is no index for it: every publish would pay for one more. In a topic ids grow
 * as `seq` does, so a search finds where a `seq` is among its ids, mostly near the end.
 */
import type { Message } from "../../../messages/message.ts";
import type { TopicId } from "../../../topics/topic.ts";
import type { MessageStore, Nearest, Placed } from "../../messages.ts";
import type { Engine } from "../engine.ts";
import { lazily } from "../statements.ts";
import type { topicsFinder } from "../topics/rows.ts";
import { MESSAGE_COLUMNS } from "./rows.ts";

/** From the index alone: a search looks at some places. */
const PLACE = "SELECT id, row AS seq FROM message WHERE topic_id = ? AND id <= ? ORDER BY id DESC LIMIT 1";
const NEAREST = `SELECT id, row AS seq, created_at AS at FROM message
  WHERE topic_id = ? AND id <= ? ORDER BY id DESC LIMIT 1`;
const IDS = "SELECT id, row AS seq FROM message WHERE topic_id = ? AND id > ? ORDER BY id LIMIT ?";
const FIND = `SELECT ${MESSAGE_COLUMNS} FROM message m WHERE topic_id = ? AND id = ?`;

export function severalReader(
  { read: { $client: db } }: Engine,
  topicsOf: ReturnType<typeof topicsFinder>,
): Pick<MessageStore, "pageTopics" | "idUpTo" | "nearestInTopics"> {
  const place = lazily(() => db.prepare<{ id: number; seq: number }, [TopicId, number]>(PLACE));
  const nearest = lazily(() => db.prepare<Nearest, [TopicId, number]>(NEAREST));
  const ids = lazily(() => db.prepare<{ id: number; seq: number }, [TopicId, number, number]>(IDS));
  const find = lazily(() => db.prepare<Message, [TopicId, number]>(FIND));

  /** `lastId`: the topic's. */
  function idUpTo(topicId: TopicId, seq: number, lastId: number): number {
    /** The message up to this id that is later; undefined: there is none. */
    const laterAt = (id: number): number | undefined => {
      const found = place().get(topicId, id);
      return found !== null && found.seq > seq ? found.id : undefined;
    };
    let [low, high] = [lastId, lastId];
    for (let step = 1; low > 0; step *= 2) {
      const later = laterAt(low);
      if (later === undefined) break;
      high = later - 1;
      low = Math.max(0, later - step);
    }
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      const later = laterAt(middle);
      if (later === undefined) low = middle;
      else high = later - 1;
    }
    return low;
  }

  return {
    idUpTo: async (topicId, seq) => idUpTo(topicId, seq, topicsOf()(topicId)?.lastId ?? 0),

    pageTopics: async (topicIds, after, limit) => {
      const topicOf = topicsOf();
      const next = topicIds.flatMap((topicId) => {
        const topic = topicOf(topicId);
        if (topic === undefined) return [];
        const since = idUpTo(topicId, after, topic.lastId);
        return ids()
          .all(topicId, since, limit)
          .map((place) => ({ topic, ...place }));
      });
      const page = next.toSorted((one, other) => one.seq - other.seq).slice(0, limit);
      return page.flatMap(({ topic, id }): Placed[] => {
        const message = find().get(topic.id, id);
        return message === null ? [] : [{ topic, message }];
      });
    },

    nearestInTopics: async (topicIds, seq) => {
      const topicOf = topicsOf();
      const found = topicIds.flatMap((topicId) => {
        const id = idUpTo(topicId, seq, topicOf(topicId)?.lastId ?? 0);
        return nearest().get(topicId, id) ?? [];
      });
      const newest = found.toSorted((one, other) => other.seq - one.seq)[0];
      return newest && { ...newest, id: newest.seq };
    },
  };
}
