/** Slots, and how far a ping may be off (CHECKINS.md §3). */
import { describe, expect, test } from "bun:test";
import type { CheckSettings, Schedule } from "../../src/checks/check.ts";
import { deadlineOf, marginsAt, marginsNow, slotAfter, slotAfterPing } from "../../src/checks/schedule/schedule.ts";
import { DAY, HOUR, MINUTE, nightly, SECOND, settings, T0 } from "./story.ts";

const every = (everyMs: number): Partial<CheckSettings> => ({ schedule: { kind: "every", everyMs } });
const cron = (expression: string): Partial<CheckSettings> => ({
  schedule: { kind: "cron", expression, timezone: "Europe/Berlin" },
});
const manual: Partial<CheckSettings> = { schedule: { kind: "manual" } };

describe("margins", () => {
  // prettier-ignore
  test.each<[string, Partial<CheckSettings>, grace: number, early: number, maxRun: number]>([
    ["a quarter of the gap",             every(40 * MINUTE),                   10 * MINUTE, 2 * MINUTE, 10 * MINUTE],
    ["a grace of a minute at least",     every(10 * SECOND),                   MINUTE,      2_500,      MINUTE],
    ["a grace of an hour at most",       every(365 * DAY),                     HOUR,        2 * MINUTE, HOUR],
    ["whole milliseconds",               every(245_001),                       61_250,      61_250,     61_250],
    ["the gap of a cron schedule",       cron("*/30 * * * *"),                 7.5 * MINUTE, 2 * MINUTE, 7.5 * MINUTE],
    ["chosen",                           { ...every(DAY), graceMs: 1, earlyMs: 2, maxRunMs: 3 }, 1, 2,  3],
    ["the limit of a run is the grace",  { ...every(DAY), graceMs: 5 },        5,           2 * MINUTE, 5],
    ["none",                             { ...every(DAY), graceMs: 0, earlyMs: 0 }, 0,      0,          0],
    ["a run without limit",              { ...every(DAY), maxRunMs: 0 },       HOUR,        2 * MINUTE, 0],
    ["manual",                           manual,                               0,           0,          0],
    ["manual with a limit",              { ...manual, maxRunMs: HOUR },        0,           0,          HOUR],
  ])("%s", (_, given, graceMs, earlyMs, maxRunMs) => {
    expect(marginsAt(settings(given), T0)).toEqual({ graceMs, earlyMs, maxRunMs });
  });

  test("now are those of the awaited slot, otherwise of the next one", () => {
    const office = settings(cron("0 9,10 * * *"));
    const nine = Date.parse("2026-11-20T08:00:00Z");
    expect(marginsNow({ settings: office }, nine - 1).graceMs).toBe(15 * MINUTE);
    expect(marginsNow({ settings: office, slotAt: nine + HOUR }, nine - 1).graceMs).toBe(HOUR);
  });

  test("are those of the gap after the slot", () => {
    const office = settings(cron("0 9,10 * * *"));
    const nine = Date.parse("2026-11-20T08:00:00Z");
    expect(deadlineOf(office, nine)).toBe(nine + 15 * MINUTE);
    expect(deadlineOf(office, nine + HOUR)).toBe(nine + 2 * HOUR);
  });
});

describe("the next slot", () => {
  // prettier-ignore
  test.each<[string, Partial<CheckSettings>, awaited: number | undefined, at: number, slot: number | undefined]>([
    ["every: so long after the ping",                  every(HOUR), T0 + HOUR, T0 + 5,             T0 + HOUR + 5],
    ["cron: the next run",                             nightly,     T0,        T0 + 5,             T0 + DAY],
    ["manual: none",                                   manual,      undefined, T0,                 undefined],
    ["a ping at its very slot",                        nightly,     T0,        T0,                 T0 + DAY],
    ["at its very slot it is not early for the next",  { ...cron("* * * * *"), earlyMs: HOUR }, T0, T0, T0 + MINUTE],
    ["an early ping counts for the coming slot",       nightly,     T0,        T0 - 2 * MINUTE,    T0 + DAY],
    ["also the first one",                             nightly,     undefined, T0 - 2 * MINUTE,    T0 + DAY],
    ["also a second one",                              nightly,     T0 + DAY,  T0 - MINUTE,        T0 + DAY],
    ["one that is too early does not",                 nightly,     T0,        T0 - 2 * MINUTE - 1, T0],
    ["nor one that is late for the slot before",       nightly,     T0 - DAY,  T0 - MINUTE,        T0],
    ["chosen to be early",                             { ...nightly, earlyMs: HOUR }, T0, T0 - HOUR, T0 + DAY],
    ["chosen to be never early",                       { ...nightly, earlyMs: 0 },    T0, T0 - 1,    T0],
    ["one slot only, however early",                   { ...nightly, earlyMs: 9 * DAY }, T0, T0 - HOUR, T0 + DAY],
  ])("%s", (_, given, awaited, at, slot) => {
    expect(slotAfterPing(settings(given), awaited, at)).toBe(slot);
  });

  test("is right for more expressions than are cached", () => {
    const at = (minute: number): Schedule => ({
      kind: "cron",
      expression: `${minute % 60} ${Math.floor(minute / 60)} * * *`,
      timezone: "UTC",
    });
    const midnight = Date.parse("2026-11-20T00:00:00Z") - 1;
    for (let n = 0; n < 2 * 1_440; n++)
      expect(slotAfter(at(n % 1_440), midnight)).toBe(midnight + 1 + (n % 1_440) * MINUTE);
  });

  test("of an expression that could not have been saved is an error", () => {
    expect(() => slotAfter({ kind: "cron", expression: "0 0 30 2 *", timezone: "UTC" }, T0)).toThrow("0 0 30 2 *");
  });
});
