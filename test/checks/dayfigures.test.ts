/** What the pictures are drawn from: squares, uptime and drift, as tables. */
import { expect, test } from "bun:test";
import { dayPicture, drift, squareOf, uptime } from "../../src/checks/days/figures.ts";
import type { CheckDay, DayTimes } from "../../src/store/days.ts";
import { DAY, HOUR, nightly, Story } from "./story.ts";

const day = (over: Partial<CheckDay> = {}): CheckDay => ({
  ...{ day: 0, upMs: 0, downMs: 0, quietMs: 0, awayMs: 0, hasOk: false },
  ...over,
});

// prettier-ignore
const squares: [string, Partial<DayTimes>, string][] = [
  ["up",                                  { upMs: DAY },                                      "ok"],
  ["up, with or without a success",       { upMs: DAY, hasOk: true },                         "ok"],
  ["up for a moment, else paused",        { upMs: 1, quietMs: DAY },                          "ok"],
  ["up before this server went away",     { upMs: HOUR, awayMs: 23 * HOUR },                  "ok"],
  ["down for a moment",                   { upMs: DAY, downMs: 1, hasOk: true },              "part"],
  ["down for most of it",                 { upMs: 1, downMs: DAY, hasOk: true },              "part"],
  ["down, and no success came",           { upMs: 20 * HOUR, downMs: HOUR },                  "missed"],
  ["down before a pause",                 { downMs: 1, quietMs: DAY },                        "missed"],
  ["paused or snoozed",                   { quietMs: 1, awayMs: DAY },                        "paused"],
  ["this server was away all day",        { awayMs: DAY },                                    "none"],
  ["nothing is known",                    {},                                                 "none"],
];
test.each(squares)("a day: %s", (_, times, square) => {
  expect(squareOf(day(times))).toBe(square as ReturnType<typeof squareOf>);
});

// prettier-ignore
const uptimes: [string, Partial<DayTimes>[], number, number | undefined][] = [
  ["is unknown without any days",                      [],                                                                       0, undefined],
  ["is unknown where all was planned or unseen",       [{ quietMs: DAY, awayMs: DAY }],                                          0, undefined],
  ["is the part of the time that it was watched",      [{ upMs: 3, downMs: 1, quietMs: 50, awayMs: 50 }],                        0, 0.75],
  ["weighs days by how long they were watched",        [{ upMs: 1 }, { downMs: 3 }],                                             0, 0.25],
  ["looks at no day before",                           [{ day: 4, downMs: 9 }, { day: 5, upMs: 1 }],                             5, 1],
];
test.each(uptimes)("uptime %s", (_, days, since, expected) => {
  expect(uptime(days.map(day), since)).toBe(expected as number);
});

test("the usual duration is the median of 30 days, next to that of the 30 days before", () => {
  const took = (from: number, ...ms: number[]) => ms.map((usualMs, index) => day({ day: from + index, usualMs }));
  const before = took(41, 10, 10, 10, 900);
  const last = took(71, 5, 20, 20, 30);
  expect(drift([...before, ...last], 100)).toEqual({ usualMs: 20, beforeMs: 10 });
  expect(drift([...before.slice(1), ...last], 100)).toEqual({ usualMs: 20 });
  expect(drift([...before, ...last.slice(1)], 100)).toBeUndefined();
  expect(drift([...before, ...last], 101)).toBeUndefined(); // the 71st is 30 days ago
  expect(drift([...last, day({ day: 90, upMs: 1 })], 100)).toEqual({ usualMs: 20 });
});

test("a picture has a square for each of 90 days, the last one today in the check's zone and not written yet", () => {
  const at = Date.parse("2026-11-20T01:30:00Z");
  const story = new Story(nightly, at);
  story.happen({ kind: "ok" }, at);
  const now = Date.parse("2026-11-20T23:30:00Z"); // the 21st in Berlin
  const today = Date.parse("2026-11-21T00:00:00Z") / DAY;
  const kept = { days: [day({ day: today - 80, downMs: HOUR, upMs: HOUR })], countedTo: at, away: [] };
  const { squares, uptime, ...rest } = dayPicture(story.standing, kept, now);
  expect(squares.map(({ day }) => day)).toEqual(Array.from({ length: 90 }, (_, n) => today - 89 + n));
  expect(squares.filter(({ kind }) => kind !== "none")).toEqual([
    { day: today - 80, kind: "missed", times: day({ day: today - 80, downMs: HOUR, upMs: HOUR }) },
    { day: today - 1, kind: "ok", times: day({ day: today - 1, upMs: 21.5 * HOUR, hasOk: true }) },
    { day: today, kind: "ok", times: day({ day: today, upMs: HOUR / 2 }) },
  ]);
  expect(uptime).toEqual({ 7: 1, 30: 1, 90: 23 / 24 });
  expect(rest).toEqual({});
  expect(dayPicture(story.standing, kept, now, 2).squares).toHaveLength(2);
});
