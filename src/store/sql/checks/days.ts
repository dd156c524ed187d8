/** Writes the days of checks, in the job that changes the check. */
import type { Check, CheckRow } from "../../../checks/check.ts";
import type { Day } from "../../../util/calendar.ts";
import type { Millis } from "../../../util/clock.ts";
import { median } from "../../../util/median.ts";
import { LOG_LINES, type Rules } from "../../checks.ts";
import type { Found } from "./rows.ts";
import { jsonField, jsonNumber } from "../differences.ts";
import type { Engine } from "../engine.ts";
import { dayRow, lineRow } from "../days/rollup.ts";

// by hand: 10,000 checks may have their first ping of a day in one second
const ADD = `INSERT INTO check_day AS was (row, day, up_ms, down_ms, quiet_ms, away_ms, has_ok, usual_ms)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (row) DO UPDATE SET up_ms = was.up_ms + excluded.up_ms, down_ms = was.down_ms + excluded.down_ms,
    quiet_ms = was.quiet_ms + excluded.quiet_ms, away_ms = was.away_ms + excluded.away_ms,
    has_ok = was.has_ok | excluded.has_ok, usual_ms = coalesce(excluded.usual_ms, was.usual_ms)`;
const [AT, MS] = [jsonNumber("json", "at"), jsonNumber("json", "durationMs")];
const RAN = `SELECT ${MS} AS ms FROM check_event WHERE row BETWEEN ? AND ? AND ${jsonField("json", "kind")} = 'ok'
  AND ${AT} >= ? AND ${AT} < ? AND ${MS} IS NOT NULL`;

/** Returns up to when the days are written now, for the row of the check; undefined: nothing changed. */
export function dayCounter({
  write,
  absences,
}: Engine): (before: Found, after: Check, rules: Rules) => Millis | undefined {
  const { $client: db } = write;
  const add = db.prepare<unknown, (number | null)[]>(ADD);
  const ran = db.prepare<{ ms: number }, [number, number, number, number]>(RAN);

  /** The median of the runs in its log, before anything else is written there. */
  const usualOn = (row: CheckRow, { from, to }: Day) =>
    median(ran.all(lineRow(row, 0), lineRow(row, LOG_LINES - 1), from, to).map(({ ms }) => ms));

  return (before, { row, standing }, rules) => {
    const { countedTo: from } = before;
    const was = before.check.standing;
    const found = rules.count(was, standing, { from, away: absences.since(from) });
    if (found === undefined) return undefined;
    const { times, to, over } = found;
    // most jobs send no start, so none of their runs is timed
    const usualMs = over === undefined || was.lastDurationMs === undefined ? undefined : usualOn(row, over);
    for (const { day, upMs, downMs, quietMs, awayMs, hasOk } of times) {
      const usual = day === over?.day ? (usualMs ?? null) : null;
      add.run(dayRow(row, day), day, upMs, downMs, quietMs, awayMs, hasOk ? 1 : 0, usual);
    }
    return to;
  };
}
