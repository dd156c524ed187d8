/** The latest runs of a check, made from its log and its incidents. Pure. */
import type { History } from "../../store/checks.ts";
import { type Millis, MINUTE } from "../../util/clock.ts";
import { defined } from "../../util/defined.ts";
import type { CheckSettings, Incident, Schedule, Standing } from "../check.ts";
import { deadlineOf, slotAfter } from "../schedule/schedule.ts";

/** `overrun`: it took too long and has not ended since. */
export interface PastRun {
  kind: "ok" | "failed" | "missed" | "overrun" | "running";
  /** When it began. If it sent no start, when it ended; if it was missed, its slot. */
  at: Millis;
  /** How long it took, so far if it is still open. */
  durationMs?: number;
  exit?: number;
  /** The number of its line in the log. */
  n?: number;
  /** The server was away, so the ping may have been lost. */
  isGap?: true;
}

/** The number of runs on a page. */
export const SHOWN_RUNS = 30;

/** The latest `SHOWN_RUNS`, the oldest first. */
export function pastRuns({ settings, runs }: Standing, { ends, incidents }: History, now: Millis): PastRun[] {
  const ended = ends.map(({ kind, at, durationMs, exit, n }) =>
    defined<PastRun>({ kind: kind === "ok" ? "ok" : "failed", at: at - (durationMs ?? 0), durationMs, exit, n }),
  );
  const begun = new Set(ended.map(({ at }) => at));
  const overrun = incidents.flatMap(({ reason, startedAt, deadlineAt }): PastRun[] =>
    reason === "overrun" && startedAt !== undefined && deadlineAt !== undefined && !begun.has(startedAt)
      ? [{ kind: "overrun", at: startedAt, durationMs: deadlineAt - startedAt }]
      : [],
  );
  const missed = incidents.flatMap((incident) =>
    missedSlots(settings, incident, incident.closedAt ?? now).map((at) =>
      defined<PastRun>({ kind: "missed", at, isGap: incident.gap && true }),
    ),
  );
  const open = runs
    .filter(({ hasOverrun }) => !hasOverrun)
    .map(({ startedAt }): PastRun => ({ kind: "running", at: startedAt, durationMs: Math.max(0, now - startedAt) }));
  // before the log's first line only incidents are known, which would look as if nothing else had happened
  const since = ended[0] !== undefined && ends.length >= SHOWN_RUNS ? ended[0].at : -Infinity;
  return [...ended, ...overrun, ...missed, ...open]
    .filter(({ at }) => at >= since)
    .sort((a, b) => a.at - b.at)
    .slice(-SHOWN_RUNS);
}

/** The latest slots that an incident missed. Those after the first follow today's schedule, which may have changed since. */
function missedSlots(settings: CheckSettings, { missed, expectedAt, openedAt }: Incident, until: Millis): Millis[] {
  const { schedule } = settings;
  const first = expectedAt ?? slotAfter(schedule, openedAt);
  if (first === undefined || schedule.kind === "manual") return [];
  if (missed <= SHOWN_RUNS) return slotsFrom(schedule, first, until, missed);
  // a long outage has thousands of slots, and each takes a while to find. So the search begins close to its end, and
  // further back until it finds enough. Slots are at least a minute apart; the gap after the first slot says nothing,
  // it may be that of a weekend
  for (let reach = SHOWN_RUNS * MINUTE; ; reach *= 2) {
    const from = Math.max(first, until - reach);
    const slots = slotsFrom(schedule, slotFrom(schedule, first, from), until);
    const late = slots.filter((slot) => deadlineOf(settings, slot) <= until);
    if (late.length >= SHOWN_RUNS || from === first) return late.slice(-SHOWN_RUNS);
  }
}

/** The slots from this one up to a time, at most `most`. */
function slotsFrom(schedule: Schedule, slot: Millis, until: Millis, most = Infinity): Millis[] {
  const slots: Millis[] = [];
  let at: Millis | undefined = slot;
  for (; at !== undefined && at <= until && slots.length < most; at = slotAfter(schedule, at)) slots.push(at);
  return slots;
}

/** The first slot at or after `from`, counted from the slot `first`. */
function slotFrom(schedule: Schedule, first: Millis, from: Millis): Millis {
  if (schedule.kind !== "every") return slotAfter(schedule, from - 1) ?? first;
  return first + Math.ceil((from - first) / schedule.everyMs) * schedule.everyMs;
}

/** The usual length of a run: the middle half of the successful ones; undefined if fewer than four were timed. */
export function usualMs(runs: readonly PastRun[]): { from: number; middle: number; to: number } | undefined {
  const took = runs
    .flatMap(({ kind, durationMs }) => (kind === "ok" && durationMs !== undefined ? [durationMs] : []))
    .sort((a, b) => a - b);
  const at = (part: number) => took[Math.floor((took.length - 1) * part)] ?? 0;
  return took.length < 4 ? undefined : { from: at(0.25), middle: at(0.5), to: at(0.75) };
}
