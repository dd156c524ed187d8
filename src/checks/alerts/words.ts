/** The titles and texts of alerts (CHECKINS.md §7). */
import { duration, lasting } from "../../rewrites/times.ts";
import { cut } from "../../rewrites/text.ts";
import { type Millis, MINUTE } from "../../util/clock.ts";
import type { Alert, CheckSettings, Gap, Incident, Reason, Standing, Told } from "../check.ts";
import { clockIn, gapIn, hasClock, nameOf, tailOf, type Telling, timeIn, zoneOf } from "./text.ts";
import { MOST_MISSED } from "../decide/missed.ts";
import { marginsAt } from "../schedule/schedule.ts";

export interface Words {
  title: string;
  lines: readonly (string | undefined)[];
  /** The end of the job's output. */
  tail?: string | undefined;
}

/** The number of checks that a message about many names. */
export const MOST_NAMED = 20;
/** The number of characters of a line about one of many. */
const MAX_LINE = 240;

/** The words for one alert. */
export function wordsOf({ check: { standing }, alert }: Told, telling: Telling): Words {
  const { settings, failStreak } = standing;
  const { incident, durationMs } = alert;
  const name = nameOf(settings);
  const tail = tailOf(alert.tail);
  const downFor = duration(Math.max(0, alert.at - (incident?.openedAt ?? alert.at)));
  switch (alert.kind) {
    case "down":
      return { title: `${name} ${fallOf(incident?.reason)}`, lines: [causeOf(standing, alert, telling)], tail };
    case "changed":
      return {
        title: `${name} ${fallOf(incident?.reason)}`,
        lines: [causeOf(standing, alert, telling), "it was down already"],
        tail,
      };
    case "reminder": // the card shows since when
      return { title: `${name} is still down`, lines: [causeOf(standing, alert, telling)] };
    case "up": {
      const absence = incident?.gap && absenceOf(zoneOf(settings, telling), incident.gap, telling);
      if (standing.state === "paused") {
        const title = alert.isLast === true ? `${name} was deleted` : `${name} is paused`;
        return { title, lines: [absence ?? `was down for ${downFor}`] };
      }
      const back = absence === undefined ? [`back after ${downFor}`, missedOf(incident)] : [`back; ${absence}`];
      return { title: `${name} is back`, lines: [listed(...back, lasting("run took", durationMs))] };
    }
    case "late":
      return { title: `${name} is late`, lines: [latenessOf(standing, alert, telling)] };
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

/** The words for check-ins that the server itself may have missed while it was away. */
export function wordsOfGap(told: readonly Told[], telling: Telling): Words {
  const names = told.map(({ check }) => nameOf(check.standing.settings));
  const gaps = told.flatMap(({ alert }) => alert.incident?.gap ?? []);
  const gap = { from: Math.min(...gaps.map(({ from }) => from)), to: Math.max(...gaps.map(({ to }) => to)) };
  // the server's zone, unless all of its checks share another one
  const [zone = telling.zone, ...others] = new Set(told.map(({ check }) => zoneOf(check.standing.settings, telling)));
  const away = `${absenceOf(others.length === 0 ? zone : telling.zone, gap, telling)}, the ping may have been lost`;
  return names.length === 1
    ? { title: `No check-in seen for ${names.join("")}`, lines: [away] }
    : { title: `No check-in seen for ${names.length} checks`, lines: [`${named(names)}; ${away}`] };
}

/** The words for many checks with the same kind of alert. */
export function wordsOfMany(
  kind: "down" | "changed" | "reminder" | "late",
  told: readonly Told[],
  telling: Telling,
): Words {
  const says = { down: causeOf, changed: causeOf, reminder: sinceOf, late: latenessOf }[kind];
  const line = ({ check: { standing }, alert }: Told) =>
    cut(`• ${nameOf(standing.settings)}: ${says(standing, alert, telling)}`, MAX_LINE);
  const isAllMissed = told.every(({ alert }) => alert.incident?.reason === "missed");
  const are = {
    down: isAllMissed ? "missed their check-in" : "are down",
    changed: "are down",
    reminder: "are still down",
    late: "are late",
  };
  return {
    title: `${told.length} checks ${are[kind]}`,
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

/** The cause of an incident. */
function causeOf(standing: Standing, alert: Alert, telling: Telling): string {
  const { settings, failStreak, lastOkAt, lastDurationMs, runs } = standing;
  const { now } = telling;
  const { incident } = alert;
  switch (incident?.reason) {
    case "overrun": {
      const { startedAt = alert.at, deadlineAt = alert.at } = incident;
      const allowed = deadlineAt - startedAt;
      const started = clockIn(zoneOf(settings, telling), startedAt, now, allowed);
      return listed(started && `started ${started}`, `not finished within ${duration(allowed)}`);
    }
    case "missed": {
      const slotAt = incident.expectedAt ?? incident.openedAt;
      const { graceMs } = marginsAt(settings, slotAt);
      const took = lastDurationMs === undefined ? "" : ` (took ${duration(lastDurationMs)})`;
      return listed(
        `${lastOkAt === undefined && failStreak === 0 && runs.length === 0 ? "never checked in: " : ""}${expectedAt(settings, slotAt, telling)}`,
        graceMs === 0 ? "no grace" : `grace ${duration(graceMs)}`,
        lastOkAt === undefined ? undefined : `last ok ${duration(Math.max(0, now - lastOkAt))} earlier${took}`,
      );
    }
    case "failed":
    case undefined:
      return listed(failureOf(alert), failStreak > 1 ? `${failStreak} failures in a row` : undefined);
  }
}

/** Since when one of many is down, since it has no card that would show it. */
function sinceOf({ settings }: Standing, { at, incident }: Alert, telling: Telling): string {
  const { openedAt = at } = incident ?? {};
  const since = clockIn(zoneOf(settings, telling), openedAt, telling.now, at - openedAt);
  return since === undefined ? `had been down for ${duration(at - openedAt)}` : `since ${since}`;
}

function latenessOf({ settings, deadlineAt }: Standing, { at }: Alert, telling: Telling): string {
  const expected = expectedAt(settings, at, telling);
  if (deadlineAt === undefined) return expected;
  const zone = zoneOf(settings, telling);
  const ends = hasClock(zone)
    ? `at ${timeIn(zone, deadlineAt, telling.now, deadlineAt - at)}`
    : `${duration(deadlineAt - at)} later`;
  return `${expected}, counts as missed ${ends}`;
}

/** When a success was expected, else how often, else how long before the message: never a time that is wrong when it is read. */
function expectedAt(settings: CheckSettings, slotAt: Millis, telling: Telling): string {
  const { schedule } = settings;
  const clock = clockIn(zoneOf(settings, telling), slotAt, telling.now, marginsAt(settings, slotAt).graceMs);
  if (clock !== undefined) return `expected ${clock}`;
  if (schedule.kind === "every") return `expected every ${duration(schedule.everyMs)}`;
  const before = telling.now - slotAt;
  return before < MINUTE ? "expected a moment earlier" : `expected ${duration(before)} earlier`;
}

function failureOf({ exit, incident, durationMs }: Alert): string {
  const code = exit ?? incident?.exit;
  return `${code === undefined ? "reported a failure" : `exit ${code}`}${lasting(" after", durationMs) ?? ""}`;
}

function missedOf(incident: Incident | undefined): string | undefined {
  const missed = incident?.missed ?? 0;
  if (missed === 0) return undefined;
  return `${missed === MOST_MISSED ? "at least " : ""}${missed} check-in${missed === 1 ? "" : "s"} missed`;
}

const absenceOf = (zone: string, gap: Gap, { now }: Telling): string =>
  `the server was offline ${gapIn(zone, gap, now)}`;
