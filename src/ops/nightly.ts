/** Makes a backup every night, and tells operators if it could not (OPERATIONS.md §4). */
import { hasClock, timeIn } from "../checks/alerts/text.ts";
import type { Config } from "../config/config.ts";
import type { Log } from "../telemetry/log.ts";
import { bytesWords } from "../util/bytes.ts";
import { serverZone } from "../util/calendar.ts";
import { HOUR, MINUTE, rfc3339, type Clock, type Millis } from "../util/clock.ts";
import { dueTimer } from "../util/duetimer.ts";
import type { BackupResult } from "./backup.ts";
import type { Backups } from "./backups.ts";
import type { Notices } from "./notices.ts";

export interface Nightly {
  /** A sentence for the operator while the latest nightly backup is missing; undefined if all is well, or none are made. */
  problem(): string | undefined;
  start(): void;
  stop(): Promise<void>;
}

/** Between the hours when most crontabs begin, and not in the hour that most zones skip in spring. */
const AT = { hour: 3, minute: 23, second: 0, millisecond: 0 };
/** From a start to the first look: what a start has to do goes first. */
const FIRST_MS = 15 * MINUTE;
/** After a backup that failed; also the longest wait, as the machine may sleep and its clock may be set. */
const AGAIN_MS = HOUR;
const NOTICE = "backup";

interface NightlyDeps {
  config: Pick<Config, "backup">;
  clock: Clock;
  log: Log;
  backups: Backups;
  notices: Notices;
}

export function createNightly({ config, clock, log, backups, notices }: NightlyDeps): Nightly {
  if (config.backup === undefined) return { problem: () => undefined, start: () => undefined, stop: async () => {} };
  const end = new AbortController();
  let failure: string | undefined;

  const timer = dueTimer(clock, {
    longestWaitMs: AGAIN_MS,
    onFailure: (error) => {
      log.error("the nightly backup cannot be looked after", { error });
    },
    work: async (isStopped) => {
      const now = clock.now();
      const slot = latestSlot(serverZone(), now);
      if (latest(now) >= slot) return nextSlot(serverZone(), now);
      const result = await backups.make("nightly", end.signal);
      if (isStopped()) return undefined;
      failure = result.kind === "made" ? undefined : reasonOf(result);
      if (failure === undefined) await notices.end(NOTICE, MADE);
      else await notices.begin(NOTICE, { title: TITLE, message: sentence(failure), priority: "normal" });
      // it may have been another backup that was being made at that moment
      const isMade = failure === undefined && latest(clock.now()) >= slot;
      return isMade ? nextSlot(serverZone(), clock.now()) : clock.now() + AGAIN_MS;
    },
  });

  /** When the latest was made, 0 if none was. One from the future was made while the clock was wrong. */
  const latest = (now: Millis): Millis =>
    Math.max(0, ...backups.list().flatMap(({ kind, madeAt }) => (kind === "nightly" && madeAt <= now ? [madeAt] : [])));

  function sentence(reason: string): string {
    const at = latest(clock.now());
    return `The nightly backup failed: ${reason}. ${at === 0 ? "There is none yet." : `The latest is from ${timeWords(at)}.`} peal tries again every hour.`;
  }
  return {
    problem: () => (failure === undefined ? undefined : sentence(failure)),
    start: () => {
      timer.wake(clock.now() + FIRST_MS);
    },
    stop: async () => {
      end.abort();
      await timer.stop();
    },
  };
}

const TITLE = "The nightly backup failed";
const MADE = {
  title: "The nightly backup works again",
  message: "A backup was made and verified.",
  priority: "low",
} as const;

function reasonOf(result: Exclude<BackupResult, { kind: "made" }>): string {
  if (result.kind === "failed") return result.reason.replace(/\.$/, "");
  const { needed, free } = result;
  return `it needs up to ${bytesWords(needed)} beside what must stay free, and the disk has ${bytesWords(free)} left`;
}

function timeWords(at: Millis): string {
  const zone = serverZone();
  return hasClock(zone) ? `${timeIn(zone, at, at)} (${zone})` : rfc3339(at);
}

/** The latest time at or before `now` at which a nightly backup is due. Pure. */
export function latestSlot(zone: string, now: Millis): Millis {
  const at = slotOn(zone, now, 0);
  return at <= now ? at : slotOn(zone, now, -1);
}

/** The first time after `now` at which one is due. Pure. */
export function nextSlot(zone: string, now: Millis): Millis {
  const at = slotOn(zone, now, 0);
  return at > now ? at : slotOn(zone, now, 1);
}

/** On the day of `now` in the zone, or `days` later. */
function slotOn(zone: string, now: Millis, days: number): Millis {
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(zone).startOfDay();
  return today.add({ days }).with(AT, { offset: "ignore" }).epochMilliseconds;
}
