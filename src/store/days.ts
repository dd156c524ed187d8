/**
 * The part of the port that pictures are made of: what days and hours came to. It is counted as it happens and kept for a
 * year, longer than the messages and events themselves. Days are counted since 1970, as dates (`util/calendar.ts`).
 */
import type { CheckRow, Gap } from "../checks/check.ts";
import type { DeviceRow } from "../devices/device.ts";
import type { NamespaceId } from "../keys/namespace.ts";
import type { Level } from "../drafts/draft.ts";
import type { TopicId } from "../topics/topic.ts";
import type { Millis } from "../util/clock.ts";
import type { Day } from "../util/calendar.ts";
import type { Taken } from "./overview.ts";

/** How long a day of a check was what, in milliseconds. What nobody knows of, as before its first ping, is in none of these. */
export interface DayTimes {
  /** The date, in the zone of the check's schedule, else the server's. */
  day: number;
  /** Late is up: nothing was missed yet. */
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
  /** Median of the durations of its successes, those in the log at its end; absent: none was timed, or it is not over. */
  usualMs?: number;
}

/** What a check's days are told from. */
export interface KeptDays {
  /** In order; days of which nothing is known are left out. */
  days: readonly CheckDay[];
  /** What follows is in no day yet: what the check has been since tells it. */
  countedTo: Millis;
  /** When this server was away since then. */
  away: readonly Gap[];
}

/** What is to be added to the days of a check. */
export interface Counted {
  times: readonly DayTimes[];
  /** Up to then they are written. */
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

/** A check that was down, as far as that is known. */
export interface Outage {
  check: { id: string; name: string };
  namespaceId: NamespaceId;
  from: Millis;
  /** Absent: it is down. */
  to?: Millis;
  /** This server was away when the ping was due, which may have been lost. */
  isGap: boolean;
  /** Somebody is on it; absent: nobody is, or it is over. */
  taken?: Taken;
}

/** What became of pushes to one device in an hour, by when they were to be sent. Cancelled ones are left out. */
export interface DeviceHour {
  accepted: number;
  /** Failed or expired. */
  failed: number;
  /** Median of the time until the push service accepted it; absent: it accepted none. */
  medianMs?: number;
}

export interface DayStore {
  /** Days of checks from `day` on: one query, however many checks. Of a check that is gone nothing. */
  ofChecks(checks: readonly CheckRow[], day: number): Promise<ReadonlyMap<CheckRow, KeptDays>>;
  /** This server was away, and nobody knows what checks were. To be noted before the next thing happens to a check. */
  away(gap: Gap): Promise<void>;
  /** Messages of a topic by day, in the server's zone, from `day` on, also of those that were deleted since; days without any are left out. */
  ofTopic(topicId: TopicId, day: number): Promise<ReadonlyMap<number, ByLevel>>;
  /** Messages by the hour since 1970, from `hour` on, as far back as two days; hours without any are left out. */
  hours(
    namespaces: readonly NamespaceId[],
    hour: number,
  ): Promise<ReadonlyMap<NamespaceId, ReadonlyMap<number, ByLevel>>>;
  /**
   * Checks that are down, and those that came up since `since`, the first to go down first; checks that are deleted have none.
   * `isMore`: there were more than `limit`.
   */
  outages(
    namespaces: readonly NamespaceId[],
    since: Millis,
    limit: number,
  ): Promise<{ outages: Outage[]; isMore: boolean }>;
  /**
   * Pushes to each device by the hour since 1970, from its newest 1,000 deliveries that were made since `since`: those of 7 days are
   * kept. Hours without any are left out; tests are none. `namespaces`: only of messages in these that are kept; absent: of all.
   */
  ofDevices(
    devices: readonly DeviceRow[],
    since: Millis,
    namespaces?: readonly NamespaceId[],
  ): Promise<ReadonlyMap<DeviceRow, ReadonlyMap<number, DeviceHour>>>;
}
