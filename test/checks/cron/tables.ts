/** The recorded runs (README.md), and peal's runs written in the same way. */
import { nextRun, parseCron } from "../../../src/checks/schedule/cron.ts";
import type { Millis } from "../../../src/util/clock.ts";
import calendarJson from "./calendar.json" with { type: "json" };
import changesJson from "./changes.json" with { type: "json" };

/** Runs after `from` and before `to`, by schedule. */
export interface Change {
  zone: string;
  /** The zone and its rules in POSIX notation. */
  posix: string;
  from: string;
  to: string;
  runs: Record<string, string>;
}

export const changes: readonly Change[] = changesJson;
export const calendar: readonly { zone: string; schedule: string; runs: string }[] = calendarJson;

/** Runs in order, strictly after `from` and before `to`. @throws Error when the schedule is refused */
export function runsBetween(schedule: string, zone: string, from: Millis, to: Millis): Millis[] {
  const cron = parseCron(schedule);
  if (cron.kind === "refused") throw new Error(`${schedule}: ${cron.message}`);
  const runs: Millis[] = [];
  for (let run = nextRun(cron, from, zone); run < to; run = nextRun(cron, run, zone)) runs.push(run);
  return runs;
}

/** A time such as `2026-03-29T03:00+02:00`. */
export const spell = (at: Millis, zone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(at)
    .toZonedDateTimeISO(zone)
    .toString()
    .replace(/:00([+-]\d\d:\d\d)\[.*$/, "$1");
