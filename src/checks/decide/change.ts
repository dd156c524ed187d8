/** A decision in the making, and what several events do to a check (CHECKINS.md §4). */
import type { Millis } from "../../util/clock.ts";
import { defined } from "../../util/defined.ts";
import type {
  Alert,
  CheckSettings,
  Decision,
  NamedPing,
  Gap,
  Incident,
  Reason,
  Recorded,
  Run,
  Standing,
} from "../check.ts";
import { coveredUntil, deadlineOf } from "../schedule/schedule.ts";

/** `after` is a copy: it alone is changed, what it holds is replaced. */
export interface Change extends Decision {
  recorded: Recorded[];
  alerts: Alert[];
  named: NamedPing[];
  now: Millis;
}

export const begin = (standing: Standing, now: Millis): Change => ({
  after: { ...standing },
  recorded: [],
  alerts: [],
  named: [],
  now,
});

/** A line of the log: never before the one above it, whatever the clock does. */
export function record({ after, recorded, now }: Change, line: Omit<Recorded, "at">, at = now): void {
  const entry: Recorded = { ...line, at: Math.max(at, after.lastEventAt ?? at) };
  recorded.push(entry);
  after.events += 1;
  after.lastEventAt = entry.at;
  delete after.folds;
}

/** Waits for another slot; undefined: for none. */
export function awaitSlot({ after }: Pick<Change, "after">, slotAt: Millis | undefined): void {
  delete after.slotAt;
  delete after.deadlineAt;
  after.isLateTold = false;
  if (slotAt === undefined) return;
  after.slotAt = slotAt;
  after.deadlineAt = deadlineOf(after.settings, slotAt);
}

/** Keeps the slot of a run from being missed before the run is; its deadline only ever moves away. */
export function cover(after: Standing, run: Run): void {
  const { slotAt, settings } = after;
  if (slotAt === undefined || run.slotAt !== slotAt || run.hasOverrun) return;
  after.deadlineAt = Math.max(after.deadlineAt ?? slotAt, coveredUntil(settings, slotAt, run));
}

/** What the words of an alert need beside the incident. */
type Details = Pick<Alert, "exit" | "durationMs" | "tail">;

interface Fall {
  reason: Reason;
  /** The true instant, which may lie before `at`, when it counts. */
  openedAt: Millis;
  at: Millis;
  expectedAt?: Millis | undefined;
  deadlineAt?: Millis | undefined;
  startedAt?: Millis | undefined;
  gap?: Gap | undefined;
}

export function goDown(change: Change, fall: Fall, details: Details = {}): void {
  const { after } = change;
  const { reason, openedAt, at, expectedAt, deadlineAt, startedAt, gap } = fall;
  after.state = "down";
  after.incidents += 1;
  after.okStreak = 0;
  after.incident = defined<Incident>({
    n: after.incidents,
    reason,
    openedAt,
    expectedAt,
    deadlineAt,
    startedAt,
    missed: reason === "missed" ? 1 : 0,
    gap,
    exit: details.exit,
    isTold: false,
    reminders: 0,
  });
  record(change, { kind: "down", reason }, at);
  if (!isMuted(after)) tellDown(change, after.incident, details);
}

/** Still down, for this reason now. */
export function changeReason(
  { after, alerts, now }: Change,
  { exit: _, startedAt: __, ...was }: Incident,
  { reason, ...run }: Pick<Fall, "reason" | "startedAt" | "deadlineAt">,
  details: Details = {},
): void {
  const incident = { ...was, reason, ...defined<Partial<Incident>>({ exit: details.exit, ...run }) };
  after.incident = incident;
  if (was.reason !== reason && !isMuted(after)) alerts.push({ kind: "changed", at: now, incident, ...details });
}

/** The incident ends; who heard of it hears that too, also in a snooze: its card would stay open. */
export function closeIncident(change: Change, incident: Incident, details: Details = {}): void {
  delete change.after.incident;
  if (incident.isTold) change.alerts.push({ kind: "up", at: change.now, incident, ...details });
}

/** The alerts of a snooze are over: if the check is down, that is told once, and nobody reminded of what was acknowledged. */
export function endSnooze(change: Change): void {
  const { after } = change;
  delete after.mutedUntil;
  if (after.incident?.isTold === false) tellDown(change, after.incident);
  else if (after.incident !== undefined && after.incident.ackedAt === undefined) remind(change, after.incident);
}

export function remind(change: Change, was: Incident): void {
  const incident = rescheduled({ ...was, reminders: was.reminders + 1 }, change);
  change.after.incident = incident;
  change.alerts.push({ kind: "reminder", at: change.now, incident });
}

function tellDown(change: Change, was: Incident, details: Details = {}): void {
  const incident = rescheduled({ ...was, isTold: true }, change);
  change.after.incident = incident;
  change.alerts.push({ kind: "down", at: was.openedAt, incident, ...details });
}

/** With the time of its next reminder, counted from now. */
export function rescheduled(
  { remindAt: _, ...incident }: Incident,
  { after, now }: { after: { settings: CheckSettings }; now: Millis },
): Incident {
  const { remindEveryMs, remindMax = Infinity } = after.settings;
  const isOver = remindEveryMs === 0 || incident.ackedAt !== undefined || incident.reminders >= remindMax;
  return isOver ? incident : { ...incident, remindAt: now + remindEveryMs };
}

/** What ends a snooze takes `mutedUntil` away, in order with all else. */
export const isMuted = ({ mutedUntil }: Standing): boolean => mutedUntil !== undefined;
