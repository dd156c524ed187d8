/** The types of checks, of what happens to them and of decisions about them (CHECKINS.md §1, §3, §4). */
import type { NamespaceId } from "../keys/namespace.ts";
import type { Draft, Level, Priority } from "../drafts/draft.ts";
import type { Topic } from "../topics/topic.ts";
import { type Millis, SECOND } from "../util/clock.ts";

/** The row of a check in the store; it never leaves the server. */
export type CheckRow = number & { readonly __brand: "CheckRow" };

export type Schedule =
  /** The next success is expected this long after the last one. */
  | { kind: "every"; everyMs: number }
  | { kind: "cron"; expression: string; timezone: string }
  /** Nothing is expected: only failures alert. */
  | { kind: "manual" };

/** The owner's settings. Durations are in milliseconds. */
export interface CheckSettings {
  name: string;
  /** For people; nothing reads it. */
  description?: string;
  /** Unique in the namespace. */
  slug?: string;
  tags: readonly string[];
  schedule: Schedule;
  /** If absent, a quarter of the gap between slots, 1 min … 1 h. */
  graceMs?: number;
  /** If absent, a quarter of the gap between slots, at most 2 min. */
  earlyMs?: number;
  /** If absent, the grace. 0: a run may take any time. */
  maxRunMs?: number;
  failAfter: number;
  recoverAfter: number;
  /** 0 means never. */
  remindEveryMs: number;
  /** If absent, there is no limit. */
  remindMax?: number;
  notifyLate: boolean;
  notifySuccess: boolean;
  /** Only POST requests count as pings. */
  postOnly: boolean;
  /** A new check alerts even if it never pings. */
  armed: boolean;
  /** A ping ends a pause, as Healthchecks has it by default. If absent, only its owner does. */
  resumeByPing?: true;
  /** Replace the level and priority that its alerts have by default. */
  level?: Level;
  priority?: Priority;
}

export type CheckState = "new" | "up" | "down" | "paused";
export type Reason = "missed" | "failed" | "overrun";

/** An open run, which has started and not ended. */
export interface Run {
  /** The name that the job gave it; `#` and the number of its event if it started without one. */
  rid: string;
  /** The job named it, so the end of another named run does not end it. */
  isNamed: boolean;
  startedAt: Millis;
  /** The slot that the run covers. */
  slotAt?: Millis;
  /** If absent, it may take any time or has passed its deadline. */
  deadlineAt?: Millis;
  hasOverrun: boolean;
}

/** A ping of a named run, by which a repeated ping is recognised. */
export interface NamedPing {
  rid: string;
  kind: "start" | "ok" | "fail";
  at: Millis;
}

/** A time in which this server was away. */
export interface Gap {
  from: Millis;
  to: Millis;
}

/** An incident: the time from going down to coming up. */
export interface Incident {
  /** Its number within the check: 1, 2, 3 … */
  n: number;
  reason: Reason;
  /** When it truly began: at the deadline that passed, or at the failure. */
  openedAt: Millis;
  /** The slot that was missed. */
  expectedAt?: Millis;
  /** The deadline of the slot, or of the run that took too long. */
  deadlineAt?: Millis;
  /** When the run that took too long started. */
  startedAt?: Millis;
  /** The slots whose deadline passed without a ping, the first one included; counted to 1,000. */
  missed: number;
  /** The server was away at the deadline, so the ping may have been lost; left out of downtime. */
  gap?: Gap;
  exit?: number;
  /** An alert has reported it. In a snooze none has yet. */
  isTold: boolean;
  ackedAt?: Millis;
  /** The name of the person who acknowledged it in a page. */
  ackedBy?: string;
  reminders: number;
  /** When the next reminder is due. */
  remindAt?: Millis;
}

/** The state that pings have left a check in: all that a decision reads and returns. Plain data. */
export interface Standing {
  settings: CheckSettings;
  state: CheckState;
  /** The number of events so far, which is also the number of the latest one. */
  events: number;
  /** The number of incidents so far. */
  incidents: number;
  failStreak: number;
  okStreak: number;
  lastOkAt?: Millis;
  lastEventAt?: Millis;
  lastDurationMs?: number;
  /** The slot: when the next success is expected. */
  slotAt?: Millis;
  /** The slot plus grace, or later while a run covers the slot. */
  deadlineAt?: Millis;
  /** An alert has reported that the slot has passed. */
  isLateTold: boolean;
  /** Until then alerts are suppressed, while the state is tracked. */
  mutedUntil?: Millis;
  /** Since when it is paused, and the name of the person who paused it in a page. */
  paused?: { at: Millis; by?: string };
  /** Deadlines within this time, when the server was away, count only from `until` on. */
  hold?: Gap & { until: Millis };
  /** Open runs, the oldest first; at most 20. */
  runs: readonly Run[];
  /** The latest event, if it is a success without `rid`: a repeat of it is folded into it. */
  folds?: { at: Millis; exit?: number };
  incident?: Incident;
  /** How much too early the latest pings came, in ms, while all do. Equal ones hint at a wrong time zone. */
  offsets: readonly number[];
}

/** Whether an open run keeps the slot from being late. */
export const isCovered = ({ slotAt, runs }: Standing): boolean =>
  slotAt !== undefined && runs.some((run) => run.slotAt === slotAt && !run.hasOverrun);

/** Whether the slot has passed and the deadline not. Derived, and shown instead of `new` and `up`. */
export const isLate = (standing: Standing, now: Millis): boolean =>
  (standing.state === "new" || standing.state === "up") &&
  standing.slotAt !== undefined &&
  standing.slotAt <= now &&
  !isCovered(standing);

const QUARTER_HOUR = 900_000;

/**
 * Whether the latest pings were all too early by the same number of quarter hours, as time zones differ. A job pings
 * within 2 minutes of its start, on a clock that may be 30 s ahead.
 */
export function looksLikeWrongZone({ offsets }: Standing): boolean {
  const [first = 0] = offsets;
  const whole = Math.round(first / QUARTER_HOUR) * QUARTER_HOUR;
  const isClose = (offset: number) => offset <= whole + 30 * SECOND && offset >= whole - 120 * SECOND;
  return whole > 0 && offsets.length === 3 && offsets.every(isClose);
}

/** Whether a run is open. */
export const isRunning = ({ runs }: Standing): boolean => runs.length > 0;

export type PingKind = "ok" | "fail" | "start" | "log";

/** What happens to a check. */
export type CheckEvent =
  | {
      kind: PingKind;
      rid?: string;
      exit?: number;
      /** For a log: the open run may take at least this much longer. */ extendMs?: number;
      /** The end of the output, for the alert. */ tail?: string;
    }
  /** A ping that must not count: from a link preview, or with the wrong method. */
  | { kind: "ignored" }
  /** Time has passed. `gap`: this server was away in between. */
  | { kind: "tick"; gap?: Gap }
  | OwnerEvent;

/** What somebody does to a check. */
export type OwnerEvent = { by?: string } & (
  | { kind: "pause" | "resume" | "ack" | "unack" | "test" }
  /** The check is deleted next. */
  | { kind: "delete" }
  | { kind: "snooze"; until: Millis }
  | { kind: "edit"; settings: CheckSettings }
);

export type AlertKind =
  | "down"
  /** It is still down, for another reason. */
  | "changed"
  | "up"
  | "reminder"
  /** The slot has passed. */
  | "late"
  /** A failure before there are `failAfter` of them. */
  | "warning"
  | "success"
  | "test";

/** An alert, with all that its words need. */
export interface Alert {
  kind: AlertKind;
  at: Millis;
  /** The incident after the decision; closed for `up`. */
  incident?: Incident;
  /** The check is deleted next. */
  isLast?: true;
  /** The exit code of the event that caused it. */
  exit?: number;
  durationMs?: number;
  tail?: string;
}

/** What the owner did, as the log calls it. */
type LogWord = "paused" | "resumed" | "snoozed" | "unsnoozed" | "acked" | "unacked" | "edited" | "tested";

/** A line of the check's log. */
export interface Recorded {
  kind: PingKind | "ignored" | "down" | "up" | LogWord;
  at: Millis;
  rid?: string;
  exit?: number;
  durationMs?: number;
  reason?: Reason;
  /** The name of the person who did it. */
  by?: string;
}

/** The result of a decision. Nothing is recorded if an event repeats a known one. */
export interface Decision {
  after: Standing;
  recorded: readonly Recorded[];
  alerts: readonly Alert[];
  /** Pings of named runs to remember. */
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
  /** Raised by each rotation of its token. */
  tokenGeneration: number;
  /** The SHA-256 of its token, which shows whether a token derived again is the same. */
  tokenHash: string;
  badgeToken: string;
  createdAt: Millis;
  standing: Standing;
  /** When `decide` has to look at it again; absent if never. */
  dueAt?: Millis;
}

/** An alert and its check. */
export interface Told {
  check: Check;
  alert: Alert;
}

/** A message for alerts of one topic: for a single alert, or a digest of many. */
export interface Composed {
  draft: Draft;
  told: readonly Told[];
}

/** What the log of a check shows of a ping's request. */
export interface PingSource {
  method: string;
  address: string;
  /** At most 200 characters. */
  userAgent?: string;
  /** Absent if there was none. */
  body?: PingBody;
}

export interface PingBody {
  /** The first 2 kB, or all of a shorter body. */
  head: Uint8Array;
  /** The last 8 kB; empty if `head` is all. */
  tail: Uint8Array;
  totalBytes: number;
  /** The rest is missing: it took too long, was too much, or the client has gone. */
  isUnfinished?: true;
}
