/** The table of CHECKINS.md §4: what a check that is new or up does. */
import { describe, expect, test } from "bun:test";
import { at, ok, start, exit, extend, rows } from "./rows.ts";
import { DAY, HOUR, MINUTE, T0, nightly, Story, type Step } from "./story.ts";

describe("a new check", () => {
  // prettier-ignore
  rows({
    "expects nothing": { steps: [[0, "tick"]], then: { state: "new", slotAt: undefined }, due: undefined },
    "that is armed expects its first slot": {
      given: { armed: true },
      steps: [[0, "tick"]],
      then: { state: "new", slotAt: at(60), deadlineAt: at(75) },
      due: 75,
    },
    "that is armed expects its first slot in the time zone": {
      given: { ...nightly, armed: true },
      steps: [[0, "tick"]],
      then: { state: "new", slotAt: T0 + DAY, deadlineAt: T0 + DAY + HOUR },
    },
    "that is manual expects nothing, armed or not": {
      given: { schedule: { kind: "manual" }, armed: true },
      steps: [[0, "tick"]],
      then: { state: "new" },
      due: undefined,
    },
  });
});

describe("new | success", () => {
  // prettier-ignore
  rows({
    "up; next slot": {
      steps: [[0, ok()]],
      then: { state: "up", slotAt: at(60), deadlineAt: at(75), lastOkAt: at(0), events: 1, okStreak: 1 },
      recorded: ["ok"],
      due: 75,
    },
    "no next slot for a manual one": {
      given: { schedule: { kind: "manual" } },
      steps: [[0, ok()]],
      then: { state: "up", slotAt: undefined, deadlineAt: undefined },
      due: undefined,
    },
    "is told when that is asked for": { given: { notifySuccess: true }, steps: [[0, ok()]], then: { state: "up" }, told: ["success"] },
  });
});

describe("new, armed | first deadline", () => {
  // prettier-ignore
  rows({
    "down(missed)": {
      given: { armed: true },
      steps: [[75, "tick"]],
      then: {
        state: "down",
        incident: { n: 1, reason: "missed", openedAt: at(75), expectedAt: at(60), deadlineAt: at(75), missed: 1, isTold: true, remindAt: at(75 + 1440) },
        slotAt: at(120),
      },
      told: ["down"],
      recorded: ["down"],
    },
    "not a millisecond before": { given: { armed: true }, steps: [[75 - 1 / 60_000, "tick"]], then: { state: "new", events: 0 } },
  });
});

describe("new/up | start", () => {
  // prettier-ignore
  rows({
    "opens a run": {
      steps: [[0, start("a")]],
      then: { state: "new", runs: [{ rid: "a", isNamed: true, startedAt: at(0), deadlineAt: at(15), hasOverrun: false }] },
      recorded: ["start"],
      due: 15,
    },
    "covers its slot: until slot + grace, when that is later": {
      steps: [[0, ok()], [50, start()]],
      then: { state: "up", slotAt: at(60), deadlineAt: at(75), runs: [{ rid: "#2", isNamed: false, slotAt: at(60), startedAt: at(50), deadlineAt: at(65), hasOverrun: false }] },
      due: 65,
    },
    "covers its slot: until start + max_run, when that is later": {
      given: { maxRunMs: 3 * HOUR },
      steps: [[0, ok()], [74, start()]],
      then: { deadlineAt: at(74 + 180) },
      due: 74 + 180,
    },
    "covers its slot also with the grace as its limit": { steps: [[0, ok()], [74, start()]], then: { deadlineAt: at(89) }, due: 89 },
    "a run that may take any time covers its slot, not the next": {
      given: { maxRunMs: 0 },
      steps: [[0, ok()], [61, start()]],
      then: { deadlineAt: at(135), runs: [{ rid: "#2", isNamed: false, slotAt: at(60), startedAt: at(61), hasOverrun: false }] },
      due: 135,
    },
    "several may be open, each with its own deadline": {
      steps: [[0, start("a")], [1, start("b")]],
      then: { runs: [{ rid: "a", deadlineAt: at(15) }, { rid: "b", deadlineAt: at(16) }] },
      due: 15,
    },
    "of those without a name the later takes the place of the other": {
      steps: [[0, start()], [1, start("a")], [2, start()]],
      then: { runs: [{ rid: "a" }, { rid: "#3", startedAt: at(2) }] },
    },
    "the 21st open run takes the place of the oldest": {
      steps: Array.from({ length: 21 }, (_, n): Step => [0, start(`r${n}`)]),
      then: { runs: Array.from({ length: 20 }, (_, n) => ({ rid: `r${n + 1}` })) },
    },
  });
});

describe("up | success", () => {
  // prettier-ignore
  rows({
    "next slot, streak": {
      steps: [[0, ok()], [30, ok()]],
      then: { state: "up", slotAt: at(90), deadlineAt: at(105), okStreak: 2, lastOkAt: at(30), lastDurationMs: undefined },
      recorded: ["ok"],
    },
    "closes its run by rid": {
      steps: [[0, start("a")], [1, start("b")], [4, ok("a")]],
      then: { runs: [{ rid: "b" }], lastDurationMs: 4 * MINUTE },
    },
    "without a run nothing is known of its length": { steps: [[0, start("a")], [4, ok("a")], [5, ok()]], then: { lastDurationMs: undefined } },
    "closes the only open one": { steps: [[0, start("a")], [4, ok()]], then: { runs: [], lastDurationMs: 4 * MINUTE } },
    "closes the one without a name": { steps: [[0, start("a")], [1, start()], [4, ok()]], then: { runs: [{ rid: "a" }], lastDurationMs: 3 * MINUTE } },
    "closes none of several": { steps: [[0, start("a")], [1, start("b")], [4, ok()]], then: { runs: [{ rid: "a" }, { rid: "b" }], lastDurationMs: undefined } },
    "leaves a run of another name open": { steps: [[0, start("a")], [4, ok("b")]], then: { runs: [{ rid: "a" }], lastDurationMs: undefined } },
    "with a name closes the run that has none": { steps: [[0, start()], [4, ok("b")]], then: { runs: [], lastDurationMs: 4 * MINUTE } },
    "counts for its slot alone: a run of the slot before does not cover the next": {
      given: { maxRunMs: 5 * HOUR },
      steps: [[0, ok()], [30, start("a")], [40, ok("b")]],
      then: { slotAt: at(100), deadlineAt: at(115), runs: [{ rid: "a", deadlineAt: at(330) }] },
    },
    "that is early counts for the coming slot": {
      given: nightly,
      steps: [[1, ok()], [1438, ok()]],
      then: { slotAt: T0 + 2 * DAY, offsets: [] },
    },
    "that is too early does not": { given: nightly, steps: [[1, ok()], [1437, ok()]], then: { slotAt: T0 + DAY, offsets: [3 * MINUTE] } },
    "that is late counts for the slot that has passed, however near the next is": {
      given: { schedule: { kind: "cron", expression: "*/5 * * * *", timezone: "UTC" }, earlyMs: MINUTE },
      steps: [[0, ok()], [9.5, ok()]],
      then: { slotAt: at(10) },
    },
    "is told when that is asked for": { given: { notifySuccess: true }, steps: [[0, ok()], [5, ok()]], then: {}, told: ["success"] },
    "forgets fails": { given: { failAfter: 3 }, steps: [[0, exit(1)], [1, exit(1)], [2, ok()]], then: { failStreak: 0, state: "up" } },
  });
});

describe("new/up | fail, exit > 0", () => {
  // prettier-ignore
  rows({
    "down(failed) now": {
      steps: [[0, ok()], [10, exit(2)]],
      then: { state: "down", failStreak: 1, incident: { n: 1, reason: "failed", openedAt: at(10), exit: 2, missed: 0, isTold: true }, slotAt: at(70) },
      told: ["down"],
      recorded: ["fail", "down"],
    },
    "also when it is new": { steps: [[0, "fail"]], then: { state: "down", incident: { reason: "failed" } }, told: ["down"] },
    "below fail_after a warning": { given: { failAfter: 2 }, steps: [[0, ok()], [10, exit(2)]], then: { state: "up", failStreak: 1 }, told: ["warning"], recorded: ["fail"] },
    "a fail that is tolerated is a check-in: its slot is not missed": {
      given: { failAfter: 2 },
      steps: [[0, ok()], [61, exit(2)], [80, "tick"]],
      then: { state: "up", slotAt: at(121) },
    },
    "down(failed) at fail_after": { given: { failAfter: 2 }, steps: [[0, exit(1)], [10, exit(2)]], then: { state: "down", failStreak: 2 }, told: ["down"] },
    "closes its run": { steps: [[0, start("a")], [4, exit(2, "a")]], then: { runs: [], state: "down" }, told: ["down"], recorded: ["fail", "down"] },
  });

  test("reports exit code, duration and output", () => {
    const { alerts, recorded } = new Story().play([0, start()], [4, { kind: "fail", exit: 2, tail: "disk full" }]);
    expect(alerts).toMatchObject([{ kind: "down", at: at(4), exit: 2, durationMs: 4 * MINUTE, tail: "disk full" }]);
    expect(recorded).toEqual([
      { kind: "fail", at: at(4), exit: 2, durationMs: 4 * MINUTE },
      { kind: "down", at: at(4), reason: "failed" },
    ]);
  });
});

describe("up | slot passes", () => {
  // prettier-ignore
  rows({
    "nothing is to be done, if nobody asked for it": { steps: [[0, ok()], [60, "tick"]], then: { isLateTold: false }, due: 75 },
    "a warning if notify_late": { given: { notifyLate: true }, steps: [[0, ok()], [60, "tick"]], then: { isLateTold: true, state: "up" }, told: ["late"], recorded: [], due: 75 },
    "not before": { given: { notifyLate: true }, steps: [[0, ok()], [59, "tick"]], then: { isLateTold: false }, due: 60 },
    "one warning": { given: { notifyLate: true }, steps: [[0, ok()], [60, "tick"], [61, "tick"]], then: {} },
    "one for each slot": { given: { notifyLate: true }, steps: [[0, ok()], [60, "tick"], [61, ok()], [121, "tick"]], then: {}, told: ["late"] },
    "none while a run covers the slot": { given: { notifyLate: true }, steps: [[0, ok()], [55, start()], [60, "tick"]], then: {}, due: 70 },
    "none when the deadline passed as well": { given: { notifyLate: true }, steps: [[0, ok()], [75, "tick"]], then: { state: "down" }, told: ["down"] },
  });
});

describe("up | deadline passes", () => {
  // prettier-ignore
  rows({
    "down(missed)": {
      steps: [[0, ok()], [75, "tick"]],
      then: { state: "down", incident: { n: 1, reason: "missed", openedAt: at(75), expectedAt: at(60), missed: 1 }, slotAt: at(120) },
      told: ["down"],
      recorded: ["down"],
      due: 135,
    },
    "with its true time, however late anybody looks": {
      steps: [[0, ok()], [100, "tick"]],
      then: { incident: { openedAt: at(75), remindAt: at(1540) } },
      told: ["down"],
    },
    "not when a ping came before anybody looked": { steps: [[0, ok()], [76, ok()], [77, "tick"]], then: { state: "up" }, due: 151 },
  });
});

describe("up | open run past max_run", () => {
  // prettier-ignore
  rows({
    "down(overrun)": {
      given: { maxRunMs: 30 * MINUTE },
      steps: [[0, ok()], [10, start("a")], [40, "tick"]],
      then: {
        state: "down",
        incident: { reason: "overrun", openedAt: at(40), deadlineAt: at(40), startedAt: at(10), missed: 0 },
        runs: [{ rid: "a", isNamed: true, startedAt: at(10), slotAt: at(60), hasOverrun: true }],
        slotAt: at(60),
      },
      told: ["down"],
      recorded: ["down"],
    },
    "down(overrun), not missed, when it covered the slot until then": {
      steps: [[0, ok()], [70, start()], [85, "tick"]],
      then: { incident: { reason: "overrun", missed: 0 }, slotAt: at(120) },
      told: ["down"],
    },
    "at its slot: that is told of with it": { given: { maxRunMs: 10 * MINUTE }, steps: [[0, ok()], [50, start()], [60, "tick"]], then: { incident: { reason: "overrun", missed: 0 }, slotAt: at(120) }, told: ["down"] },
    "also of a new check": { steps: [[0, start()], [15, "tick"]], then: { state: "down", incident: { reason: "overrun" } }, told: ["down"] },
    "never with 0": { given: { maxRunMs: 0, schedule: { kind: "manual" } }, steps: [[0, start()], [99_999, "tick"]], then: { state: "new" }, due: undefined },
    "of a manual check only when it was chosen": { given: { schedule: { kind: "manual" }, maxRunMs: HOUR }, steps: [[0, start()], [60, "tick"]], then: { state: "down" }, told: ["down"] },
    "ends with its late success": {
      steps: [[0, ok()], [70, start("a")], [85, "tick"], [90, ok("a")]],
      then: { state: "up", runs: [], lastDurationMs: 20 * MINUTE, slotAt: at(150) },
      told: ["up"],
    },
    "is forgotten with the success of another": { steps: [[0, start("a")], [15, "tick"], [20, start("b")], [21, ok("b")]], then: { state: "up", runs: [] }, told: ["up"] },
  });
});

describe("any | log", () => {
  // prettier-ignore
  rows({
    "event only": { steps: [[0, ok()], [5, "log"]], then: { state: "up", slotAt: at(60), lastOkAt: at(0), lastEventAt: at(5), events: 2 }, recorded: ["log"] },
    "extends an open run": { steps: [[0, start("a")], [10, extend(10, "a")]], then: { runs: [{ rid: "a", deadlineAt: at(20) }] }, due: 20 },
    "extends the only open run": { steps: [[0, start("a")], [10, extend(10)]], then: {}, due: 20 },
    "takes nothing away": { steps: [[0, start("a")], [1, extend(10)]], then: {}, due: 15 },
    "the slot of the run is covered so much longer": { steps: [[0, ok()], [61, start()], [70, extend(60)]], then: { deadlineAt: at(130) }, due: 130 },
    "more than once by the same run": { steps: [[0, start("a")], [10, extend(10, "a")], [19, extend(10, "a")]], then: {}, due: 29, recorded: ["log"] },
    "extends what has overrun: it is alive": { steps: [[0, start("a")], [15, "tick"], [16, extend(10, "a")]], then: { state: "down", runs: [{ rid: "a", deadlineAt: at(26), hasOverrun: false }] } },
    "limits no run that may take any time": { given: { maxRunMs: 0 }, steps: [[0, start("a")], [10, extend(10)]], then: {}, due: undefined },
  });
});
