/** The part of the port for checks. The rules are passed in as pure functions; each method is one transaction. */
import type {
  Check,
  CheckRow,
  Composed,
  Decision,
  Gap,
  Incident,
  NamedPing,
  PingBody,
  PingSource,
  Recorded,
  Standing,
  Told,
} from "../checks/check.ts";
import type { NamespaceId } from "../keys/namespace.ts";
import { DAY, type Millis } from "../util/clock.ts";
import type { Counted } from "./days.ts";

/** Names a check. Tokens and ping keys are given as SHA-256. */
export type Which =
  | { token: string }
  | { pingKey: string; slug: string }
  | { namespaceId: NamespaceId; id: string }
  | { namespaceId: NamespaceId; slug: string };

/**
 * How long pings of named runs are known, the latest ones of a check: of a job every 10 s, the shortest schedule, 17,280 come
 * in that time.
 */
export const NAMED_MS = DAY;
export const MOST_NAMED = 20_000;

/** The length of a check's log, which is a ring. Another number needs a migration of `check_event`. */
export const LOG_LINES = 100;

/** The rules that a write calls inside its transaction: pure, so that it may run again. */
export interface Rules {
  /** A run whose earlier pings the decision needs. */
  rid?: string;
  /** `known`: these pings, and perhaps some that are older than they need be. */
  decide(check: Check, known: readonly NamedPing[]): Decision;
  /** When the check is due again; absent: never. */
  dueAt(standing: Standing): Millis | undefined;
  /** What to add to its days, which are written up to `from`; absent if nothing. `away`: when this server was away since then. */
  count(before: Standing, after: Standing, since: { from: Millis; away: readonly Gap[] }): Counted | undefined;
  /** The messages for alerts of one topic, in order. */
  compose(told: readonly Told[]): readonly Composed[];
}

export interface NewCheck {
  namespaceId: NamespaceId;
  /** By name: made if it is new. By key: must exist. */
  topic: { name: string } | { key: string };
  id: string;
  tokenHash: string;
  badgeToken: string;
  standing: Standing;
  dueAt?: Millis;
}

type NoTopic = "unknown_topic" | "too_many_topics";

export type Made = { kind: "made"; check: Check } | { kind: "slug_taken" | "too_many_checks" | NoTopic };

/** A check with what an event made of it. */
export interface Applied {
  check: Check;
  decision: Decision;
}

/** The check after which a page begins, which may be gone. */
export interface CheckPlace {
  name: string;
  /** Tells checks with the same name apart. */
  id: string;
}

/** A line of a check's log. */
export interface LoggedEvent extends Recorded {
  n: number;
  method?: string;
  address?: string;
  userAgent?: string;
  /** Size of the body as it was sent; absent if there was none. */
  bodyBytes?: number;
}

export interface PastIncident extends Incident {
  closedAt?: Millis;
  /** `seq` of the message that reported it; a digest reports several incidents. Absent: none has (yet). */
  downMessage?: number;
  upMessage?: number;
}

/** What the alerter did in one transaction. */
export interface Slice {
  /** How many checks were looked at. */
  looked: number;
  /** Ids of checks whose decision threw, with the errors; they were put off. */
  failed: readonly { id: string; error: unknown }[];
  /** The next time at which any check is due. */
  nextAt?: Millis;
}

/** The records of a check's latest runs. */
export interface History {
  /** Log lines of runs that ended, `ok` and `fail`, oldest first. */
  ends: LoggedEvent[];
  /** Newest first. */
  incidents: PastIncident[];
}

export interface CheckStore {
  create(check: NewCheck): Promise<Made>;
  find(which: Which): Promise<Check | undefined>;
  /** By its id alone, for people who may see several namespaces. */
  byId(id: string): Promise<Check | undefined>;
  /** The one whose id lies between these two, which are that close. */
  within(first: string, last: string): Promise<Check | undefined>;
  /** In the order of names, then ids. */
  list(
    namespaceId: NamespaceId,
    options: { after?: CheckPlace; limit: number; tag?: string },
  ): Promise<{ checks: Check[]; hasMore: boolean }>;
  /**
   * Reads the check, decides, and stores standing, log, named pings, incident and alerts in one transaction. Undefined: there is
   * no such check (any more). `source`: the ping's. A decision that neither changes nor records anything writes nothing.
   */
  apply(which: Which, rules: Rules, source?: PingSource): Promise<Applied | undefined>;
  /** The same with settings that the owner changes, and the topic of its alerts if that changes too. */
  edit(which: Which, rules: Rules, topic?: NewCheck["topic"]): Promise<Applied | "slug_taken" | NoTopic | undefined>;
  /**
   * Does what is due at `now`, the longest due check first, at most `limit` and as many as `budgetMs` allows, in one transaction.
   * A check whose decision throws is put off for an hour, and affects no other.
   */
  tick(now: Millis, rules: Rules, limits: { limit: number; budgetMs: number }): Promise<Slice>;
  /** The next time at which a check is due. */
  nextAt(): Promise<Millis | undefined>;
  /**
   * Gives the check, as it was read, a new token; the old one works until `oldUntil`, older ones no longer. The same rotation
   * twice is one. Undefined: the check is gone, or its token was rotated since.
   */
  rotate(check: Check, tokenHash: string, oldUntil: Millis): Promise<Check | undefined>;
  /** Deletes all that is kept of it; many named pings go first, in other transactions. False: it was already gone. */
  remove(namespaceId: NamespaceId, id: string): Promise<boolean>;
  /** The newest `LOG_LINES`, newest first; `before`: lines with a smaller number. */
  events(check: Check, options: { before?: number; limit: number }): Promise<LoggedEvent[]>;
  body(check: Check, n: number): Promise<PingBody | undefined>;
  /**
   * The ends of the bodies of these lines, at most `bytes` of each, by check: one query, however many lines. A line without a
   * body, or whose place another line has taken, is left out.
   */
  endings(lines: readonly { row: CheckRow; n: number }[], bytes: number): Promise<ReadonlyMap<CheckRow, Uint8Array>>;
  /** The newest 1,000, newest first; `before`: incidents with a smaller number. */
  incidents(check: Check, options: { before?: number; limit: number }): Promise<PastIncident[]>;
  /** The latest runs of these checks, by row: two queries, however many checks. At most `limit` of each kind. */
  histories(checks: readonly Check[], limit: number): Promise<ReadonlyMap<CheckRow, History>>;
  /** The oldest checks of all namespaces, with what their figures are made of: read in slices, in the order of their making. */
  oldest(limit: number): Promise<Pick<Check, "id" | "namespace" | "standing">[]>;
  /** How many checks there are, by state, and how many of them the alerter has to watch. */
  counts(): Promise<{ byState: Readonly<Record<Standing["state"], number>>; armed: number }>;
  /** The check of a badge token, which only shows its state. */
  byBadge(badgeToken: string): Promise<Check | undefined>;
  /** The ping key of a namespace: how often it was replaced; 0 before the first. */
  pingKey(namespaceId: NamespaceId): Promise<{ generation: number }>;
  /** Replaces the ping key. */
  setPingKey(namespaceId: NamespaceId, generation: number, hash: string): Promise<void>;
  /** The namespace of a ping key. */
  byPingKey(hash: string): Promise<NamespaceId | undefined>;
  /** When the alerter last ticked; `see` notes it. */
  seenAt(): Promise<Millis | undefined>;
  see(now: Millis): Promise<void>;
}
