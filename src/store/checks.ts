/** The part of the port that keeps checks. The rules are handed in as pure functions; each method is one transaction. */
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
import type { Millis } from "../util/clock.ts";
import type { Counted } from "./days.ts";

/** Which check is meant. Tokens and ping keys come as SHA-256. */
export type Which =
  | { token: string }
  | { pingKey: string; slug: string }
  | { namespaceId: NamespaceId; id: string }
  | { namespaceId: NamespaceId; slug: string };

/**
 * Pings of named runs are known for so long, the latest ones of a check: of a job every 10 s, which is the shortest
 * schedule, 17,280 come in that time.
 */
export const NAMED_MS = 86_400_000;
export const MOST_NAMED = 20_000;

/** Lines of a check's log: the ring is that long. Another number needs a migration of `check_event`. */
export const LOG_LINES = 100;

/** The rules that a write asks, inside its transaction: pure, so that it may run again. */
export interface Rules {
  /** A run whose earlier pings the decision has to know. */
  rid?: string;
  /** `known`: those, and perhaps some that are older than they need be. */
  decide(check: Check, known: readonly NamedPing[]): Decision;
  /** When the check is due again; absent: never. */
  dueAt(standing: Standing): Millis | undefined;
  /** What is to be added to its days, which are written up to `from`; absent: nothing yet. `away`: when this server was since then. */
  count(before: Standing, after: Standing, since: { from: Millis; away: readonly Gap[] }): Counted | undefined;
  /** The messages for alerts of one topic, in order. */
  compose(told: readonly Told[]): readonly Composed[];
}

export interface NewCheck {
  namespaceId: NamespaceId;
  /** By name: made when it is new. By key: must exist. */
  topic: { name: string } | { key: string };
  id: string;
  tokenHash: string;
  badgeToken: string;
  standing: Standing;
  dueAt?: Millis;
}

type NoTopic = "unknown_topic" | "too_many_topics";

export type Made = { kind: "made"; check: Check } | { kind: "slug_taken" | "too_many_checks" | NoTopic };

/** The check as it is now, and what made it so. */
export interface Applied {
  check: Check;
  decision: Decision;
}

/** After which check a page begins: it need not be there any more. */
export interface CheckPlace {
  name: string;
  /** Tells those of one name apart. */
  id: string;
}

/** A line of a check's log. */
export interface LoggedEvent extends Recorded {
  n: number;
  method?: string;
  address?: string;
  userAgent?: string;
  /** Size of the body as it was sent; absent: there was none. */
  bodyBytes?: number;
}

export interface PastIncident extends Incident {
  closedAt?: Millis;
  /** `seq` of the message that told it; a digest tells several incidents. Absent: not told (yet). */
  downMessage?: number;
  upMessage?: number;
}

/** What the alerter did in one transaction. */
export interface Slice {
  /** Checks that were looked at. */
  looked: number;
  /** Ids of those whose decision threw: put off, with what it threw. */
  failed: readonly { id: string; error: unknown }[];
  /** The next time a check is due, whatever it is. */
  nextAt?: Millis;
}

/** What a check's latest runs are told from. */
export interface History {
  /** Lines about runs that ended: `ok` and `fail`, oldest first. */
  ends: LoggedEvent[];
  /** Newest first. */
  incidents: PastIncident[];
}

export interface CheckStore {
  create(check: NewCheck): Promise<Made>;
  find(which: Which): Promise<Check | undefined>;
  /** By its id alone, for who may see several namespaces. */
  byId(id: string): Promise<Check | undefined>;
  /** By name, then id. */
  list(
    namespaceId: NamespaceId,
    options: { after?: CheckPlace; limit: number; tag?: string },
  ): Promise<{ checks: Check[]; hasMore: boolean }>;
  /**
   * Reads the check, decides, and stores standing, log, named pings, incident and alerts in one transaction. Undefined:
   * there is no such check (any more). `source`: of the ping that it is. A decision that neither changes nor records writes nothing.
   */
  apply(which: Which, rules: Rules, source?: PingSource): Promise<Applied | undefined>;
  /** The same with settings that the owner changes, and the topic of its alerts where that changes too. */
  edit(which: Which, rules: Rules, topic?: NewCheck["topic"]): Promise<Applied | "slug_taken" | NoTopic | undefined>;
  /**
   * The checks that are due at `now`, the longest due first, at most `limit` of them and as many as `budgetMs` allows, all in
   * one transaction. One that throws is put off for an hour and takes none of the others with it.
   */
  tick(now: Millis, rules: Rules, limits: { limit: number; budgetMs: number }): Promise<Slice>;
  /** The next time one is due. */
  nextAt(): Promise<Millis | undefined>;
  /**
   * A new token for the check as it was read; the old one works until `oldUntil`, one before that no longer. The same
   * rotation twice is one. Undefined: the check is gone, or its token was rotated since.
   */
  rotate(check: Check, tokenHash: string, oldUntil: Millis): Promise<Check | undefined>;
  /** With all that is kept of it. Many named pings go before it, in transactions of their own. False: it was gone already. */
  remove(namespaceId: NamespaceId, id: string): Promise<boolean>;
  /** Newest first, of the newest `LOG_LINES`; `before`: numbers less than it. */
  events(check: Check, options: { before?: number; limit: number }): Promise<LoggedEvent[]>;
  body(check: Check, n: number): Promise<PingBody | undefined>;
  /**
   * How the bodies of these lines end, at most `bytes` of each, by check: one query, however many lines. A line that has none, or
   * that another has taken the place of, is left out.
   */
  endings(lines: readonly { row: CheckRow; n: number }[], bytes: number): Promise<ReadonlyMap<CheckRow, Uint8Array>>;
  /** Newest first, of the newest 1,000; `before`: numbers less than it. */
  incidents(check: Check, options: { before?: number; limit: number }): Promise<PastIncident[]>;
  /** What the last runs of these checks were, by row: two queries, however many checks. At most `limit` of each kind. */
  histories(checks: readonly Check[], limit: number): Promise<ReadonlyMap<CheckRow, History>>;
  /** How many checks there are, by state; and of those, how many the alerter has to watch. */
  counts(): Promise<{ byState: Readonly<Record<Standing["state"], number>>; armed: number }>;
  /** The check of a badge token, which only shows its state. */
  byBadge(badgeToken: string): Promise<Check | undefined>;
  /** The ping key of a namespace: how often it was made anew; 0 before the first. */
  pingKey(namespaceId: NamespaceId): Promise<{ generation: number }>;
  /** Another ping key holds from now on. */
  setPingKey(namespaceId: NamespaceId, generation: number, hash: string): Promise<void>;
  /** The namespace of a ping key. */
  byPingKey(hash: string): Promise<NamespaceId | undefined>;
  /** When the alerter last ticked, and noting it. */
  seenAt(): Promise<Millis | undefined>;
  see(now: Millis): Promise<void>;
}
