/** The table of CHECKINS.md §4: what the owner does to a check. */
import { describe } from "bun:test";
import { at, edited, exit, extend, ok, rows, snoozed, start } from "./rows.ts";
import { DAY, HOUR, MINUTE, nightly, type Step, T0 } from "./story.ts";

describe("any | pause", () => {
  // prettier-ignore
  rows({
    "no deadlines": { steps: [[0, ok()], [1, "pause"], [9999, "tick"]], then: { state: "paused", slotAt: undefined, deadlineAt: undefined }, recorded: [], due: undefined },
    "pings are recorded, no alerts": { given: { notifySuccess: true }, steps: [[0, ok()], [1, "pause"], [2, ok()]], then: { state: "paused", lastOkAt: at(2), slotAt: undefined, events: 3 }, recorded: ["ok"] },
    "fails too": { steps: [[1, "pause"], [2, exit(2)]], then: { state: "paused", failStreak: 0 }, recorded: ["fail"] },
    "runs may take any time": { steps: [[0, start("a")], [1, "pause"], [2, start("b")], [9999, "tick"]], then: { state: "paused" }, due: undefined },
    "what has overrun is forgotten": { steps: [[0, start("a")], [15, "tick"], [16, "pause"], [17, extend(1, "a")], [90, "resume"], [91, "tick"]], then: { state: "new", runs: [] } },
    "fails before it do not count after it": { given: { failAfter: 2 }, steps: [[0, exit(1)], [1, "pause"], [2, "resume"], [3, exit(1)]], then: { state: "new", failStreak: 1 }, told: ["warning"] },
    "nothing is held": { steps: [[0, ok()], [90, { kind: "tick", gap: { from: at(70), to: at(90) } }], [91, "pause"]], then: { hold: undefined } },
    "closes the incident, and who heard of it hears that": { steps: [[0, exit(1)], [5, "pause"]], then: { state: "paused", incident: undefined }, told: ["up"], recorded: ["paused"] },
    "a second time nothing": { steps: [[0, "pause"], [5, "pause"]], then: {}, recorded: [] },
  });
});

describe("any | snooze", () => {
  const late: Step[] = [
    [0, ok()],
    [10, snoozed(100)],
    [75, "tick"],
  ];
  // prettier-ignore
  rows({
    "messages suppressed, state tracked": { steps: late, then: { state: "down", mutedUntil: at(100), incident: { isTold: false } }, recorded: ["down"], due: 100 },
    "at its end, if down: one message": { steps: [...late, [100, "tick"]], then: { mutedUntil: undefined, incident: { isTold: true, openedAt: at(75), remindAt: at(1540) } }, told: ["down"] },
    "at its end, if up: none": { steps: [...late, [90, ok()], [100, "tick"]], then: { state: "up", mutedUntil: undefined } },
    "an incident of which nobody heard ends unheard": { steps: [...late, [90, ok()]], then: { state: "up", incident: undefined }, recorded: ["ok", "up"] },
    "who heard that it is down hears that it is up": { steps: [[0, exit(1)], [5, snoozed(100)], [9, ok()]], then: { state: "up" }, told: ["up"] },
    "at its end, if that was told before: a reminder": { steps: [[0, exit(1)], [5, snoozed(100)], [100, "tick"]], then: { incident: { reminders: 1, remindAt: at(1540) } }, told: ["reminder"] },
    "at its end, if it was acknowledged: none": { steps: [[0, exit(1)], [5, snoozed(100)], [6, "ack"], [100, "tick"]], then: { mutedUntil: undefined, incident: { reminders: 0 } } },
    "at its end, if nobody was told of what was acknowledged: one message": { steps: [...late, [80, "ack"], [100, "tick"]], then: { incident: { isTold: true } }, told: ["down"] },
    "no reminders in it": { steps: [[0, exit(1)], [5, snoozed(3000)], [1440, "tick"]], then: { incident: { reminders: 0 } } },
    "no warning in it": { given: { failAfter: 2 }, steps: [[0, snoozed(100)], [5, exit(1)]], then: {} },
    "no word of a success in it": { given: { notifySuccess: true }, steps: [[0, snoozed(100)], [5, ok()]], then: {} },
    "no word of a late slot in it": { given: { notifyLate: true }, steps: [[0, ok()], [1, snoozed(100)], [60, "tick"]], then: { isLateTold: true } },
    "no word of another reason in it": { steps: [[0, exit(1)], [5, snoozed(100)], [6, start()], [21, "tick"]], then: { incident: { reason: "overrun" } } },
    "a time that has passed ends it": { steps: [...late, [80, snoozed(80)]], then: { mutedUntil: undefined }, told: ["down"], recorded: ["unsnoozed"] },
    "now is such a time": { steps: [[5, snoozed(5)]], then: { mutedUntil: undefined }, recorded: [] },
    "a time that has passed is nothing else": { steps: [[5, snoozed(4)]], then: { events: 0 }, recorded: [] },
    "the end of one comes before what happens after it": { steps: [...late, [100, ok()]], then: { state: "up" }, told: ["down", "up"] },
  });
});

describe("any | delete", () => {
  // prettier-ignore
  rows({
    "one that is down ends what was told": { steps: [[0, exit(1)], [5, "delete"]], then: { incident: undefined }, told: ["up"], due: undefined },
    "also in a snooze": { steps: [[0, exit(1)], [1, snoozed(90)], [5, "delete"]], then: { incident: undefined }, told: ["up"] },
    "nothing that nobody was told of": { steps: [[0, snoozed(90)], [1, exit(1)], [5, "delete"]], then: { incident: undefined } },
    "one that is up says nothing": { steps: [[0, ok()], [5, "delete"]], then: { state: "up" }, recorded: [] },
    "nor does one that is paused": { steps: [[0, exit(1)], [1, "pause"], [5, "delete"]], then: { state: "paused" }, recorded: [] },
  });
});

describe("paused | resume", () => {
  // prettier-ignore
  rows({
    "armed with a fresh slot": { steps: [[0, ok()], [1, "pause"], [500, "resume"]], then: { state: "up", slotAt: at(560), deadlineAt: at(575) }, recorded: ["resumed"], due: 575 },
    "armed also when it was not": { steps: [[1, "pause"], [500, "resume"]], then: { state: "new", slotAt: at(560) } },
    "a check that was down alerts anew": { steps: [[0, exit(1)], [1, "pause"], [2, "resume"], [77, "tick"]], then: { state: "down", incident: { n: 2 } }, told: ["down"] },
    "nothing when it is not paused": { steps: [[0, ok()], [500, "resume"]], then: { slotAt: at(60) }, recorded: [] },
  });
});

describe("paused | success, fail, start, with `resume_by_ping`", () => {
  const given = { resumeByPing: true } as const;
  // prettier-ignore
  rows({
    "a success: up, with a fresh slot": { given, steps: [[0, ok()], [1, "pause"], [500, ok()]], then: { state: "up", paused: undefined, slotAt: at(560), deadlineAt: at(575) }, recorded: ["resumed", "ok"], due: 575 },
    "a failure alerts": { given, steps: [[0, ok()], [1, "pause"], [500, exit(2)]], then: { state: "down", paused: undefined }, told: ["down"], recorded: ["resumed", "fail", "down"] },
    "a start is watched": { given, steps: [[0, ok()], [1, "pause"], [500, start()]], then: { state: "up", slotAt: at(560) }, recorded: ["resumed", "start"], due: 515 },
    "a snooze goes on": { given, steps: [[0, snoozed(900)], [1, "pause"], [500, exit(2)]], then: { state: "down", incident: { isTold: false } }, recorded: ["resumed", "fail", "down"] },
    "a log entry does not end it": { given, steps: [[1, "pause"], [2, extend(1)]], then: { state: "paused" }, recorded: ["log"] },
    "nor does a ping that must not count": { given, steps: [[1, "pause"], [2, "ignored"]], then: { state: "paused" }, recorded: ["ignored"] },
  });
});

describe("any | schedule edited", () => {
  const daily = { schedule: { kind: "every", everyMs: DAY } } as const;
  // prettier-ignore
  rows({
    "recomputed": { steps: [[0, ok()], [10, edited(daily)]], then: { slotAt: T0 + DAY, deadlineAt: T0 + DAY + HOUR }, recorded: ["edited"] },
    "overdue: late with a fresh grace from now": {
      given: daily,
      steps: [[0, ok()], [600, edited({})]],
      then: { state: "up", slotAt: at(600), deadlineAt: at(615) },
      recorded: ["edited"],
    },
    "and down once that is over, with one slot missed": { given: daily, steps: [[0, ok()], [600, edited({})], [615, "tick"]], then: { state: "down", incident: { missed: 1 } }, told: ["down"] },
    "a shorter grace: never an instant down": { given: { graceMs: 5 * HOUR }, steps: [[0, ok()], [200, edited({ graceMs: MINUTE })], [200, "tick"]], then: { state: "up", slotAt: at(60), deadlineAt: at(201) } },
    "to cron: the slot after the last success": { steps: [[0, ok()], [10, edited(nightly)]], then: { slotAt: T0 + DAY } },
    "to manual: none": { steps: [[0, ok()], [10, edited({ schedule: { kind: "manual" } })]], then: { slotAt: undefined, deadlineAt: undefined }, due: undefined },
    "from manual: late, if it is": { given: { schedule: { kind: "manual" } }, steps: [[0, ok()], [600, edited({})]], then: { slotAt: at(600), deadlineAt: at(615) } },
    "of one that is down: from now on": { steps: [[0, exit(1)], [10, edited(daily)]], then: { state: "down", slotAt: at(10) + DAY } },
    "of one that is down, whenever its last success was": { steps: [[0, ok()], [75, "tick"], [500, edited({ schedule: { kind: "every", everyMs: 30 * MINUTE } })]], then: { slotAt: at(530) } },
    "of one that is new and not armed: nothing": { steps: [[10, edited(daily)]], then: { slotAt: undefined } },
    "of one that is new: armed": { steps: [[10, edited({ armed: true })]], then: { slotAt: at(70) } },
    "of one that is new: armed no more": { given: { armed: true }, steps: [[10, edited({})]], then: { slotAt: undefined } },
    "of one that is paused: nothing": { steps: [[0, "pause"], [10, edited({ ...daily, armed: true })]], then: { slotAt: undefined } },
    "nothing of it moves when it is armed later": { steps: [[0, ok()], [1, "pause"], [500, "resume"], [510, edited({ armed: true })]], then: { slotAt: at(560) }, recorded: ["edited"] },
    "nothing of a new one moves with its name": { given: { armed: true }, steps: [[10, edited({ armed: true, name: "b" })]], then: { slotAt: at(60) } },
    "nothing is held any more": { steps: [[0, ok()], [90, { kind: "tick", gap: { from: at(70), to: at(90) } }], [91, edited({ graceMs: HOUR })]], then: { hold: undefined, deadlineAt: at(151) } },
    "runs get the new limit": { steps: [[0, start()], [10, edited({ maxRunMs: HOUR })]], then: {}, due: 60 },
    "runs that are over it get it anew": { given: { maxRunMs: 5 * HOUR }, steps: [[0, start()], [100, edited({ maxRunMs: HOUR })]], then: {}, due: 160 },
    "runs that are just over it, too": { given: { maxRunMs: 5 * HOUR }, steps: [[0, start()], [60, edited({ maxRunMs: HOUR })]], then: {}, due: 120 },
    "runs that were told of stay so": { steps: [[0, start("a")], [15, "tick"], [16, edited({ maxRunMs: HOUR })]], then: { runs: [{ rid: "a", isNamed: true, startedAt: at(0), hasOverrun: true }] } },
    "runs that were told of cover nothing": { steps: [[0, ok()], [10, start()], [25, "tick"], [26, edited({ graceMs: HOUR })]], then: { state: "down", slotAt: at(60), deadlineAt: at(120) } },
    "runs cover the slot in its new place": { steps: [[0, ok()], [50, start()], [55, edited(daily)]], then: { runs: [{ slotAt: T0 + DAY }] } },
    "runs of a slot that is over do not": { given: { maxRunMs: DAY }, steps: [[0, ok()], [30, start("a")], [40, ok("b")], [41, edited({ ...daily, maxRunMs: DAY })]], then: { runs: [{ slotAt: at(60) }], deadlineAt: at(40) + DAY + HOUR } },
    "runs of no slot do not": { given: { schedule: { kind: "manual" }, maxRunMs: DAY }, steps: [[0, ok()], [1, start("a")], [2, edited({ maxRunMs: DAY })]], then: { runs: [{ rid: "a", isNamed: true, startedAt: at(1), deadlineAt: at(1) + DAY, hasOverrun: false }], deadlineAt: at(75) } },
    "runs go on covering their slot": { given: { maxRunMs: 2 * HOUR }, steps: [[0, ok()], [50, start()], [55, edited({ maxRunMs: 3 * HOUR })]], then: { deadlineAt: at(230) } },
    "another name moves nothing": { steps: [[0, ok()], [70, edited({ name: "b" })]], then: { slotAt: at(60), deadlineAt: at(75) }, recorded: ["edited"] },
    "the same again: nothing": { steps: [[0, ok()], [70, edited({})]], then: { events: 1 }, recorded: [] },
    "a late slot that was told is told once": { given: { notifyLate: true }, steps: [[0, ok()], [60, "tick"], [61, edited({ notifyLate: true, graceMs: HOUR })], [62, "tick"]], then: {} },
  });
});

describe("ack, test, ignored", () => {
  // prettier-ignore
  rows({
    "ack of an incident": { steps: [[0, exit(1)], [5, "ack"]], then: { incident: { ackedAt: at(5) } }, recorded: ["acked"] },
    "ack taken back": { steps: [[0, exit(1)], [5, "ack"], [6, "unack"]], then: { incident: { isTold: true } }, recorded: ["unacked"] },
    "nothing to take back": { steps: [[0, exit(1)], [5, "unack"]], then: { state: "down" }, recorded: [] },
    "ack twice": { steps: [[0, exit(1)], [5, "ack"], [6, "ack"]], then: { incident: { ackedAt: at(5) } }, recorded: [] },
    "ack of nothing": { steps: [[0, ok()], [5, "ack"]], then: {}, recorded: [] },
    "test": { steps: [[0, "test"]], then: { state: "new" }, told: ["test"], recorded: ["tested"] },
    "test in a snooze, paused": { steps: [[0, snoozed(50)], [1, "pause"], [2, "test"]], then: {}, told: ["test"] },
    "a ping that must not count": { steps: [[0, ok()], [5, "ignored"]], then: { slotAt: at(60), lastOkAt: at(0), events: 2 }, recorded: ["ignored"] },
  });
});
