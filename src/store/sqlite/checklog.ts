/** What is kept of a check beside its standing: the lines of its log, the bodies of its pings, and its incidents. */
import { and, between, desc, eq, lt, sql } from "drizzle-orm";
import type { CheckRow } from "../../checks/check.ts";
import type { CheckStore, LoggedEvent, PastIncident } from "../checks.ts";
import type { Engine } from "./engine.ts";
import { checkEvent, checkIncident } from "./schema.ts";
import { lineRow, LOG_LINES } from "./settle.ts";

const { placeholder } = sql;

export function checkLog({ read, write }: Engine): Pick<CheckStore, "events" | "body" | "incidents"> & {
  /** Takes all of it away, inside a job. */
  forget: (row: CheckRow) => void;
} {
  const isOfCheck = between(checkEvent.row, placeholder("first"), placeholder("last"));
  const isIncidentOfCheck = eq(checkIncident.checkRow, placeholder("row"));
  const q = {
    lines: read.select({ n: checkEvent.n, json: checkEvent.json }).from(checkEvent).where(isOfCheck).prepare(),
    body: read
      .select({ json: checkEvent.json, head: checkEvent.head, tail: checkEvent.tail })
      .from(checkEvent)
      .where(and(eq(checkEvent.row, placeholder("line")), eq(checkEvent.n, placeholder("n"))))
      .prepare(),
    incidents: read
      .select()
      .from(checkIncident)
      .where(and(isIncidentOfCheck, lt(checkIncident.n, placeholder("before"))))
      .orderBy(desc(checkIncident.n))
      .limit(placeholder("limit"))
      .prepare(),
    forgetLines: write.delete(checkEvent).where(isOfCheck).prepare(),
    forgetIncidents: write.delete(checkIncident).where(isIncidentOfCheck).prepare(),
  };
  const ring = (row: CheckRow) => ({ first: lineRow(row, 0), last: lineRow(row, LOG_LINES - 1) });

  return {
    events: async ({ row }, { before = Infinity, limit }) =>
      q.lines
        .all(ring(row)) // the ring begins anywhere: SQLite would sort it no faster
        .filter(({ n }) => n < before)
        .sort((a, b) => b.n - a.n)
        .slice(0, limit)
        .map(({ n, json }) => ({ n, ...(JSON.parse(json) as Omit<LoggedEvent, "n">) })),

    body: async ({ row }, n) => {
      const [line] = q.body.all({ line: lineRow(row, n), n });
      if (line === undefined || line.head === null) return undefined;
      const { bodyBytes = 0 } = JSON.parse(line.json) as LoggedEvent;
      return { head: line.head, tail: line.tail ?? new Uint8Array(), totalBytes: bodyBytes };
    },

    incidents: async ({ row }, { before = Number.MAX_SAFE_INTEGER, limit }) =>
      q.incidents.all({ row, before, limit }).map(({ json, downMessage, upMessage }) => {
        const incident = JSON.parse(json) as PastIncident;
        if (downMessage !== null) incident.downMessage = downMessage;
        if (upMessage !== null) incident.upMessage = upMessage;
        return incident;
      }),

    forget: (row) => {
      q.forgetLines.run(ring(row));
      q.forgetIncidents.run({ row });
    },
  };
}
