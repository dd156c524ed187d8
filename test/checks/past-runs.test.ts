/** The latest runs of a check, derived from its log and its incidents. */
import { describe, expect, test } from "bun:test";
import type { Incident, Run, Schedule } from "../../src/checks/check.ts";
import { pastRuns, SHOWN_RUNS, usualMs, type PastRun } from "../../src/checks/days/past-runs.ts";
import type { LoggedEvent, PastIncident } from "../../src/store/checks.ts";
import { standing } from "../store/conformance/watching.ts";

const HOUR = 3_600_000;
/** In hours. */
const NOW = 100;
const at = (hour: number): number => hour * HOUR;
const hourly: Schedule = { kind: "every", everyMs: HOUR };

const ok = (hour: number, durationMs?: number): LoggedEvent => line("ok", hour, durationMs);
const failed = (hour: number, durationMs?: number): LoggedEvent => ({ ...line("fail", hour, durationMs), exit: 2 });
const line = (kind: "ok" | "fail", hour: number, durationMs?: number): LoggedEvent => ({
  ...{ n: hour, kind, at: at(hour) },
  ...(durationMs !== undefined && { durationMs }),
});
const missed = (hour: number, slots: number, over: Partial<PastIncident> = {}): PastIncident => ({
  ...{ n: 1, reason: "missed", openedAt: at(hour), expectedAt: at(hour), missed: slots, isTold: true, reminders: 0 },
  ...over,
});
const overran: PastIncident = {
  ...{ n: 2, reason: "overrun", openedAt: at(51), startedAt: at(50), deadlineAt: at(51), missed: 0 },
  ...{ isTold: true, reminders: 0, closedAt: at(60) },
};
const run = (hour: number, hasOverrun = false): Run => ({
  ...{ rid: "#1", isNamed: false, startedAt: at(hour), hasOverrun },
});
const hours = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

interface Given {
  ends?: LoggedEvent[];
  incidents?: PastIncident[];
  runs?: Run[];
  schedule?: Schedule;
  incident?: Incident;
}
const told = ({ ends = [], incidents = [], runs = [], schedule = hourly }: Given): string[] => {
  const given = standing({ runs });
  const of = { ...given, settings: { ...given.settings, schedule } };
  return pastRuns(of, { ends, incidents }, at(NOW)).map(
    ({ kind, at: began, durationMs, isGap }) =>
      `${kind} ${began / HOUR}${durationMs === undefined ? "" : ` ${durationMs / HOUR}`}${isGap ? " gap" : ""}`,
  );
};

// prettier-ignore
const rows: [promise: string, given: Given, runs: string[]][] = [
  ["nothing yet",                               {},                                                           []],
  ["a run begins where it ended less its time", { ends: [ok(10, HOUR)] },                                     ["ok 9 1"]],
  ["without a start it has no length",          { ends: [ok(10)] },                                           ["ok 10"]],
  ["a failure is one",                          { ends: [ok(10), failed(11, HOUR)] },                         ["ok 10", "failed 10 1"]],
  ["what was missed stands at its slot",        { ends: [ok(10), ok(13)], incidents: [missed(11, 1, { closedAt: at(13) })] }, ["ok 10", "missed 11", "ok 13"]],
  ["each slot of an incident is one",           { incidents: [missed(90, 3)] },                               ["missed 90", "missed 91", "missed 92"]],
  ["none after its end",                        { incidents: [missed(90, 5, { closedAt: at(91.5) })] },       ["missed 90", "missed 91"]],
  ["slots missed after a failure count too",    { incidents: [missed(90, 1, { reason: "failed", expectedAt: at(90.5) })] }, ["missed 90.5"]],
  ["the server was away",                       { incidents: [missed(90, 1, { gap: { from: 1, to: 2 } })] },  ["missed 90 gap"]],
  ["one that took too long is shown so far",    { incidents: [overran] },                                     ["overrun 50 1"]],
  ["and by its end when it has one",            { incidents: [overran], ends: [ok(55, 5 * HOUR)] },           ["ok 50 5"]],
  ["an open one is running",                    { runs: [run(98)] },                                          ["running 98 2"]],
  ["but not beyond its time",                   { runs: [run(98, true)] },                                    []],
  ["by hand nothing is missed",                 { schedule: { kind: "manual" }, incidents: [missed(90, 0, { reason: "failed" })] }, []],
];
test.each(rows)("%s", (_, given, runs) => {
  expect(told(given)).toEqual(runs);
});

const cron = (expression: string): Schedule => ({ kind: "cron", expression, timezone: "UTC" });
// prettier-ignore
const outages: [promise: string, schedule: Schedule, first: number, latest: number[]][] = [
  ["each hour",                                  hourly,                  10, hours(70, 99)],
  ["of more than are counted",                   hourly,               -5000, hours(70, 99)],
  ["half past each hour",                        hourly,                10.5, hours(69.5, 98.5)],
  ["by a timetable",                             cron("0 * * * *"),       10, hours(70, 99)],
  ["by one that rests at night, and it is early", cron("0 9-18 * * *"), -5000, [...hours(16, 18), ...hours(33, 42), ...hours(57, 66), ...hours(81, 87)]],
];
test.each(outages)("of a long outage the latest slots are shown: %s", (_, schedule, first, latest) => {
  const incidents = [missed(first, 1000, { closedAt: at((latest.at(-1) ?? 0) + 0.3) })];
  expect(told({ incidents, schedule })).toEqual(latest.map((hour) => `missed ${hour}`));
});

test("the latest runs are shown, and nothing from before the log begins", () => {
  const ends = Array.from({ length: SHOWN_RUNS }, (_, i) => ok(40 + i));
  expect(told({ ends, incidents: [missed(20, 2, { closedAt: at(30) })] })).toEqual(
    ends.map(({ at: end }) => `ok ${end / HOUR}`),
  );
  expect(told({ ends: ends.slice(0, 5), incidents: [missed(20, 2, { closedAt: at(30) })] })[0]).toBe("missed 20");
  expect(told({ ends, runs: [run(99)] })).toHaveLength(SHOWN_RUNS);
});

describe("the usual length", () => {
  const took = (...lengths: (number | undefined)[]): PastRun[] =>
    lengths.map((durationMs): PastRun => ({ kind: "ok", at: 0, ...(durationMs !== undefined && { durationMs }) }));
  test("is the middle half of the measured lengths", () => {
    expect(usualMs(took(5, 1, 3, 2, 4))).toEqual({ from: 2, middle: 3, to: 4 });
  });
  test("is unknown where only a few runs were measured or all others failed", () => {
    expect(usualMs(took(1, 2, 3, undefined))).toBeUndefined();
    expect(usualMs([...took(1, 2, 3), { kind: "failed", at: 0, durationMs: 4 }])).toBeUndefined();
  });
});
