/** Topics at a glance. Messages are counted from their ids and not row by row, so that a busy topic costs no more than a quiet one. */
import type { DeviceRow } from "../../../devices/device.ts";
import type { NamespaceId } from "../../../keys/namespace.ts";
import type { Message } from "../../../messages/message.ts";
import type { Level, Priority } from "../../../drafts/draft.ts";
import type { Topic, TopicId } from "../../../topics/topic.ts";
import { HOUR, type Millis } from "../../../util/clock.ts";
import { createMapInTurns, createTurns } from "../../../util/turns.ts";
import { fold } from "../../../util/text/fold.ts";
import { COUNTED, type Extent, type Glance, type GlanceStore, type Hour } from "../../glances.ts";
import { columnsOf, withoutNulls } from "../columns.ts";
import type { Engine } from "../engine.ts";
import { firstRowFinder, MESSAGE_COLUMNS } from "../messages/rows.ts";
import { topic } from "../schema/schema.ts";
import { LIVE_TOPIC, toTopic, type TopicRow } from "./rows.ts";

const HOURS = 24;
/** How many topics are searched at once. */
const PAGE = 200;
/** How many of the newest are looked at one by one, for their levels. */
const NEWEST = 48;
/** How many parts of a busy day a list distinguishes: a bar has 20 pixels. */
const BLURRED = 128;

// all by hand: a page runs it for a hundred topics
const list = (archived: string) => `SELECT ${columnsOf(topic, "t")} FROM topic t
  WHERE t.namespace_id = ? AND t.name > ? AND t.deleted_at IS NULL AND t.archived_at ${archived} ORDER BY t.name LIMIT ?`;
const LAST = `SELECT ${MESSAGE_COLUMNS} FROM message m WHERE m.topic_id = ? ORDER BY m.id DESC LIMIT 1`;
const RECENT = "SELECT id, row, level FROM message WHERE topic_id = ? ORDER BY id DESC LIMIT ?";
// only the index is read: a look at the row itself would be needed for each
const ROW_OF = "SELECT row FROM message WHERE topic_id = ? AND id >= ? ORDER BY id LIMIT 1";
const OLDEST = "SELECT created_at AS at FROM message WHERE topic_id = ? ORDER BY id LIMIT 1";
const COUNT = "SELECT count(*) AS count FROM (SELECT 1 FROM message WHERE topic_id = ? LIMIT ?) AS found";
const SUBSCRIBERS = "SELECT subscribers FROM topic WHERE row = ?";
const RULES = `SELECT device_row AS device, muted_until AS mutedUntil, min_priority AS minPriority FROM subscription
  WHERE topic_id = ? AND device_row > ? ORDER BY device_row LIMIT ?`;
const CHECKS = 'SELECT id, name FROM "check" WHERE topic_id = ? LIMIT 10';

/** The last 24 hours as rows of messages. */
interface DayRows {
  from: Millis;
  firsts: readonly number[];
  /** Otherwise an hour of a busy topic may be off by a few hundredths of its day, but the sum is right. */
  isExact: boolean;
}

interface Rule {
  device: DeviceRow;
  mutedUntil: Millis | null;
  minPriority: Priority | null;
}

export function glanceStore(engine: Engine): GlanceStore {
  const { read, clock, namespaces } = engine;
  const q = queries(engine);
  const mapInTurns = createMapInTurns(clock);
  const turn = createTurns();
  const firstRowAt = firstRowFinder(read.$client);

  /** The first row of each of the last 24 hours: all topics share these. */
  const hoursAt = (now: Millis, isExact: boolean): DayRows => {
    const from = now - HOURS * HOUR;
    const firsts: number[] = [];
    for (let hour = 0; hour < HOURS; hour++) firsts.push(firstRowAt(from + hour * HOUR, firsts.at(-1)));
    return { from, firsts, isExact };
  };

  const glance = (row: TopicRow, day: DayRows): Glance => {
    const made: Glance = { topic: toTopic(row, namespaces.name(row.namespaceId)), subscribers: row.subscribers };
    const last = q.last.get(row.row);
    if (last !== null) made.last = last;
    const hours = hoursOf(q, made.topic, day);
    if (hours !== undefined) made.hours = hours;
    return made;
  };

  return {
    list: async (namespaceId, { archived, text = "", after = "", limit }) => {
      const page = q[archived ? "archived" : "active"];
      const wanted = fold(text); // SQLite's `lower` knows only ASCII letters
      const rows: TopicRow[] = [];
      const size = wanted === "" ? limit : PAGE;
      for (let from: string | undefined = after; from !== undefined && rows.length < limit;) {
        const found: TopicRow[] = page.all(namespaceId, from, size);
        rows.push(...found.filter((row) => fold(`${row.name} ${row.description ?? ""}`).includes(wanted)));
        from = found.length < size ? undefined : found.at(-1)?.name;
        await turn();
      }
      rows.splice(limit);
      const day = hoursAt(clock.now(), false);
      return mapInTurns(rows, (row) => glance(row, day));
    },

    find: async (topicId) => {
      const row = q.one.get(topicId);
      return row === null ? undefined : glance(row, hoursAt(clock.now(), true));
    },

    rules: async (topicId, { after = 0, limit }) =>
      new Map(q.rules.all(topicId, after, limit).map(({ device, ...rule }) => [device, withoutNulls(rule)])),

    extent: async (topicId) => {
      const oldest = q.oldest.get(topicId);
      return {
        messages: q.count.get(topicId, COUNTED)?.count ?? 0,
        ...(oldest !== null && { since: oldest.at }),
        subscribers: q.subscribers.get(topicId)?.subscribers ?? 0,
        checks: q.checks.all(topicId),
      };
    },
  };
}

/** Messages of each hour, found by halving the numbers of the topic until the hours at both ends of a part are the same. */
function hoursOf(
  q: Queries,
  { id, lastAt = 0, prunedTo }: Topic,
  { from, firsts, isExact }: DayRows,
): Hour[] | undefined {
  if (lastAt < from) return undefined;
  const hours = Array.from({ length: HOURS }, (): Hour => ({ messages: 0, hasError: false }));
  /** Below 0: earlier than all of them. */
  const hourOf = (row: number) => firsts.findLastIndex((first) => row >= first);
  const add = (hour: number, messages: number, hasError = false) => {
    const one = hours[hour];
    if (one === undefined) return;
    one.messages += messages;
    one.hasError ||= hasError;
  };
  const recent = q.recent.all(id, NEWEST);
  for (const { row, level } of recent) add(hourOf(row), 1, level === "error");
  const oldest = recent.at(-1);
  if (oldest === undefined || recent.length < NEWEST) return hours;

  /** Whether the message with this number, or the next that is kept, came before these hours. */
  const isEarlier = (number: number) => hourOf(q.rowOf.get(id, number)?.row ?? oldest.row) < 0;
  let first = prunedTo + 1;
  for (let end = oldest.id; first < end;) {
    const middle = Math.floor((first + end) / 2);
    if (isEarlier(middle)) first = middle + 1;
    else end = middle;
  }
  const least = isExact ? 1 : Math.max(1, (oldest.id - first) / BLURRED);
  /** Adds the messages from number `low` up to `high`, whose hours are known. */
  const split = (low: number, lowHour: number, high: number, highHour: number): void => {
    if (lowHour === highHour || high - low <= least) {
      add(lowHour, high - low);
      return;
    }
    const middle = Math.floor((low + high) / 2);
    const hour = hourOf(q.rowOf.get(id, middle)?.row ?? oldest.row);
    split(low, lowHour, middle, hour);
    split(middle, hour, high, highHour);
  };
  if (first < oldest.id) split(first, hourOf(q.rowOf.get(id, first)?.row ?? oldest.row), oldest.id, hourOf(oldest.row));
  return hours;
}

type Queries = ReturnType<typeof queries>;

function queries({ read: { $client: db } }: Engine) {
  type Listing = [NamespaceId, string, number];
  return {
    active: db.prepare<TopicRow, Listing>(list("IS NULL")),
    archived: db.prepare<TopicRow, Listing>(list("IS NOT NULL")),
    last: db.prepare<Message, [TopicId]>(LAST),
    recent: db.prepare<{ id: number; row: number; level: Level }, [TopicId, number]>(RECENT),
    rowOf: db.prepare<{ row: number }, [TopicId, number]>(ROW_OF),
    oldest: db.prepare<{ at: Millis }, [TopicId]>(OLDEST),
    count: db.prepare<{ count: number }, [TopicId, number]>(COUNT),
    subscribers: db.prepare<{ subscribers: number }, [TopicId]>(SUBSCRIBERS),
    one: db.prepare<TopicRow, [TopicId]>(LIVE_TOPIC),
    rules: db.prepare<Rule, [TopicId, number, number]>(RULES),
    checks: db.prepare<Extent["checks"][number], [TopicId]>(CHECKS),
  };
}
