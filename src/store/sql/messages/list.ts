/**
 * One list of everything: messages of several namespaces, the newest first, by an index of each. Their row numbers are merged, so
 * nothing is read of other namespaces, and a page costs the same however many topics there are.
 */
import type { NamespaceId } from "../../../keys/namespace.ts";
import type { Message } from "../../../messages/message.ts";
import type { Level } from "../../../drafts/draft.ts";
import type { Topic, TopicId } from "../../../topics/topic.ts";
import type { Millis } from "../../../util/clock.ts";
import { SLICE_MS } from "../../../util/turns.ts";
import { matcher } from "../../filter.ts";
import type { ListQuery, Placed, MessageStore } from "../../messages.ts";
import type { Engine } from "../engine.ts";
import { collector, MESSAGE_COLUMNS, SEARCH_MS } from "./rows.ts";

const ALL = "SELECT row FROM message WHERE namespace_id = ? AND row < ? ORDER BY row DESC LIMIT ?";
const URGENT =
  "SELECT row FROM message WHERE namespace_id = ? AND priority = 'urgent' AND row < ? ORDER BY row DESC LIMIT ?";
// most messages do not have the level: without their text they are read four times as fast
const LEVELS =
  "SELECT row, level, created_at AS at FROM message WHERE namespace_id = ? AND row < ? ORDER BY row DESC LIMIT ?";
const MESSAGE = `SELECT ${MESSAGE_COLUMNS}, m.topic_id AS topicId FROM message m WHERE m.row = ?`;

interface Row {
  row: number;
  level?: Level;
  at?: Millis;
}
type Found = Message & { topicId: TopicId };

/** How many rows of all namespaces together are read first; later more, up to `MOST_ROWS` of each. */
const FIRST_ROWS = 64;
const MOST_ROWS = 512;

/** `topicsOf` looks each topic up once; undefined if it is deleted. `turn` is shared with other searches. */
export function listReader(
  { read: { $client: db }, clock }: Engine,
  topicsOf: () => (id: TopicId) => Topic | undefined,
  turn: () => Promise<void>,
): MessageStore["list"] {
  const prepare = (sql: string) => db.prepare<Row, [NamespaceId, number, number]>(sql);
  const q = { all: prepare(ALL), urgent: prepare(URGENT), levels: prepare(LEVELS) };
  const messageAt = db.prepare<Found, [number]>(MESSAGE);

  const statementFor = ({ priorities = [], levels }: ListQuery) => {
    if (priorities.length === 1 && priorities[0] === "urgent") return q.urgent;
    return levels === undefined ? q.all : q.levels;
  };

  return async (ids, query) => {
    const { levels, before = Number.MAX_SAFE_INTEGER } = query;
    const statement = statementFor(query);
    const matches = matcher(query);
    const topicOf = topicsOf();
    const { found, add } = collector<Found>(query);
    const deadline = clock.monotonic() + SEARCH_MS;
    let pause = clock.monotonic() + SLICE_MS;
    /** When the message that was looked at last was stored. */
    let lookedTo: Millis | undefined;
    for (const { row, level, at } of newestOf(ids, before, (...given) => statement.all(...given))) {
      const isLeftOut = level !== undefined && levels?.includes(level) === false;
      const message = isLeftOut ? null : messageAt.get(row); // the message may be gone since its row was read
      if (message !== null && topicOf(message.topicId) !== undefined && matches(message) && !add(message))
        return { messages: placed(found, topicOf), nextBefore: found.at(-1)?.seq ?? row };
      lookedTo = message?.createdAt ?? at ?? lookedTo;
      const now = clock.monotonic();
      if (now >= deadline && lookedTo !== undefined)
        return { messages: placed(found, topicOf), nextBefore: row, lookedTo };
      if (now < pause) continue;
      await turn();
      pause = clock.monotonic() + SLICE_MS;
    }
    return { messages: placed(found, topicOf) };
  };
}

const placed = (found: readonly Found[], topicOf: (id: TopicId) => Topic | undefined): Placed[] =>
  found.flatMap(({ topicId, ...message }) => {
    const topic = topicOf(topicId);
    return topic === undefined ? [] : [{ topic, message }];
  });

type Read = (id: NamespaceId, before: number, limit: number) => Row[];

/** The rows of one namespace, the newest first. `count`: how many are read first. */
function* rowsOf(id: NamespaceId, { before, count, read }: { before: number; count: number; read: Read }) {
  let last = before;
  for (let limit = count; ; limit = Math.min(4 * limit, MOST_ROWS)) {
    const rows = read(id, last, limit);
    yield* rows;
    if (rows.length < limit) return;
    last = rows.at(-1)?.row ?? last;
  }
}

/** The rows of all, the newest first: a row is in one namespace only. */
function* newestOf(ids: readonly NamespaceId[], before: number, read: Read): Generator<Row> {
  const count = Math.max(4, Math.ceil(FIRST_ROWS / ids.length));
  const heads = ids.flatMap((id) => {
    const rest = rowsOf(id, { before, count, read });
    const { value } = rest.next();
    return value === undefined ? [] : [{ next: value, rest }];
  });
  while (heads.length > 0) {
    const first = heads.reduce((a, b) => (b.next.row > a.next.row ? b : a));
    yield first.next;
    const { value } = first.rest.next();
    if (value === undefined) heads.splice(heads.indexOf(first), 1);
    else first.next = value;
  }
}
