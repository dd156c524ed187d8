/** Reads checks, by each of their names, on either connection. */
import type { Check, CheckRow, Standing } from "../../../checks/check.ts";
import type { NamespaceId } from "../../../keys/namespace.ts";
import type { TopicId } from "../../../topics/topic.ts";
import type { Millis } from "../../../util/clock.ts";
import type { CheckPlace, Which } from "../../checks.ts";
import { holds, listed, oneIf, type Orm } from "../differences.ts";
import type { Namespaces } from "../engine.ts";

interface Row {
  row: CheckRow;
  id: string;
  namespaceId: NamespaceId;
  topicId: TopicId;
  topicKey: string;
  topicName: string;
  tokenGeneration: number;
  tokenHash: string;
  badgeToken: string;
  createdAt: Millis;
  dueAt: Millis | null;
  countedTo: Millis;
  standing: string;
}

/** A check with the columns that only the store needs. */
export interface Found {
  check: Check;
  /** Its standing as it is stored, which shows whether a decision changed anything. */
  json: string;
  /** Up to when its days are written. */
  countedTo: Millis;
}

// by hand: a ping runs it; no JOIN, which costs 8 µs more than two subqueries (measured)
const select = (where: string) => `SELECT c.row, c.id, c.namespace_id AS namespaceId, c.topic_id AS topicId,
    (SELECT key FROM topic WHERE row = c.topic_id) AS topicKey, (SELECT name FROM topic WHERE row = c.topic_id) AS topicName,
    c.token_generation AS tokenGeneration, c.token_hash AS tokenHash, c.badge_token AS badgeToken,
    c.created_at AS createdAt, c.due_at AS dueAt, coalesce(c.counted_to, c.created_at) AS countedTo, c.standing
  FROM "check" c WHERE ${where}`;

/** Whether somebody acknowledged that it is down. A text search is safe: JSON escapes quotes in strings. For `check c`. */
export const IS_TAKEN = holds("c.standing", `'"ackedAt":'`);

/** A check whose time has come. */
export interface Due {
  row: CheckRow;
  topicId: TopicId;
}

/** Comes before every check. */
const FIRST: CheckPlace = { name: "", id: "" };

/** The reads of one connection. They throw for a row whose JSON is broken. */
export function checkReader({ $client: db }: Orm, namespaces: Namespaces) {
  const one = (where: string) => {
    const statement = db.prepare<Row, (string | number)[]>(select(where));
    return (...given: (string | number)[]) => {
      const row = statement.get(...given);
      return row === null || namespaces.isGone(row.namespaceId) ? undefined : found(row);
    };
  };
  const found = (row: Row): Found => ({
    ...{ check: toCheck(row, namespaces), json: row.standing, countedTo: row.countedTo },
  });
  const by = {
    token: one("c.token_hash = ?"),
    oldToken: one("c.old_token_hash = ? AND c.old_token_until > ?"),
    id: one("c.id = ? AND c.namespace_id = ?"),
    idAlone: one("c.id = ?"),
    idWithin: one("c.id BETWEEN ? AND ?"),
    slug: one("c.namespace_id = ? AND c.slug = ?"),
    pingKey: one("c.namespace_id = (SELECT row FROM namespace WHERE ping_key_hash = ?) AND c.slug = ?"),
    badge: one("c.badge_token = ?"),
  };
  const page = db.prepare<Row, [NamespaceId, string, string, number]>(
    select("c.namespace_id = ? AND (c.name, c.id) > (?, ?) ORDER BY c.name, c.id LIMIT ?"),
  );
  const at = db.prepare<Row, [CheckRow]>(select("c.row = ?"));
  const next100 = db.prepare<Pick<Row, "row" | "id" | "namespaceId" | "standing">, [number]>(
    'SELECT row, id, namespace_id AS namespaceId, standing FROM "check" WHERE row > ? ORDER BY row LIMIT 100',
  );
  const due = db.prepare<Due, [Millis, number]>(
    'SELECT row, topic_id AS topicId FROM "check" WHERE due_at <= ? ORDER BY due_at, topic_id LIMIT ?',
  );
  const down = db.prepare<Row, [string, number, number]>(
    select(`c.state = 'down' AND c.namespace_id IN ${listed("?")} AND ${oneIf(IS_TAKEN)} = ? LIMIT ?`),
  );
  const next = db.prepare<{ at: Millis }, []>(
    'SELECT due_at AS at FROM "check" WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1',
  );

  return {
    find(which: Which, now: Millis): Found | undefined {
      if ("token" in which) return by.token(which.token) ?? by.oldToken(which.token, now);
      if ("pingKey" in which) return by.pingKey(which.pingKey, which.slug);
      return "id" in which ? by.id(which.id, which.namespaceId) : by.slug(which.namespaceId, which.slug);
    },
    byId: (id: string): Check | undefined => by.idAlone(id)?.check,
    within: (first: string, last: string): Check | undefined => by.idWithin(first, last)?.check,
    byBadge: (token: string): Check | undefined => by.badge(token)?.check,
    page: (namespaceId: NamespaceId, { name, id }: CheckPlace = FIRST, limit: number): Check[] =>
      page.all(namespaceId, name, id, limit).map((row) => toCheck(row, namespaces)),
    /** The next 100 of all checks behind a row; those of namespaces that were deleted have no name. */
    behind: (after: number) =>
      next100.all(after).map(({ row, id, namespaceId, standing }) => ({
        ...{ row, id, namespace: namespaces.isGone(namespaceId) ? undefined : namespaces.name(namespaceId) },
        standing: JSON.parse(standing) as Standing,
      })),
    /** Checks of these namespaces that are down, and that somebody is on, or nobody. */
    down: (namespaceIds: readonly NamespaceId[], isTaken: boolean, limit: number): Check[] =>
      down.all(JSON.stringify(namespaceIds), isTaken ? 1 : 0, limit).map((row) => toCheck(row, namespaces)),
    /** The earliest first, those of one time topic by topic; read from the index alone. */
    due: (now: Millis, limit: number): Due[] => due.all(now, limit),
    /** `read` parses its JSON, which may be broken. `isGone`: its namespace was deleted. */
    at(row: CheckRow): { id: string; isGone: boolean; read: () => Found } {
      const raw = at.get(row);
      if (raw === null) throw new Error(`check ${row} is gone`);
      return { id: raw.id, isGone: namespaces.isGone(raw.namespaceId), read: () => found(raw) };
    },
    nextAt: (): Millis | undefined => next.get()?.at,
  };
}

export type CheckReader = ReturnType<typeof checkReader>;

function toCheck(row: Row, namespaces: Namespaces): Check {
  const { id, namespaceId, tokenGeneration, tokenHash, badgeToken, createdAt } = row;
  const check: Check = {
    row: row.row,
    id,
    namespaceId,
    namespace: namespaces.name(namespaceId),
    topic: { id: row.topicId, key: row.topicKey, name: row.topicName },
    tokenGeneration,
    tokenHash,
    badgeToken,
    createdAt,
    standing: JSON.parse(row.standing) as Standing,
  };
  if (row.dueAt !== null) check.dueAt = row.dueAt;
  return check;
}
