/** How many devices may be reported gone before that is no longer believed (DELIVERY.md §5). */
import { expect, test } from "bun:test";
import { Brake } from "../../src/delivery/lanes/brake.ts";
import type { DeviceRow } from "../../src/devices/device.ts";
import { HOUR, MINUTE, SECOND } from "./pendings.ts";

const row = (n: number) => n as DeviceRow;

// prettier-ignore
test.each([
  // what                         good  bad  is pulled
  ["five of five",                0,    5,   true],
  ["four of four",                0,    4,   false],
  ["five of 24: over a fifth",    19,   5,   true],
  ["five of 25: a fifth",         20,   5,   false],
  ["ten of a hundred",            90,   10,  false],
])("%s", (_, good, bad, isPulled) => {
  const brake = new Brake();
  for (let n = 0; n < good; n++) brake.note(undefined, 0);
  let last = false;
  for (let n = 0; n < bad; n++) last = brake.note(row(n), 0);
  expect(last).toBe(isPulled);
});

test("counts devices: one that returns and is gone again, however often, counts once", () => {
  const brake = new Brake();
  for (let n = 0; n < 20; n++) expect(brake.note(row(n % 4), n * SECOND)).toBe(false);
  expect(brake.note(row(4), 20 * SECOND)).toBe(true);
});

test("forgets what is older than 10 min, and everything from before it was released", () => {
  const brake = new Brake();
  for (let n = 0; n < 4; n++) brake.note(row(n), 0);
  expect(brake.note(row(4), 10 * MINUTE)).toBe(false);
  for (let n = 5; n < 8; n++) brake.note(row(n), 10 * MINUTE);
  expect(brake.note(row(8), 10 * MINUTE)).toBe(true);
  brake.release();
  expect(brake.note(row(9), 10 * MINUTE)).toBe(false);
});

test("counts in slots of 10 s, each as old as its first entry, and for 10 min at most", () => {
  const pulls = (second: number, now: number) => {
    const brake = new Brake();
    brake.note(undefined, HOUR - 20 * SECOND);
    for (const [n, at] of [0, 0, second, second].entries()) brake.note(row(n), HOUR + at);
    return [4, 5, 6].map((n) => brake.note(row(n), HOUR + now));
  };
  expect(pulls(10 * SECOND - 1, 10 * MINUTE - 1)).toEqual([true, true, true]);
  expect(pulls(10 * SECOND - 1, 10 * MINUTE)).toEqual([false, false, false]);
  expect(pulls(10 * SECOND, 10 * MINUTE)).toEqual([false, false, true]);
});

test("is triggered by a loss, not by pushes that are accepted meanwhile", () => {
  const brake = new Brake();
  for (let n = 0; n < 10; n++) brake.note(undefined, 0);
  expect([0, 1, 2, 3, 4].map((n) => brake.note(row(n), 10 * SECOND))).toEqual([false, false, false, false, true]);
  for (let n = 0; n < 9; n++) brake.note(row(n), 0);
  expect(brake.note(undefined, 0)).toBe(false);
});
