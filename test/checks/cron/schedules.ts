/** Random schedules, and when they run according to what they mean: minute by minute, without a parser. */
import fc from "fast-check";
import type { Millis } from "../../../src/util/clock.ts";

const MINUTE = 60_000;
const DAY = 86_400_000;

interface Field {
  text: string;
  values: readonly number[];
}

/** Minute, hour, day of month, month, day of week. */
export type Schedule = readonly [Field, Field, Field, Field, Field];

const every = (low: number, high: number, step = 1): number[] =>
  Array.from({ length: Math.floor((high - low) / step) + 1 }, (_, index) => low + index * step);

const starred = (low: number, high: number): fc.Arbitrary<Field> =>
  fc
    .option(fc.integer({ min: 1, max: high }), { nil: undefined, freq: 1 })
    .map((step) => ({ text: step === undefined ? "*" : `*/${step}`, values: every(low, high, step) }));

/** Values, ranges and steps, separated by commas. */
function listed(low: number, high: number): fc.Arbitrary<Field> {
  const value = fc.integer({ min: low, max: high });
  const range = fc.tuple(value, value, fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }));
  const part = fc.oneof(
    value.map((only) => ({ text: String(only), values: [only] })),
    range.map(([one, other, step]) => {
      const [from, to] = [Math.min(one, other), Math.max(one, other)];
      return { text: `${from}-${to}${step === undefined ? "" : `/${step}`}`, values: every(from, to, step) };
    }),
  );
  return fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => ({
    text: parts.map(({ text }) => text).join(","),
    values: parts.flatMap(({ values }) => values),
  }));
}

/** Most schedules run at night, when clocks are changed; all of them run at some time. */
export const schedules: fc.Arbitrary<Schedule> = fc.tuple(
  fc.oneof({ weight: 1, arbitrary: starred(0, 59) }, { weight: 3, arbitrary: listed(0, 59) }),
  fc.oneof(starred(0, 23), listed(0, 23), listed(0, 3)),
  fc.oneof({ weight: 3, arbitrary: fc.constant({ text: "*", values: every(1, 31) }) }, starred(1, 31), listed(1, 28)),
  fc.oneof({ weight: 3, arbitrary: fc.constant({ text: "*", values: every(1, 12) }) }, starred(1, 12), listed(1, 12)),
  fc.oneof({ weight: 3, arbitrary: fc.constant({ text: "*", values: every(0, 7) }) }, starred(0, 7), listed(0, 7)),
);

export const textOf = (schedule: Schedule): string => schedule.map(({ text }) => text).join(" ");

/** Local time as the epoch milliseconds at which UTC shows the same. */
export const localTime = (at: Millis, zone: string): number =>
  at + Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).offsetNanoseconds / 1e6;

export const isFixed = ([minute, hour]: Schedule): boolean =>
  !minute.text.startsWith("*") && !hour.text.startsWith("*");

/** Whether this local time matches the schedule. */
export function matches([minute, hour, day, month, weekday]: Schedule, local: number): boolean {
  const date = new Date(local);
  if (!minute.values.includes(date.getUTCMinutes()) || !hour.values.includes(date.getUTCHours())) return false;
  if (!month.values.includes(date.getUTCMonth() + 1)) return false;
  const fits = [day.values.includes(date.getUTCDate()), weekday.values.some((value) => value % 7 === date.getUTCDay())];
  return day.text.startsWith("*") || weekday.text.startsWith("*") ? !fits.includes(false) : fits.includes(true);
}

/**
 * The runs after `from` and before `to` that a watchman would make who looks at the clock every minute and remembers
 * what it showed.
 */
export function watchedRuns(schedule: Schedule, zone: string, from: Millis, to: Millis): Millis[] {
  const runs: Millis[] = [];
  // start a day early, to have seen an hour that is being repeated
  const first = Math.floor((from - DAY) / MINUTE) * MINUTE;
  let latest = localTime(first, zone);
  for (let now = first + MINUTE; now < to; now += MINUTE) {
    const local = localTime(now, zone);
    const isDue = isFixed(schedule)
      ? every(latest + MINUTE, local, MINUTE).some((passed) => matches(schedule, passed))
      : matches(schedule, local);
    if (isDue && now > from) runs.push(now);
    latest = Math.max(latest, local);
  }
  return runs;
}
