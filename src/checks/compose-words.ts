/** Title and text of alerts (docs/design/CHECKINS.md §7). */
import { duration, lasting } from "../rewrites/times.ts";
import { cut } from "../rewrites/text.ts";
import type { Millis } from "../util/clock.ts";
import type { Alert, Incident, Reason, Standing, Told } from "./check.ts";
import { gapIn, nameOf, tailOf, timeIn, zoneOf } from "./compose-text.ts";
import { MOST_MISSED } from "./decide-tick.ts";
import { marginsAt } from "./schedule.ts";

export interface Words {
  title: string;
  lines: readonly (string | undefined)[];
  /** Output of the job. */
  tail?: string | undefined;
}

/** Checks that a message about many names. */
export const MOST_NAMED = 20;
/** Of a line about one of many. */
const MAX_LINE = 240;

/** Of one alert. */
export function wordsOf({ check: { standing }, alert }: Told, now: Millis): Words {
  const { settings, failStreak, deadlineAt } = standing;
  const { incident, durationMs } = alert;
  const name = nameOf(settings);
  const zone = zoneOf(settings);
  const tail = tailOf(alert.tail);
  const downFor = duration(Math.max(0, alert.at - (incident?.openedAt ?? alert.at)));
  switch (alert.kind) {
    case "down":
      return { title: `${name} ${fallOf(incident?.reason)}`, lines: [causeOf(standing, alert, now)], tail };
    case "changed":
      return {
        title: `${name} ${fallOf(incident?.reason)}`,
        lines: [causeOf(standing, alert, now), `already down for ${downFor}`],
        tail,
      };
    case "reminder":
      return { title: `${name} is still down`, lines: [`still down, ${downFor}`, causeOf(standing, alert, now)] };
    case "up":
      if (standing.state === "paused")
        return { title: `${name} is paused`, lines: [`paused, was down for ${downFor}`] };
      return {
        title: `${name} is back`,
        lines: [listed(`back after ${downFor}`, missedOf(incident), lasting("run took", durationMs))],
      };
    case "late": {
      const misses = deadlineAt === undefined ? undefined : `counts as missed at ${timeIn(zone, deadlineAt, now)}`;
      return { title: `${name} is late`, lines: [listed(expectedAt(zone, alert.at, now), misses)] };
    }
    case "warning":
      return {
        title: `${name} failed`,
        lines: [failureOf(alert), `${failStreak} of ${settings.failAfter} failures in a row until it is down`],
        tail,
      };
    case "success":
      return { title: `${name} succeeded`, lines: [lasting("took", durationMs) ?? "checked in"], tail };
    case "test":
      return { title: `Test of ${name}`, lines: ["Alerts of this check arrive here."] };
  }
}

/** Of what the server may have missed itself while it was away. */
export function wordsOfGap(told: readonly Told[], now: Millis): Words {
  const names = told.map(({ check }) => nameOf(check.standing.settings));
  const [first = ""] = names;
  return {
    title: names.length === 1 ? `${first}: no check-in seen` : `No check-in seen for ${names.length} checks`,
    lines: [`no check-in seen for ${named(names)}; ${absenceOf(told, now)}, the ping may have been lost`],
  };
}

/** Of many that went down at once. */
export function wordsOfMany(told: readonly Told[], now: Millis): Words {
  const line = ({ check: { standing }, alert }: Told) =>
    cut(`• ${nameOf(standing.settings)}: ${causeOf(standing, alert, now)}`, MAX_LINE);
  const isAllMissed = told.every(({ alert }) => alert.incident?.reason === "missed");
  return {
    title: isAllMissed ? `${told.length} checks missed their check-in` : `${told.length} checks are down`,
    lines: [
      ...told.slice(0, MOST_NAMED).map(line),
      told.length > MOST_NAMED ? `… and ${told.length - MOST_NAMED} more` : undefined,
    ],
  };
}

const listed = (...parts: (string | undefined)[]) => parts.filter((part) => part !== undefined).join(", ");

const named = (names: readonly string[]) =>
  names.length > MOST_NAMED
    ? `${names.slice(0, MOST_NAMED).join(", ")} and ${names.length - MOST_NAMED} more`
    : names.join(", ");

function fallOf(reason: Reason | undefined): string {
  if (reason === "missed") return "missed its check-in";
  return reason === "overrun" ? "runs too long" : "failed";
}

/** Why the check is down. */
function causeOf(standing: Standing, alert: Alert, now: Millis): string {
  const { settings, failStreak, lastOkAt, lastDurationMs, runs } = standing;
  const { incident } = alert;
  const zone = zoneOf(settings);
  switch (incident?.reason) {
    case "overrun": {
      const { startedAt = alert.at, deadlineAt = alert.at } = incident;
      return `running since ${timeIn(zone, startedAt, now)} (${zone}), allowed ${duration(deadlineAt - startedAt)}`;
    }
    case "missed": {
      const slotAt = incident.expectedAt ?? incident.openedAt;
      const { graceMs } = marginsAt(settings, slotAt);
      const took = lastDurationMs === undefined ? "" : ` (took ${duration(lastDurationMs)})`;
      return listed(
        `${lastOkAt === undefined && failStreak === 0 && runs.length === 0 ? "never checked in: " : ""}${expectedAt(zone, slotAt, now)}`,
        graceMs === 0 ? "no grace" : `grace ${duration(graceMs)}`,
        lastOkAt === undefined ? undefined : `last ok ${duration(Math.max(0, now - lastOkAt))} ago${took}`,
      );
    }
    case "failed":
    case undefined:
      return listed(failureOf(alert), failStreak > 1 ? `${failStreak} failures in a row` : undefined);
  }
}

const expectedAt = (zone: string, slotAt: Millis, now: Millis) => `expected ${timeIn(zone, slotAt, now)} (${zone})`;

function failureOf({ exit, incident, durationMs }: Alert): string {
  const code = exit ?? incident?.exit;
  return `${code === undefined ? "reported a failure" : `exit ${code}`}${lasting(" after", durationMs) ?? ""}`;
}

function missedOf(incident: Incident | undefined): string | undefined {
  const missed = incident?.missed ?? 0;
  if (missed === 0) return undefined;
  return `${missed === MOST_MISSED ? "at least " : ""}${missed} check-in${missed === 1 ? "" : "s"} missed`;
}

/** The server's own, in the zone of the checks if they have one in common. */
function absenceOf(told: readonly Told[], now: Millis): string {
  const gaps = told.map(({ alert }) => alert.gap).filter((gap) => gap !== undefined);
  const [zone = "UTC", ...others] = new Set(told.map(({ check }) => zoneOf(check.standing.settings)));
  const from = Math.min(...gaps.map((gap) => gap.from));
  const to = Math.max(...gaps.map((gap) => gap.to));
  // not known any more of what went down in a snooze
  if (gaps.length === 0) return "the server was offline at that time";
  return `the server was offline ${gapIn(others.length === 0 ? zone : "UTC", { from, to }, now)}`;
}
