/** What the owner of a check may do to it (CHECKINS.md §4). */
import type { Millis } from "../../util/clock.ts";
import { defined } from "../../util/defined.ts";
import type { CheckSettings, Incident, Recorded, Run, Standing } from "../check.ts";
import { awaitSlot, type Change, closeIncident, cover, endSnooze, record, rescheduled } from "./change.ts";
import { marginsAt, marginsNow, slotAfter, slotAfterPing } from "../schedule/schedule.ts";

/** Pauses the check: from now on pings are only recorded, and what was open ends. */
export function pause(change: Change, by?: string): void {
  const { after, now } = change;
  if (after.state === "paused") return;
  const { incident } = after;
  after.state = "paused";
  after.paused = defined<NonNullable<Standing["paused"]>>({ at: now, by });
  after.runs = after.runs.filter((run) => !run.hasOverrun).map(({ slotAt: _, deadlineAt: __, ...run }) => run);
  after.failStreak = 0;
  delete after.hold;
  awaitSlot(change, undefined);
  record(change, line("paused", by));
  if (incident !== undefined) closeIncident(change, incident);
}

/** Ends the alarm of a check that is deleted next, since nobody else would. */
export function end(change: Change): void {
  if (change.after.incident === undefined) return;
  pause(change);
  change.alerts = change.alerts.map((alert) => ({ ...alert, isLast: true }));
}

export function resume(change: Change, by?: string): void {
  const { after, now } = change;
  if (after.state !== "paused") return;
  delete after.paused;
  after.state = after.lastOkAt === undefined ? "new" : "up";
  awaitSlot(change, slotAfter(after.settings.schedule, now));
  record(change, line("resumed", by));
}

/** Snoozes the check. A time that has passed ends the snooze. */
export function snooze(change: Change, until: Millis, by?: string): void {
  const { after, now } = change;
  if (until === after.mutedUntil || (until <= now && after.mutedUntil === undefined)) return;
  record(change, line(until > now ? "snoozed" : "unsnoozed", by));
  if (until > now) after.mutedUntil = until;
  else endSnooze(change);
}

export function acknowledge(change: Change, by?: string): void {
  const { after, now } = change;
  const { incident } = after;
  if (incident === undefined || incident.ackedAt !== undefined) return;
  after.incident = rescheduled(defined<Incident>({ ...incident, ackedAt: now, ackedBy: by }), change);
  record(change, line("acked", by));
}

/** Takes an acknowledgement back, so that reminders go on. */
export function unacknowledge(change: Change, by?: string): void {
  const { incident } = change.after;
  if (incident?.ackedAt === undefined) return;
  const open = { ...incident };
  delete open.ackedAt;
  delete open.ackedBy;
  change.after.incident = rescheduled(open, change);
  record(change, line("unacked", by));
}

export function tryOut(change: Change, by?: string): void {
  record(change, line("tested", by));
  change.alerts.push({ kind: "test", at: change.now });
}

export function edit(change: Change, settings: CheckSettings, by?: string): void {
  const { after } = change;
  const was = after.settings;
  if (Bun.deepEquals(was, settings)) return;
  after.settings = settings;
  record(change, line("edited", by));
  if (after.state === "paused") return;
  const isReminded = was.remindEveryMs === settings.remindEveryMs && was.remindMax === settings.remindMax;
  if (after.incident?.isTold === true && !isReminded) after.incident = rescheduled(after.incident, change);
  retime(change, was);
}

const line = (kind: Recorded["kind"], by: string | undefined) => defined<Omit<Recorded, "at">>({ kind, by });

/** Applies new times. An edit never takes a check down: what it makes overdue is late, with the full grace from now on. */
function retime(change: Change, was: CheckSettings): void {
  const { after, now } = change;
  const { settings, slotAt: awaited, isLateTold } = after;
  const isMoved =
    !Bun.deepEquals(was.schedule, settings.schedule) || (after.state === "new" && was.armed !== settings.armed);
  if (!isMoved && was.graceMs === settings.graceMs && was.maxRunMs === settings.maxRunMs) return;
  const slotAt = isMoved ? movedSlot(after, was, now) : awaited;
  delete after.hold;
  awaitSlot(change, slotAt);
  if (!isMoved) after.isLateTold = isLateTold;
  if (slotAt !== undefined && slotAt <= now) after.deadlineAt = now + marginsAt(settings, slotAt).graceMs;
  const { maxRunMs } = marginsNow({ settings, slotAt }, now);
  after.runs = after.runs.map(({ slotAt: covered, deadlineAt: _, ...run }) => {
    const natural = run.startedAt + maxRunMs;
    return defined<Run>({
      ...run,
      slotAt: covered !== undefined && covered === awaited ? slotAt : covered,
      deadlineAt: run.hasOverrun || maxRunMs === 0 ? undefined : natural > now ? natural : now + maxRunMs,
    });
  });
  for (const run of after.runs) cover(after, run);
}

/** The slot by another schedule. If it has passed it is now: nobody knew what the new schedule would have expected before. */
function movedSlot(
  { state, settings, slotAt, lastOkAt = Infinity }: Standing,
  was: CheckSettings,
  now: Millis,
): Millis | undefined {
  const isArmed = settings.armed || (slotAt !== undefined && !was.armed);
  if (state === "new" && !isArmed) return undefined;
  if (state !== "up") return slotAfter(settings.schedule, now);
  const next = slotAfterPing(settings, undefined, Math.min(lastOkAt, now));
  return next === undefined ? undefined : Math.max(next, now);
}
