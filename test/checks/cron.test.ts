/** What counts as a schedule and as a time zone, and how other texts are refused (CHECKINS.md §6). */
import { expect, test } from "bun:test";
import { type Cron, nextRun, parseCron, parseZone } from "../../src/checks/schedule/cron.ts";

const five = "must have five fields (minute, hour, day of month, month, day of week), not";
const nicknames = "@hourly, @daily, @midnight, @weekly, @monthly, @yearly, @annually";
const months = "JAN, FEB, MAR, APR, MAY, JUN, JUL, AUG, SEP, OCT, NOV, DEC";

// prettier-ignore
const refusals: [text: string, message: string][] = [
  ["",                       `${five} 1`],
  ["30 2 * *",               `${five} 4`],
  ["0 30 2 * * *",           `${five} 6`],
  ["* *\n* * *",             `${five} 4`],
  ["@dayly",                 "@dayly is not known; did you mean @daily?"],
  ["@reboot",                `@reboot is not known; did you mean ${nicknames}?`],
  ["61 * * * *",             "minute: 61 is not between 0 and 59"],
  ["* 0-24 * * *",           "hour: 24 is not between 0 and 23"],
  ["* * 0 * *",              "day of month: 0 is not between 1 and 31"],
  ["* * * 1,13 *",           "month: 13 is not between 1 and 12"],
  ["* * * * 8",              "day of week: 8 is not between 0 and 7"],
  ["H * * * *",              "minute: H is not a number"],
  ["* * * MON *",            `month: MON is not a number and none of ${months}`],
  ["* * * * monday",         "day of week: monday is not a number and none of SUN, MON, TUE, WED, THU, FRI, SAT"],
  ["*/0 * * * *",            "minute: */0 has a step of 0"],
  ["* 22-2 * * *",           "hour: 22-2 ends before it begins; write 22-23,0-2"],
  ["* * * * FRI-SUN",        "day of week: FRI-SUN ends before it begins; write FRI-7,0-SUN"],
  ["1,,2 * * * *",           'minute: "" is not a value, range (1-5), step (*/5) or list (1,5)'],
  ["* *-5 * * *",            'hour: "*-5" is not a value, range (1-5), step (*/5) or list (1,5)'],
  ["0~59 2 * * *",           'minute: "0~59" is not a value, range (1-5), step (*/5) or list (1,5)'],
  ["0 0 * * MON#1",          'day of week: "MON#1" is not a value, range (1-5), step (*/5) or list (1,5)'],
  ["0 0 30 2 *",             "never runs: month 2 has no day 30"],
  ["0 0 31 2,4,JUN */2",     "never runs: month 2,4,JUN has no day 31"],
];
test.each(refusals)("%j is refused", (text, message) => {
  expect(parseCron(text)).toEqual({ kind: "refused", message });
});

// prettier-ignore
const spellings: [text: string, same: string][] = [
  ["  30\t2  * * * \n",      "30 2 * * *"],
  ["@Daily",                 "0 0 * * *"],
  ["0 0 * jan-MAR sun,Tue",  "0 0 * 1-3 0,2"],
  ["05 002 * * *",           "5 2 * * *"],
  ["40,10,10,0-20/10 2 * * *", "0,10,20,40 2 * * *"],
  ["10/20 2 * * *",          "10-59/20 2 * * *"],
];
test.each(spellings)("%j is %j", (text, same) => {
  expect(parseCron(text)).toEqual(parseCron(same));
  expect(parseCron(same).kind).toBe("cron");
});

test("a day that no month has does not stop a schedule that also has weekdays", () => {
  const cron = parseCron("0 0 31 2 MON") as Cron;
  expect(new Date(nextRun(cron, Date.UTC(2026, 0, 1), "UTC")).toISOString()).toBe("2026-02-02T00:00:00.000Z");
});

test("in the second of two equal hours, a schedule with fixed times has already run", () => {
  const second = Date.parse("2026-10-25T02:10+01:00");
  const next = (text: string) => new Date(nextRun(parseCron(text) as Cron, second, "Europe/Berlin")).toISOString();
  expect(next("30 2 * * *")).toBe("2026-10-26T01:30:00.000Z");
  expect(next("*/30 2 * * *")).toBe("2026-10-25T01:30:00.000Z");
});

// prettier-ignore
const zones: [text: string, zone: string | undefined, hint?: string][] = [
  ["Europe/Berlin",     "Europe/Berlin"],
  ["america/new_york",  "America/New_York"],
  ["utc",               "UTC"],
  ["Asia/Calcutta",     "Asia/Calcutta"],
  ["Europe/Berln",      undefined, "; did you mean Europe/Berlin?"],
  ["berlin",            undefined, "; did you mean Europe/Berlin?"],
  [" New York ",        undefined, "; did you mean America/New_York?"],
  ["+02:00",            undefined, ", for example Europe/Berlin"],
  ["2026-01-01T00:00Z", undefined, ", for example Europe/Berlin"],
  ["Mars/Olympus_Mons", undefined, ", for example Europe/Berlin"],
  ["",                  undefined, ", for example Europe/Berlin"],
];
test.each(zones)("the zone %j", (text, zone, hint = "") => {
  expect(parseZone(text)).toEqual(zone ?? { kind: "refused", message: `must be the name of a time zone${hint}` });
});
