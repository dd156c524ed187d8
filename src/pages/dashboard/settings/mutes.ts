/** Muting all namespaces for planned work (WEB.md §3). */
import type { Namespace } from "../../../keys/namespace.ts";
import { HOUR, type Millis } from "../../../util/clock.ts";

const MORNING = { hour: 8, minute: 0, second: 0, millisecond: 0, microsecond: 0, nanosecond: 0 };

/** Values of the choice, in their order. */
export const MUTE_CHOICES = ["hour", "hours", "tomorrow"] as const;

/** Until when; `null`: unmuted; undefined: there is no such choice. */
export function muteUntil(choice: string | null, now: Millis, zone: string): Millis | null | undefined {
  if (choice === "off") return null;
  if (choice === "hour") return now + HOUR;
  if (choice === "hours") return now + 4 * HOUR;
  if (choice !== "tomorrow") return undefined;
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone);
  return today.add({ days: 1 }).with(MORNING).epochMilliseconds;
}

/** The namespaces that are muted now. `until`: if all are, when the first is unmuted. */
export function mutedOf(
  namespaces: readonly Namespace[],
  now: Millis,
): { names: readonly string[]; until?: Millis } | undefined {
  const muted = namespaces.filter(({ mutedUntil = 0 }) => mutedUntil > now);
  if (muted.length === 0) return undefined;
  const names = muted.map(({ name }) => name);
  if (muted.length < namespaces.length) return { names };
  return { names, until: Math.min(...muted.map(({ mutedUntil = 0 }) => mutedUntil)) };
}
