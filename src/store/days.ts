/**
 * The part of the port for pictures: the figures of days and hours. They are counted as things happen and kept for a year,
 * longer than messages and events. Days are dates, counted since 1970 (`util/calendar.ts`).
 */
import type { CheckRow, Gap } from "../checks/check.ts";
import type { DeviceRow } from "../devices/device.ts";
import type { NamespaceId } from "../keys/namespace.ts";
import type { Level } from "../drafts/draft.ts";
import type { TopicId } from "../topics/topic.ts";
import type { Millis } from "../util/clock.ts";
import type { Day } from "../util/calendar.ts";
import type { Taken } from "./overview.ts";

/** How long a check was in which state on a day, in ms. Unknown time, as before its first ping, counts nowhere. */
export interface DayTimes {
  /** The date, in the zone of the check's schedule, else the server's. */
  day: number;
  /** Late counts as up: nothing was missed yet. */
  upMs: number;
  downMs: number;
  /** Paused or snoozed, whether up or down. */
  quietMs: number;
  /** This server was away, or missed what came while it was. */
  awayMs: number;
  /** A success came. */
  hasOk: boolean;
}

export interface CheckDay extends DayTimes {
  /** The median duration of its successes that are in the log when it ends; absent: none was timed, or the day is not over. */
  usualMs?: number;
}

/** The records of a check's days. */
export interface KeptDays {
  /** In order, without days of which nothing is known. */
  days: readonly CheckDay[];
  /** Later time is in no day yet: it follows from what the check has been since. */
  countedTo: Millis;
  /** When this server was away since then. */
  away: readonly Gap[];
}

/** What is added to the days of a check. */
export interface Counted {
  times: readonly DayTimes[];
  /** Up to when they are written. */
  to: Millis;
  /** The day that was begun before and is over now. */
  over?: Day;
}

export type ByLevel = Readonly<Record<Level, number>>;

export const NO_MESSAGES: ByLevel = { info: 0, success: 0, warning: 0, error: 0 };

export const sumOf = (one: ByLevel, other: ByLevel): ByLevel => ({
  info: one.info + other.info,
  success: one.success + other.success,
  warning: one.warning + other.warning,
  error: one.error + other.error,
});

/** A known time in which a check was down. */
export interface Outage {
  check: { id: string; name: string };
  namespaceId: NamespaceId;
  from: Millis;
  /** Absent: it is still down. */
  to?: Millis;
  /** This server was away when the ping was due, so it may have been lost. */
  isGap: boolean;
  /** Somebody is on it; absent if nobody is, or it is over. */
  taken?: Taken;
}

/** Pushes to one device in an hour, by when they were to be sent, without cancelled ones. */
export interface DeviceHour {
  accepted: number;
  /** Failed or expired. */
  failed: number;
  /** The median time until the push service accepted them; absent: it accepted none. */
  medianMs?: number;
}

export interface DayStore {
  /** Days of checks from `day` on: one query, however many checks. A check that is gone has none. */
  ofChecks(checks: readonly CheckRow[], day: number): Promise<ReadonlyMap<CheckRow, KeptDays>>;
  /** Notes that this server was away, and nobody knows what checks were. Called before anything else happens to a check. */
  away(gap: Gap): Promise<void>;
  /** Messages of a topic by day of the server's zone, from `day` on, deleted ones included; days without any are left out. */
  ofTopic(topicId: TopicId, day: number): Promise<ReadonlyMap<number, ByLevel>>;
  /** Messages by the hour since 1970, from `hour` on, at most two days back; hours without any are left out. */
  hours(
    namespaces: readonly NamespaceId[],
    hour: number,
  ): Promise<ReadonlyMap<NamespaceId, ReadonlyMap<number, ByLevel>>>;
  /**
   * Checks that are down, and those that came up since `since`, the first to go down first, without deleted checks. `isMore`:
   * there were more than `limit`.
   */
  outages(
    namespaces: readonly NamespaceId[],
    since: Millis,
    limit: number,
  ): Promise<{ outages: Outage[]; isMore: boolean }>;
  /**
   * Pushes to each device by the hour since 1970, from its newest 1,000 deliveries since `since` (those of 7 days are kept),
   * without tests and without empty hours. `namespaces`: only of messages in these that are kept; absent: of all.
   */
  ofDevices(
    devices: readonly DeviceRow[],
    since: Millis,
    namespaces?: readonly NamespaceId[],
  ): Promise<ReadonlyMap<DeviceRow, ReadonlyMap<number, DeviceHour>>>;
}
