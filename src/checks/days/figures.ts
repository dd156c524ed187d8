/** Turns the days of a check into the figures of its pictures (CHECKINS.md §8). Pure. */
import type { CheckDay, DayTimes, KeptDays } from "../../store/days.ts";
import type { Millis } from "../../util/clock.ts";
import { median } from "../../util/median.ts";
import type { Standing } from "../check.ts";
import { dayOf, spend } from "./days.ts";

/**
 * `missed`: it was down and no success came. `part`: it was down for part of the day. `ok`: it was up, and not known to
 * be down. `paused`: it was paused or snoozed for all of the known time. `none`: nothing is known.
 */
export type Square = "missed" | "part" | "ok" | "paused" | "none";

export const squareOf = ({ upMs, downMs, quietMs, hasOk }: DayTimes): Square => {
  if (downMs > 0) return hasOk ? "part" : "missed";
  if (upMs > 0) return "ok";
  return quietMs > 0 ? "paused" : "none";
};

/** All days of a check from the first known one to today, with what is not written yet. */
export function daysUntil(standing: Standing, { days, countedTo, away }: KeptDays, now: Millis): CheckDay[] {
  const all = new Map(days.map((day): [number, CheckDay] => [day.day, { ...day }]));
  spend(all, standing, { from: countedTo, to: now }, away);
  return [...all.values()].sort((a, b) => a.day - b.day);
}

/** The part of the watched time, from 0 to 1, in which it was up. Undefined if it was not watched. */
export function uptime(days: readonly DayTimes[], since: number): number | undefined {
  let [up, down] = [0, 0];
  for (const { day, upMs, downMs } of days) if (day >= since) [up, down] = [up + upMs, down + downMs];
  return up + down === 0 ? undefined : up / (up + down);
}

export interface Drift {
  /** How long a run usually takes, in ms: the median of the last 30 days' medians. */
  usualMs: number;
  /** The same for the 30 days before. Absent, like all of it, if fewer than `FEWEST` of the days have a duration. */
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
  /** The latest `count` days, from the oldest to today. `times` is absent if nothing is known. */
  squares: { day: number; kind: Square; times?: CheckDay }[];
  /** The uptime of the last 7, 30 and 90 days, today included. */
  uptime: Readonly<Record<7 | 30 | 90, number | undefined>>;
  drift?: Drift;
}

/** All that a check's page shows of its days. `kept`: those of the last 91 days at least. */
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
