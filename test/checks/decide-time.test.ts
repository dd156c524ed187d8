/** Gaps, clocks that jump, late looks, and pings on the clock of another zone (CHECKINS.md §5, §6). */
import { describe, expect, test } from "bun:test";
import type { CheckEvent, CheckSettings } from "../../src/checks/check.ts";
import { isLate, isRunning, looksLikeWrongZone } from "../../src/checks/check.ts";
import { at, exit, ok, rows, snoozed, start } from "./rows.ts";
import { DAY, HOUR, MINUTE, nightly, SECOND, type Step, Story, T0 } from "./story.ts";

/** Minutes after T0. */
const gap = (from: number, to: number): CheckEvent => ({ kind: "tick", gap: { from: at(from), to: at(to) } });

describe("the server was away", () => {
  const away: Step[] = [
    [0, ok()],
    [90, gap(70, 90)],
  ];
  // prettier-ignore
  rows({
    "a deadline before: alert now, with true times": { steps: [[0, ok()], [99, gap(75, 99)]], then: { state: "down", incident: { openedAt: at(75) } }, told: ["down"] },
    "a deadline inside: hold": { steps: away, then: { state: "up", hold: { from: at(70), to: at(90), until: at(95) } }, due: 95 },
    "a deadline at its very end: hold": { steps: [[0, ok()], [75, gap(70, 75)]], then: { state: "up" }, due: 80 },
    "a deadline after: nothing": { steps: [[0, ok()], [74, gap(70, 74)]], then: { hold: undefined }, due: 75 },
    "for one period, at least a minute": { given: { schedule: { kind: "every", everyMs: 10 * SECOND } }, steps: [[0, ok()], [90, gap(0, 90)]], then: {}, due: 91 },
    "for one period, at most 5 minutes": { given: { schedule: { kind: "every", everyMs: 2 * MINUTE } }, steps: [[0, ok()], [90, gap(0, 90)]], then: {}, due: 92 },
    "a check-in after that: nothing to tell": { steps: [...away, [92, ok()], [99, "tick"]], then: { state: "up", hold: undefined } },
    "a start covers": { steps: [...away, [92, start()], [95, "tick"]], then: { state: "up", hold: undefined }, due: 107 },
    "a fail is told at once": { steps: [...away, [92, exit(1)]], then: { incident: { reason: "failed" } }, told: ["down"] },
    "still missing after that: down, marked": {
      steps: [...away, [95, "tick"]],
      then: { state: "down", hold: undefined, incident: { openedAt: at(75), deadlineAt: at(75), expectedAt: at(60), gap: { from: at(70), to: at(90) }, missed: 1 } },
      told: ["down"],
    },
    "the same gap again: no longer": { steps: [...away, [93, gap(70, 90)]], then: { hold: { until: at(95) } }, due: 95 },
    "away again in the hold: no longer, what is missing is told": { steps: [...away, [110, gap(92, 110)]], then: { state: "down", incident: { gap: { from: at(70), to: at(90) } } }, told: ["down"] },
    "a run that ended meanwhile perhaps: hold": { given: { schedule: { kind: "manual" }, maxRunMs: HOUR }, steps: [[0, start()], [90, gap(30, 90)]], then: { state: "new" }, due: 91 },
    "and overrun after that, marked": { given: { schedule: { kind: "manual" }, maxRunMs: HOUR }, steps: [[0, start()], [90, gap(30, 90)], [91, "tick"]], then: { incident: { reason: "overrun", gap: { from: at(30), to: at(90) }, openedAt: at(60) } }, told: ["down"] },
    "late is not told of what may have come": { given: { notifyLate: true }, steps: away, then: { isLateTold: true } },
    "one that is down counts on": { steps: [[0, exit(1)], [200, gap(70, 200)]], then: { state: "down", hold: undefined, incident: { missed: 3 } } },
    "a reminder fires once": { steps: [[0, exit(1)], [1600, gap(10, 1600)]], then: { incident: { reminders: 1 } }, told: ["reminder"] },
    "one that is paused sleeps on": { steps: [[0, ok()], [1, "pause"], [200, gap(70, 200)]], then: { state: "paused", hold: undefined } },
  });

  // prettier-ignore
  test.each<[string, Step[]]>([
    ["a deadline before", [[0, ok()], [99, gap(75, 99)]]],
    ["a fail", [...away, [92, exit(1)]]],
    ["a deadline of another day", [[0, ok()], [75, "tick"]]],
  ])("%s is not marked", (_, steps) => {
    const story = new Story();
    story.play(...steps);
    expect(story.standing.incident).not.toHaveProperty("gap");
  });

  test("reports when the server was away", () => {
    const { alerts, recorded } = new Story().play(...away, [95, "tick"]);
    expect(alerts).toMatchObject([{ kind: "down", at: at(75), incident: { gap: { from: at(70), to: at(90) } } }]);
    expect(recorded).toEqual([{ kind: "down", reason: "missed", at: at(95) }]);
  });
});

describe("a clock that steps back", () => {
  // prettier-ignore
  rows({
    "changes no state": { steps: [[60, ok()], [0, "tick"]], then: { state: "up", slotAt: at(120) }, recorded: [] },
    "does not reorder events": { steps: [[60, ok()], [0, "log"]], then: { lastEventAt: at(60) }, recorded: ["log"] },
    "nor does what it showed before put off the next slot": { steps: [[99_999, ok()], [0, ok()]], then: { slotAt: at(60), deadlineAt: at(75) } },
    "gives no negative durations": { steps: [[60, start()], [0, ok()]], then: { lastDurationMs: 0 } },
  });
});

describe("one look for everything that has passed", () => {
  // prettier-ignore
  rows({
    "slot, deadline, end of the snooze": { given: { notifyLate: true }, steps: [[0, ok()], [1, snoozed(300)], [400, "tick"]], then: { state: "down", incident: { missed: 6, isTold: true } }, told: ["down"], recorded: ["down"] },
    "end of the snooze, slot, deadline": { steps: [[0, ok()], [1, snoozed(70)], [400, "tick"]], then: { mutedUntil: undefined, incident: { openedAt: at(75), isTold: true } }, told: ["down"] },
    "overrun, then a slot without a run": { steps: [[0, ok()], [61, start()], [136, "tick"]], then: { incident: { reason: "overrun", openedAt: at(76), missed: 1 } }, told: ["down"] },
    "one run after the other, the first is the incident": { steps: [[0, start("a")], [1, start("b")], [60, "tick"]], then: { incident: { startedAt: at(0), reason: "overrun" }, runs: [{ rid: "a", hasOverrun: true }, { rid: "b", hasOverrun: true }] }, told: ["down"] },
  });

  test("a deadline exactly at the end of a snooze is reported", () => {
    expect(new Story().play([0, ok()], [1, snoozed(75)], [75, "tick"]).alerts.map(({ kind }) => kind)).toEqual([
      "down",
    ]);
  });
});

describe("cron", () => {
  test("a schedule in a zone with summer time follows the local clock", () => {
    const story = new Story(nightly, Date.parse("2026-10-23T12:00:00Z"));
    const slots = ["2026-10-24T00:31:00Z", "2026-10-25T00:31:00Z", "2026-10-26T01:31:00Z"].map((time) => {
      story.happen(ok(), Date.parse(time));
      return new Date(story.standing.slotAt ?? 0).toISOString();
    });
    expect(slots).toEqual(["2026-10-25T00:30:00.000Z", "2026-10-26T01:30:00.000Z", "2026-10-27T01:30:00.000Z"]);
  });
});

describe("looks like a time zone mismatch", () => {
  /** After one ping a day, each this many minutes after its slot. */
  const afterPings = (minutes: number[], before: CheckEvent[] = [], given: Partial<CheckSettings> = nightly) => {
    const story = new Story(given, T0 - DAY);
    for (const [day, late] of minutes.entries()) {
      const now = T0 + day * DAY + Math.round(late * MINUTE);
      story.happen({ kind: "tick" }, now);
      for (const event of before) story.happen(event, now);
      story.happen(ok(), now + 5 * SECOND + before.length * 20 * MINUTE);
    }
    return looksLikeWrongZone(story.standing);
  };
  // prettier-ignore
  const table: [what: string, minutes: number[], hint: boolean][] = [
    ["2 h early",                    [-120, -120, -120, -120], true],
    ["1 h late",                     [60, 60, 60, 60],         true],
    ["5 h 45 min early",             [-345, -345, -345, -345], true],
    ["a clock that is 20 s ahead",   [-120.4, -120.4, -120.4, -120.4], true],
    ["too few",                      [-120, -120],             false],
    ["on time",                      [0, 0, 0, 0],             false],
    ["early enough",                 [-1, -1, -1, -1],         false],
    ["on time once",                 [-120, -120, -120, 0],    false],
    ["not constant",                 [-120, -60, -120, -120],  false],
    ["2 min of work before it pings",[-118, -118, -118, -118].map((minutes) => minutes - 1 / 12), true],
    ["longer",                       [-117, -117, -117, -117], false],
    ["a clock that is 30 s ahead",   [-120.5, -120.5, -120.5, -120.5].map((minutes) => minutes - 1 / 12), true],
    ["further",                      [-121, -121, -121, -121], false],
    ["no quarter hours",             [-110, -110, -110, -110], false],
  ];
  test.each(table)("%s", (_, minutes, hint) => {
    expect(afterPings(minutes)).toBe(hint);
  });
  test("is not assumed of a clock that is ahead when no ping may be early", () => {
    expect(
      afterPings(
        [-1, -1, -1, -1].map((minutes) => minutes / 3),
        [],
        { ...nightly, earlyMs: 0 },
      ),
    ).toBe(false);
  });
  test("goes by when the job starts, not by when it is done", () => {
    expect(afterPings([-120, -120, -120, -120], [start()])).toBe(true);
  });
  test("is never assumed without cron", () => {
    expect(afterPings([-120, -120, -120, -120], [], {})).toBe(false);
  });
});

describe("derived", () => {
  test("late: the slot has passed but the deadline has not", () => {
    const story = new Story();
    story.play([0, ok()]);
    expect([59, 60, 74].map((minutes) => isLate(story.standing, at(minutes)))).toEqual([false, true, true]);
    story.play([61, start()]);
    expect(isLate(story.standing, at(62))).toBe(false);
    story.play([90, "tick"]);
    expect(isLate(story.standing, at(300))).toBe(false);
  });

  test("late even though a run of the slot before is still open", () => {
    const story = new Story({ maxRunMs: DAY });
    story.play([0, ok()], [30, start("a")], [40, ok("b")]);
    expect(isLate(story.standing, at(101))).toBe(true);
  });

  test("running: a run is open", () => {
    const story = new Story();
    expect(isRunning(story.standing)).toBe(false);
    story.play([0, start("a")]);
    expect(isRunning(story.standing)).toBe(true);
    story.play([1, ok("a")]);
    expect(isRunning(story.standing)).toBe(false);
  });
});
