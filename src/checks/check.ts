/** What a check is, what happens to it, and what a decision makes of that (CHECKINS.md §1, §3, §4). */
import type { NamespaceId } from "../keys/namespace.ts";
import type { Draft, Level, Priority } from "../drafts/draft.ts";
import type { Topic } from "../topics/topic.ts";
import type { Millis } from "../util/clock.ts";

/** Row of a check in the store; never leaves the server. */
export type CheckRow = number & { readonly __brand: "CheckRow" };

export type Schedule =
  /** The next success is expected so long after the last one. */
  | { kind: "every"; everyMs: number }
  | { kind: "cron"; expression: string; timezone: string }
  /** Nothing is expected: only fails alert. */
  | { kind: "manual" };

/** What the owner chose. Durations are milliseconds. */
export interface CheckSettings {
  name: string;
  /** Unique in its namespace. */
  slug?: string;
  tags: readonly string[];
  schedule: Schedule;
  /** Absent: a quarter of the gap between slots, 1 min … 1 h. */
  graceMs?: number;
  /** Absent: a quarter of the gap, at most 2 min. */
  earlyMs?: number;
  /** Absent: the grace. 0: a run may take any time. */
  maxRunMs?: number;
  failAfter: number;
  recoverAfter: number;
  /** 0: never. */
  remindEveryMs: number;
  /** Absent: without end. */
  remindMax?: number;
  notifyLate: boolean;
  notifySuccess: boolean;
  /** Only POST counts. */
  postOnly: boolean;
  /** A new check alerts when it never pings. */
  armed: boolean;
  /** Of its alerts, in place of their own. */
  level?: Level;
  priority?: Priority;
}

export type CheckState = "new" | "up" | "down" | "paused";
export type Reason = "missed" | "failed" | "overrun";

/** An open run: it has started and not ended. */
export interface Run {
  /** As the job named it, or made for a start without one: `#` and the number of its event. */
  rid: string;
  /** The job named it, so that the end of another named one does not end it. */
  isNamed: boolean;
  startedAt: Millis;
  /** The slot that it covers. */
  slotAt?: Millis;
  /** Absent: it may take any time, or has passed it. */
  deadlineAt?: Millis;
  hasOverrun: boolean;
}

/** A ping of a named run, by which a repeat of it is known. */
export interface NamedPing {
  rid: string;
  kind: "start" | "ok" | "fail";
  at: Millis;
}

/** A time in which the server was away. */
export interface Gap {
  from: Millis;
  to: Millis;
}

/** From going down to coming up. */
export interface Incident {
  /** Counted per check: 1, 2, 3 … */
  n: number;
  reason: Reason;
  /** The true instant: the deadline that passed, or the fail. */
  openedAt: Millis;
  /** The slot that was missed. */
  expectedAt?: Millis;
  /** That of the slot, or of the run that took too long. */
  deadlineAt?: Millis;
  /** Of the run that took too long. */
  startedAt?: Millis;
  /** Slots whose deadline passed without a success or a fail, the first included; counted to 1,000. */
  missed: number;
  /** The server was away at the deadline: the ping may have been lost; left out of downtime. */
  gap?: Gap;
  exit?: number;
  /** That it went down was told: not yet when it did in a snooze. */
  isTold: boolean;
  ackedAt?: Millis;
  /** Who did, where a person did. */
  ackedBy?: string;
  reminders: number;
  /** Of the next reminder. */
  remindAt?: Millis;
}

/** What the pings have made of a check: all that a decision reads and gives back. Plain data. */
export interface Standing {
  settings: CheckSettings;
  state: CheckState;
  /** Events recorded so far: the number of the latest. */
  events: number;
  /** Incidents so far. */
  incidents: number;
  failStreak: number;
  okStreak: number;
  lastOkAt?: Millis;
  lastEventAt?: Millis;
  lastDurationMs?: number;
  /** The instant by which the next success is expected. */
  slotAt?: Millis;
  /** Slot and grace, or later while a run covers the slot. */
  deadlineAt?: Millis;
  /** That the slot passed was told. */
  isLateTold: boolean;
  /** Alerts are suppressed until then, the state is tracked. */
  mutedUntil?: Millis;
  /** Since when it is paused, and who paused it, where a person did. */
  paused?: { at: Millis; by?: string };
  /** Deadlines in this time, when the server was away, count only from `until` on. */
  hold?: Gap & { until: Millis };
  /** Open ones, oldest first; at most 20. */
  runs: readonly Run[];
  /** The latest success, while nothing was recorded after it: one without `rid`, into which a repeat folds. */
  folds?: { at: Millis; exit?: number };
  incident?: Incident;
  /** How much too early the latest pings came, ms, as long as all do: equal ones hint at a wrong time zone. */
  offsets: readonly number[];
}

/** An open run keeps the slot from being late. */
export const isCovered = ({ slotAt, runs }: Standing): boolean =>
  slotAt !== undefined && runs.some((run) => run.slotAt === slotAt && !run.hasOverrun);

/** The slot has passed, the deadline not: derived, and shown in place of `new` and `up`. */
export const isLate = (standing: Standing, now: Millis): boolean =>
  (standing.state === "new" || standing.state === "up") &&
  standing.slotAt !== undefined &&
  standing.slotAt <= now &&
  !isCovered(standing);

const QUARTER_HOUR = 900_000;
const SECOND = 1_000;

/**
 * The latest pings on a cron schedule were all too early by the same number of quarter hours, as zones differ; a job pings
 * within 2 minutes of its start, on a clock that may be 30 s ahead.
 */
export function looksLikeWrongZone({ offsets }: Standing): boolean {
  const [first = 0] = offsets;
  const whole = Math.round(first / QUARTER_HOUR) * QUARTER_HOUR;
  const isClose = (offset: number) => offset <= whole + 30 * SECOND && offset >= whole - 120 * SECOND;
  return whole > 0 && offsets.length === 3 && offsets.every(isClose);
}

/** A run is open. */
export const isRunning = ({ runs }: Standing): boolean => runs.length > 0;

export type PingKind = "ok" | "fail" | "start" | "log";

/** What happens to a check. */
export type CheckEvent =
  | {
      kind: PingKind;
      rid?: string;
      exit?: number;
      /** Of a log: from now on, the open run may take at least so long. */ extendMs?: number;
      /** End of the output, for the alert. */ tail?: string;
    }
  /** A ping that must not count: a link preview, or the wrong method. */
  | { kind: "ignored" }
  /** Time has passed. `gap`: the server was away in between. */
  | { kind: "tick"; gap?: Gap }
  | OwnerEvent;

/** What somebody does to a check. */
export type OwnerEvent = { by?: string } & (
  | { kind: "pause" | "resume" | "ack" | "unack" | "test" }
  /** It is deleted next. */
  | { kind: "delete" }
  | { kind: "snooze"; until: Millis }
  | { kind: "edit"; settings: CheckSettings }
);

export type AlertKind =
  | "down"
  /** Still down, for another reason. */
  | "changed"
  | "up"
  | "reminder"
  /** The slot passed. */
  | "late"
  /** A fail below `failAfter`. */
  | "warning"
  | "success"
  | "test";

/** What is to be told, with all that its words need. */
export interface Alert {
  kind: AlertKind;
  at: Millis;
  /** As it is after the decision; closed for `up`. */
  incident?: Incident;
  /** The check is deleted next. */
  isLast?: true;
  /** Of the event that caused it. */
  exit?: number;
  durationMs?: number;
  tail?: string;
}

/** What its owner did. */
type LogWord = "paused" | "resumed" | "snoozed" | "unsnoozed" | "acked" | "unacked" | "edited" | "tested";

/** The line that the log of a check gets for an event. */
export interface Recorded {
  kind: PingKind | "ignored" | "down" | "up" | LogWord;
  at: Millis;
  rid?: string;
  exit?: number;
  durationMs?: number;
  reason?: Reason;
  /** The person who did it. */
  by?: string;
}

/** What a decision comes to. Nothing is recorded where an event repeats one that is known. */
export interface Decision {
  after: Standing;
  recorded: readonly Recorded[];
  alerts: readonly Alert[];
  /** To be remembered. */
  named: readonly NamedPing[];
}

/** A check as the store keeps it. */
export interface Check {
  row: CheckRow;
  /** 26 characters of the key alphabet. */
  id: string;
  namespaceId: NamespaceId;
  namespace: string;
  topic: Pick<Topic, "id" | "key" | "name">;
  /** Counted up by each rotation of its token. */
  tokenGeneration: number;
  /** SHA-256 of its token: whether one that is derived again is the same. */
  tokenHash: string;
  badgeToken: string;
  createdAt: Millis;
  standing: Standing;
  /** When `decide` has to look at it again; absent: never. */
  dueAt?: Millis;
}

/** An alert and whose it is. */
export interface Told {
  check: Check;
  alert: Alert;
}

/** A message for alerts of one topic: one each, or a digest of many. */
export interface Composed {
  draft: Draft;
  told: readonly Told[];
}

/** Of a ping's request: what the log of a check shows beside the event. */
export interface PingSource {
  method: string;
  address: string;
  /** At most 200 characters. */
  userAgent?: string;
  /** Absent: there was none. */
  body?: PingBody;
}

export interface PingBody {
  /** The first 2 kB; all of it when it is shorter. */
  head: Uint8Array;
  /** The last 8 kB; empty when `head` is all. */
  tail: Uint8Array;
  totalBytes: number;
  /** More was to come: it took too long, was too much, or its client has gone. */
  isUnfinished?: true;
}
