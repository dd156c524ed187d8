/** What time alone does to a check: it is late, missed, overrun, reminded; each incident alerts once (CHECKINS.md §4, §5). */
import { type Millis, MINUTE } from "../../util/clock.ts";
import { type Gap, isCovered, type Run, type Standing } from "../check.ts";
import { awaitSlot, type Change, changeReason, endSnooze, goDown, isMuted, remind } from "./change.ts";
import { gapAfter, slotAfter } from "../schedule/schedule.ts";

/** A hold lasts for one period within these limits. */
const SHORTEST_HOLD_MS = MINUTE;
export const LONGEST_HOLD_MS = 5 * MINUTE;
/** Missed slots are counted up to this number. After that, a dead check is no longer examined. */
export const MOST_MISSED = 1_000;

/** When `decide` has to look at a check again: the first time at which a tick changes something. */
export const dueAt = (standing: Standing): Millis | undefined => nextTimer(standing)?.at;

/** Does what has become due, in the order of the times. `gap`: this server was away in between. */
export function tick(change: Change, gap: Gap | undefined): void {
  if (gap !== undefined) holdBack(change, gap);
  for (;;) {
    const timer = nextTimer(change.after);
    if (timer === undefined || timer.at > change.now) return;
    timer.ring(change, timer.at);
  }
}

interface Timer {
  at: Millis;
  /** Does what is due, so that the timer is gone or later. */
  ring: (change: Change, at: Millis) => void;
}

/** The earliest timer; if several have the same time, the one that is set first here. */
function nextTimer(standing: Standing): Timer | undefined {
  const { deadlineAt, incident, hold, runs, mutedUntil } = standing;
  let earliest: Timer | undefined;
  const set = (at: Millis | undefined, ring: Timer["ring"]) => {
    if (at !== undefined && (earliest === undefined || at < earliest.at)) earliest = { at, ring };
  };
  set(mutedUntil, endSnooze);
  set(lateAt(standing), tellLate);
  for (const run of runs) if (run.deadlineAt !== undefined) set(countsAt(standing, run.deadlineAt), overrun(run));
  if (deadlineAt !== undefined) set(countsAt(standing, deadlineAt), miss);
  if (incident !== undefined && !isMuted(standing)) set(incident.remindAt, (change) => remind(change, incident));
  set(hold?.until, ({ after }) => delete after.hold);
  return earliest;
}

const isInside = (at: Millis, { from, to }: Gap) => at > from && at <= to;

/** When a deadline counts: later than it is if the ping may have been lost. */
const countsAt = ({ hold }: Standing, deadlineAt: Millis): Millis =>
  hold !== undefined && isInside(deadlineAt, hold) ? hold.until : deadlineAt;

/**
 * Holds back deadlines that lie in the gap, for one period from its end, in which a living job pings. So all checks of
 * one period count at the same time, however long it takes to look at them.
 */
function holdBack({ after }: Change, gap: Gap): void {
  const { state, settings, slotAt, deadlineAt, runs, hold } = after;
  if (state === "down") return;
  const deadlines = [deadlineAt, ...runs.map((run) => run.deadlineAt)];
  if (!deadlines.some((at) => at !== undefined && isInside(at, gap))) return;
  const period = slotAt === undefined ? undefined : gapAfter(settings.schedule, slotAt);
  const until = gap.to + Math.min(Math.max(period ?? 0, SHORTEST_HOLD_MS), LONGEST_HOLD_MS);
  after.hold = { from: hold?.from ?? gap.from, to: gap.to, until };
}

/** When to tell that the slot is late: once, and never while a run covers it. */
function lateAt(standing: Standing): Millis | undefined {
  const { state, settings, isLateTold, slotAt } = standing;
  const isAsked = settings.notifyLate && !isLateTold && state !== "down" && slotAt !== undefined;
  return isAsked && !isCovered(standing) ? slotAt : undefined;
}

function tellLate(change: Change, at: Millis): void {
  const { after, now } = change;
  after.isLateTold = true;
  const isMissed = (after.deadlineAt ?? Infinity) <= now;
  if (!isMissed && !isMuted(after)) change.alerts.push({ kind: "late", at });
}

function miss(change: Change, at: Millis): void {
  const { after } = change;
  const { slotAt = at, deadlineAt = at } = after;
  if (after.incident === undefined) {
    const gap = heldBy(after, deadlineAt);
    goDown(change, { reason: "missed", openedAt: deadlineAt, at, expectedAt: slotAt, deadlineAt, gap });
    awaitSlot(change, slotAfter(after.settings.schedule, slotAt));
  }
  countMissed(change);
}

/** Counts the slots that a check missed while it was down, even if nobody looked before the next ping. */
export function countMissed(change: Change): void {
  const { after, now } = change;
  for (;;) {
    const { incident, slotAt, deadlineAt = Infinity } = after;
    if (incident === undefined || slotAt === undefined || deadlineAt > now) return;
    const missed = incident.missed + 1;
    after.incident = { ...incident, missed };
    awaitSlot(change, missed < MOST_MISSED ? slotAfter(after.settings.schedule, slotAt) : undefined);
  }
}

const overrun =
  (run: Run) =>
  (change: Change, at: Millis): void => {
    const { after } = change;
    const { deadlineAt = at, ...rest } = run;
    const { startedAt } = run;
    const { incident } = after;
    after.runs = after.runs.map((each) => (each === run ? { ...rest, hasOverrun: true } : each));
    if (incident === undefined)
      goDown(change, {
        reason: "overrun",
        openedAt: deadlineAt,
        at,
        deadlineAt,
        startedAt,
        gap: heldBy(after, deadlineAt),
      });
    else if (incident.reason !== "overrun")
      changeReason(change, incident, { reason: "overrun", startedAt, deadlineAt });
    // its slot was reported with the run
    const { slotAt } = after;
    if (slotAt !== undefined && slotAt === run.slotAt && slotAt <= at)
      awaitSlot(change, slotAfter(after.settings.schedule, slotAt));
  };

const heldBy = ({ hold }: Standing, deadlineAt: Millis): Gap | undefined =>
  hold !== undefined && isInside(deadlineAt, hold) ? { from: hold.from, to: hold.to } : undefined;
