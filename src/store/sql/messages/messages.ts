/** Messages: pages of history, single ones, and the stream of a namespace. */
import { and, asc, desc, eq, gt, lte, type SQL } from "drizzle-orm";
import type { Message } from "../../../messages/message.ts";
import type { TopicId } from "../../../topics/topic.ts";
import { createTurns, SLICE_MS } from "../../../util/turns.ts";
import { isFiltered, matcher } from "../../filter.ts";
import type { MessageStore, Page, PageQuery, Placed } from "../../messages.ts";
import { alertReader } from "./alerts.ts";
import { LIMIT, placeholders, prepared } from "../statements.ts";
import type { Discards } from "./discards.ts";
import { EACH, eachOf, jsonField, lastGiven } from "../differences.ts";
import type { Engine } from "../engine.ts";
import { listReader } from "./list.ts";
import { collector, MESSAGE_COLUMNS, SEARCH_MS } from "./rows.ts";
import { publisher } from "./publish.ts";
import { severalReader } from "./several.ts";
import { message } from "../schema/schema.ts";
import type { MakeTopic } from "../topics/make.ts";
import { topicByRow, topicsFinder } from "../topics/rows.ts";

const given = placeholders<typeof message, "after" | "seq">();

const LABEL = `coalesce(k.name, ${jsonField("h.settings", "name")})`;
// the number of a revoked key may be given again: a key that is younger than the message did not send it
const SENDERS = `SELECT m.row AS seq, ${LABEL} AS label
  FROM ${eachOf("?")} JOIN message m ON m.row = ${EACH}
    LEFT JOIN api_key k ON k.row = m.sender AND k.created_at <= m.created_at LEFT JOIN hook h ON h.row = -m.sender
  WHERE ${LABEL} IS NOT NULL`;

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
  const q = queries(engine);
  const turn = createTurns();
  const { all, search } = readers(engine, turn);
  const topicsOf = topicsFinder(read, namespaces);

  return {
    publish: publisher(engine, makeTopic),

    page: async (topicId, query) => {
      const [row] = q.topic.all({ topicId });
      if (row === undefined) return { messages: [], hasMore: false, lastId: 0, truncated: false };
      const truncated = query.since !== undefined && query.since < row.prunedTo;
      const found = isFiltered(query) ? await search(topicId, query) : all(topicId, query);
      return { ...found, lastId: row.lastId, truncated };
    },

    pageNamespace: async (namespaceId, after, limit) => {
      const topicOf = topicsOf();
      const found: Placed[] = [];
      for (let last = after; ;) {
        const rows = q.ofNamespace.all({ namespaceId, after: last, limit });
        for (const { topicId, ...message } of rows) {
          const topic = topicOf(topicId);
          if (topic !== undefined) found.push({ topic, message });
        }
        if (found.length >= limit || rows.length < limit) return found.slice(0, limit);
        last = rows.at(-1)?.seq ?? last; // some are of deleted topics: continue behind them
        await turn();
      }
    },

    list: listReader(engine, topicsOf, turn),
    ...severalReader(engine, topicsOf),

    nearest: async (topicId, id) => q.nearest.all({ topicId, id })[0],
    firstAt: async (topicId, at) => {
      const [topic] = q.topic.all({ topicId });
      let [low, high] = [1, (topic?.lastId ?? 0) + 1];
      while (low < high) {
        const middle = Math.floor((low + high) / 2);
        const [found] = q.nearest.all({ topicId, id: middle });
        if (found === undefined || found.at < at) low = middle + 1;
        else high = middle;
      }
      return low;
    },
    nearestInNamespace: async (namespaceId, seq) => q.nearestInNamespace.all({ namespaceId, seq })[0],

    lastSeq: async () => q.lastSeq.get()?.seq ?? 0,

    find: async (topicId, id) => q.find.all({ topicId, id })[0],

    senders: async (seqs) => new Map(q.senders.all(JSON.stringify(seqs)).map(({ seq, label }) => [seq, label])),

    ...alertReader(engine, turn),

    remove: discards.remove,
    discard: discards.discard,
    restore: discards.restore,
  };
}

type Found = Omit<Page, "lastId" | "truncated">;

const isForward = (query: PageQuery): boolean => query.since !== undefined;
const bounds = ({ after = 0, since = after, before = Number.MAX_SAFE_INTEGER }: PageQuery) => ({ since, before });

/** Up to the last message of a full page. */
const full = (messages: Message[], query: PageQuery): Found => ({
  messages,
  hasMore: true,
  ...cursor(query, messages.at(-1)?.id ?? 0),
});

const cursor = (query: PageQuery, id: number) => (isForward(query) ? { nextSince: id } : { nextBefore: id });

/** Reads a topic row by row in the direction of the query, until the page is full. */
function readers({ read, clock }: Engine, turn: () => Promise<void>) {
  // by hand: drizzle cannot iterate, and a page or a slice of time may end between any two rows
  const prepare = (direction: "ASC" | "DESC") =>
    read.$client.prepare<Message, [TopicId, number, number]>(
      `SELECT ${MESSAGE_COLUMNS} FROM message m WHERE topic_id = ? AND id > ? AND id < ? ORDER BY id ${direction}`,
    );
  const forward = prepare("ASC");
  const backward = prepare("DESC");
  const rows = (topicId: TopicId, query: PageQuery, { since, before }: ReturnType<typeof bounds>) =>
    (isForward(query) ? forward : backward).iterate(topicId, since, before);

  const all = (topicId: TopicId, query: PageQuery): Found => {
    const { found: messages, add } = collector<Message>(query);
    for (const row of rows(topicId, query, bounds(query))) if (!add(row)) return full(messages, query);
    return { messages, hasMore: false };
  };

  /** In slices, until the time is up. */
  const search = async (topicId: TopicId, query: PageQuery): Promise<Found> => {
    const matches = matcher(query);
    const rest = bounds(query);
    const { found: messages, add } = collector<Message>(query);
    const deadline = clock.monotonic() + SEARCH_MS;
    /** Undefined: there is more to read. */
    const slice = (until: number): Found | undefined => {
      for (const row of rows(topicId, query, rest)) {
        if (matches(row) && !add(row)) return full(messages, query);
        rest[isForward(query) ? "since" : "before"] = row.id;
        if (clock.monotonic() >= until) return undefined;
      }
      return { messages, hasMore: false };
    };
    do {
      await turn();
      const found = slice(clock.monotonic() + SLICE_MS);
      if (found !== undefined) return found;
    } while (clock.monotonic() < deadline);
    return { messages, hasMore: true, ...cursor(query, isForward(query) ? rest.since : rest.before) };
  };
  return { all, search };
}

function queries({ read }: Engine) {
  const nearest = (id: typeof message.id | typeof message.row, where: () => SQL | undefined) =>
    prepared(() =>
      read
        .select({ id, at: message.createdAt, seq: message.row })
        .from(message)
        .where(where())
        .orderBy(desc(id))
        .limit(1),
    );
  return {
    topic: topicByRow(read),
    find: prepared(() =>
      read
        .select(columns)
        .from(message)
        .where(and(eq(message.topicId, given.topicId), eq(message.id, given.id))),
    ),
    ofNamespace: prepared(() =>
      read
        .select({ ...columns, topicId: message.topicId })
        .from(message)
        .where(and(eq(message.namespaceId, given.namespaceId), gt(message.row, given.after)))
        .orderBy(asc(message.row))
        .limit(LIMIT),
    ),
    nearest: nearest(message.id, () => and(eq(message.topicId, given.topicId), lte(message.id, given.id))),
    nearestInNamespace: nearest(message.row, () =>
      and(eq(message.namespaceId, given.namespaceId), lte(message.row, given.seq)),
    ),
    // the newest row may be gone
    lastSeq: read.$client.prepare<{ seq: number }, []>(lastGiven("message")),
    senders: read.$client.prepare<{ seq: number; label: string }, [string]>(SENDERS),
  };
}
