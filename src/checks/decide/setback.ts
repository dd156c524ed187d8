/** What becomes of a check when the wall clock is set back: it waits as long as it had to, and no longer (CHECKINS.md §5). Pure. */
import type { Millis } from "../../util/clock.ts";
import { STEP_MS } from "../../util/setback.ts";
import type { CheckSettings, Run, Standing } from "../check.ts";
import { LONGEST_HOLD_MS } from "./missed.ts";
import { coveredUntil, deadlineOf, marginsAt, slotAfter } from "../schedule/schedule.ts";

/** `by`: how far, as far as is known, at most 0. `now`: what the clock shows now. The same object where nothing changes. */
export const setBack = (standing: Standing, by: number, now: Millis): Standing =>
  limited(by < 0 ? moved(standing, by) : standing, now);

/** With all its times as a clock would have told them that was right from the start. */
function moved(standing: Standing, by: number): Standing {
  const { settings, slotAt, deadlineAt, hold, incident, folds, paused } = standing;
  const slot = slotAt === undefined ? undefined : slotFrom(settings, slotAt + by);
  const later = slotAt === undefined || slot === undefined ? by : slot - slotAt;
  // what was given more time than its slot gives, such as by a change of its settings, has as much left as it had
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
 * What `cron` names is a time on the clock: the first slot that leaves no less time than there was. So one that was kept is
 * not expected a second time, as cron itself does not run the job again.
 */
const slotFrom = ({ schedule }: CheckSettings, at: Millis): Millis =>
  schedule.kind === "cron" ? (slotAfter(schedule, at - 1) ?? at) : at;

/** With times that a check may have by now: what lies further ahead was set by a clock that was wrong. */
function limited(standing: Standing, now: Millis): Standing {
  const { settings, slotAt, deadlineAt, incident, hold, lastOkAt, lastEventAt } = standing;
  const isOfPast = lastEventAt !== undefined && noLater(lastEventAt, now) === lastEventAt; // and its slot was right then
  const slot = slotAt === undefined || isOfPast ? slotAt : limitedSlot(settings, slotAt, now);
  const runs = standing.runs.map((run) => limitedRun(run, { slotAt, slot, now }));
  const after: Standing = { ...standing, runs };
  const isMoved = slot !== slotAt || !Bun.deepEquals(runs, standing.runs);
  // a run that has gone may have asked for more time, and what it covered waits so long
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

/** By less a clock may have been slewed. */
const noLater = (at: Millis, latest: Millis): Millis => (at > latest + STEP_MS ? latest : at);

/**
 * A ping by now would set it no later. With `cron` there may be two slots before it: one that was kept before the clock was
 * set back, and one for which a ping came early.
 */
function limitedSlot({ schedule }: CheckSettings, slotAt: Millis, now: Millis): Millis {
  const next = slotAfter(schedule, now) ?? slotAt;
  let latest = next;
  for (let n = 0; schedule.kind === "cron" && n < 2; n++) latest = slotAfter(schedule, latest) ?? latest;
  return noLater(slotAt, latest) === slotAt ? slotAt : next;
}

/** It may have asked for more time, so that only its start tells. */
function limitedRun(
  run: Run,
  { slotAt, slot, now }: { slotAt: Millis | undefined; slot: Millis | undefined; now: Millis },
): Run {
  const begun = shifted(run, noLater(run.startedAt, now) - run.startedAt, ["startedAt", "deadlineAt"]);
  return slot !== undefined && slot !== slotAt && run.slotAt === slotAt ? { ...begun, slotAt: slot } : begun;
}

/** A copy in which these times, where it has them, are others. */
const shifted = <T extends { [Key in Name]?: Millis }, Name extends string>(of: T, by: number, names: Name[]): T => ({
  ...of,
  ...Object.fromEntries(names.flatMap((name) => (of[name] === undefined ? [] : [[name, of[name] + by]]))),
});
