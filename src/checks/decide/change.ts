/** A decision while it is being made, and the changes that several events share (CHECKINS.md §4). */
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

/** `after` is a shallow copy that may be changed; the objects in it are replaced, never changed. */
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

/** Adds a line to the log, which is never earlier than the line before, whatever the clock does. */
export function record({ after, recorded, now }: Change, line: Omit<Recorded, "at">, at = now): void {
  const entry: Recorded = { ...line, at: Math.max(at, after.lastEventAt ?? at) };
  recorded.push(entry);
  after.events += 1;
  after.lastEventAt = entry.at;
  delete after.folds;
}

/** Waits for another slot, or for none. */
export function awaitSlot({ after }: Pick<Change, "after">, slotAt: Millis | undefined): void {
  delete after.slotAt;
  delete after.deadlineAt;
  after.isLateTold = false;
  if (slotAt === undefined) return;
  after.slotAt = slotAt;
  after.deadlineAt = deadlineOf(after.settings, slotAt);
}

/** Keeps the slot of a run from being missed before the run is. Its deadline only ever moves to a later time. */
export function cover(after: Standing, run: Run): void {
  const { slotAt, settings } = after;
  if (slotAt === undefined || run.slotAt !== slotAt || run.hasOverrun) return;
  after.deadlineAt = Math.max(after.deadlineAt ?? slotAt, coveredUntil(settings, slotAt, run));
}

/** What the words of an alert need besides the incident. */
type Details = Pick<Alert, "exit" | "durationMs" | "tail">;

interface Fall {
  reason: Reason;
  /** When it truly happened, which may be before `at`, when it counts. */
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

/** The check is still down, but for this reason now. */
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

/** Closes the incident. If it was reported, its end is too, even in a snooze, or the card would stay open. */
export function closeIncident(change: Change, incident: Incident, details: Details = {}): void {
  delete change.after.incident;
  if (incident.isTold) change.alerts.push({ kind: "up", at: change.now, incident, ...details });
}

/** Ends a snooze. If the check is down, that is reported once, but nobody is reminded of what was acknowledged. */
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

/** Sets the time of the next reminder, counted from now. */
export function rescheduled(
  { remindAt: _, ...incident }: Incident,
  { after, now }: { after: { settings: CheckSettings }; now: Millis },
): Incident {
  const { remindEveryMs, remindMax = Infinity } = after.settings;
  const isOver = remindEveryMs === 0 || incident.ackedAt !== undefined || incident.reminders >= remindMax;
  return isOver ? incident : { ...incident, remindAt: now + remindEveryMs };
}

/** Whatever ends a snooze deletes `mutedUntil`, in order with all other events. */
export const isMuted = ({ mutedUntil }: Standing): boolean => mutedUntil !== undefined;
