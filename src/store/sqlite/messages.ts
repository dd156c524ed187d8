/** Messages: pages of history, single ones, and the stream of a namespace. */
import { and, asc, desc, eq, gt, lt, sql } from "drizzle-orm";
import type { Message } from "../../messages/message.ts";
import type { Topic, TopicId } from "../../topics/topic.ts";
import { createTurns, SLICE_MS } from "../../util/turns.ts";
import { isFiltered, matcher } from "../filter.ts";
import type { MessageStore, Page, PageQuery } from "../store.ts";
import { prepared } from "./connection.ts";
import type { Discards } from "./discards.ts";
import type { Engine } from "./engine.ts";
import { MESSAGE_COLUMNS } from "./messagerows.ts";
import { publisher } from "./publish.ts";
import { message } from "./schema.ts";
import { toTopic, topicByRow, type MakeTopic } from "./topics.ts";

const { placeholder } = sql;

/** A search answers what it has found by then, and where it stopped. */
const SEARCH_MS = 250;

const columns = {
  id: message.id,
  seq: message.row,
  createdAt: message.createdAt,
  level: message.level,
  priority: message.priority,
  json: message.json,
};

export function messageStore(
  engine: Engine,
  { makeTopic, discards }: { makeTopic: MakeTopic; discards: Discards },
): MessageStore {
  const { read, namespaces } = engine;
  const between = and(
    eq(message.topicId, placeholder("topicId")),
    gt(message.id, placeholder("since")),
    lt(message.id, placeholder("before")),
  );
  const q = {
    topic: topicByRow(read),
    oldest: prepared(() =>
      read.select(columns).from(message).where(between).orderBy(asc(message.id)).limit(placeholder("limit")),
    ),
    newest: prepared(() =>
      read.select(columns).from(message).where(between).orderBy(desc(message.id)).limit(placeholder("limit")),
    ),
    find: prepared(() =>
      read
        .select(columns)
        .from(message)
        .where(and(eq(message.topicId, placeholder("topicId")), eq(message.id, placeholder("id")))),
    ),
    alert: prepared(() =>
      read
        .select(columns)
        .from(message)
        .where(and(eq(message.topicId, placeholder("topicId")), eq(message.dedupKey, placeholder("dedupKey"))))
        .orderBy(desc(message.row))
        .limit(placeholder("limit")),
    ),
    ofNamespace: prepared(() =>
      read
        .select({ ...columns, topicId: message.topicId })
        .from(message)
        .where(and(eq(message.namespaceId, placeholder("namespaceId")), gt(message.row, placeholder("after"))))
        .orderBy(asc(message.row))
        .limit(placeholder("limit")),
    ),
    // SQLite's own table of what AUTOINCREMENT gave: the newest row may be gone
    lastSeq: prepared(() =>
      read
        .select({ seq: sql<number>`seq` })
        .from(sql`sqlite_sequence`)
        .where(sql`name = 'message'`),
    ),
  };
  const turn = createTurns();
  const search = searcher(engine, turn);

  const topicsOf = () => {
    const known = new Map<TopicId, Topic | undefined>();
    return (topicId: TopicId) => {
      if (known.has(topicId)) return known.get(topicId);
      const [row] = q.topic.all({ topicId });
      const found = row && toTopic(row, namespaces.name(row.namespaceId));
      known.set(topicId, found);
      return found;
    };
  };

  return {
    publish: publisher(engine, makeTopic),

    page: async (topicId, query) => {
      const [row] = q.topic.all({ topicId });
      if (row === undefined) return { messages: [], hasMore: false, lastId: 0, truncated: false };
      const truncated = query.since !== undefined && query.since < row.prunedTo;
      const found = isFiltered(query)
        ? await search(topicId, query)
        : pageOf(
            q[isForward(query) ? "oldest" : "newest"].all({ topicId, ...bounds(query), limit: query.limit + 1 }),
            query,
          );
      return { ...found, lastId: row.lastId, truncated };
    },

    pageNamespace: async (namespaceId, after, limit) => {
      const topicOf = topicsOf();
      let last = after;
      for (;;) {
        const rows = q.ofNamespace.all({ namespaceId, after: last, limit });
        const found = rows.flatMap(({ topicId, ...row }) => {
          const of = topicOf(topicId);
          return of === undefined ? [] : [{ topic: of, message: row }];
        });
        if (found.length > 0 || rows.length < limit) return found;
        last = rows.at(-1)?.seq ?? last; // all of them of deleted topics: go on behind them
        await turn();
      }
    },

    lastSeq: async () => q.lastSeq.all()[0]?.seq ?? 0,

    find: async (topicId, id) => q.find.all({ topicId, id })[0],

    alert: async (topicId, dedupKey, limit) => {
      await turn(); // a page may show fifty alerts, each with a history of 700 KB
      return q.alert.all({ topicId, dedupKey, limit });
    },

    remove: discards.remove,
    discard: discards.discard,
    restore: discards.restore,
  };
}

type Found = Omit<Page, "lastId" | "truncated">;

const isForward = (query: PageQuery): boolean => query.since !== undefined;
const bounds = ({ after = 0, since = after, before = Number.MAX_SAFE_INTEGER }: PageQuery) => ({ since, before });

/** A page from up to `limit + 1` messages, the last of which only proves that there is more. */
function pageOf(messages: Message[], query: PageQuery): Found {
  const page = messages.slice(0, query.limit);
  if (messages.length <= query.limit) return { messages: page, hasMore: false };
  return { messages: page, hasMore: true, ...cursor(query, page.at(-1)?.id ?? 0) };
}

const cursor = (query: PageQuery, id: number) => (isForward(query) ? { nextSince: id } : { nextBefore: id });

/** Reads the topic row by row in the direction of the query, in slices of time, until the page is full or time is up. */
function searcher({ read, clock }: Engine, turn: () => Promise<void>) {
  // by hand, because drizzle cannot iterate, and a slice of time ends between any two rows
  const prepare = (direction: "ASC" | "DESC") =>
    read.$client.prepare<Message, [TopicId, number, number]>(
      `SELECT ${MESSAGE_COLUMNS} FROM message m WHERE topic_id = ? AND id > ? AND id < ? ORDER BY id ${direction}`,
    );
  const forward = prepare("ASC");
  const backward = prepare("DESC");

  return async (topicId: TopicId, query: PageQuery): Promise<Found> => {
    const matches = matcher(query);
    const rest = bounds(query);
    const messages: Message[] = [];
    const deadline = clock.monotonic() + SEARCH_MS;
    /** True when there is nothing more to read. */
    const slice = (until: number): boolean => {
      for (const row of (isForward(query) ? forward : backward).iterate(topicId, rest.since, rest.before)) {
        if (matches(row)) messages.push(row);
        if (messages.length > query.limit) return true;
        rest[isForward(query) ? "since" : "before"] = row.id;
        if (clock.monotonic() >= until) return false;
      }
      return true;
    };
    do {
      await turn();
      if (slice(clock.monotonic() + SLICE_MS)) return pageOf(messages, query);
    } while (clock.monotonic() < deadline);
    return { messages, hasMore: true, ...cursor(query, isForward(query) ? rest.since : rest.before) };
  };
}
