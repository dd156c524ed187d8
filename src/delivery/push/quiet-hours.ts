/** Quiet hours: a push that is not urgent waits until they end (DELIVERY.md §2). Pure. */
import { IN_QUIET_HOURS, type QuietHours } from "../../devices/device.ts";
import type { Millis } from "../../util/clock.ts";
import type { Pending } from "../delivery.ts";

/** The push waits. */
export interface Hold {
  kind: "hold";
  until: Millis;
  reason: string;
}

/** Holds a push back in the quiet hours of its device; undefined if it is urgent, or they are not on. */
export function heldInQuietHours(
  { isUrgent, device }: Pick<Pending, "isUrgent" | "device">,
  now: Millis,
): Hold | undefined {
  if (isUrgent || device.quietHours === undefined) return undefined;
  const until = quietUntil(device.quietHours, now);
  return until && { kind: "hold", until, reason: IN_QUIET_HOURS };
}

/** The end of the quiet hours that include `now`; undefined if none do. They follow the wall clock, also when it changes. */
export function quietUntil(hours: QuietHours, now: Millis): Millis | undefined {
  const at = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(hours.timezone);
  if (!isQuiet(hours, at)) return undefined;
  const to = minutesOf(hours.to);
  const clock = { hour: Math.floor(to / 60), minute: to % 60, second: 0, millisecond: 0 };
  // In spring the clock may skip the end, or even all that is not quiet; in autumn the end may come a second time. Days
  // are counted from noon, which no clock skips: a day later, 02:30 may not exist.
  const noon = at.with({ ...clock, hour: 12 });
  const later = [1, 2].map((days) => noon.add({ days }).with(clock, { offset: "ignore" }));
  const change = at.getTimeZoneTransition("next");
  const changed = change === null ? [] : [change, change.with(clock)];
  const ends = [at.with(clock), ...later, ...changed].filter((end) => !isQuiet(hours, end));
  return Math.min(...ends.map((end) => end.epochMilliseconds).filter((end) => end > now));
}

function isQuiet(hours: QuietHours, { hour, minute }: { hour: number; minute: number }): boolean {
  const [from, to, at] = [minutesOf(hours.from), minutesOf(hours.to), hour * 60 + minute];
  return from <= to ? from <= at && at < to : from <= at || at < to;
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return hours * 60 + minutes;
}
