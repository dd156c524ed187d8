/** Times of a reader's zone as fields of a form have them: `2026-12-31T08:00`. */
import { parseTime } from "../../util/time.ts";
import type { Millis } from "../../util/clock.ts";

/** What a field shows, to the minute. */
export const fieldTime = (zone: string, at: Millis): string =>
  new Date(at + offsetOf(zone, at)).toISOString().slice(0, 16);

/** What was typed there, by a browser that knows the field or by hand; undefined: no time. */
export function timeInField(zone: string, text: string): Millis | undefined {
  const [, day, clock] = /^\s*(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::\d\d)?\s*$/.exec(text) ?? [];
  const asUtc = day === undefined ? undefined : parseTime(`${day}T${clock}:00Z`);
  if (asUtc === undefined) return undefined;
  const near = asUtc - offsetOf(zone, asUtc);
  return asUtc - offsetOf(zone, near); // where the clock is set in between
}

const offsetOf = (zone: string, at: Millis): number =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).offsetNanoseconds / 1_000_000;
