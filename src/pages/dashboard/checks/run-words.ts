/** Runs in words: in sum for their picture, and one by one. Pure. */
import type { PastRun } from "../../../checks/days/past-runs.ts";
import type { Texts } from "../../texts/texts.ts";

/** `Last 30 runs of nas-backup: 28 ok, 1 failed, 1 missed`. */
export function runsLabel(name: string, runs: readonly PastRun[], { runs: say }: Texts["checks"]): string {
  const count = (...kinds: PastRun["kind"][]) => runs.filter(({ kind }) => kinds.includes(kind)).length;
  return say.label({
    ...{ name, all: runs.length },
    ...{ failed: count("failed", "overrun"), missed: count("missed"), running: count("running") },
  });
}

/** `exit 1 after 4 min`. */
export function resultWords(
  { kind, exit, durationMs, isGap }: PastRun,
  { runs: say, lasting }: Texts["checks"],
): string {
  const took = durationMs === undefined ? undefined : lasting(durationMs);
  switch (kind) {
    case "ok":
      return took === undefined ? say.kind.ok : say.okTook(took);
    case "failed": {
      const what = exit === undefined ? say.kind.failed : say.exit(exit);
      return took === undefined ? what : say.failedAfter(what, took);
    }
    case "overrun":
      return say.overran(took ?? "");
    case "running":
      return say.runningFor(took ?? "");
    case "missed":
      return isGap === true ? say.gap : say.kind.missed;
  }
}
