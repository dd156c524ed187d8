/** What days and hours came to: read by ranges of row numbers, side by side in the table. */
import type { CheckRow, Incident } from "../../checks/check.ts";
import type { DeliveryState } from "../../delivery/delivery.ts";
import type { DeviceRow } from "../../devices/device.ts";
import type { NamespaceId } from "../../keys/namespace.ts";
import type { Level } from "../../messages/message.ts";
import type { Millis } from "../../util/clock.ts";
import { createMapInTurns } from "../../util/turns.ts";
import type { ByLevel, CheckDay, DayStore, KeptDays, Outage } from "../days.ts";
import { deviceHours, type Push } from "./devicehours.ts";
import type { Engine } from "./engine.ts";
import { dayRow, DAYS, hourRow, HOURS, ofDays } from "./rollup.ts";
import { NO_MESSAGES, sumOf, type Tally } from "./tally.ts";

// By hand, all of this: ranges of rows for many things at once.
const COUNTED = `SELECT c.row, coalesce(c.counted_to, c.created_at) AS countedTo FROM json_each(?) CROSS JOIN "check" c ON c.row = json_each.value`;
const CHECK_DAYS = `SELECT d.row, d.day, d.up_ms AS upMs, d.down_ms AS downMs, d.quiet_ms AS quietMs, d.away_ms AS awayMs,
    d.has_ok AS hasOk, d.usual_ms AS usualMs
  FROM json_each(?1) CROSS JOIN check_day d
    ON d.row BETWEEN json_each.value * ${DAYS} + ?2 AND json_each.value * ${DAYS} + ${DAYS - 1}`;
const range = (table: string) => `SELECT row, info, success, warning, error FROM ${table} WHERE row BETWEEN ? AND ?`;
/** Of all namespaces, which are looked through for those that are asked for. */
const MOST_CLOSED = 1_000;
const OUTAGES = `WITH found AS (SELECT row, closed_at FROM check_incident WHERE closed_at >= ?2 ORDER BY closed_at DESC LIMIT ${MOST_CLOSED})
  SELECT c.id, c.name, c.namespace_id AS namespaceId, c.standing ->> '$.incident' AS json, NULL AS closedAt FROM "check" c
    WHERE c.state = 'down' AND c.namespace_id IN (SELECT value FROM json_each(?1))
  UNION ALL SELECT c.id, c.name, c.namespace_id, i.json, found.closed_at
    FROM found CROSS JOIN check_incident i ON i.row = found.row CROSS JOIN "check" c ON c.row = i.check_row
    WHERE c.namespace_id IN (SELECT value FROM json_each(?1))
  LIMIT ?3`;
const PUSHES = `SELECT created_at AS createdAt, due_at AS dueAt, accepted_at AS acceptedAt, attempts, state
  FROM delivery WHERE device_row = ? AND message_row IS NOT NULL ORDER BY message_row DESC LIMIT 1000`;

type DayOfCheck = Omit<CheckDay, "hasOk" | "usualMs"> & { row: number; hasOk: number; usualMs: number | null };
type Levels = Record<Level, number> & { row: number };
interface OutageRow {
  id: string;
  name: string;
  namespaceId: NamespaceId;
  json: string;
  closedAt: Millis | null;
}

export function dayStore({ read, writer, clock, absences }: Engine, { untold }: Pick<Tally, "untold">): DayStore {
  const { $client: db } = read;
  const q = {
    counted: db.prepare<{ row: CheckRow; countedTo: Millis }, [string]>(COUNTED),
    ofChecks: db.prepare<DayOfCheck, [string, number]>(CHECK_DAYS),
    ofTopic: db.prepare<Levels, [number, number]>(range("topic_day")),
    hours: db.prepare<Levels, [number, number]>(range("namespace_hour")),
    outages: db.prepare<OutageRow, [string, Millis, number]>(OUTAGES),
    pushes: db.prepare<Push & { state: DeliveryState }, [DeviceRow]>(PUSHES),
  };
  const mapInTurns = createMapInTurns(clock);

  return {
    ofChecks: async (checks, day) => {
      const rows = JSON.stringify(checks);
      const kept = new Map<CheckRow, Omit<KeptDays, "days"> & { days: CheckDay[] }>();
      for (const { row, countedTo } of q.counted.all(rows))
        kept.set(row, { days: [], countedTo, away: absences.since(countedTo) });
      for (const { row, hasOk, usualMs, ...times } of q.ofChecks.all(rows, day))
        kept.get(Math.floor(row / DAYS) as CheckRow)?.days.push({
          ...{ ...times, hasOk: hasOk === 1 },
          ...(usualMs !== null && { usualMs }),
        });
      return kept;
    },

    away: async (gap) => writer.run(() => ({ result: undefined, after: absences.note(gap) })),

    ofTopic: async (topicId, day) => {
      const rows: Rows = { first: dayRow(topicId, day), last: ofDays(topicId).last };
      return levels(q.ofTopic.all(rows.first, rows.last), untold.days, rows, DAYS);
    },

    hours: async (namespaces, hour) =>
      new Map(
        namespaces.map((id) => {
          const rows: Rows = { first: hourRow(id, hour), last: hourRow(id, HOURS - 1) };
          return [id, levels(q.hours.all(rows.first, rows.last), untold.hours, rows, HOURS)];
        }),
      ),

    outages: async (namespaces, since, limit) => {
      const found = q.outages.all(JSON.stringify(namespaces), since, limit + 1).map(outageOf);
      const outages = found.sort((a, b) => a.from - b.from);
      return { outages: outages.slice(-limit), isMore: found.length > limit };
    },

    ofDevices: async (devices, since) => {
      const made = await mapInTurns(devices, (device) => deviceHours(q.pushes.all(device), since));
      return new Map(devices.map((device, index) => [device, made[index] ?? new Map()]));
    },
  };
}

interface Rows {
  first: number;
  last: number;
}

/** What is stored in a range of rows, and what of it is in memory only; by day or hour. */
function levels(
  stored: readonly Levels[],
  untold: ReadonlyMap<number, ByLevel>,
  { first, last }: Rows,
  size: number,
): ReadonlyMap<number, ByLevel> {
  const found = new Map<number, ByLevel>();
  const add = (row: number, counts: ByLevel) =>
    found.set(row % size, sumOf(found.get(row % size) ?? NO_MESSAGES, counts));
  for (const { row, ...counts } of stored) add(row, counts);
  for (const [row, counts] of untold) if (row >= first && row <= last) add(row, counts);
  return found;
}

function outageOf({ id, name, namespaceId, json, closedAt }: OutageRow): Outage {
  const { openedAt, gap } = JSON.parse(json) as Incident;
  const outage: Outage = { check: { id, name }, namespaceId, from: openedAt, isGap: gap !== undefined };
  return closedAt === null ? outage : { ...outage, to: closedAt };
}
