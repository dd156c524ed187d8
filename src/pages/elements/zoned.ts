/** Times of a reader's zone as fields of a form have them: `2026-12-31T08:00`. */
import { parseTime } from "../../util/time.ts";
import type { Millis } from "../../util/clock.ts";

/** The value of a field, to the minute. */
export const fieldTime = (zone: string, at: Millis): string =>
  new Date(at + offsetOf(zone, at)).toISOString().slice(0, 16);

/** The time that a browser with such a field, or a person, wrote there; undefined if it is not a time. */
export function timeInField(zone: string, text: string): Millis | undefined {
  const [, day, clock] = /^\s*(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::\d\d)?\s*$/.exec(text) ?? [];
  const asUtc = day === undefined ? undefined : parseTime(`${day}T${clock}:00Z`);
  if (asUtc === undefined) return undefined;
  const near = asUtc - offsetOf(zone, asUtc);
  return asUtc - offsetOf(zone, near); // if the clock changes in between
}

const offsetOf = (zone: string, at: Millis): number =>
  Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).offsetNanoseconds / 1_000_000;
