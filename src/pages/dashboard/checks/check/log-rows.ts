/** The log of a check as rows: a run that began and ended is one. Pure. */
import type { LoggedEvent } from "../../../../store/checks.ts";

export interface LogRow {
  /** The event; of a run, its end. */
  event: LoggedEvent;
  /** The start of the run, if the job sent one. */
  start?: LoggedEvent;
}

/** `events`: newest first, and so are the rows. A start whose run is not over, or whose end is unknown, has its own row. */
export function logRows(events: readonly LoggedEvent[]): LogRow[] {
  const starts = events.filter(({ kind }) => kind === "start");
  const taken = new Set<LoggedEvent>();
  const rows = events.map((event): LogRow => {
    const { kind, at, durationMs, n, rid } = event;
    if ((kind !== "ok" && kind !== "fail") || durationMs === undefined) return { event };
    const began = (one: LoggedEvent) =>
      one.n < n && one.at === at - durationMs && (rid === undefined || one.rid === rid);
    const start = starts.find((one) => !taken.has(one) && began(one));
    if (start === undefined) return { event };
    taken.add(start);
    return { event, start };
  });
  return rows.filter(({ event }) => !taken.has(event));
}
