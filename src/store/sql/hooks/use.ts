/** What a publish by a hook stores with the hook, in the job of its message. */
import type { CameBy, HookRow } from "../../../hooks/hook.ts";
import type { TopicId } from "../../../topics/topic.ts";
import type { Millis } from "../../../util/clock.ts";
import { REQUESTS_KEPT, type HookToken, type Use } from "../../hooks.ts";
import { JOIN_IN_ORDER, jsonField, jsonTrue, oneIf, type Orm } from "../differences.ts";
import type { Engine } from "../engine.ts";

// by hand: each publish by a hook runs them
const isOf = (name: string) => `SELECT 1 AS found FROM hook
  WHERE row = ?1 AND (${name}_hash = ?2 OR (old_${name}_hash = ?2 AND old_token_until > ?3))`;
const NOTE = `UPDATE hook SET requests = requests + 1, last_used_at = ?2, last_used_from = ?3, last_source = ?4
  WHERE row = ?1 RETURNING requests AS n, ${oneIf(jsonTrue("settings", "isForgetful"))} AS isForgetful`;
const KEEP = `INSERT INTO hook_request (row, n, at, message_id, json, body) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (row) DO UPDATE SET n = excluded.n, at = excluded.at, message_id = excluded.message_id, json = excluded.json,
    body = excluded.body`;
// at most 20 rings of 20 places; only requests that wait are read
const FIRED = `UPDATE hook_request SET message_id = ?1 WHERE row IN (
  SELECT r.row FROM hook h ${JOIN_IN_ORDER} hook_request r
    ON r.row BETWEEN h.row * ${REQUESTS_KEPT} AND (h.row + 1) * ${REQUESTS_KEPT} - 1
  WHERE h.topic_id = ?2 AND r.message_id IS NULL AND ${jsonField("r.json", "scheduled")} = ?3) RETURNING row`;
const FORGET = `DELETE FROM hook_request WHERE row IN
  (SELECT row FROM hook_request WHERE row BETWEEN ?1 AND ?2 LIMIT ?3) RETURNING row`;

/** The place of a request in the ring of its hook. */
const placeOf = (row: HookRow, n: number): number => row * REQUESTS_KEPT + (n % REQUESTS_KEPT);
/** The ring of a hook. */
export const ringOf = (row: HookRow): [first: number, last: number] => [
  row * REQUESTS_KEPT,
  (row + 1) * REQUESTS_KEPT - 1,
];

export function hookNoter({ write: { $client: db }, clock }: Engine) {
  const byUrl = db.prepare<{ found: 1 }, [HookRow, string, Millis]>(isOf("token"));
  const byGotify = db.prepare<{ found: 1 }, [HookRow, string, Millis]>(isOf("gotify"));
  const note = db.prepare<{ n: number; isForgetful: 0 | 1 }, [HookRow, Millis, string, string]>(NOTE);
  const keep = db.prepare(KEEP);
  const holds = (row: HookRow, token: HookToken, now: Millis) =>
    "url" in token ? byUrl.get(row, token.url, now) : byGotify.get(row, token.gotify, now);

  return {
    /** Whether the token is still the hook's. */
    isOf: ({ row, token }: Use): boolean => holds(row, token, clock.now()) !== null,
    /** Counts the request, and keeps it unless the hook is forgetful. */
    keep({ row, came, body }: Use, source: string, made: { messageId: number } | { scheduled: string }): void {
      const now = clock.now();
      const noted = note.get(row, now, came.from, source);
      if (noted === null || noted.isForgetful === 1) return;
      const { n } = noted;
      const [messageId, waits] = "messageId" in made ? [made.messageId, {}] : [null, made];
      const json = JSON.stringify({ ...came, source, ...waits } satisfies CameBy);
      keep.run(placeOf(row, n), n, now, messageId, json, body ?? null);
    },
  };
}

/** Gives the requests of a topic's hooks whose message waited its id, inside a job. False: there were none. */
export function hookFirer({ $client: db }: Orm): (topicId: TopicId, scheduled: string, messageId: number) => boolean {
  const fired = db.prepare<{ row: number }, [number, TopicId, string]>(FIRED);
  return (topicId, scheduled, messageId) => fired.all(messageId, topicId, scheduled).length > 0;
}

/** Deletes up to `limit` requests of a hook, inside a job; returns how many. */
export function requestForgetter({ $client: db }: Orm): (row: HookRow, limit?: number) => number {
  const forget = db.prepare<{ row: number }, [number, number, number]>(FORGET);
  return (row, limit = REQUESTS_KEPT) => forget.all(...ringOf(row), limit).length;
}
