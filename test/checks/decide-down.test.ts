/** The table of CHECKINS.md §4: what a check that is down does. */
import { describe, expect, test } from "bun:test";
import { at, ok, start, exit, edited, rows } from "./rows.ts";
import { HOUR, MINUTE, Story, type Step } from "./story.ts";

describe("down | success", () => {
  // prettier-ignore
  rows({
    "up, incident closed, recovery message": {
      steps: [[0, ok()], [75, "tick"], [100, ok()]],
      then: { state: "up", incident: undefined, incidents: 1, slotAt: at(160) },
      told: ["up"],
      recorded: ["ok", "up"],
    },
    "below recover_after it stays": { given: { recoverAfter: 2 }, steps: [[0, ok()], [75, "tick"], [100, ok()]], then: { state: "down", okStreak: 1, slotAt: at(160) }, recorded: ["ok"] },
    "at recover_after": { given: { recoverAfter: 2 }, steps: [[0, ok()], [75, "tick"], [100, ok()], [110, ok()]], then: { state: "up" }, told: ["up"] },
    "a fail in between counts anew": { given: { recoverAfter: 2 }, steps: [[0, "fail"], [1, ok()], [2, "fail"], [3, ok()]], then: { state: "down", okStreak: 1 } },
    "the recovery is message enough": { given: { notifySuccess: true }, steps: [[0, "fail"], [1, ok()]], then: {}, told: ["up"] },
  });

  test("reports the reason and how long the run took", () => {
    const { alerts } = new Story().play([0, ok()], [75, "tick"], [90, start()], [102, ok()]);
    expect(alerts).toMatchObject([
      { kind: "up", at: at(102), durationMs: 12 * MINUTE, incident: { n: 1, reason: "missed", missed: 1 } },
    ]);
  });

  test("a later incident has the next number", () => {
    const story = new Story();
    story.play([0, "fail"], [1, ok()], [2, "fail"]);
    expect(story.told.map(({ kind, incident }) => [kind, incident?.n])).toEqual([
      ["down", 1],
      ["up", 1],
      ["down", 2],
    ]);
  });
});

describe("down | fail", () => {
  // prettier-ignore
  rows({
    "stays, appended": { steps: [[0, exit(1)], [10, exit(3)]], then: { state: "down", incident: { n: 1, exit: 3 }, failStreak: 2 }, recorded: ["fail"] },
    "alerts again when the reason changes": {
      steps: [[0, ok()], [75, "tick"], [80, exit(3)]],
      then: { incident: { n: 1, reason: "failed", exit: 3, openedAt: at(75), missed: 1 } },
      told: ["changed"],
      recorded: ["fail"],
    },
    "not when it is tolerated": { given: { failAfter: 2 }, steps: [[0, ok()], [75, "tick"], [80, exit(3)]], then: { incident: { reason: "missed" } } },
    "a run that takes too long is another reason": {
      steps: [[0, exit(1)], [10, start()], [25, "tick"]],
      then: { incident: { n: 1, reason: "overrun", startedAt: at(10), deadlineAt: at(25) } },
      told: ["changed"],
      recorded: [],
    },
  });

  test("another reason leaves nothing of the previous one", () => {
    const story = new Story();
    story.play([0, exit(1)], [10, start()], [25, "tick"]);
    expect(story.standing.incident).not.toHaveProperty("exit");
    story.play([30, exit(1)]);
    expect(story.standing.incident).not.toHaveProperty("startedAt");
  });
});

describe("down | slot passes", () => {
  // prettier-ignore
  rows({
    "missed + 1, no message, once its deadline is over": { steps: [[0, ok()], [75, "tick"], [135, "tick"]], then: { incident: { missed: 2 }, slotAt: at(180) }, recorded: [], due: 195 },
    "not before": { steps: [[0, ok()], [75, "tick"], [134, "tick"]], then: { incident: { missed: 1 } }, due: 135 },
    "several in one look": { steps: [[0, ok()], [75, "tick"], [300, "tick"]], then: { incident: { missed: 4 }, slotAt: at(300) } },
    "one whose check-in was a fail is not missed": { steps: [[0, exit(1)], [61, exit(1)], [120, "tick"]], then: { incident: { missed: 0 } }, due: 136 },
    "one whose success came is not missed": { given: { recoverAfter: 2 }, steps: [[0, exit(1)], [61, ok()], [120, "tick"]], then: { incident: { missed: 0 } } },
    "one that a run covers is not missed": { given: { maxRunMs: HOUR }, steps: [[0, exit(1)], [61, start()], [120, "tick"]], then: { incident: { missed: 0 } }, due: 121 },
    "also when nobody looked before the next ping": { steps: [[0, ok()], [75, "tick"], [255, "log"]], then: { incident: { missed: 4 }, slotAt: at(300) }, recorded: ["log"] },
    "beyond a thousand nobody counts": { given: { remindEveryMs: 0 }, steps: [[0, ok()], [100_000, "tick"]], then: { incident: { missed: 1000 }, slotAt: undefined }, told: ["down"], due: undefined },
  });
});

describe("down | reminder due", () => {
  const down: Step[] = [[0, exit(1)]];
  // prettier-ignore
  rows({
    "reminder": { steps: [...down, [1440, "tick"]], then: { incident: { n: 1, reminders: 1, remindAt: at(2880) } }, told: ["reminder"], recorded: [] },
    "one for all that are due": { steps: [...down, [9999, "tick"]], then: { incident: { reminders: 1, remindAt: at(9999 + 1440) } }, told: ["reminder"] },
    "none with 0": { given: { remindEveryMs: 0 }, steps: [...down, [9999, "tick"]], then: {} },
    "stops on ack": { steps: [...down, [5, "ack"], [9999, "tick"]], then: { incident: { ackedAt: at(5), reminders: 0 } } },
    "stops on pause": { steps: [...down, [5, "pause"], [9999, "tick"]], then: { state: "paused" }, due: undefined },
    "stops at remind_max": { given: { remindMax: 1 }, steps: [...down, [1440, "tick"], [2880, "tick"]], then: { incident: { reminders: 1 } } },
    "none with a remind_max of 0": { given: { remindMax: 0 }, steps: [...down, [1440, "tick"]], then: { incident: { reminders: 0 } } },
    "counts from now when there may be more": { given: { remindMax: 0 }, steps: [...down, [10, edited({})]], then: { incident: { remindAt: at(1450) } }, recorded: ["edited"] },
    "stays with another name": { steps: [...down, [10, edited({ name: "b" })]], then: { incident: { remindAt: at(1440) } }, recorded: ["edited"] },
    "counts from now when it is chosen anew": { steps: [...down, [10, edited({ remindEveryMs: HOUR })]], then: { incident: { remindAt: at(70) } }, recorded: ["edited"] },
  });
});
