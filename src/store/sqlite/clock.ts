/** What waits, moved along with a wall clock that was set back. */
import type { CheckRow } from "../../checks/check.ts";
import type { NamespaceId } from "../../keys/namespace.ts";
import type { Millis } from "../../util/clock.ts";
import { STEP_MS } from "../../util/setback.ts";
import type { Rules } from "../checks.ts";
import type { ClockStore, NotedSetBack } from "../clock.ts";
import type { Committed } from "../store.ts";
import { checkReader } from "./checkrows.ts";
import type { Engine } from "./engine.ts";
import { namedPings } from "./named.ts";
import { decided, isIdle, settler, type Settlement } from "./settle.ts";
import type { SettingName, Settings } from "./settings.ts";

// By hand: over all that waits, at a start and when a clock was set back.
const CHECKS = 'SELECT row FROM "check"';
const DELAYED = "UPDATE scheduled SET deliver_at = deliver_at + ? WHERE delay_ms IS NOT NULL";
const TOO_FAR = `UPDATE scheduled SET deliver_at = ?1 + delay_ms WHERE deliver_at > ?1 + delay_ms + ?2`;
const DELIVERIES = `UPDATE delivery SET created_at = created_at + ?1, due_at = due_at + ?1, expires_at = expires_at + ?1
  WHERE state = 'pending'`;
const FROM_AHEAD = `UPDATE delivery SET due_at = due_at - (created_at - ?1), expires_at = expires_at - (created_at - ?1),
  created_at = ?1 WHERE state = 'pending' AND created_at > ?1 + ?2`;
/** They are made in the order of time: of none that waits need be asked at most starts. */
const LAST_MADE = "SELECT created_at AS at FROM delivery ORDER BY row DESC LIMIT 1";
const NEXT_SCHEDULED = "SELECT min(deliver_at) AS at FROM scheduled";
const WAITING = `SELECT row AS id FROM namespace n
  WHERE checks > 0 OR EXISTS (SELECT 1 FROM scheduled WHERE namespace_id = n.row)`;

/** Times that are noted as they pass: one in the future was noted before the clock was set back. */
const NOTED = ["alerter_seen_at", "probed_at"] as const satisfies SettingName[];

export function clockStore(engine: Engine, settings: Settings): ClockStore {
  const { write, writer, clock, namespaces } = engine;
  const { $client: db } = write;
  const reader = checkReader(write, namespaces);
  const settle = settler(engine, namedPings(write));
  const checks = db.prepare<{ row: CheckRow }, []>(CHECKS);
  const waiting = db.prepare<{ id: NamespaceId }, []>(WAITING);
  const lastMade = db.prepare<{ at: Millis }, []>(LAST_MADE);
  const nextScheduled = db.prepare<{ at: Millis | null }, []>(NEXT_SCHEDULED);
  const move = {
    delayed: db.prepare(DELAYED),
    tooFar: db.prepare(TOO_FAR),
    deliveries: db.prepare(DELIVERIES),
    fromAhead: db.prepare(FROM_AHEAD),
  };

  /** How far the clock is behind what was noted. */
  const behind = (now: Millis): number => {
    const latest = Math.max(...NOTED.map((name) => Number(settings.get(name) ?? 0)));
    return latest > now + STEP_MS ? now - latest : 0;
  };
  const noted = (): NotedSetBack | undefined => {
    const json = settings.get("clock_set_back");
    return json === undefined ? undefined : (JSON.parse(json) as NotedSetBack);
  };
  const moveChecks = (rules: Rules): { changed: Settlement[]; events: readonly Committed[] } => {
    const changed: Settlement[] = [];
    for (const { row } of checks.all()) {
      try {
        const { isGone, read } = reader.at(row);
        const settlement = isGone ? undefined : decided(read(), rules);
        if (settlement !== undefined && !isIdle(settlement)) changed.push(settlement);
      } catch {
        // its JSON is broken: the alerter says so when it is due
      }
    }
    return { changed, events: settle(changed, rules) };
  };

  /** What was done, as operators are told of it. `by` 0: how far, only what it did shows. */
  const note = (now: Millis, by: number, changed: readonly Settlement[]): NotedSetBack => {
    const sooner = changed.map(({ before, check: { dueAt = now } }) => (before.check.dueAt ?? dueAt) - dueAt);
    const far = by < 0 ? -by : sooner.reduce((most, one) => Math.max(most, one), STEP_MS);
    const ids = waiting.all().map(({ id }) => id);
    const latest = { from: now + far, to: now, isTold: false, namespaces: ids.filter((id) => !namespaces.isGone(id)) };
    settings.set("clock_set_back", JSON.stringify(latest));
    return latest;
  };
  /** The timers wait for what was due before. */
  const wake = (): Committed[] => {
    const check = reader.nextAt();
    const { at } = nextScheduled.get() ?? { at: null };
    return [
      { kind: "outbox" },
      ...(check === undefined ? [] : [{ kind: "due", at: check } as const]),
      ...(at === null ? [] : [{ kind: "scheduled", deliverAt: at } as const]),
    ];
  };

  return {
    setBack: async (rulesAt, known) =>
      writer.run<NotedSetBack | undefined>(() => {
        const now = known?.to ?? clock.now();
        const by = known === undefined ? behind(now) : known.to - known.from;
        for (const name of NOTED) if (Number(settings.get(name) ?? 0) > now) settings.set(name, String(now));
        const { changed, events } = moveChecks(rulesAt(by, now));
        if (by < 0) for (const statement of [move.delayed, move.deliveries]) statement.run(by);
        const delayed = move.tooFar.run(now, STEP_MS).changes;
        const ahead = (lastMade.get()?.at ?? 0) > now ? move.fromAhead.run(now, STEP_MS).changes : 0;
        const before = noted();
        if (by === 0 && changed.length === 0 && delayed === 0 && ahead === 0) return { result: before };
        const isKnown = by === 0 && before !== undefined && before.from > now;
        return { result: isKnown ? before : note(now, by, changed), events: [...events, ...wake()] };
      }),

    told: async () =>
      writer.run(() => {
        const latest = noted();
        if (latest !== undefined) settings.set("clock_set_back", JSON.stringify({ ...latest, isTold: true }));
        return { result: undefined };
      }),
  };
}
