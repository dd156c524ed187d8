/** Schedules run when Debian's cron and Healthchecks say they do (cron/README.md). */
import { expect, test } from "bun:test";
import { calendar, changes, runsBetween, spell } from "./cron/tables.ts";

test("the tables are complete", () => {
  expect(new Set(changes.map(({ zone }) => zone)).size).toBe(11);
  expect(changes.flatMap(({ runs }) => Object.keys(runs))).toHaveLength(1_584);
  expect(calendar).toHaveLength(48);
});

test.each(changes.map((change) => [`${change.zone}, ${change.from} to ${change.to}`, change] as const))(
  "a change of the clock: %s",
  (_, { zone, from, to, runs }) => {
    const ours = Object.keys(runs).map((schedule) => [
      schedule,
      runsBetween(schedule, zone, Date.parse(from), Date.parse(to))
        .map((run) => spell(run, zone).slice("2026-03-".length))
        .join(" "),
    ]);
    expect(Object.fromEntries(ours)).toEqual(runs);
  },
);

test.each(calendar.map(({ zone, schedule, runs }) => [schedule, zone, runs] as const))(
  "the calendar: %s in %s",
  (schedule, zone, runs) => {
    const last = Date.parse(runs.split(" ").at(-1) ?? "");
    const ours = runsBetween(schedule, zone, Date.UTC(2026, 0, 15, 10, 30), last + 1);
    expect(ours.map((run) => spell(run, zone)).join(" ")).toBe(runs);
  },
);
