/** What a wall clock that is set back does to a check: it waits as long as it had to, and no longer (CHECKINS.md §5). Pure. */
import type { Millis } from "../../util/clock.ts";
import { STEP_MS } from "../../util/setback.ts";
import type { CheckSettings, Run, Standing } from "../check.ts";
import { LONGEST_HOLD_MS } from "./missed.ts";
import { coveredUntil, deadlineOf, marginsAt, slotAfter } from "../schedule/schedule.ts";

/** `by`: how far it was set back, at most 0. `now`: the time after that. Returns the same object if nothing changes. */
export const setBack = (standing: Standing, by: number, now: Millis): Standing =>
  limited(by < 0 ? moved(standing, by) : standing, now);

/** Moves all times to what a clock would have shown that was right from the start. */
function moved(standing: Standing, by: number): Standing {
  const { settings, slotAt, deadlineAt, hold, incident, folds, paused } = standing;
  const slot = slotAt === undefined ? undefined : slotFrom(settings, slotAt + by);
  const later = slotAt === undefined || slot === undefined ? by : slot - slotAt;
  // a deadline that does not follow from its slot, after a change of settings for example, keeps the time it had left
  const isOfSlot = slotAt !== undefined && deadlineAt === deadlineOf(settings, slotAt);
  return {
    ...shifted(standing, by, ["lastOkAt", "lastEventAt", "mutedUntil"]),
    ...(slot !== undefined && { slotAt: slot }),
    ...(deadlineAt !== undefined && { deadlineAt: deadlineAt + (isOfSlot ? later : by) }),
    ...(paused !== undefined && { paused: shifted(paused, by, ["at"]) }),
    ...(hold !== undefined && { hold: shifted(hold, by, ["from", "to", "until"]) }),
    ...(folds !== undefined && { folds: shifted(folds, by, ["at"]) }),
    ...(incident !== undefined && {
      incident: {
        ...shifted(incident, by, ["openedAt", "expectedAt", "deadlineAt", "startedAt", "ackedAt", "remindAt"]),
        ...(incident.gap !== undefined && { gap: shifted(incident.gap, by, ["from", "to"]) }),
      },
    }),
    runs: standing.runs.map((run) => ({
      ...shifted(run, by, ["startedAt", "deadlineAt"]),
      ...(run.slotAt !== undefined && { slotAt: run.slotAt + (run.slotAt === slotAt ? later : by) }),
    })),
  };
}

/**
 * The first cron slot that leaves no less time than there was, since cron names times on the clock. So a slot that was
 * kept is not expected again, as cron does not run the job again either.
 */
const slotFrom = ({ schedule }: CheckSettings, at: Millis): Millis =>
  schedule.kind === "cron" ? (slotAfter(schedule, at - 1) ?? at) : at;

/** Limits times to those that a check may have by now: a wrong clock set what lies further ahead. */
function limited(standing: Standing, now: Millis): Standing {
  const { settings, slotAt, deadlineAt, incident, hold, lastOkAt, lastEventAt } = standing;
  const isOfPast = lastEventAt !== undefined && noLater(lastEventAt, now) === lastEventAt; // and its slot was right then
  const slot = slotAt === undefined || isOfPast ? slotAt : limitedSlot(settings, slotAt, now);
  const runs = standing.runs.map((run) => limitedRun(run, { slotAt, slot, now }));
  const after: Standing = { ...standing, runs };
  const isMoved = slot !== slotAt || !Bun.deepEquals(runs, standing.runs);
  // a run that has ended may have asked for more time, and what it covered waits that long
  if (slot !== undefined && deadlineAt !== undefined && (isMoved || runs.length === 0)) {
    const covers = runs.filter((run) => run.slotAt === slot && !run.hasOverrun);
    const latest = [
      Math.max(slot, now) + marginsAt(settings, slot).graceMs,
      deadlineOf(settings, slot),
      ...covers.map((run) => coveredUntil(settings, slot, run)),
    ];
    Object.assign(after, { slotAt: slot, deadlineAt: noLater(deadlineAt, Math.max(...latest)) });
  }
  if (lastOkAt !== undefined) after.lastOkAt = noLater(lastOkAt, now);
  if (lastEventAt !== undefined) after.lastEventAt = noLater(lastEventAt, now);
  if (incident?.remindAt !== undefined)
    after.incident = { ...incident, remindAt: noLater(incident.remindAt, now + settings.remindEveryMs) };
  if (hold !== undefined && noLater(hold.until, now + LONGEST_HOLD_MS) !== hold.until) delete after.hold;
  return Bun.deepEquals(after, standing) ? standing : after;
}

/** A smaller difference may come from a clock that was slewed. */
const noLater = (at: Millis, latest: Millis): Millis => (at > latest + STEP_MS ? latest : at);

/**
 * The latest slot that a ping by now could have set. With `cron` there may be two slots before it: one that was kept
 * before the clock was set back, and one for which a ping came early.
 */
function limitedSlot({ schedule }: CheckSettings, slotAt: Millis, now: Millis): Millis {
  const next = slotAfter(schedule, now) ?? slotAt;
  let latest = next;
  for (let n = 0; schedule.kind === "cron" && n < 2; n++) latest = slotAfter(schedule, latest) ?? latest;
  return noLater(slotAt, latest) === slotAt ? slotAt : next;
}

/** Limits a run by its start alone, since it may have asked for more time. */
function limitedRun(
  run: Run,
  { slotAt, slot, now }: { slotAt: Millis | undefined; slot: Millis | undefined; now: Millis },
): Run {
  const begun = shifted(run, noLater(run.startedAt, now) - run.startedAt, ["startedAt", "deadlineAt"]);
  return slot !== undefined && slot !== slotAt && run.slotAt === slotAt ? { ...begun, slotAt: slot } : begun;
}

/** A copy in which those of the named times that are set are moved. */
const shifted = <T extends { [Key in Name]?: Millis }, Name extends string>(of: T, by: number, names: Name[]): T => ({
  ...of,
  ...Object.fromEntries(names.flatMap((name) => (of[name] === undefined ? [] : [[name, of[name] + by]]))),
});
