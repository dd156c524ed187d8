/** What is kept of a check beside its standing: the lines of its log, the bodies of its pings, and its incidents. */
import { and, between, desc, eq, lt } from "drizzle-orm";
import type { CheckRow } from "../../../checks/check.ts";
import { type CheckStore, type History, LOG_LINES, type LoggedEvent, type PastIncident } from "../../checks.ts";
import { LIMIT, placeholders, prepared } from "../statements.ts";
import { withoutNulls } from "../columns.ts";
import { EACH, eachAt, eachOf, JOIN_IN_ORDER, jsonField, lastBytes } from "../differences.ts";
import type { Engine } from "../engine.ts";
import { namedPings } from "./named.ts";
import { checkDay } from "../schema/days.ts";
import { check, checkEvent, checkIncident } from "../schema/schema.ts";
import { lineRow, ofDays } from "../days/rollup.ts";

const given = placeholders<typeof checkEvent, "first" | "last" | "line" | "before">();

// by hand: a list of checks asks for all of them at once, by their rings and numbers
const ENDS = `SELECT ${EACH} AS row, e.n, e.json FROM ${eachOf("?1")}
  ${JOIN_IN_ORDER} check_event e ON e.row BETWEEN ${EACH} * ${LOG_LINES} AND ${EACH} * ${LOG_LINES} + ${LOG_LINES - 1}
  WHERE ${jsonField("e.json", "kind")} IN ('ok', 'fail')`;
const INCIDENTS = `SELECT i.check_row AS row, i.json, i.down_message AS downMessage, i.up_message AS upMessage
  FROM ${eachOf("?1")} ${JOIN_IN_ORDER} check_incident i ON i.row IN
    (SELECT row FROM check_incident WHERE check_row = ${EACH} ORDER BY n DESC LIMIT ?2)`;
const ENDINGS = `SELECT e.row / ${LOG_LINES} AS row, ${lastBytes("e.head", "?2")} AS head, ${lastBytes("e.tail", "?2")} AS tail
  FROM ${eachOf("?1")} ${JOIN_IN_ORDER} check_event e ON e.row = ${eachAt(0)} AND e.n = ${eachAt(1)}
  WHERE e.head IS NOT NULL`;
interface IncidentRow {
  json: string;
  downMessage: number | null;
  upMessage: number | null;
}

export interface CheckLog extends Pick<CheckStore, "events" | "body" | "endings" | "incidents" | "histories"> {
  /** Deletes all of it inside a job, the check itself last. False: there is more. */
  forget: (row: CheckRow) => boolean;
}

export function checkLog(engine: Engine): CheckLog {
  const named = namedPings(engine.write);
  const q = queries(engine);
  const ring = (row: CheckRow) => ({ first: lineRow(row, 0), last: lineRow(row, LOG_LINES - 1) });

  return {
    events: async ({ row }, { before = Infinity, limit }) =>
      q.lines
        .all(ring(row)) // the ring may begin anywhere; SQLite would not sort it faster
        .filter(({ n }) => n < before)
        .sort((a, b) => b.n - a.n)
        .slice(0, limit)
        .map(eventOf),

    body: async ({ row }, n) => {
      const [line] = q.body.all({ line: lineRow(row, n), n });
      if (line === undefined || line.head === null) return undefined;
      const { bodyBytes = 0 } = JSON.parse(line.json) as LoggedEvent;
      return { head: line.head, tail: line.tail ?? new Uint8Array(), totalBytes: bodyBytes };
    },

    endings: async (lines, bytes) => {
      const wanted = JSON.stringify(lines.map(({ row, n }) => [lineRow(row, n), n]));
      const found = q.endings.all(wanted, bytes);
      return new Map(
        found.map(({ row, head, tail }) => [row, Buffer.concat([head, tail ?? new Uint8Array()]).subarray(-bytes)]),
      );
    },

    incidents: async ({ row }, { before = Number.MAX_SAFE_INTEGER, limit }) =>
      q.incidents.all({ row, before, limit }).map(incidentOf),

    histories: async (checks, limit) => {
      const histories = new Map(checks.map(({ row }): [CheckRow, History] => [row, { ends: [], incidents: [] }]));
      const rows = JSON.stringify([...histories.keys()]);
      for (const { row, n, json } of q.ends.all(rows)) histories.get(row)?.ends.push(eventOf({ n, json }));
      for (const { row, ...one } of q.latest.all(rows, limit)) histories.get(row)?.incidents.push(incidentOf(one));
      for (const history of histories.values()) {
        history.ends = history.ends.sort((a, b) => a.n - b.n).slice(-limit);
        history.incidents.sort((a, b) => b.n - a.n);
      }
      return histories;
    },

    forget: (row) => {
      if (!named.forget(row)) return false;
      q.forgetLines.run(ring(row));
      q.forgetDays.run(ofDays(row));
      q.forgetIncidents.run({ row });
      q.forget.run({ row });
      return true;
    },
  };
}

const eventOf = ({ n, json }: { n: number; json: string }): LoggedEvent => ({
  n,
  ...(JSON.parse(json) as Omit<LoggedEvent, "n">),
});

const incidentOf = ({ json, downMessage, upMessage }: IncidentRow): PastIncident => ({
  ...(JSON.parse(json) as PastIncident),
  ...withoutNulls({ downMessage, upMessage }),
});

function queries({ read, write }: Engine) {
  const { $client: db } = read;
  const isOfCheck = between(checkEvent.row, given.first, given.last);
  const isIncidentOfCheck = eq(checkIncident.checkRow, given.row);
  return {
    lines: prepared(() => read.select({ n: checkEvent.n, json: checkEvent.json }).from(checkEvent).where(isOfCheck)),
    body: prepared(() =>
      read
        .select({ json: checkEvent.json, head: checkEvent.head, tail: checkEvent.tail })
        .from(checkEvent)
        .where(and(eq(checkEvent.row, given.line), eq(checkEvent.n, given.n))),
    ),
    incidents: prepared(() =>
      read
        .select()
        .from(checkIncident)
        .where(and(isIncidentOfCheck, lt(checkIncident.n, given.before)))
        .orderBy(desc(checkIncident.n))
        .limit(LIMIT),
    ),
    forgetLines: prepared(() => write.delete(checkEvent).where(isOfCheck)),
    forgetIncidents: prepared(() => write.delete(checkIncident).where(isIncidentOfCheck)),
    forgetDays: prepared(() => write.delete(checkDay).where(between(checkDay.row, given.first, given.last))),
    ends: db.prepare<{ row: CheckRow; n: number; json: string }, [string]>(ENDS),
    latest: db.prepare<IncidentRow & { row: CheckRow }, [string, number]>(INCIDENTS),
    endings: db.prepare<{ row: CheckRow; head: Uint8Array; tail: Uint8Array | null }, [string, number]>(ENDINGS),
    forget: prepared(() => write.delete(check).where(eq(check.row, given.row))),
  };
}
