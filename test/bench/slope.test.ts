/** What the soak calls a leak, and what it does not (docs/benchmarks.md, "Soak"). */
import { expect, test } from "bun:test";
import { grows, settled, slopeOf, type Sample } from "./soak/slope.ts";

/** An hour of samples, ten seconds apart, with noise that is the same at each run. */
const hour = (value: (n: number, noise: number) => number): Sample[] =>
  Array.from({ length: 360 }, (_, n) => ({ at: 10 * n, value: value(n, Math.sin(n * n)) }));
const MB = 1e6;

// prettier-ignore
const cases: [string, Sample[], boolean][] = [
  ["a constant is flat",                                hour(() => 60 * MB), false],
  ["noise is flat",                                     hour((_, noise) => 60 * MB + 8 * MB * noise), false],
  ["a leak of 10 MB an hour grows",                     hour((n) => 60 * MB + (n / 360) * 10 * MB), true],
  ["… under noise that is as large",                    hour((n, noise) => 60 * MB + (n / 360) * 10 * MB + 5 * MB * noise), true],
  ["a leak below what is allowed is flat",              hour((n) => 60 * MB + (n / 360) * 1 * MB), false],
  ["one outlier at the end is no leak",                 hour((n) => (n === 359 ? 900 : 60) * MB), false],
  ["a saw of garbage collections is flat",              hour((n) => 60 * MB + (n % 30) * MB), false],
  ["a peak of a backup in the middle is flat",          hour((n) => (n > 200 && n < 212 ? 120 : 60) * MB), false],
  ["what shrinks is flat",                              hour((n) => 90 * MB - n * 0.05 * MB), false],
  ["growth in the first quarter alone is flat",         hour((n) => 60 * MB + Math.min(n, 80) * MB), false],
  ["a leak that begins after half the time grows",      hour((n) => 60 * MB + Math.max(0, n - 180) * 0.1 * MB), true],
  ["one step to another level is no leak",               hour((n) => (n > 225 ? 80 : 60) * MB), false],
  ["two samples say nothing",                           hour((n) => n * MB).slice(0, 2), false],
];
test.each(cases)("%s", (_, samples, isLeak) => {
  expect(grows(settled(samples), 2 * MB)).toBe(isLeak);
});

test("the slope of a line is its own, with nothing in doubt", () => {
  const line = hour((n) => 10 * n * 3);
  expect(slopeOf(line)).toEqual({ slope: 3, low: 3, high: 3 });
});
