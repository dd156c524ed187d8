/** When the wall clock is set back, no check waits longer than it would have (CHECKINS.md §5). */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { type CheckSettings, isCovered } from "../../src/checks/check.ts";
import { dueAt } from "../../src/checks/decide/missed.ts";
import { setBack } from "../../src/checks/decide/setback.ts";
import { noticing, type SetBack } from "../../src/util/setback.ts";
import { type HeldClock, heldClock } from "../support/clock.ts";
import { examples } from "../support/rounds.ts";
import { live, lives } from "./lives.ts";
import { at, exit, extend, ok, snoozed, start } from "./rows.ts";
import { DAY, HOUR, MINUTE, nightly, SECOND, type Step, Story, T0 } from "./story.ts";

const manual: Partial<CheckSettings> = { schedule: { kind: "manual" }, maxRunMs: HOUR };
const hourly: Partial<CheckSettings> = { schedule: { kind: "cron", expression: "0 * * * *", timezone: "UTC" } };
const held: Step[] = [
  [0, ok()],
  [90, { kind: "tick", gap: { from: at(70), to: at(90) } }],
];

/** The server was away for nearly three hours, and the slot at T0 and its deadline lie in between. */
const away: Step = [120, { kind: "tick", gap: { from: at(-50), to: at(120) } }];

describe("while the server runs", () => {
  // Minutes after T0, which is 02:30 in Berlin and 01:30 UTC: when the clock is set back, by how much, when the check
  // was due, and when it is due now.
  // prettier-ignore
  test.each<[string, Partial<CheckSettings>, Step[], number, number, number, number]>([
    ["a period goes on",                           {},                        [[0, ok()]],                          20,  180,   75,    75 - 180],
    ["one that is late too",                       {},                        [[0, ok()]],                          70,  180,   75,    75 - 180],
    ["what is armed and never pinged too",         { armed: true },           [],                                   20,  180,   75,    75 - 180],
    ["a run may take no longer",                   manual,                    [[0, start()]],                       20,  180,   60,    60 - 180],
    ["nor one that asked for more time",           manual,                    [[0, start()], [5, extend(600)]],     20,  180,   605,   605 - 180],
    ["what it covers neither",                     { maxRunMs: 2 * HOUR },    [[0, ok()], [50, start()]],           60,  180,   170,   170 - 180],
    ["a reminder comes no later",                  manual,                    [[0, exit(1)]],                       20,  180,   1440,  1440 - 180],
    ["a snooze ends no later",                     manual,                    [[0, ok()], [1, snoozed(120)]],       20,  180,   120,   120 - 180],
    ["a hold is no longer",                        {},                        held,                                 91,  180,   95,    95 - 180],
    ["cron: a time on the clock stays",            nightly,                   [[0, ok()]],                          30,  180,   1500,  1500],
    ["cron: what had passed comes again",          nightly,                   [[-60, ok()]],                        10,  180,   60,    60],
    ["cron: a slot that was kept does not",        nightly,                   [[-60, ok()], [0, ok()]],             10,  60,    1500,  1500],
    ["cron: but a day more is waited for no slot", nightly,                   [[0, ok()]],                          30,  1560,  1500,  60],
    ["cron: a slot that comes again is not held",  { ...nightly, graceMs: MINUTE }, [[-60, ok()], away], 121, 123, 125, 1],
    ["cron: every hour on the hour, hours back",   hourly,                    [[0, ok()]],                          10,  180,   45,    45 - 180],
    ["cron: or a part of one",                     hourly,                    [[0, ok()]],                          10,  150,   45,    -75],
  ])("%s", (_, given, steps, minute, back, was, is) => {
    const story = new Story(given, T0);
    story.play(...steps);
    expect(dueAt(story.standing)).toBe(at(was));
    expect(dueAt(setBack(story.standing, -back * MINUTE, at(minute - back)))).toBe(at(is));
  });

  test("a run still covers its slot, and keeps its duration", () => {
    const story = new Story({ maxRunMs: 2 * HOUR });
    story.play([0, ok()], [50, start()]);
    story.standing = setBack(story.standing, -3 * HOUR, at(60 - 180));
    expect(isCovered(story.standing)).toBe(true);
    expect(story.play([70 - 180, ok()]).recorded).toMatchObject([{ kind: "ok", durationMs: 20 * MINUTE }]);
  });

  test("the hold after a change of the grace is as long as before", () => {
    const story = new Story({ ...nightly, graceMs: MINUTE });
    story.play(
      [0, ok()],
      [(DAY / MINUTE) * 30, { kind: "edit", settings: { ...story.standing.settings, graceMs: 2 * MINUTE } }],
    );
    const now = (DAY / MINUTE) * 30 + 60;
    story.play([now, { kind: "tick", gap: { from: at(now - 60), to: at(now) } }]);
    expect(dueAt(story.standing)).toBe(at(now + 5));
    expect(dueAt(setBack(story.standing, -HOUR, at(now - 60)))).toBe(at(now - 60 + 5));
  });

  test("an outage is as long as it was", () => {
    const story = new Story();
    story.play([0, exit(1)]);
    story.standing = setBack(story.standing, -3 * HOUR, at(60 - 180));
    const [up] = story.play([61 - 180, ok()]).alerts;
    expect([up?.kind, (up?.at ?? 0) - (up?.incident?.openedAt ?? 0)]).toEqual(["up", 61 * MINUTE]);
  });
});

describe("at a start, when it is unknown by how much", () => {
  // Minutes after T0: what the clock shows, when the check was due, and when it is due now.
  // prettier-ignore
  test.each<[string, Partial<CheckSettings>, Step[], number, number | undefined, number | undefined]>([
    ["a period is waited for once, from now",      {},      [[0, ok()]],                      -180,     75,        -180 + 75],
    ["where it is shorter than the step as well",  { schedule: { kind: "every", everyMs: 10 * SECOND }, graceMs: 0 }, [[0, ok()]], -1, 1 / 6, -1 + 1 / 6],
    ["what may be is believed",                    { schedule: { kind: "every", everyMs: DAY } }, [[0, ok()]], 1, 1500, 1500],
    ["a run is as old as it can be",               manual,  [[0, start()]],                   -180,     60,        -180 + 60],
    ["it keeps the time that it asked for",        manual,  [[0, start()], [5, extend(600)]], 10,       605,       605],
    ["a reminder comes in its time",               manual,  [[0, exit(1)]],                   -180,     1440,      -180 + 1440],
    ["a hold is none",                             {},      held,                             -10_000,  95,        -10_000 + 75],
    ["cron: by a clock years ahead",               nightly, [[0, ok()]],                      -525_601, 1500,      -525_600 + 60],
    ["cron: the next slot, or after an early ping the one after it", nightly, [[0, ok()]],    -10,      1500,      1500],
    ["what is paused waits for nothing",           {},      [[0, ok()], [1, "pause"]],        -180,     undefined, undefined],
  ])("%s", (_, given, steps, now, was, is) => {
    const story = new Story(given);
    story.play(...steps);
    const due = (minutes: number | undefined) => (minutes === undefined ? undefined : at(minutes));
    expect(dueAt(story.standing)).toBe(due(was));
    expect(dueAt(setBack(story.standing, 0, at(now)))).toBe(due(is));
  });
});

/** Lives on a clock that is never set back. */
const fair = lives.map(([settings, steps]): typeof lives extends fc.Arbitrary<infer Life> ? Life : never => [
  settings,
  steps.map(([pause, happening]) => [Math.abs(pause), happening]),
]);

test("times from a clock that is right are left as they are, at any start", () => {
  fc.assert(
    fc.property(fair, fc.constantFrom(0, SECOND, HOUR, 40 * DAY), (life, later) => {
      for (const { decision, now } of live(life)) expect(setBack(decision.after, 0, now + later)).toBe(decision.after);
    }),
    { numRuns: examples(250) },
  );
});

test("nothing is due earlier than before, and without cron nothing later; but what comes again after a hold is not held", () => {
  fc.assert(
    fc.property(fair, fc.constantFrom(6 * SECOND, HOUR, 3 * HOUR, 400 * DAY), (life, back) => {
      for (const { decision, now } of live(life)) {
        const before = decision.after;
        const after = setBack(before, -back, now - back);
        const { hold, deadlineAt = 0 } = before;
        const isHeld = hold !== undefined && deadlineAt > hold.from && deadlineAt <= hold.to;
        const comesAgain = isHeld && (after.deadlineAt ?? 0) > hold.to - back;
        const was = dueAt(comesAgain ? { ...before, hold: { ...hold, from: hold.to } } : before);
        const is = dueAt(after);
        if (was === undefined || is === undefined) expect(is).toBe(was);
        else if (before.settings.schedule.kind === "cron") expect(is).toBeGreaterThanOrEqual(was - back);
        else expect(is).toBe(was - back);
      }
    }),
    { numRuns: examples(250) },
  );
});

describe("the clock", () => {
  const noticed = () => {
    const machine = heldClock(T0);
    const clock = noticing(machine);
    const heard: SetBack[] = [];
    clock.onSetBack((setBack) => heard.push(setBack));
    return { machine, clock, heard };
  };

  test("that is set back reports it once, at the first look, before anyone gets the new time", () => {
    const { machine, clock, heard } = noticed();
    machine.advance(10 * MINUTE);
    machine.jump(-3 * HOUR);
    machine.advance(MINUTE);
    const now = clock.now();
    expect([now, heard]).toEqual([at(11 - 180), [{ from: at(11), to: at(11 - 180) }]]);
    machine.advance(HOUR);
    clock.now();
    expect(heard).toHaveLength(1);
  });

  test.each<[string, (machine: HeldClock) => void]>([
    ["time passes", (machine) => machine.advance(DAY)],
    ["it is slewed", (machine) => machine.jump(-5 * SECOND)],
    ["it is set forward", (machine) => machine.jump(DAY)],
    ["the process stands still", (machine) => machine.freeze(DAY)],
  ])("reports nothing when %s", (_, happen) => {
    const { machine, clock, heard } = noticed();
    happen(machine);
    clock.now();
    expect(heard).toEqual([]);
  });

  test("reports nothing when the process is stopped between reading the two clocks", () => {
    const machine = heldClock(T0);
    let isToFreeze = false;
    const clock = noticing({
      ...machine,
      now: () => {
        const now = machine.now();
        if (isToFreeze) machine.freeze(HOUR);
        isToFreeze = false;
        return now;
      },
    });
    const heard: SetBack[] = [];
    clock.onSetBack((setBack) => heard.push(setBack));
    isToFreeze = true;
    expect([clock.now(), heard]).toEqual([at(60), []]);
  });
});
