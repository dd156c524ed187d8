/** What the days of a check come to, for whoever draws them (CHECKINS.md §8). Pure. */
import type { CheckDay, DayTimes, KeptDays } from "../../store/days.ts";
import type { Millis } from "../../util/clock.ts";
import { median } from "../../util/median.ts";
import type { Standing } from "../check.ts";
import { dayOf, spend } from "./days.ts";

/**
 * `missed`: it was down and no success came; `part`: it was down for a part of the day; `ok`: it was up, and never known to be down;
 * `paused`: it was paused or snoozed all the time that is known of; `none`: nothing is known.
 */
export type Square = "missed" | "part" | "ok" | "paused" | "none";

export const squareOf = ({ upMs, downMs, quietMs, hasOk }: DayTimes): Square => {
  if (downMs > 0) return hasOk ? "part" : "missed";
  if (upMs > 0) return "ok";
  return quietMs > 0 ? "paused" : "none";
};

/** All days of a check from the first that is known, today included: with what is not written yet. */
export function daysUntil(standing: Standing, { days, countedTo, away }: KeptDays, now: Millis): CheckDay[] {
  const all = new Map(days.map((day): [number, CheckDay] => [day.day, { ...day }]));
  spend(all, standing, { from: countedTo, to: now }, away);
  return [...all.values()].sort((a, b) => a.day - b.day);
}

/** A part of 1: up while it was watched, without what was planned and without this server's own absence. Undefined: it was not watched. */
export function uptime(days: readonly DayTimes[], since: number): number | undefined {
  let [up, down] = [0, 0];
  for (const { day, upMs, downMs } of days) if (day >= since) [up, down] = [up + upMs, down + downMs];
  return up + down === 0 ? undefined : up / (up + down);
}

export interface Drift {
  /** How long a run takes, ms: the median of the last 30 days' medians. */
  usualMs: number;
  /** The same of the 30 days before them. Absent, as all of it: fewer than `FEWEST` of them have a duration. */
  beforeMs?: number;
}

const SPAN = 30;
const FEWEST = 4;

export function drift(days: readonly CheckDay[], today: number): Drift | undefined {
  const usual = (since: number) => {
    const within = days.filter(({ day }) => day >= since && day < since + SPAN);
    const took = within.flatMap(({ usualMs }) => usualMs ?? []);
    return took.length < FEWEST ? undefined : median(took);
  };
  const usualMs = usual(today - SPAN + 1);
  if (usualMs === undefined) return undefined;
  const beforeMs = usual(today - 2 * SPAN + 1);
  return { usualMs, ...(beforeMs !== undefined && { beforeMs }) };
}

export interface DayPicture {
  /** The latest `count` days, oldest first, today last. `times`: absent where nothing is known. */
  squares: { day: number; kind: Square; times?: CheckDay }[];
  /** Of the last 7, 30 and 90 days, today included. */
  uptime: Readonly<Record<7 | 30 | 90, number | undefined>>;
  drift?: Drift;
}

/** All that a check's page shows of its days. `kept`: at least of the last 90 days, and a day more. */
export function dayPicture(standing: Standing, kept: KeptDays, now: Millis, count = 90): DayPicture {
  const { day: today } = dayOf(standing.settings.schedule, now);
  const days = daysUntil(standing, kept, now);
  const byDay = new Map(days.map((times) => [times.day, times]));
  const squares = Array.from({ length: count }, (_, index) => {
    const day = today - count + 1 + index;
    const times = byDay.get(day);
    return times === undefined ? { day, kind: "none" as const } : { day, kind: squareOf(times), times };
  });
  const of = (last: number) => uptime(days, today - last + 1);
  const drifted = drift(days, today);
  return { squares, uptime: { 7: of(7), 30: of(30), 90: of(90) }, ...(drifted && { drift: drifted }) };
}
