/** Deletes what deleted namespaces leave behind, inside jobs, as many rows at once as the caller has time for. */
import type { CheckRow } from "../../../checks/check.ts";
import type { DeviceRow } from "../../../devices/device.ts";
import type { NamespaceId } from "../../../keys/namespace.ts";
import type { TopicId } from "../../../topics/topic.ts";
import type { Millis } from "../../../util/clock.ts";
import type { Committed } from "../../store.ts";
import { checkLog } from "../checks/log.ts";
import type { Endings } from "../deliveries/endings.ts";
import { deviceRemover } from "../deliveries/purge.ts";
import type { Subscriptions } from "../devices/subscriptions.ts";
import { indexedBy } from "../differences.ts";
import type { Engine } from "../engine.ts";
import type { KeysInMemory } from "./keys.ts";
import { hourRow, HOURS } from "../days/rollup.ts";

/** How many rows a check counts for: its log has a hundred lines, and a year its days, which lie side by side. */
const PER_CHECK = 50;

// by hand: drizzle cannot limit a write
const CHECKS = 'SELECT row FROM "check" WHERE namespace_id = ? LIMIT ?';
const BURY = `UPDATE topic SET deleted_at = ?2 WHERE row IN
  (SELECT row FROM topic ${indexedBy("topic_name")} WHERE namespace_id = ?1 AND deleted_at IS NULL LIMIT ?3) RETURNING row`;
const REPEATS =
  "DELETE FROM idempotency WHERE row IN (SELECT row FROM idempotency WHERE namespace_id = ? LIMIT ?) RETURNING row";
/** No key is made after its namespace was deleted; if there were one, it would keep the row and stop every sweep for ever. */
const KEYS = "DELETE FROM api_key WHERE namespace_id = ? RETURNING hash";
const FORWARD = "SELECT row FROM device WHERE namespace_id = ? LIMIT 1";
const TOPIC = "SELECT 1 AS found FROM topic WHERE namespace_id = ? LIMIT 1";
const HOURS_OF = "DELETE FROM namespace_hour WHERE row BETWEEN ? AND ?";
const FORGET = "DELETE FROM namespace WHERE row = ?";

export type Tombs = ReturnType<typeof tombs>;

interface Parts {
  subscriptions: Subscriptions;
  ends: Endings;
}

export function tombs(engine: Engine, keys: KeysInMemory, { subscriptions, ends }: Parts) {
  const { write, writer, clock, namespaces } = engine;
  const { $client: db } = write;
  const { forget } = checkLog(engine);
  const q = {
    checks: db.prepare<{ row: CheckRow }, [NamespaceId, number]>(CHECKS),
    bury: db.prepare<{ row: TopicId }, [NamespaceId, Millis, number]>(BURY),
    repeats: db.prepare<{ row: number }, [NamespaceId, number]>(REPEATS),
    keys: db.prepare<{ hash: string }, [NamespaceId]>(KEYS),
    forward: db.prepare<{ row: DeviceRow }, [NamespaceId]>(FORWARD),
    topic: db.prepare<{ found: 1 }, [NamespaceId]>(TOPIC),
    hours: db.prepare<unknown, [number, number]>(HOURS_OF),
    forget: db.prepare<unknown, [NamespaceId]>(FORGET),
  };
  /** Nobody sees its topics from the commit on: their rows are deleted like those of any deleted topic. */
  const bury = (id: NamespaceId, limit: number): Committed[] =>
    q.bury.all(id, clock.now(), limit).map(({ row }) => ({ kind: "gone", topicId: row }));
  const takeChecks = (id: NamespaceId, limit: number): number => {
    const most = Math.max(1, Math.floor(limit / PER_CHECK));
    const rows = q.checks.all(id, most);
    // a check with very many named pings takes several jobs
    const isDone = rows.every(({ row }) => forget(row)) && rows.length < most;
    return isDone ? rows.length * PER_CHECK : limit;
  };
  const remove = deviceRemover(write, subscriptions, ends);
  const takeForwards = (id: NamespaceId, limit: number): number => {
    let taken = 0;
    for (let next = q.forward.get(id); next !== null && taken < limit; next = q.forward.get(id))
      taken += Math.max(1, remove(next.row, clock.now(), limit - taken));
    return taken;
  };
  return {
    bury,
    /** Returns how many rows it deleted: if fewer than `limit`, only what the sweep of topics deletes is left. */
    take: (id: NamespaceId, limit: number): number => {
      let taken = takeChecks(id, limit); // checks first: they refer to topics
      if (taken < limit) taken += takeForwards(id, limit - taken);
      if (taken < limit) taken += bury(id, limit - taken).length;
      return taken < limit ? taken + q.repeats.all(id, limit - taken).length : taken;
    },
    /** Deletes the row of the namespace itself, once no topic refers to it. */
    close: async (id: NamespaceId): Promise<void> =>
      writer.run(() => {
        if (q.topic.get(id) !== null) return { result: undefined };
        const hashes = q.keys.all(id);
        q.hours.run(hourRow(id, 0), hourRow(id, HOURS - 1));
        q.forget.run(id);
        return {
          result: undefined,
          after: () => {
            for (const { hash } of hashes) keys.delete(hash);
            namespaces.forget(id);
          },
        };
      }),
  };
}
