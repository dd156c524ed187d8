/** The rules that the store applies when something happens to a check. */
import type { Rules } from "../store/checks.ts";
import { serverZone } from "../util/calendar.ts";
import type { Millis } from "../util/clock.ts";
import type { Check, CheckEvent, Decision } from "./check.ts";
import { compose } from "./alerts/compose.ts";
import { count } from "./days/days.ts";
import { dueAt } from "./decide/missed.ts";
import { decide } from "./decide/decide.ts";
import { setBack } from "./decide/setback.ts";

/** `happens`: the events in their order, given the check inside the transaction. `rid`: the run that they name. */
export const rulesFor = (happens: (check: Check) => readonly CheckEvent[], now: Millis, rid?: string): Rules => ({
  ...(rid !== undefined && { rid }),
  decide: (check, known) => {
    let decision: Decision = { after: check.standing, recorded: [], alerts: [], named: [] };
    for (const event of happens(check)) {
      const { after, recorded, alerts, named } = decide(decision.after, event, now, known);
      decision = {
        after,
        recorded: [...decision.recorded, ...recorded],
        alerts: [...decision.alerts, ...alerts],
        named: [...decision.named, ...named],
      };
    }
    return decision;
  },
  dueAt,
  count: (before, after, since) => count(before, after, now, since),
  compose: (told) => compose(told, { now, zone: serverZone() }),
});

/** The rules for a wall clock that was set back, which notify nobody. `by` and `now` are those of `setBack`. */
export const setBackRules = (by: number, now: Millis): Rules => ({
  decide: ({ standing }) => ({ after: setBack(standing, by, now), recorded: [], alerts: [], named: [] }),
  dueAt,
  count: (before, after, since) => count(before, after, now, since),
  compose: () => [],
});
