/** The records of an export: checks with their logs, incidents and days. */
import { and, asc, eq, gte, lte } from "drizzle-orm";
import type { MoveRecord } from "../../../moves/record.ts";
import { rfc3339 } from "../../../util/clock.ts";
import { defined } from "../../../util/defined.ts";
import { lineRow, ofDays } from "../days/rollup.ts";
import { checkDay } from "../schema/days.ts";
import { check, checkEvent, checkIncident } from "../schema/schema.ts";
import { LOG_LINES } from "../../checks.ts";
import { time, tokensOf, topicsOf, type Reading } from "./read.ts";

type Of<Kind extends MoveRecord["kind"]> = Extract<MoveRecord, { kind: Kind }>;
type Json = Record<string, unknown>;

export function* recordsOfChecks(reading: Reading): Generator<MoveRecord> {
  const { orm, withSecrets } = reading;
  const places = new Map(topicsOf(reading).map(({ row, place }) => [row.row, place]));
  for (const row of orm.select().from(check).orderBy(asc(check.row)).all()) {
    const place = places.get(row.topicId);
    if (place === undefined) continue;
    yield defined<Of<"check">>({
      ...{ kind: "check", id: row.id, ...place, created_at: rfc3339(row.createdAt) },
      standing: JSON.parse(row.standing) as Of<"check">["standing"],
      counted_to: time(row.countedTo),
      token: withSecrets ? tokensOf(row) : undefined,
      badge_token: withSecrets ? row.badgeToken : undefined,
    });
    yield* history(reading, row);
  }
}

const base64 = (bytes: Uint8Array | null): string | undefined =>
  bytes === null ? undefined : Buffer.from(bytes).toString("base64");

function* history({ orm }: Reading, { row, id }: Pick<typeof check.$inferSelect, "row" | "id">): Generator<MoveRecord> {
  const first = lineRow(row, 0);
  const lines = orm
    .select()
    .from(checkEvent)
    .where(and(gte(checkEvent.row, first), lte(checkEvent.row, first + LOG_LINES - 1)))
    .orderBy(asc(checkEvent.n))
    .all();
  for (const { n, json, head, tail } of lines) {
    const bodies = { head: base64(head), tail: base64(tail) };
    yield defined<Of<"check_event">>({ kind: "check_event", check: id, n, event: JSON.parse(json) as Json, ...bodies });
  }
  const incidents = orm
    .select()
    .from(checkIncident)
    .where(eq(checkIncident.checkRow, row))
    .orderBy(asc(checkIncident.n))
    .all();
  for (const { n, json, closedAt, downMessage, upMessage } of incidents)
    yield defined<Of<"check_incident">>({
      ...{ kind: "check_incident", check: id, n, incident: JSON.parse(json) as Json, closed_at: time(closedAt) },
      ...{ down: told(orm, downMessage), up: told(orm, upMessage) },
    });
  const days = ofDays(row);
  const rows = orm
    .select()
    .from(checkDay)
    .where(and(gte(checkDay.row, days.first), lte(checkDay.row, days.last)))
    .orderBy(asc(checkDay.row))
    .all();
  for (const one of rows)
    yield defined<Of<"check_day">>({
      ...{ kind: "check_day", check: id, day: one.day, up_ms: one.upMs, down_ms: one.downMs },
      ...{ quiet_ms: one.quietMs, away_ms: one.awayMs, has_ok: one.hasOk === 1, usual_ms: one.usualMs ?? undefined },
    });
}

/** A message by its topic and id, which an import keeps; undefined if retention has deleted it. */
const told = (orm: Reading["orm"], seq: number | null): Of<"check_incident">["down"] =>
  seq === null
    ? undefined
    : (orm.$client
        .query<{ topic: string; id: number }, [number]>(
          "SELECT t.name AS topic, m.id FROM message m JOIN topic t ON t.row = m.topic_id WHERE m.row = ?",
        )
        .get(seq) ?? undefined);
