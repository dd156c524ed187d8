/** What is recorded only once, however often it is sent (CHECKINS.md §2). */
import { describe, expect, test } from "bun:test";
import { at, exit, extend, ok, rows, start } from "./rows.ts";
import { MINUTE, SECOND, type Step, Story, T0 } from "./story.ts";

const seconds = (n: number) => n / 60;

describe("same (rid, kind)", () => {
  // prettier-ignore
  rows({
    "start": { steps: [[0, start("a")], [1, start("a")]], then: { runs: [{ rid: "a", startedAt: at(0) }] }, recorded: [] },
    "start, after its run was lost": { given: { maxRunMs: MINUTE }, steps: [[0, start("a")], [5, "tick"], [6, ok()], [7, start("a")]], then: { runs: [] }, recorded: [] },
    "start, after 20 others": { steps: Array.from({ length: 21 }, (_, n): Step => [n, start(`r${n}`)]).concat([[30, start("r0")]]), then: { events: 21 }, recorded: [] },
    "success": { steps: [[0, ok("a")], [1, ok("a")]], then: { slotAt: at(60), okStreak: 1, events: 1 }, recorded: [] },
    "fail, whatever its exit code": { given: { failAfter: 3 }, steps: [[0, exit(1, "a")], [1, exit(2, "a")]], then: { failStreak: 1 }, recorded: [] },
    "while it is paused": { steps: [[0, "pause"], [1, start("a")], [2, start("a")], [3, ok("a")], [4, ok("a")]], then: { events: 3 }, recorded: [] },
    "another rid": { steps: [[0, ok("a")], [1, ok("b")]], then: { okStreak: 2 }, recorded: ["ok"] },
    "another kind": { steps: [[0, ok("a")], [1, exit(1, "a")]], then: { state: "down" }, told: ["down"], recorded: ["fail", "down"] },
    "logs are many": { steps: [[0, start("a")], [1, extend(1, "a")], [2, extend(1, "a")]], then: { events: 3 }, recorded: ["log"] },
    "within 24 hours": { steps: [[0, ok("a")], [1440 - 0.001, ok("a")]], then: { events: 1 }, recorded: [] },
    "not later": { steps: [[0, ok("a")], [1440, ok("a")]], then: { events: 2 }, recorded: ["ok"] },
    "nor after a clock that was more than a day ahead": { steps: [[1440, ok("a")], [0, ok("a")]], then: { events: 2 }, recorded: ["ok"] },
    "after one that was less": { steps: [[1440, ok("a")], [0.001, ok("a")]], then: { events: 1 }, recorded: [] },
    "after many others": { steps: Array.from({ length: 200 }, (_, n): Step => [n, ok(`r${n}`)]).concat([[300, ok("r0")]]), then: { events: 200 }, recorded: [] },
  });

  test("each ping of a named run except its logs is to be remembered with its time", () => {
    const story = new Story({ failAfter: 5 });
    story.play(
      [0, start("a")],
      [1, ok("a")],
      [2, ok("a")],
      [3, exit(1, "b")],
      [4, ok()],
      [5, exit(1)],
      [6, extend(1, "c")],
    );
    story.play([-30, ok("d")]);
    expect(story.named).toEqual([
      { rid: "a", kind: "start", at: at(0) },
      { rid: "a", kind: "ok", at: at(1) },
      { rid: "b", kind: "fail", at: at(3) },
      { rid: "d", kind: "ok", at: at(-30) },
    ]);
  });
});

describe("a start after its own end", () => {
  // prettier-ignore
  rows({
    "is ignored": { steps: [[0, ok("a")], [1, start("a")]], then: { runs: [], events: 1 }, recorded: [] },
    "of a fail too": { steps: [[0, exit(1, "a")], [1, start("a")]], then: { runs: [] }, recorded: [] },
    "of another run counts": { steps: [[0, ok("a")], [1, start("b")]], then: { runs: [{ rid: "b" }] }, recorded: ["start"] },
  });
});

describe("a success without a rid, within 2 s of an identical one", () => {
  // prettier-ignore
  rows({
    "folds, also at the same time": { steps: [[0, ok()], [0, ok()]], then: { events: 1 }, recorded: [] },
    "folds": { steps: [[0, ok()], [seconds(2), ok()]], then: { events: 1, okStreak: 1, slotAt: at(60) }, recorded: [] },
    "not later": { steps: [[0, ok()], [seconds(2.001), ok()]], then: { events: 2 }, recorded: ["ok"] },
    "of the first, not of the last": { steps: [[0, ok()], [seconds(1.5), ok()], [seconds(3), ok()]], then: { events: 2 }, recorded: ["ok"] },
    "the one that brought it up": { steps: [[0, "fail"], [1, ok()], [1 + seconds(1), ok()]], then: { events: 4, okStreak: 1 }, recorded: [] },
    "not with another exit code": { steps: [[0, ok()], [seconds(1), { kind: "ok", exit: 0 }]], then: { events: 2 }, recorded: ["ok"] },
    "not with a rid": { steps: [[0, ok()], [seconds(1), ok("a")]], then: { events: 2 }, recorded: ["ok"] },
    "not into one with a rid": { steps: [[0, ok("a")], [seconds(1), ok()]], then: { events: 2 }, recorded: ["ok"] },
    "not when anything was recorded in between": { steps: [[0, ok()], [seconds(0.5), "log"], [seconds(1), ok()]], then: { events: 3 }, recorded: ["ok"] },
    "not when its clock is ahead": { steps: [[1, ok()], [0, ok()]], then: { events: 2, slotAt: at(60), lastOkAt: at(1) }, recorded: ["ok"] },
    "a fail never": { given: { failAfter: 5 }, steps: [[0, exit(1)], [seconds(1), exit(1)]], then: { failStreak: 2 }, told: ["warning"], recorded: ["fail"] },
  });

  test("makes no alert either", () => {
    const story = new Story({ notifySuccess: true });
    story.play([0, ok()]);
    story.happen(ok(), T0 + SECOND);
    expect(story.told.map(({ kind }) => kind)).toEqual(["success"]);
  });
});
