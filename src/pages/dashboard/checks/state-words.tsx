/** @jsxImportSource #jsx */
/** The state of a check in words. Pure. */
import { type Check, looksLikeWrongZone, type Standing } from "../../../checks/check.ts";
import { type PastRun, usualMs } from "../../../checks/days/past-runs.ts";
import type { Millis } from "../../../util/clock.ts";
import { fill } from "../../elements/fill.ts";
import type { Child, Safe } from "../../jsx/jsx-runtime.ts";
import { BriefTime } from "../../elements/times.tsx";
import type { View } from "../../view.ts";
import { scheduleWords } from "./schedule-words.ts";
import { shownState } from "./state.ts";

/** Everything that its words are made of. */
export interface Seen {
  view: View;
  check: Pick<Check, "standing">;
  runs: readonly PastRun[];
  /** The last line that its job printed before it failed. */
  said?: string | undefined;
}

/** A time among words; it ends in the clock's time. */
export const When = ({ view, at }: { view: View; at: Millis }): Safe => <BriefTime view={view} at={at} />;

/** The row in a list: the state in words, and when it last succeeded. */
export function reason(seen: Seen): Child {
  const { view, check } = seen;
  const { state, lastOkAt, paused } = check.standing;
  const { glance } = view.texts.checks;
  const at = (time: Millis) => <BriefTime view={view} at={time} />;
  return [
    state === "paused" && paused !== undefined ? fill(glance.paused(paused.by), at(paused.at)) : sentence(seen),
    lastOkAt !== undefined && [" ", fill(glance.lastOk, at(lastOkAt))],
  ];
}

/** `Expected 8 min ago, alerts in 7 min if still silent.` */
export function sentence(seen: Seen): Child {
  const { view, check } = seen;
  const { standing } = check;
  const say = view.texts.checks.sentence;
  return [
    byState(seen),
    standing.mutedUntil !== undefined && [" ", fill(say.muted, <When view={view} at={standing.mutedUntil} />)],
    looksLikeWrongZone(standing) && ` ${say.zone}`,
  ];
}

function byState(seen: Seen): Child {
  const { view, check, runs } = seen;
  const { now } = view;
  const { checks: texts } = view.texts;
  const { sentence: say, lasting } = texts;
  const { standing } = check;
  const { slotAt = now, deadlineAt = now, lastDurationMs, settings, incident, paused } = standing;
  switch (shownState(standing, now)) {
    case "new":
      return standing.deadlineAt === undefined ? say.never : say.neverArmed(lasting(deadlineAt - now));
    case "late":
      return deadlineAt > now
        ? say.late(lasting(now - slotAt), lasting(deadlineAt - now))
        : say.lateNow(lasting(now - slotAt));
    case "running": {
      const since = Math.min(now, ...standing.runs.map(({ startedAt }) => startedAt));
      const usual = usualMs(runs)?.middle ?? lastDurationMs;
      return [say.running(lasting(now - since)), usual !== undefined && ` ${say.usually(lasting(usual))}`];
    }
    case "down":
      return [
        say.down(lasting(now - (incident?.openedAt ?? now))),
        say.because,
        cause(seen),
        ".",
        incident?.ackedAt !== undefined && ` ${say.acked(incident.ackedBy)}`,
      ];
    case "paused":
      return paused === undefined ? say.pausedPlain : fill(say.paused(paused.by), <When view={view} at={paused.at} />);
    case "up": {
      const plan = scheduleWords(settings.schedule, texts);
      const isExpected = standing.slotAt !== undefined;
      return !isExpected ? say.manual : slotAt > now ? say.next(plan, lasting(slotAt - now)) : say.nextSoon(plan);
    }
  }
}

/** Why it is down, as the end of a sentence. */
export function cause({ view, check: { standing }, runs, said }: Seen): Child {
  const { sentence: say, glance, lasting } = view.texts.checks;
  const { incident } = standing;
  if (incident === undefined) return "";
  const { reason, exit, gap, expectedAt = incident.openedAt, startedAt = incident.openedAt } = incident;
  if (gap !== undefined) return say.gap;
  if (reason === "missed")
    return hasNeverPinged(standing) ? say.neverSeen : fill(say.missed, <When view={view} at={expectedAt} />);
  if (reason === "overrun") {
    const allowed = lasting((incident.deadlineAt ?? startedAt) - startedAt);
    return fill(say.overrun(allowed), <When view={view} at={startedAt} />);
  }
  const took = runs.findLast(({ kind }) => kind === "failed")?.durationMs;
  return [
    exit === undefined ? say.failed : say.exit(exit),
    took !== undefined && say.after(lasting(took)),
    said !== undefined && <bdi>{glance.said(said)}</bdi>,
  ];
}

const hasNeverPinged = ({ lastOkAt, failStreak, runs }: Standing): boolean =>
  lastOkAt === undefined && failStreak === 0 && runs.length === 0;
