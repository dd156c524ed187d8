/** Checks of an import with their logs, incidents and days, inside jobs. */
import { and, eq, isNotNull } from "drizzle-orm";
import type { CheckRecord, MoveRecord } from "../../../moves/record.ts";
import type { CheckRow } from "../../../checks/check.ts";
import type { Imported, Prepared } from "../../moves.ts";
import type { Engine } from "../engine.ts";
import { dayRow, lineRow } from "../days/rollup.ts";
import { checkDay } from "../schema/days.ts";
import { check, checkEvent, checkIncident, namespace } from "../schema/schema.ts";
import type { Settings } from "../settings.ts";
import type { TopicRow } from "../topics/rows.ts";
import { at } from "./owners.ts";

type Of<Kind extends MoveRecord["kind"]> = Extract<MoveRecord, { kind: Kind }>;

const bytes = (base64: string | undefined): Uint8Array | null =>
  base64 === undefined ? null : new Uint8Array(Buffer.from(base64, "base64"));

export function checkImporter({ write, clock, checksPerNamespace }: Engine, settings: Settings) {
  const rowOf = rowFinder(write);
  return {
    check(record: CheckRecord, topic: TopicRow, { made, dueAt }: Pick<Prepared, "made" | "dueAt">): Imported {
      if (rowOf(record.id) !== undefined) return "exists";
      const { namespaceId } = topic;
      const { slug = null, name } = record.standing.settings;
      const isTaken =
        slug !== null &&
        write
          .select({ row: check.row })
          .from(check)
          .where(and(eq(check.namespaceId, namespaceId), eq(check.slug, slug)))
          .all().length > 0;
      if (isTaken) return "taken";
      const [room] = write
        .select({ checks: namespace.checks })
        .from(namespace)
        .where(eq(namespace.row, namespaceId))
        .all();
      const checks = room?.checks ?? 0;
      if (checks >= checksPerNamespace) return "too_many_checks";
      const tokenHash = record.token?.hash ?? made?.tokenHash;
      const badgeToken = record.badge_token ?? made?.badgeToken;
      if (tokenHash === undefined || badgeToken === undefined) return "no_secret";
      // watching begins now, as in checks.ts: a server that is killed before the alerter ticks was away all the same
      const isWatched = write.select({ row: check.row }).from(check).where(isNotNull(check.dueAt)).limit(1).all();
      if (dueAt !== undefined && isWatched.length === 0) settings.set("alerter_seen_at", String(clock.now()));
      write
        .insert(check)
        .values({
          ...{ id: record.id, namespaceId, topicId: topic.row, name, slug, tokenHash, badgeToken },
          ...{ oldTokenHash: record.token?.old_hash ?? null, oldTokenUntil: at(record.token?.old_until) },
          ...{ tokenGeneration: record.token?.generation ?? 0, createdAt: Date.parse(record.created_at) },
          ...{ state: record.standing.state, dueAt: dueAt ?? null, countedTo: at(record.counted_to) },
          standing: JSON.stringify(record.standing),
        })
        .run();
      write
        .update(namespace)
        .set({ checks: checks + 1 })
        .where(eq(namespace.row, namespaceId))
        .run();
      return "created";
    },
  };
}

/** What is kept beside a check. */
export function historyImporter({ write }: Pick<Engine, "write">) {
  const rowOf = rowFinder(write);
  return {
    namespaceOf: (id: string): string | undefined =>
      write
        .select({ name: namespace.name })
        .from(check)
        .innerJoin(namespace, eq(namespace.row, check.namespaceId))
        .where(eq(check.id, id))
        .all()[0]?.name,

    event(record: Of<"check_event">): Imported {
      const owner = rowOf(record.check);
      if (owner === undefined) return "unknown_check";
      const { n, event, head, tail } = record;
      const line = { row: lineRow(owner, n), n, json: JSON.stringify(event), head: bytes(head), tail: bytes(tail) };
      return put(write.insert(checkEvent).values(line).onConflictDoNothing().returning().all());
    },

    /** `messages`: the rows of those that reported it. */
    incident(record: Of<"check_incident">, messages: { down: number | null; up: number | null }): Imported {
      const owner = rowOf(record.check);
      if (owner === undefined) return "unknown_check";
      const told = { downMessage: messages.down, upMessage: messages.up, closedAt: at(record.closed_at) };
      const values = { checkRow: owner, n: record.n, json: JSON.stringify(record.incident), ...told };
      return put(write.insert(checkIncident).values(values).onConflictDoNothing().returning().all());
    },

    day(record: Of<"check_day">): Imported {
      const owner = rowOf(record.check);
      if (owner === undefined) return "unknown_check";
      const {
        day,
        up_ms: upMs,
        down_ms: downMs,
        quiet_ms: quietMs,
        away_ms: awayMs,
        usual_ms: usualMs = null,
      } = record;
      const values = {
        row: dayRow(owner, day),
        day,
        upMs,
        downMs,
        quietMs,
        awayMs,
        hasOk: record.has_ok ? 1 : 0,
        usualMs,
      };
      return put(write.insert(checkDay).values(values).onConflictDoNothing().returning().all());
    },
  };
}

const rowFinder =
  (write: Engine["write"]) =>
  (id: string): CheckRow | undefined =>
    write.select({ row: check.row }).from(check).where(eq(check.id, id)).all()[0]?.row;

const put = (rows: readonly unknown[]): Imported => (rows.length > 0 ? "created" : "exists");
