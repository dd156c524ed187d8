/** A schedule as people say it: `Daily at 02:30`, `Mondays 04:15`; a cron line that is none of the usual ones as it is. Pure. */
import type { Schedule } from "../../../checks/check.ts";
import { type Cron, parseCron } from "../../../checks/schedule/cron.ts";
import type { Texts } from "../../texts/texts.ts";

export function scheduleWords(schedule: Schedule, { lasting, schedule: say }: Texts["checks"]): string {
  if (schedule.kind === "manual") return say.manual;
  if (schedule.kind === "every") return say.every(lasting(schedule.everyMs));
  const cron = parseCron(schedule.expression);
  return (cron.kind === "cron" ? usual(cron, say) : undefined) ?? say.cron(schedule.expression);
}

function usual(cron: Cron, say: Texts["checks"]["schedule"]): string | undefined {
  const { minutes, hours, days, months, weekdays, needsBothDays } = cron;
  const [minute, ...otherMinutes] = minutes;
  const [hour, ...otherHours] = hours;
  if (minute === undefined || hour === undefined || otherMinutes.length > 0 || months.length < 12) return undefined;
  const isEachDay = days.length === 31;
  const week = [...new Set(weekdays)].sort((a, b) => (a || 7) - (b || 7));
  const isWholeWeek = week.length === 7;
  if (hours.length === 24) return isEachDay && isWholeWeek ? say.hourly(two(minute)) : undefined;
  if (otherHours.length > 0) return undefined;
  const time = `${two(hour)}:${two(minute)}`;
  if (isEachDay && isWholeWeek) return say.daily(time);
  if (isEachDay && needsBothDays) return week.join("") === "12345" ? say.workdays(time) : say.weekly(week, time);
  const [day, ...otherDays] = days;
  return day !== undefined && otherDays.length === 0 && isWholeWeek ? say.monthly(day, time) : undefined;
}

const two = (n: number): string => String(n).padStart(2, "0");
