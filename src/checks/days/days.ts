/** Counts how long a check was up and down, day by day (CHECKINS.md §8). Pure. */
import type { Counted, DayTimes } from "../../store/days.ts";
import { dayHere, dayIn, type Day } from "../../util/calendar.ts";
import { DAY, type Millis } from "../../util/clock.ts";
import { defined } from "../../util/defined.ts";
import type { Gap, Schedule, Standing } from "../check.ts";

/** Older time is in no picture; a check may have slept for years. */
const LONGEST_MS = 366 * DAY;

type Times = Pick<DayTimes, "upMs" | "downMs" | "quietMs" | "awayMs">;

/** The day of a check that contains an instant: in the zone of its schedule, else in the server's. */
export const dayOf = (schedule: Schedule, at: Millis): Day =>
  schedule.kind === "cron" ? dayIn(schedule.timezone, at) : dayHere(at);

/**
 * What to add to the days of a check, once its day is over or its state changes; undefined while nothing is, so that
 * most pings write no day. `from`: the days are written up to then.
 */
export function count(
  before: Standing,
  after: Standing,
  now: Millis,
  { from, away }: { from: Millis; away: readonly Gap[] },
): Counted | undefined {
  const { schedule } = before.settings;
  const day = dayOf(schedule, from);
  if (isAlike(before, after) && now < day.to) return undefined;
  const days = new Map<number, DayTimes>();
  const { incident } = after;
  // it went down when the deadline passed, before anybody looked
  const turn = incident === undefined || incident.n === before.incident?.n ? now : incident.openedAt;
  const turned = Math.max(from, Math.min(turn, now));
  spend(days, before, { from, to: turned }, away);
  // a snooze that has ended since lasted until then
  const { mutedUntil = before.mutedUntil } = after;
  spend(days, defined<Standing>({ ...after, mutedUntil }), { from: turned, to: now }, away);
  return { times: [...days.values()], to: now, ...(now >= day.to && { over: day }) };
}

/** Whether time counts in the same way before and after, and in the same days. */
const isAlike = (before: Standing, after: Standing): boolean =>
  before.state === after.state &&
  before.mutedUntil === after.mutedUntil &&
  before.incident?.gap === undefined &&
  (before.settings === after.settings || zoneOf(before) === zoneOf(after));

const zoneOf = ({ settings: { schedule } }: Standing): string | undefined =>
  schedule.kind === "cron" ? schedule.timezone : undefined;

/** Adds a span of time in which nothing happened to a check to its days. */
export function spend(days: Map<number, DayTimes>, standing: Standing, { from, to }: Gap, away: readonly Gap[]): void {
  const { settings, state, mutedUntil, lastOkAt = -Infinity } = standing;
  if (state === "new") return;
  const gaps = away.filter((gap) => gap.from < to && gap.to > from);
  const turns = [mutedUntil, knownFrom(standing), ...gaps.flatMap((gap) => [gap.from, gap.to])];
  const cuts = turns.filter((at) => at !== undefined).sort((a, b) => a - b);
  for (let at = Math.max(from, to - LONGEST_MS); at < to;) {
    const day = dayOf(settings.schedule, at);
    const end = Math.min(day.to, to, cuts.find((cut) => cut > at) ?? to);
    const times = days.get(day.day) ?? { ...NOTHING, day: day.day };
    const isAway = gaps.some((gap) => at >= gap.from && at < gap.to);
    times[isAway ? "awayMs" : timeAt(standing, at)] += end - at;
    times.hasOk ||= lastOkAt >= day.from && lastOkAt < day.to;
    days.set(day.day, times);
    at = end;
  }
}

const NOTHING = { upMs: 0, downMs: 0, quietMs: 0, awayMs: 0, hasOk: false };

function timeAt(standing: Standing, at: Millis): keyof Times {
  const { state, mutedUntil = -Infinity, incident } = standing;
  if (state === "paused" || at < mutedUntil) return "quietMs";
  if (incident === undefined) return "upMs";
  return at < (knownFrom(standing) ?? at) ? "awayMs" : "downMs";
}

/**
 * When it is known that the check is down. A ping that the server missed while it was away proves nothing until the
 * next slot is missed too, or the job fails. Undefined if it was known from the start.
 */
function knownFrom({ incident, deadlineAt }: Standing): Millis | undefined {
  if (incident?.gap === undefined || incident.missed > 1 || incident.reason === "failed") return undefined;
  return deadlineAt ?? Infinity;
}
