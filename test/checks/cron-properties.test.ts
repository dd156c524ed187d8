/** What holds for every schedule, zone and time. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { nextRun, parseCron, parseZone, type Cron } from "../../src/checks/schedule/cron.ts";
import { examples } from "../support/rounds.ts";
import { isFixed, localTime, matches, type Schedule, schedules, textOf, watchedRuns } from "./cron/schedules.ts";
import { changes, runsBetween, spell } from "./cron/tables.ts";

const HOUR = 3_600_000;
const YEAR = 365 * 24 * HOUR;

const times = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2040, 0, 1) });
const zones = fc.constantFrom(...Intl.supportedValuesOf("timeZone"));

function cronOf(schedule: Schedule): Cron {
  const cron = parseCron(textOf(schedule));
  if (cron.kind === "refused") throw new Error(cron.message);
  return cron;
}

test("around a change of the clock a schedule runs when a watchman with a clock would run it, and at no other time", () => {
  const start = fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: -HOUR, max: 6 * HOUR }))
    .map(([{ zone, from }, later]) => ({ zone, from: Date.parse(from) + later }));
  fc.assert(
    fc.property(schedules, start, (schedule, { zone, from }) => {
      const ours = runsBetween(textOf(schedule), zone, from, from + 30 * HOUR);
      const watched = watchedRuns(schedule, zone, from, from + 30 * HOUR);
      expect(ours.map((run) => spell(run, zone))).toEqual(watched.map((run) => spell(run, zone)));
    }),
    { numRuns: examples(1_000) },
  );
});

test("the next run is later, at a whole minute, and its local time matches the schedule or was skipped just before", () => {
  fc.assert(
    fc.property(schedules, zones, times, (schedule, zone, after) => {
      const run = nextRun(cronOf(schedule), after, zone);
      const local = localTime(run, zone);
      const before = localTime(run - 1, zone) + 1;
      const shown = isFixed(schedule) ? [...Array(Math.max(1, (local - before) / 60_000 + 1)).keys()] : [0];
      expect(run).toBeGreaterThan(after);
      expect(run % 60_000).toBe(0);
      expect(shown.some((minutes) => matches(schedule, local - minutes * 60_000))).toBe(true);
    }),
    { numRuns: examples(2_000) },
  );
});

test("a later time never has an earlier next run, and every time before the next run has the same one", () => {
  fc.assert(
    fc.property(
      schedules,
      zones,
      times,
      times,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (schedule, zone, one, other, part) => {
        const cron = cronOf(schedule);
        const [early, late] = [Math.min(one, other), Math.max(one, other)];
        const run = nextRun(cron, early, zone);
        expect(nextRun(cron, late, zone)).toBeGreaterThanOrEqual(run);
        expect(nextRun(cron, Math.floor(early + (run - 1 - early) * part), zone)).toBe(run);
      },
    ),
    { numRuns: examples(2_000) },
  );
});

test("where the clock is never changed, Bun's evaluator agrees", () => {
  // Bun does not treat a step after a star as a star when it combines the two day fields
  const alike = schedules.filter(([, , { text: day }, , { text: weekday }]) => !`${day} ${weekday}`.includes("*/"));
  fc.assert(
    fc.property(alike, fc.constantFrom("UTC", "Asia/Kolkata", "Asia/Tokyo"), times, (schedule, tz, after) => {
      expect(Bun.cron.parse(textOf(schedule), new Date(after), { tz })?.getTime()).toBe(
        nextRun(cronOf(schedule), after, tz),
      );
    }),
    { numRuns: examples(1_000) },
  );
});

test("any text is either a schedule that runs within 41 years or refused with a sentence", () => {
  const fields = fc.array(fc.stringMatching(/^[0-9*,/@LW#?A-Z-]{1,6}$/), { minLength: 4, maxLength: 6 });
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: "binary" }),
    fields.map((parts) => parts.join(" ")),
  );
  fc.assert(
    fc.property(text, times, (schedule, after) => {
      const cron = parseCron(schedule);
      if (cron.kind === "refused") expect(cron.message).toMatch(/^.{10,}/s);
      else expect(nextRun(cron, after, "Europe/Berlin") - after).toBeLessThan(41 * YEAR);
    }),
    { numRuns: examples(5_000) },
  );
});

test("any text is either a zone or refused with a sentence", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: "binary" }), zones), (text) => {
      const zone = parseZone(text);
      if (typeof zone === "string") expect(zone.toLowerCase()).toBe(text.toLowerCase());
      else expect(zone.message).toStartWith("must be the name of a time zone");
    }),
  );
});
