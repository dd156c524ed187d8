/** Decides what an event makes of a check. This is the only place that does; it is pure and total (CHECKINS.md §4). */
import type { Millis } from "../../util/clock.ts";
import type { CheckEvent, CheckSettings, Decision, NamedPing, Standing } from "../check.ts";
import { awaitSlot, begin, type Change, endSnooze, record } from "./change.ts";
import { acknowledge, edit, end, pause, resume, snooze, tryOut, unacknowledge } from "./owner.ts";
import { isRepeat, ping } from "./ping.ts";
import { countMissed, tick } from "./missed.ts";
import { slotAfter } from "../schedule/schedule.ts";

/** The standing of a new check. Only an armed one expects its first ping. */
export function initial(settings: CheckSettings, now: Millis): Standing {
  const after: Standing = {
    settings,
    state: "new",
    events: 0,
    incidents: 0,
    failStreak: 0,
    okStreak: 0,
    isLateTold: false,
    runs: [],
    offsets: [],
  };
  if (settings.armed) awaitSlot({ after }, slotAfter(settings.schedule, now));
  return after;
}

/**
 * The check after an event that arrived at `now`, with what to record and to tell. Only a tick makes a check late: a
 * ping that comes before the alerter looks is in time, whatever the clock says. `known`: earlier pings of the run that
 * the event names.
 */
export function decide(standing: Standing, event: CheckEvent, now: Millis, known: readonly NamedPing[] = []): Decision {
  const change = begin(standing, now);
  if (event.kind === "tick") tick(change, event.gap);
  else if (!isRepeat(standing, event, now, known)) {
    if (now >= (standing.mutedUntil ?? Infinity)) endSnooze(change);
    countMissed(change);
    happen(change, event);
  }
  const { after, recorded, alerts, named } = change;
  return { after, recorded, alerts, named };
}

function happen(change: Change, event: Exclude<CheckEvent, { kind: "tick" }>): void {
  switch (event.kind) {
    case "ok":
    case "fail":
    case "start":
    case "log":
      ping(change, event);
      return;
    case "ignored":
      record(change, { kind: "ignored" });
      return;
    case "pause":
      pause(change, event.by);
      return;
    case "resume":
      resume(change, event.by);
      return;
    case "snooze":
      snooze(change, event.until, event.by);
      return;
    case "ack":
      acknowledge(change, event.by);
      return;
    case "unack":
      unacknowledge(change, event.by);
      return;
    case "test":
      tryOut(change, event.by);
      return;
    case "edit":
      edit(change, event.settings, event.by);
      return;
    case "delete":
      end(change);
      return;
  }
}
