/** Row numbers of the lines of a log, and in the tables of `schema/days.ts`: the rows of one owner lie side by side. */
import type { CheckRow } from "../../../checks/check.ts";
import type { NamespaceId } from "../../../keys/namespace.ts";
import type { TopicId } from "../../../topics/topic.ts";
import { LOG_LINES } from "../../checks.ts";

/** The row of line `n` of a check's log. */
export const lineRow = (row: CheckRow, n: number): number => row * LOG_LINES + (n % LOG_LINES);

/** Days since 1970 until the year 2149, and hours until 2089. The migration has both numbers. */
export const DAYS = 65_536;
export const HOURS = 1_048_576;

export const dayRow = (of: CheckRow | TopicId, day: number): number => of * DAYS + day;
export const hourRow = (of: NamespaceId, hour: number): number => of * HOURS + hour;

/** The days of a check or topic are deleted together with it, those of a namespace after two days. */
export const ofDays = (of: CheckRow | TopicId) => ({ first: dayRow(of, 0), last: dayRow(of, DAYS - 1) });
