/** Stores what a decision changes, inside a job: standing, log, alerts and incident. */
import type {
  Check,
  CheckRow,
  Decision,
  Incident,
  NamedPing,
  PingSource,
  Recorded,
  Told,
} from "../../../checks/check.ts";
import type { Millis } from "../../../util/clock.ts";
import { type LoggedEvent, type PastIncident, type Rules } from "../../checks.ts";
import type { Committed } from "../../store.ts";
import type { Found } from "./rows.ts";
import { dayCounter } from "./days.ts";
import { takers } from "../topics/destination.ts";
import type { Engine } from "../engine.ts";
import type { NamedPings } from "./named.ts";
import { withOutbox } from "../deliveries/fanout.ts";
import { appender } from "../messages/batch.ts";
import { lineRow } from "../days/rollup.ts";
import { toTopicOfMessage } from "../topics/rows.ts";

/** How many incidents of a check are kept. */
const INCIDENTS = 1_000;

/** A check before and after a decision. */
export interface Settlement {
  before: Found;
  /** With the standing that was decided. */
  check: Check;
  json: string;
  decision: Decision;
}

/** Calls the rules; writes nothing. `known`: earlier pings of the run that they name. */
export function decided(before: Found, rules: Rules, known: readonly NamedPing[] = []): Settlement {
  const decision = rules.decide(before.check, known);
  const check: Check = { ...before.check, standing: decision.after };
  const dueAt = rules.dueAt(decision.after);
  if (dueAt === undefined) delete check.dueAt;
  else check.dueAt = dueAt;
  return { before, check, json: JSON.stringify(decision.after), decision };
}

/** Whether there is nothing to write. */
export const isIdle = ({ before, check, json, decision }: Settlement): boolean =>
  json === before.json &&
  check.dueAt === before.check.dueAt &&
  decision.recorded.length === 0 &&
  decision.alerts.length === 0;

/** Stores decisions on checks of one topic, and their alerts as its messages; returns what announces those. */
export type Settle = (settlements: readonly Settlement[], rules: Rules, source?: PingSource) => readonly Committed[];

// by hand, because a ping or one of 10,000 alerts in a second runs all of it: drizzle's binding costs as much as the statement
const STAND = 'UPDATE "check" SET standing = ?, due_at = ?, counted_to = coalesce(?, counted_to) WHERE row = ?';
const TURN =
  'UPDATE "check" SET standing = ?, due_at = ?, counted_to = coalesce(?, counted_to), state = ? WHERE row = ?';
const NAME = 'UPDATE "check" SET name = ?, slug = ? WHERE row = ?';
const LOG = `INSERT INTO check_event (row, n, json, head, tail) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (row) DO UPDATE SET n = excluded.n, json = excluded.json, head = excluded.head, tail = excluded.tail`;
const KEEP = `INSERT INTO check_incident AS was (check_row, n, json, closed_at, down_message, up_message) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (check_row, n) DO UPDATE SET json = excluded.json, closed_at = excluded.closed_at,
    down_message = coalesce(was.down_message, excluded.down_message), up_message = coalesce(was.up_message, excluded.up_message)
  WHERE (was.down_message IS NULL OR excluded.down_message IS NULL) AND (was.up_message IS NULL OR excluded.up_message IS NULL)`;
const FORGET = "DELETE FROM check_incident WHERE check_row = ? AND n <= ?";

export function settler(engine: Engine, named: NamedPings): Settle {
  const { write, clock } = engine;
  const tell = teller(engine);
  const keep = incidentKeeper(engine);
  const countDays = dayCounter(engine);
  const stand = write.$client.prepare(STAND);
  const turn = write.$client.prepare(TURN);
  const name = write.$client.prepare(NAME);
  const log = write.$client.prepare(LOG);

  const record = (row: CheckRow, n: number, recorded: Recorded, source?: PingSource) => {
    const { body, ...request } = isPing(recorded) ? (source ?? {}) : {};
    const event: Omit<LoggedEvent, "n"> = { ...recorded, ...request, ...(body && { bodyBytes: body.totalBytes }) };
    log.run(lineRow(row, n), n, JSON.stringify(event), body?.head ?? null, body?.tail ?? null);
  };
  const update = ({ before, check: { row, dueAt, standing }, json }: Settlement, countedTo?: Millis) => {
    const { state, settings } = standing;
    const was = before.check.standing;
    // separately: each column that is set costs its index, even if nothing changes
    const times = [dueAt ?? null, countedTo ?? null] as const;
    if (state === was.state) stand.run(json, ...times, row);
    else turn.run(json, ...times, state, row);
    if (settings.name !== was.settings.name || settings.slug !== was.settings.slug)
      name.run(settings.name, settings.slug ?? null, row);
  };

  return (settlements, rules, source) => {
    const now = clock.now();
    const changed = settlements.filter((settlement) => !isIdle(settlement));
    for (const settlement of changed) {
      const { check, decision } = settlement;
      // first, because it reads the log as it was
      update(settlement, countDays(settlement.before, check, rules));
      const first = check.standing.events - decision.recorded.length + 1;
      decision.recorded.forEach((recorded, index) => {
        record(check.row, first + index, recorded, source);
      });
      for (const ping of decision.named) named.keep(check.row, ping);
    }
    const { events, seqs } = tell(changed, rules, now);
    for (const settlement of changed) keep(settlement, seqs, now);
    const seen = new Set(changed.map(({ check: { namespaceId } }) => namespaceId));
    return [...events, ...[...seen].map((namespaceId) => ({ kind: "hint", of: "check", namespaceId }) as const)];
  };
}

const isPing = ({ kind }: Recorded): boolean =>
  kind === "ok" || kind === "fail" || kind === "start" || kind === "log" || kind === "ignored";

/** `seq` of the message that tells an alert. */
type Seqs = ReadonlyMap<Told["alert"], number>;

/** Turns alerts on one topic into messages, in the same way as publishes. */
function teller(engine: Engine) {
  const take = takers(engine.write);
  const append = appender(engine);
  return (
    settlements: readonly Settlement[],
    rules: Rules,
    now: Millis,
  ): { events: readonly Committed[]; seqs: Seqs } => {
    const told = settlements.flatMap(({ check, decision }) => decision.alerts.map((alert) => ({ check, alert })));
    const [first] = told;
    const seqs = new Map<Told["alert"], number>();
    if (first === undefined) return { events: [], seqs };
    const composed = rules.compose(told);
    const row = take.byRow(first.check.topic.id, now, composed.length);
    if (row === undefined) throw new Error("a check alerts to a topic that is gone");
    const topic = toTopicOfMessage(row, engine.namespaces.name(row.namespaceId));
    const isFollowed = row.subscribers > 0;
    const firstId = row.lastId - composed.length + 1;
    const fresh = composed.map(({ draft }, index) => {
      const json = JSON.stringify(draft);
      return { topic, id: firstId + index, isFollowed, draft, json };
    });
    const events = append(fresh, now).map((event, index) => {
      const alerts = composed[index]?.told ?? [];
      for (const { alert } of alerts) seqs.set(alert, event.message.seq);
      return { ...event, alerts: alerts.map(({ alert }) => alert.kind) };
    });
    if (told.some(({ alert }) => !seqs.has(alert))) throw new Error("an alert is in no message");
    return { events: withOutbox(events, isFollowed), seqs };
  };
}

/** Stores the incident that is open after the decision, and the earlier one, which is closed. */
function incidentKeeper({ write }: Engine): (settlement: Settlement, seqs: Seqs, now: Millis) => void {
  const upsert = write.$client.prepare(KEEP);
  const forget = write.$client.prepare(FORGET);
  return ({ before, check, decision }, seqs, now) => {
    const put = (incident: PastIncident) => {
      const message = (kind: "down" | "up") => {
        const alert = decision.alerts.find((one) => one.kind === kind && one.incident?.n === incident.n);
        return (alert && seqs.get(alert)) ?? null;
      };
      const { n, closedAt = null } = incident;
      const told = [message("down"), message("up")] as const;
      if (upsert.run(check.row, n, JSON.stringify(incident), closedAt, ...told).changes === 0)
        throw new Error(`incident ${n} was told already`);
    };
    const was = before.check.standing.incident;
    const { incident } = check.standing;
    if (was !== undefined && was.n !== incident?.n) put(closed(was, decision, now));
    if (incident !== undefined && (incident !== was || decision.alerts.length > 0)) put(incident);
    if (incident !== undefined && incident.n > INCIDENTS && incident.n !== was?.n)
      forget.run(check.row, incident.n - INCIDENTS);
  };
}

/** By what was recorded last: the success, or the pause. */
function closed(was: Incident, { recorded, alerts }: Decision, now: Millis): PastIncident {
  const last = alerts.find(({ kind, incident }) => kind === "up" && incident?.n === was.n)?.incident ?? was;
  return { ...last, closedAt: recorded.at(-1)?.at ?? now };
}
