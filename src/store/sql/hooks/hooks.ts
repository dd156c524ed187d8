/** Hooks: their rows, and the store's methods on them. */
import { and, count, eq, sql } from "drizzle-orm";
import type { CameBy, Hook, HookRow, HookSettings, KeptRequest } from "../../../hooks/hook.ts";
import type { NamespaceId } from "../../../keys/namespace.ts";
import type { TopicId } from "../../../topics/topic.ts";
import { HOOKS_PER_NAMESPACE, HOOKS_PER_TOPIC, REQUESTS_KEPT, type HookStore, type MadeHook } from "../../hooks.ts";
import type { Committed } from "../../store.ts";
import { columnsOf, withoutNulls } from "../columns.ts";
import { JOIN_IN_ORDER, listed, type Orm, unindexed } from "../differences.ts";
import { placeholders, prepared, pick } from "../statements.ts";
import { finders, topicFinder } from "../topics/destination.ts";
import type { Engine, Namespaces } from "../engine.ts";
import { hook, hookRequest } from "../schema/hooks.ts";
import { requestForgetter, ringOf } from "./use.ts";
import type { MakeTopic } from "../topics/make.ts";

const given = placeholders<typeof hook, "generation" | "first" | "last" | "oldUntil">();

const OF_MESSAGES = `SELECT r.n, r.at, r.message_id AS messageId, r.json, r.body
  FROM hook h JOIN hook_request r ON r.row BETWEEN h.row * ${REQUESTS_KEPT} AND (h.row + 1) * ${REQUESTS_KEPT} - 1
  WHERE h.topic_id = ? AND r.message_id IN ${listed("?")}`;

export function hookStore(engine: Engine, makeTopic: MakeTopic): HookStore {
  const q = queries(engine);
  return { ...reads(engine, q), ...changes(engine, q, makeTopic) };
}

function reads({ read, clock, namespaces }: Engine, q: Queries) {
  const outside = hookReader(read, namespaces);
  return {
    find: async (namespaceId, id) => outside.byId(id, namespaceId),

    byToken: async (token) =>
      "url" in token
        ? (outside.byUrl(token.url) ?? outside.byOldUrl(token.url, clock.now()))
        : (outside.byGotify(token.gotify) ?? outside.byOldGotify(token.gotify, clock.now())),

    list: async (namespaceId, topicId) =>
      topicId === undefined ? outside.ofNamespace(namespaceId) : outside.ofTopic(namespaceId, topicId),

    requests: async ({ row }) => {
      const [first, last] = ringOf(row);
      return q.requests
        .all({ first, last }) // the ring may begin anywhere; SQLite would not sort it faster
        .sort((a, b) => b.n - a.n)
        .map(requestOf);
    },

    requestsOf: async (topicId, messageIds) =>
      new Map(
        q.ofMessages
          .all(topicId, JSON.stringify(messageIds))
          .map((found): [number, KeptRequest] => [found.messageId, requestOf(found)]),
      ),

    exist: async () => q.any.get() !== null,
  } satisfies Partial<HookStore>;
}

function changes({ write, writer, clock, namespaces }: Engine, q: Queries, makeTopic: MakeTopic) {
  const inside = hookReader(write, namespaces);
  const forget = requestForgetter(write);
  const topicFor = topicFinder(makeTopic);
  const find = finders(write);
  return {
    create: async ({ namespaceId, topic: to, settings, ...named }) =>
      writer.run<MadeHook>(() => {
        const inNamespace = q.ofNamespace.all({ namespaceId })[0]?.hooks ?? 0;
        if (inNamespace >= HOOKS_PER_NAMESPACE) return { result: { kind: "too_many_of_namespace" } };
        const topic = topicFor(find, { namespaceId, to }, clock.now());
        if (typeof topic === "string") return { result: { kind: topic } };
        const topicId = topic.row.row;
        if ((q.ofTopic.all({ topicId })[0]?.hooks ?? 0) >= HOOKS_PER_TOPIC)
          return { result: { kind: "too_many_of_topic" } };
        q.insert.run({ ...named, namespaceId, topicId, settings: JSON.stringify(settings), createdAt: clock.now() });
        const made = inside.byId(named.id, namespaceId);
        if (made === undefined) throw new Error("a hook that was just made is not there");
        return { result: { kind: "made", hook: made }, events: changed(namespaceId) };
      }),

    change: async (namespaceId, id, change) =>
      writer.run(() => {
        const before = inside.byId(id, namespaceId);
        if (before === undefined) return { result: undefined };
        const settings = change(before.settings);
        q.change.run({ row: before.row, settings: JSON.stringify(settings) });
        if (settings.isForgetful === true) forget(before.row);
        return { result: { ...before, settings }, events: changed(namespaceId) };
      }),

    rotate: async (old, hashes, oldUntil) =>
      writer.run(() => {
        const { row, tokenGeneration: generation, namespaceId } = old;
        q.rotate.run({ row, generation, ...hashes, oldUntil });
        const now = inside.byId(old.id, namespaceId);
        return { result: now?.tokenHash === hashes.tokenHash ? now : undefined, events: changed(namespaceId) };
      }),

    remove: async (namespaceId, id) =>
      writer.run(() => {
        const gone = inside.byId(id, namespaceId);
        if (gone === undefined) return { result: false };
        forget(gone.row);
        q.remove.run({ row: gone.row });
        return { result: true, events: changed(namespaceId) };
      }),

    forget: async ({ row, namespaceId }) =>
      writer.run(() => {
        forget(row);
        return { result: undefined, events: changed(namespaceId) };
      }),
  } satisfies Partial<HookStore>;
}

/** For pages that show them. */
const changed = (namespaceId: NamespaceId): Committed[] => [{ kind: "hint", of: "hook", namespaceId }];

interface Row extends Omit<typeof hook.$inferSelect, "settings"> {
  settings: string;
  topicKey: string;
  topicName: string;
}

/** The reads of one connection: hooks of live topics. */
function hookReader({ $client: db }: Orm, namespaces: Namespaces) {
  // by hand: each publish by a hook runs one
  const prepare = (where: string) =>
    db.prepare<Row, (string | number)[]>(
      `SELECT ${columnsOf(hook, "h")}, t.key AS topicKey, t.name AS topicName
       FROM hook h ${JOIN_IN_ORDER} topic t ON t.row = h.topic_id AND t.deleted_at IS NULL WHERE ${where}`,
    );
  const isSeen = ({ namespaceId }: Row) => !namespaces.isGone(namespaceId);
  const one = (where: string) => {
    const statement = prepare(where);
    return (...given: (string | number)[]): Hook | undefined => {
      const row = statement.get(...given);
      return row === null || !isSeen(row) ? undefined : toHook(row, namespaces);
    };
  };
  const some = (where: string) => {
    const statement = prepare(`${where} ORDER BY h.row`);
    return (...given: (string | number)[]): Hook[] =>
      statement
        .all(...given)
        .filter(isSeen)
        .map((row) => toHook(row, namespaces));
  };
  return {
    byUrl: one("h.token_hash = ?"),
    byOldUrl: one("h.old_token_hash = ? AND h.old_token_until > ?"),
    byGotify: one("h.gotify_hash = ?"),
    byOldGotify: one("h.old_gotify_hash = ? AND h.old_token_until > ?"),
    byId: one("h.id = ? AND h.namespace_id = ?"),
    ofNamespace: some("h.namespace_id = ?"),
    ofTopic: some(`${unindexed("h.namespace_id")} = ? AND h.topic_id = ?`),
  };
}

function toHook(row: Row, namespaces: Namespaces): Hook {
  const { id, namespaceId, tokenGeneration, tokenHash, gotifyHash, createdAt, requests } = row;
  const { oldTokenUntil, lastUsedAt, lastUsedFrom, lastSource } = row;
  return {
    ...{ row: row.row, id, namespaceId, namespace: namespaces.name(namespaceId) },
    topic: { id: row.topicId, key: row.topicKey, name: row.topicName },
    ...{ tokenGeneration, tokenHash, gotifyHash, createdAt, requests },
    settings: JSON.parse(row.settings) as HookSettings,
    ...withoutNulls({ oldTokenUntil, lastUsedAt, lastUsedFrom, lastSource }),
  };
}

type RequestRow = Omit<typeof hookRequest.$inferSelect, "row">;

const requestOf = ({ n, at, messageId, json, body }: RequestRow): KeptRequest => ({
  ...(JSON.parse(json) as CameBy),
  ...withoutNulls({ n, at, messageId, body }),
});

type Queries = ReturnType<typeof queries>;

function queries({ read, write }: Engine) {
  const isRow = eq(hook.row, given.row);
  return {
    ofNamespace: prepared(() =>
      write.select({ hooks: count() }).from(hook).where(eq(hook.namespaceId, given.namespaceId)),
    ),
    ofTopic: prepared(() => write.select({ hooks: count() }).from(hook).where(eq(hook.topicId, given.topicId))),
    insert: prepared(() =>
      write
        .insert(hook)
        .values(pick(given, "id", "namespaceId", "topicId", "tokenHash", "gotifyHash", "settings", "createdAt")),
    ),
    change: prepared(() => write.update(hook).set({ settings: given.settings }).where(isRow)),
    rotate: prepared(() =>
      write
        .update(hook)
        .set({
          oldTokenHash: sql`${hook.tokenHash}`,
          oldGotifyHash: sql`${hook.gotifyHash}`,
          oldTokenUntil: given.oldUntil,
          tokenHash: given.tokenHash,
          gotifyHash: given.gotifyHash,
          tokenGeneration: sql`${hook.tokenGeneration} + 1`,
        })
        .where(and(isRow, eq(hook.tokenGeneration, given.generation))),
    ),
    remove: prepared(() => write.delete(hook).where(isRow)),
    requests: prepared(() =>
      read
        .select()
        .from(hookRequest)
        .where(sql`${hookRequest.row} BETWEEN ${given.first} AND ${given.last}`),
    ),
    any: read.$client.prepare<{ row: HookRow }, []>("SELECT row FROM hook ORDER BY row LIMIT 1"),
    ofMessages: read.$client.prepare<RequestRow & { messageId: number }, [TopicId, string]>(OF_MESSAGES),
  };
}

/** How many requests one job deletes: each may have a body of 64 KiB. */
const FEW = 20;

/** In jobs of few rows, whatever the limit is. */
function inFew(limit: number, take: (few: number) => number): number {
  const few = Math.min(limit, FEW);
  const taken = take(few);
  return taken === few ? limit : taken;
}

/** What the sweeper deletes of hooks, inside jobs: as many rows at once as it has time for. */
export function hookSweeper({ write }: Pick<Engine, "write">) {
  const { $client: db } = write;
  const forget = requestForgetter(write);
  const ofTopic = db.prepare<{ row: HookRow }, [TopicId]>("SELECT row FROM hook WHERE topic_id = ? LIMIT 1");
  const remove = db.prepare<unknown, [HookRow]>("DELETE FROM hook WHERE row = ?");
  const old = db.prepare<{ row: number }, [number, number]>(
    "DELETE FROM hook_request WHERE row IN (SELECT row FROM hook_request WHERE at < ? LIMIT ?) RETURNING row",
  );
  return {
    /** Deletes hooks of a deleted topic, with their requests. Returns how many rows: if fewer than `limit`, none is left. */
    ofTopic: (topicId: TopicId, limit: number): number =>
      inFew(limit, (few) => {
        const found = ofTopic.get(topicId);
        const taken = found === null ? 0 : forget(found.row, few);
        if (found === null || taken === few) return taken;
        remove.run(found.row);
        return few; // there may be another
      }),
    /** Deletes requests from before a time. */
    requests: (before: number, limit: number): number => inFew(limit, (few) => old.all(before, few).length),
  };
}

export type HookSweeper = ReturnType<typeof hookSweeper>;
