/** Previews a schedule for the person who writes it. Pure. */
import type { Millis } from "../../util/clock.ts";
import type { Schedule } from "../check.ts";
import { parseCron, parseZone, type Refused } from "./cron.ts";
import { slotAfter } from "./schedule.ts";

const PREVIEWED = 5;

/** The next five slots after a time, which counts as the last slot; none if nothing is expected. */
export function nextSlots(schedule: Schedule, after: Millis): Millis[] {
  const slots: Millis[] = [];
  for (let at = slotAfter(schedule, after); at !== undefined && slots.length < PREVIEWED; at = slotAfter(schedule, at))
    slots.push(at);
  return slots;
}

/** Parses a cron expression and its zone, or says which of the two is refused and why. */
export function cronSchedule(
  expression: string,
  timezone: string,
): Extract<Schedule, { kind: "cron" }> | { field: "cron" | "timezone"; refused: Refused } {
  const cron = parseCron(expression);
  if (cron.kind === "refused") return { field: "cron", refused: cron };
  const zone = parseZone(timezone);
  if (typeof zone !== "string") return { field: "timezone", refused: zone };
  return { kind: "cron", expression: expression.trim(), timezone: zone };
}
