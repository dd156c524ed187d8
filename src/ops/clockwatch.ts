/** When the wall clock is set back, moves what waits along with it and tells operators (CHECKINS.md §5). */
import { hasClock, timeIn } from "../checks/alerts/text.ts";
import { setBackRules } from "../checks/rules.ts";
import { serverZone } from "../util/calendar.ts";
import type { Draft } from "../drafts/draft.ts";
import { duration } from "../rewrites/times.ts";
import type { Move, NotedSetBack } from "../store/clock.ts";
import type { Store } from "../store/store.ts";
import type { Log } from "../telemetry/log.ts";
import { SERVER_TOPIC } from "../names/topic.ts";
import type { NoticingClock, SetBack } from "../util/setback.ts";
import { DAY } from "../util/clock.ts";

export interface ClockWatch {
  /** A sentence for the operator until the clock shows again what it showed before, for a day at most. */
  problem(): string | undefined;
  /**
   * Looks for times that are too far ahead because the clock was set back while the server was away. Resolves when they are
   * moved, or the store could not: nobody may ask for anything before, because what they write would be moved too.
   */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** How soon it tries again if the store cannot take a write. */
const AGAIN_MS = 1_000;
/** A request that was under way read the clock before it was set back: what it stored is looked for once more. */
const LATECOMERS_MS = 15_000;

interface ClockWatchDeps {
  store: Store;
  clock: NoticingClock;
  log: Log;
}

export function createClockWatch({ store, clock, log }: ClockWatchDeps): ClockWatch {
  let latest: NotedSetBack | undefined;
  let stopped = false;
  const turns = new Set<Promise<void>>();
  const timers = new Set<() => void>();

  const later = (ms: number, move: Move) => {
    const cancel = clock.after(ms, () => {
      timers.delete(cancel);
      begin(move);
    });
    timers.add(cancel);
  };
  /** Asks the store before it returns, so that no write with the new time comes first. */
  function begin(move: Move): void {
    if (!stopped) own(follow(move));
  }
  function own(work: Promise<void>): void {
    const turn = work.finally(() => turns.delete(turn));
    turns.add(turn);
  }
  async function follow(move: Move): Promise<void> {
    try {
      latest = await store.clock.setBack(setBackRules, move);
      if (typeof move === "object") later(LATECOMERS_MS, "latecomers");
    } catch (error) {
      log.error("what waits cannot be moved along with the clock", { error });
      later(AGAIN_MS, move);
      return;
    }
    if (latest?.isTold === false) own(tell(latest));
  }
  async function tell(noted: NotedSetBack): Promise<void> {
    const { from, to, namespaces } = noted;
    log.warn("the clock was set back", { seconds: Math.round((from - to) / 1000) });
    // no key of a client holds a line end; sent again after a failure, it is not a second message
    const idempotency = { key: `clock\n${from} ${to}`, hash: "" };
    try {
      for (const namespaceId of namespaces)
        await store.messages.publish({ namespaceId, to: { name: SERVER_TOPIC }, draft: draftOf(noted), idempotency });
      await store.clock.told(noted);
      if (latest === noted) latest = { ...noted, isTold: true };
    } catch (error) {
      log.error("could not report that the clock was set back", { error }); // the next start reports it
    }
  }

  clock.onSetBack(begin);
  return {
    problem: () => {
      const now = clock.now();
      return latest !== undefined && now < Math.min(latest.from, latest.to + DAY) ? sentenceOf(latest) : undefined;
    },
    start: async () => {
      // read at once, before the first tick notes a new time
      const seen = store.checks.seenAt().then((seenAt) => {
        if (seenAt !== undefined) clock.mayBeAhead(clock.now() - seenAt);
      });
      seen.catch((error: unknown) => {
        log.warn("could not read when the checks were last watched", { error });
      });
      await follow("start");
    },
    stop: async () => {
      stopped = true;
      for (const cancel of timers) cancel();
      while (turns.size > 0) await Promise.all(turns);
    },
  };
}

/** `The clock was set back by 3 h, from 14:00 to 11:00 (Europe/Berlin).`; in UTC only how far. */
const sentenceOf = ({ from, to }: SetBack): string => {
  const [zone, far] = [serverZone(), duration(from - to)];
  const fromTo = hasClock(zone) ? `, from ${timeIn(zone, from, to)} to ${timeIn(zone, to, to)} (${zone})` : "";
  return `The clock was set back by ${far}${fromTo}.`;
};

const draftOf = (setBack: SetBack): Draft => ({
  title: `The clock was set back by ${duration(setBack.from - setBack.to)}`,
  message:
    `${sentenceOf(setBack)} Checks, delayed messages and pushes are not delayed by it; anything set for a time of day, ` +
    "for example a cron schedule, follows the clock. Some times of messages may appear twice. Check that the machine sets its clock by NTP.",
  ...{ level: "warning", priority: "normal", format: "text", source: "system" },
});
