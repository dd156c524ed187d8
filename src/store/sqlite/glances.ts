/** Topics at a glance: no message is counted but by its number, so that a busy topic costs as little as another. */
import type { DeviceRow } from "../../devices/device.ts";
import type { NamespaceId } from "../../keys/namespace.ts";
import type { Level, Message, Priority } from "../../messages/message.ts";
import type { Topic, TopicId } from "../../topics/topic.ts";
import type { Millis } from "../../util/clock.ts";
import { createMapInTurns } from "../../util/turns.ts";
import { COUNTED, type Extent, type Glance, type GlanceStore, type Hour } from "../glances.ts";
import { columnsOf } from "./columns.ts";
import type { Engine } from "./engine.ts";
import { topic } from "./schema.ts";
import { LIVE_TOPIC, toTopic, type TopicRow } from "./topics.ts";

const HOUR = 3_600_000;
const HOURS = 24;
/** So many of the newest are looked at one by one, for their levels. */
const NEWEST = 100;

// By hand, all of this: a page runs it for a hundred topics.
const list = (archived: string) => `SELECT ${columnsOf(topic, "t")} FROM topic t
  WHERE t.namespace_id = ? AND t.name > ? AND t.deleted_at IS NULL AND t.archived_at ${archived}
    AND instr(lower(t.name || ' ' || coalesce(t.description, '')), lower(?)) > 0 ORDER BY t.name LIMIT ?`;
const LAST = `SELECT id, row AS seq, created_at AS createdAt, level, priority, json FROM message
  WHERE topic_id = ? ORDER BY id DESC LIMIT 1`;
const RECENT = "SELECT id, created_at AS at, level FROM message WHERE topic_id = ? ORDER BY id DESC LIMIT ?";
const AT = "SELECT created_at AS at FROM message WHERE topic_id = ? AND id >= ? ORDER BY id LIMIT 1";
const COUNT = "SELECT count(*) AS count FROM (SELECT 1 FROM message WHERE topic_id = ? LIMIT ?)";
const SUBSCRIBERS = "SELECT subscribers FROM topic WHERE row = ?";
const RULES = `SELECT device_row AS device, muted_until AS mutedUntil, min_priority AS minPriority FROM subscription
  WHERE topic_id = ? AND device_row > ? ORDER BY device_row LIMIT ?`;
const CHECKS = 'SELECT id, name FROM "check" WHERE topic_id = ? LIMIT 10';

interface Rule {
  device: DeviceRow;
  mutedUntil: Millis | null;
  minPriority: Priority | null;
}

export function glanceStore({ read, clock, namespaces }: Engine): GlanceStore {
  const { $client: db } = read;
  type Listing = [NamespaceId, string, string, number];
  const q = {
    active: db.prepare<TopicRow, Listing>(list("IS NULL")),
    archived: db.prepare<TopicRow, Listing>(list("IS NOT NULL")),
    last: db.prepare<Message, [TopicId]>(LAST),
    recent: db.prepare<{ id: number; at: Millis; level: Level }, [TopicId, number]>(RECENT),
    at: db.prepare<{ at: Millis }, [TopicId, number]>(AT),
    count: db.prepare<{ count: number }, [TopicId, number]>(COUNT),
    subscribers: db.prepare<{ subscribers: number }, [TopicId]>(SUBSCRIBERS),
    one: db.prepare<TopicRow, [TopicId]>(LIVE_TOPIC),
    rules: db.prepare<Rule, [TopicId, number, number]>(RULES),
    checks: db.prepare<Extent["checks"][number], [TopicId]>(CHECKS),
  };

  const mapInTurns = createMapInTurns(clock);

  const hoursOf = ({ id, lastAt = 0, prunedTo }: Topic, now: Millis): Hour[] | undefined => {
    const from = now - HOURS * HOUR;
    if (lastAt < from) return undefined;
    const hours = Array.from({ length: HOURS }, (): Hour => ({ messages: 0, hasError: false }));
    /** Below 0: earlier than all of them. A clock that was set back makes none later than the last. */
    const hourOf = (at: Millis) => Math.min(Math.floor((at - from) / HOUR), HOURS - 1);
    const add = (hour: number, messages: number, hasError = false) => {
      const one = hours[hour];
      if (one === undefined) return;
      one.messages += messages;
      one.hasError ||= hasError;
    };
    const recent = q.recent.all(id, NEWEST);
    for (const { at, level } of recent) add(hourOf(at), 1, level === "error");
    const oldest = recent.at(-1);
    if (oldest === undefined || recent.length < NEWEST) return hours;

    /** Adds the messages from number `low` up to `high`, whose hours are known: ids are given in the order of time. */
    const split = (low: number, lowHour: number, high: number, highHour: number): void => {
      if (highHour < 0) return;
      if (lowHour === highHour || high - low <= 1) {
        add(lowHour, high - low);
        return;
      }
      const middle = Math.floor((low + high) / 2);
      const hour = hourOf(q.at.get(id, middle)?.at ?? now);
      split(low, lowHour, middle, hour);
      split(middle, hour, high, highHour);
    };
    const first = prunedTo + 1;
    split(first, hourOf(q.at.get(id, first)?.at ?? now), oldest.id, hourOf(oldest.at));
    return hours;
  };

  const glance = (row: TopicRow, now: Millis): Glance => {
    const made: Glance = { topic: toTopic(row, namespaces.name(row.namespaceId)), subscribers: row.subscribers };
    const last = q.last.get(row.row);
    if (last !== null) made.last = last;
    const hours = hoursOf(made.topic, now);
    if (hours !== undefined) made.hours = hours;
    return made;
  };

  return {
    list: async (namespaceId, { archived, text = "", after = "", limit }) => {
      const now = clock.now();
      const rows = q[archived ? "archived" : "active"].all(namespaceId, after, text, limit);
      return mapInTurns(rows, (row) => glance(row, now));
    },

    find: async (topicId) => {
      const row = q.one.get(topicId);
      return row === null ? undefined : glance(row, clock.now());
    },

    rules: async (topicId, { after = 0, limit }) =>
      new Map(
        q.rules
          .all(topicId, after, limit)
          .map(({ device, mutedUntil, minPriority }) => [
            device,
            { ...(mutedUntil !== null && { mutedUntil }), ...(minPriority !== null && { minPriority }) },
          ]),
      ),

    extent: async (topicId) => {
      const oldest = q.at.get(topicId, 0);
      return {
        messages: q.count.get(topicId, COUNTED)?.count ?? 0,
        ...(oldest !== null && { since: oldest.at }),
        subscribers: q.subscribers.get(topicId)?.subscribers ?? 0,
        checks: q.checks.all(topicId),
      };
    },
  };
}
