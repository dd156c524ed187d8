/** The figures of days and hours: read by ranges of row numbers, because those of one owner lie side by side. */
import type { CheckRow, Incident } from "../../../checks/check.ts";
import type { DeliveryState } from "../../../delivery/delivery.ts";
import type { DeviceRow } from "../../../devices/device.ts";
import type { NamespaceId } from "../../../keys/namespace.ts";
import type { Level } from "../../../drafts/draft.ts";
import type { Millis } from "../../../util/clock.ts";
import { createMapInTurns } from "../../../util/turns.ts";
import {
  type ByLevel,
  type CheckDay,
  type DayStore,
  type KeptDays,
  NO_MESSAGES,
  type Outage,
  sumOf,
} from "../../days.ts";
import { deviceHours, type Push } from "./devicehours.ts";
import { withoutNulls } from "../columns.ts";
import { alreadyBy, EACH, eachOf, isAbsent, JOIN_IN_ORDER, jsonField, listed } from "../differences.ts";
import type { Engine } from "../engine.ts";
import { dayRow, DAYS, hourRow, HOURS, ofDays } from "./rollup.ts";
import type { Tally } from "./tally.ts";

// all by hand: ranges of rows for many owners at once
const COUNTED = `SELECT c.row, coalesce(c.counted_to, c.created_at) AS countedTo
  FROM ${eachOf("?")} ${JOIN_IN_ORDER} "check" c ON c.row = ${EACH}`;
const CHECK_DAYS = `SELECT d.row, d.day, d.up_ms AS upMs, d.down_ms AS downMs, d.quiet_ms AS quietMs, d.away_ms AS awayMs,
    d.has_ok AS hasOk, d.usual_ms AS usualMs
  FROM ${eachOf("?1")} ${JOIN_IN_ORDER} check_day d
    ON d.row BETWEEN ${EACH} * ${DAYS} + ?2 AND ${EACH} * ${DAYS} + ${DAYS - 1}`;
const TOPIC_DAYS = "SELECT row, info, success, warning, error FROM topic_day WHERE row BETWEEN ? AND ?";
const NAMESPACE_HOURS = `SELECT h.row, h.info, h.success, h.warning, h.error
  FROM ${eachOf("?1")} ${JOIN_IN_ORDER} namespace_hour h
    ON h.row BETWEEN ${EACH} * ${HOURS} + ?2 AND ${EACH} * ${HOURS} + ${HOURS - 1}`;
/** How many closed incidents of all namespaces are searched for those of the ones asked for. */
const MOST_CLOSED = 1_000;
const OUTAGES = `WITH found AS (SELECT row, closed_at FROM check_incident WHERE closed_at >= ?2 ORDER BY closed_at DESC LIMIT ${MOST_CLOSED})
  SELECT c.id, c.name, c.namespace_id AS namespaceId, ${jsonField("c.standing", "incident")} AS json, NULL AS closedAt FROM "check" c
    WHERE c.state = 'down' AND c.namespace_id IN ${listed("?1")}
  UNION ALL SELECT c.id, c.name, c.namespace_id, i.json, found.closed_at
    FROM found ${JOIN_IN_ORDER} check_incident i ON i.row = found.row ${JOIN_IN_ORDER} "check" c ON c.row = i.check_row
    WHERE c.namespace_id IN ${listed("?1")}
  ${alreadyBy("closedAt DESC")} LIMIT ?3`;
const PUSHES = `WITH found AS (SELECT message_row, created_at AS createdAt, due_at AS dueAt, accepted_at AS acceptedAt, attempts, state
    FROM delivery WHERE device_row = ?1 AND message_row IS NOT NULL ORDER BY message_row DESC LIMIT 1000)
  SELECT createdAt, dueAt, acceptedAt, attempts, state FROM found
  WHERE ${isAbsent("?2")} OR (SELECT namespace_id FROM message WHERE row = message_row) IN ${listed("?2")}`;

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
    ofTopic: db.prepare<Levels, [number, number]>(TOPIC_DAYS),
    hours: db.prepare<Levels, [string, number]>(NAMESPACE_HOURS),
    outages: db.prepare<OutageRow, [string, Millis, number]>(OUTAGES),
    pushes: db.prepare<Push & { state: DeliveryState }, [DeviceRow, string | null]>(PUSHES),
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
          ...withoutNulls({ usualMs }),
        });
      return kept;
    },

    away: async (gap) => writer.run(() => ({ result: undefined, after: absences.note(gap) })),

    ofTopic: async (topicId, day) => {
      const rows: Rows = { first: dayRow(topicId, day), last: ofDays(topicId).last };
      return levels(q.ofTopic.all(rows.first, rows.last), untold.days, rows, DAYS);
    },

    hours: async (namespaces, hour) => {
      const stored = Map.groupBy(q.hours.all(JSON.stringify(namespaces), hour), ({ row }) => Math.floor(row / HOURS));
      return new Map(
        namespaces.map((id) => {
          const rows: Rows = { first: hourRow(id, hour), last: hourRow(id, HOURS - 1) };
          return [id, levels(stored.get(id) ?? [], untold.hours, rows, HOURS)];
        }),
      );
    },

    outages: async (namespaces, since, limit) => {
      const found = q.outages.all(JSON.stringify(namespaces), since, limit + 1).map(outageOf);
      const outages = found.sort((a, b) => a.from - b.from);
      return { outages: outages.slice(-limit), isMore: found.length > limit };
    },

    ofDevices: async (devices, since, namespaces) => {
      const among = namespaces === undefined ? null : JSON.stringify(namespaces);
      const made = await mapInTurns(devices, (device) => deviceHours(q.pushes.all(device, among), since));
      return new Map(devices.map((device, index) => [device, made[index] ?? new Map()]));
    },
  };
}

interface Rows {
  first: number;
  last: number;
}

/** What is stored in a range of rows, plus what is only in memory yet; by day or hour. */
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
  const { openedAt, gap, ackedAt: at, ackedBy: by } = JSON.parse(json) as Incident;
  const outage: Outage = { check: { id, name }, namespaceId, from: openedAt, isGap: gap !== undefined };
  if (closedAt !== null) return { ...outage, to: closedAt };
  return at === undefined ? outage : { ...outage, taken: { at, ...(by !== undefined && { by }) } };
}
