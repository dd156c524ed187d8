/** What its owner wants of a device, applied when a push is about to be sent (docs/design/DELIVERY.md §2). Pure. */
import { IN_QUIET_HOURS, type QuietHours } from "../../devices/device.ts";
import { PRIORITIES } from "../../drafts/draft.ts";
import type { Millis } from "../../util/clock.ts";
import type { Pending } from "../delivery.ts";

export type Ruling =
  { kind: "send" } | { kind: "hold"; until: Millis; reason: string } | { kind: "drop"; reason: string };

const SEND: Ruling = { kind: "send" };

/** Whether a delivery is sent now. A test always is: its owner looks at the device. */
export function ruleOf(
  {
    kind,
    isUrgent,
    message,
    topic,
    subscription,
    namespaceMutedUntil,
    device,
  }: Pick<Pending, "kind" | "isUrgent" | "message" | "topic" | "subscription" | "namespaceMutedUntil" | "device">,
  now: Millis,
): Ruling {
  if (kind === "test") return SEND;
  if (message === undefined) return { kind: "drop", reason: "the message was deleted" };
  if (subscription === undefined) return { kind: "drop", reason: "unsubscribed" };
  const least = subscription.minPriority ?? device.minPriority ?? "low";
  if (PRIORITIES.indexOf(message.priority) < PRIORITIES.indexOf(least))
    return { kind: "drop", reason: "below the priority it shows" };
  const mutes = [subscription.mutedUntil, topic?.mutedUntil, namespaceMutedUntil];
  if (mutes.some((until = -Infinity) => until > now)) return { kind: "drop", reason: "muted" };
  if (isUrgent || device.quietHours === undefined) return SEND;
  const until = quietUntil(device.quietHours, now);
  return until === undefined ? SEND : { kind: "hold", until, reason: IN_QUIET_HOURS };
}

/** The end of the quiet hours that it is now; undefined: it is none. As the clock on the wall shows, whenever that is set. */
export function quietUntil(hours: QuietHours, now: Millis): Millis | undefined {
  const at = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(hours.timezone);
  if (!isQuiet(hours, at)) return undefined;
  const to = minutesOf(hours.to);
  const clock = { hour: Math.floor(to / 60), minute: to % 60, second: 0, millisecond: 0 };
  // in spring the clock may skip the end, or even all that is not quiet; in autumn the end may come a second time
  // days are counted from noon, which no clock skips: a day later it may be none of the hours after which the clock is set
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
