/** When a check is expected to ping, and how far it may be off (CHECKINS.md §3, §6). Pure. */
import { HOUR, type Millis, MINUTE } from "../../util/clock.ts";
import { dropOldest } from "../../util/oldest.ts";
import type { CheckSettings, Run, Schedule, Standing } from "../check.ts";
import { type Cron, nextRun, parseCron } from "./cron.ts";

/** The slot that follows a time or another slot; undefined if nothing is expected. */
export function slotAfter(schedule: Schedule, at: Millis): Millis | undefined {
  switch (schedule.kind) {
    case "every":
      return at + schedule.everyMs;
    case "cron":
      return runAfter(schedule, at);
    case "manual":
      return undefined;
  }
}

/** The next slot after a ping that came at `at` while `awaited` was the slot: an early one counts for the coming slot. */
export function slotAfterPing(settings: CheckSettings, awaited: Millis | undefined, at: Millis): Millis | undefined {
  const { schedule } = settings;
  const coming = slotAfter(schedule, at);
  if (coming === undefined || schedule.kind !== "cron" || (awaited !== undefined && awaited <= at)) return coming;
  return coming - at <= marginsAt(settings, coming).earlyMs ? slotAfter(schedule, coming) : coming;
}

/** How far a ping may be from its slot, and how long a run may take. */
export interface Margins {
  graceMs: number;
  earlyMs: number;
  /** 0 means any time. */
  maxRunMs: number;
}

/** The owner's margins, else those that follow from the gap between this slot and the next. */
export function marginsAt(settings: CheckSettings, slot: Millis): Margins {
  const quarter = (gapAfter(settings.schedule, slot) ?? 0) / 4;
  const usual = quarter === 0 ? 0 : Math.round(Math.min(Math.max(quarter, MINUTE), HOUR));
  const graceMs = settings.graceMs ?? usual;
  const earlyMs = settings.earlyMs ?? Math.round(Math.min(quarter, 2 * MINUTE));
  return { graceMs, earlyMs, maxRunMs: settings.maxRunMs ?? graceMs };
}

/** The margins of the awaited slot, else of the next one. */
export const marginsNow = (
  { settings, slotAt }: Pick<Standing, "settings"> & { slotAt?: Millis | undefined },
  now: Millis,
): Margins => marginsAt(settings, slotAt ?? slotAfter(settings.schedule, now) ?? now);

/** The time from a slot to the next. */
export function gapAfter(schedule: Schedule, slot: Millis): number | undefined {
  const next = slotAfter(schedule, slot);
  return next === undefined ? undefined : next - slot;
}

/** When a slot is missed if no success has come. */
export const deadlineOf = (settings: CheckSettings, slot: Millis): Millis => slot + marginsAt(settings, slot).graceMs;

/**
 * Until when a run keeps its slot from being missed. A run that may take any time covers only this slot. The next one
 * is missed like any other, or nobody would hear of a machine that died in the middle of a job.
 */
export function coveredUntil(settings: CheckSettings, slot: Millis, run: Run): Millis {
  if (run.deadlineAt !== undefined) return run.deadlineAt;
  return deadlineOf(settings, slotAfter(settings.schedule, slot) ?? slot);
}

/** The number of parsed schedules to keep, each with the last run asked for: margins ask for it again. */
const KEPT = 1_000;
const kept = new Map<string, { cron: Cron; after: Millis; next: Millis }>();

function runAfter({ expression, timezone }: Extract<Schedule, { kind: "cron" }>, after: Millis): Millis {
  const name = `${timezone} ${expression}`;
  const known = kept.get(name);
  if (known?.after === after) return known.next;
  const cron = known?.cron ?? parsed(expression);
  const next = nextRun(cron, after, timezone);
  if (known === undefined) dropOldest(kept, KEPT);
  kept.set(name, { cron, after, next });
  return next;
}

function parsed(expression: string): Cron {
  const cron = parseCron(expression);
  if (cron.kind === "refused") throw new Error(`a check has the schedule "${expression}": ${cron.message}`);
  return cron;
}
