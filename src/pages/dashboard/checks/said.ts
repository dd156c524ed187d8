/** The last lines that jobs printed before they failed, for the reasons of their checks. */
import type { Check, CheckRow } from "../../../checks/check.ts";
import { END_BYTES, lastLine } from "../../../checks/alerts/last-line.ts";
import type { PastRun } from "../../../checks/days/past-runs.ts";
import type { CheckStore } from "../../../store/checks.ts";

/** For checks that are down by a failure: one query, however many. */
export async function saidBy(
  checks: Pick<CheckStore, "endings">,
  seen: readonly { check: Check; runs: readonly PastRun[] }[],
): Promise<ReadonlyMap<CheckRow, string>> {
  const lines = seen.flatMap(({ check: { row, standing }, runs }) => {
    const { n } = runs.findLast(({ kind }) => kind === "failed") ?? {};
    return standing.incident?.reason === "failed" && n !== undefined ? [{ row, n }] : [];
  });
  const said = new Map<CheckRow, string>();
  for (const [row, end] of await checks.endings(lines, END_BYTES)) {
    const line = lastLine(end);
    if (line !== undefined) said.set(row, line);
  }
  return said;
}
