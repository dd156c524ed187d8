/** The log of a server inside the test. */
import { createLog, type Log } from "../../src/telemetry/log.ts";
import { systemClock, type Clock } from "../../src/util/clock.ts";

/** A log for `inProcess`, and its lines so far. */
export function keptLog(clock: Clock = systemClock): { log: Log; lines: readonly string[] } {
  const lines: string[] = [];
  return {
    log: createLog({ level: "info", format: "text" }, clock, { write: (line) => void lines.push(line) }),
    lines,
  };
}
