/** Moves times that wait along with a wall clock that was set back. */
import type { CheckRow } from "../../../checks/check.ts";
import type { NamespaceId } from "../../../keys/namespace.ts";
import type { Millis } from "../../../util/clock.ts";
import { STEP_MS } from "../../../util/setback.ts";
import type { ClockStore, Move, NotedSetBack } from "../../clock.ts";
import type { Committed } from "../../store.ts";
import { checkReader } from "./rows.ts";
import { silently } from "../job.ts";
import type { Engine } from "../engine.ts";
import type { JobClock } from "../jobclock.ts";
import { namedPings } from "./named.ts";
import { decided, isIdle, settler, type Settlement } from "./settle.ts";
import type { SettingName, Settings } from "../settings.ts";

// by hand: they run over everything that waits, at a start and when a clock was set back
const CHECKS = 'SELECT row FROM "check"';
const STANDINGS = 'SELECT row, standing FROM "check"';
const DELAYED = "UPDATE scheduled SET deliver_at = deliver_at + ?1 WHERE delay_ms IS NOT NULL AND row <= ?2";
const TOO_FAR = `UPDATE scheduled SET deliver_at = ?1 + delay_ms WHERE deliver_at > ?1 + delay_ms + ?2`;
const DELIVERIES = `UPDATE delivery SET created_at = created_at + ?1, due_at = due_at + ?1, expires_at = expires_at + ?1
  WHERE state = 'pending' AND row <= ?2`;
const LAST_ROW = {
  delayed: "SELECT row FROM scheduled ORDER BY row DESC LIMIT 1",
  deliveries: "SELECT row FROM delivery ORDER BY row DESC LIMIT 1",
};
const FROM_AHEAD = `UPDATE delivery SET due_at = due_at - (created_at - ?1), expires_at = expires_at - (created_at - ?1),
  created_at = ?1 WHERE state = 'pending' AND created_at - ?2 > ?1`;
/** Deliveries are made in the order of time: at most starts none that waits needs to be read. */
const LAST_MADE = "SELECT created_at AS at FROM delivery ORDER BY row DESC LIMIT 1";
const NEXT_SCHEDULED = "SELECT min(deliver_at) AS at FROM scheduled";
const WAITING = `SELECT row AS id FROM namespace n
  WHERE checks > 0 OR EXISTS (SELECT 1 FROM scheduled WHERE namespace_id = n.row)`;

/** Times that are noted as they pass: one in the future was noted before the clock was set back. */
const NOTED = ["alerter_seen_at", "probed_at"] as const satisfies SettingName[];

type RulesAt = Parameters<ClockStore["setBack"]>[0];

/** What waited when a move was first tried: later writes have the new time, and are not moved by the distance. */
interface Waiting {
  /** How far the clock was set back, 0 at most. */
  by: number;
  /** A hash of each standing. */
  checks: ReadonlyMap<CheckRow, number | bigint>;
  /** The latest rows. */
  delayed: number;
  deliveries: number;
}

export function clockStore(engine: Engine, settings: Settings, clock: JobClock): ClockStore {
  const { writer } = engine;
  const parts: Parts = { engine, settings, clock, q: queries(engine) };
  const whatWaits = waitingReader(parts);
  const moveAll = mover(parts);
  /** What waited at moves that failed. */
  const tried = new Map<Move, Waiting>();

  return {
    setBack: async (rulesAt, which) => {
      const known = tried.get(which);
      const release = clock.hold(known === undefined && typeof which === "object" ? which.from - which.to : 0);
      try {
        const latest = await writer.run<NotedSetBack | undefined>(() => {
          release();
          const waited = known ?? whatWaits(which);
          tried.set(which, waited);
          return moveAll(rulesAt, waited);
        });
        tried.delete(which);
        return latest;
      } catch (error) {
        release();
        if (!tried.has(which)) tried.set(which, whatWaits(which)); // the job never ran
        throw error;
      }
    },

    told: async ({ from, to }) =>
      silently(writer, () => {
        const latest = noted(settings);
        if (latest?.from === from && latest.to === to)
          settings.set("clock_set_back", JSON.stringify({ ...latest, isTold: true }));
      }),
  };
}

interface Parts {
  engine: Engine;
  settings: Settings;
  clock: JobClock;
  q: ReturnType<typeof queries>;
}

const noted = (settings: Settings): NotedSetBack | undefined => {
  const json = settings.get("clock_set_back");
  return json === undefined ? undefined : (JSON.parse(json) as NotedSetBack);
};

function waitingReader({ settings, clock, q }: Parts): (which: Move) => Waiting {
  /** How far the clock is behind the times that were noted. */
  const behind = (now: Millis): number => {
    const latest = Math.max(...NOTED.map((name) => Number(settings.get(name) ?? 0)));
    return latest > now + STEP_MS ? now - latest : 0;
  };
  return (which) => {
    const hashes = new Map<CheckRow, number | bigint>();
    for (const { row, standing } of q.standings.iterate()) hashes.set(row, Bun.hash(standing));
    const by = typeof which === "object" ? which.to - which.from : which === "start" ? behind(clock.now()) : 0;
    const [delayed = 0, deliveries = 0] = [q.lastDelayed.get()?.row, q.lastDelivery.get()?.row];
    return { by, checks: hashes, delayed, deliveries };
  };
}

/** Moves everything that waits, in a job. */
function mover({ engine, settings, clock, q }: Parts) {
  const { write, namespaces } = engine;
  const reader = checkReader(write, namespaces);
  const settle = settler(engine, namedPings(write));

  /** Records a move for operators. If `by` is 0, only its effects show how far the clock was set back. */
  const note = (now: Millis, by: number, changed: readonly Settlement[]): NotedSetBack => {
    const sooner = changed.map(({ before, check: { dueAt = now } }) => (before.check.dueAt ?? dueAt) - dueAt);
    const far = by < 0 ? -by : sooner.reduce((most, one) => Math.max(most, one), STEP_MS);
    const ids = q.waiting.all().map(({ id }) => id);
    const latest = { from: now + far, to: now, isTold: false, namespaces: ids.filter((id) => !namespaces.isGone(id)) };
    settings.set("clock_set_back", JSON.stringify(latest));
    return latest;
  };
  /** Wakes the timers, which wait for the old times. */
  const wake = (): Committed[] => {
    const check = reader.nextAt();
    const { at } = q.nextScheduled.get() ?? { at: null };
    return [
      { kind: "outbox" },
      ...(check === undefined ? [] : [{ kind: "due", at: check } as const]),
      ...(at === null ? [] : [{ kind: "scheduled", deliverAt: at } as const]),
    ];
  };
  const moveChecks = (rulesAt: RulesAt, now: Millis, { by, checks: hashes }: Waiting) => {
    const [rules, lateRules] = [rulesAt(by, now), rulesAt(0, now)];
    const changed: Settlement[] = [];
    for (const { row } of q.checks.all()) {
      try {
        const { isGone, read } = reader.at(row);
        if (isGone) continue;
        const found = read();
        const settlement = decided(found, hashes.get(row) === Bun.hash(found.json) ? rules : lateRules);
        if (!isIdle(settlement)) changed.push(settlement);
      } catch {
        // its JSON is broken, which the alerter reports when it is due
      }
    }
    return { changed, events: settle(changed, rules) };
  };

  return (rulesAt: RulesAt, waited: Waiting) => {
    const now = clock.now();
    const { by } = waited;
    for (const name of NOTED) if (Number(settings.get(name) ?? 0) > now) settings.set(name, String(now));
    const { changed, events } = moveChecks(rulesAt, now, waited);
    if (by < 0) {
      q.moveDelayed.run(by, waited.delayed);
      q.moveDeliveries.run(by, waited.deliveries);
    }
    const delayed = q.moveTooFar.run(now, STEP_MS).changes;
    const ahead = (q.lastMade.get()?.at ?? 0) > now ? q.moveFromAhead.run(now, STEP_MS).changes : 0;
    const before = noted(settings);
    if (by === 0 && changed.length === 0 && delayed === 0 && ahead === 0) return { result: before };
    const isKnown = by === 0 && before !== undefined && before.from > now;
    return { result: isKnown ? before : note(now, by, changed), events: [...events, ...wake()] };
  };
}

function queries({ write: { $client: db } }: Engine) {
  return {
    checks: db.prepare<{ row: CheckRow }, []>(CHECKS),
    standings: db.prepare<{ row: CheckRow; standing: string }, []>(STANDINGS),
    lastDelayed: db.prepare<{ row: number }, []>(LAST_ROW.delayed),
    lastDelivery: db.prepare<{ row: number }, []>(LAST_ROW.deliveries),
    waiting: db.prepare<{ id: NamespaceId }, []>(WAITING),
    lastMade: db.prepare<{ at: Millis }, []>(LAST_MADE),
    nextScheduled: db.prepare<{ at: Millis | null }, []>(NEXT_SCHEDULED),
    moveDelayed: db.prepare(DELAYED),
    moveTooFar: db.prepare(TOO_FAR),
    moveDeliveries: db.prepare(DELIVERIES),
    moveFromAhead: db.prepare(FROM_AHEAD),
  };
}
