/** `GET /v1/summary`: a namespace in flat numbers, for the widgets of Homepage, Glance and others (docs/widgets.md). */
import { type Static, Type } from "@sinclair/typebox";
import { isLate } from "../checks/check.ts";
import { everyCheck } from "../checks/every.ts";
import type { Deps } from "../deps.ts";
import { LEVELS } from "../drafts/draft.ts";
import { endpointsOf, routesOf } from "../keys/endpoint.ts";
import type { NamespaceId } from "../keys/namespace.ts";
import { json } from "../http/respond.ts";
import { NO_MESSAGES, sumOf } from "../store/days.ts";
import { DAY, HOUR, rfc3339 } from "../util/clock.ts";
import { choice } from "../util/schema.ts";

type SummaryDeps = Pick<Deps, "clock" | "store" | "keyUse" | "limits" | "log" | "backups">;

const count = (description: string) => Type.Integer({ minimum: 0, description });

/** The names are stable: dashboards have them in their settings. */
const Summary = Type.Object({
  namespace: Type.String(),
  status: choice(["ok", "warning", "down"], {
    description:
      "`down`: a check is down or the store is in trouble. `warning`: one is late, an alert is open or a push failed.",
  }),
  checks: count("All checks."),
  checks_up: count("In time. A check that is late is not counted here."),
  checks_late: count("Expected, and not down yet."),
  checks_down: count("Down."),
  checks_paused: count("Paused."),
  checks_new: count("Never checked in."),
  incidents_open: count("Checks that are down and that nobody has acknowledged."),
  alerts_open: count(
    "Alerts of other tools that fire, and urgent messages that ask for it, not acknowledged; at most 100.",
  ),
  messages_24h: count("Published in the last 24 hours, to the hour."),
  messages_24h_info: count("Of these, with level info."),
  messages_24h_success: count("Of these, with level success."),
  messages_24h_warning: count("Of these, with level warning."),
  messages_24h_error: count("Of these, with level error."),
  pushes_failed_24h: count("Pushes of the last 24 hours that no push service accepted; at most 500."),
  last_message_at: Type.Optional(Type.String({ format: "date-time", description: "Absent: there is none." })),
  last_backup_at: Type.Optional(
    Type.String({ format: "date-time", description: "Of the server. Absent: there is none in its folder of backups." }),
  ),
});

const MOST_OPEN = 50;

const endpoint = endpointsOf<SummaryDeps>("server");

const summary = endpoint("GET /v1/summary", {
  summary: "The namespace in flat numbers, for widgets of dashboards",
  scope: "read",
  answers: { 200: { description: "Counts at this moment.", schema: Summary } },
  handle: async ({ deps, principal: { namespaceId, namespace } }) =>
    json(await summaryOf(deps, namespaceId, namespace)),
});

export const summaryRoutes = (deps: SummaryDeps) => routesOf(deps, [summary]);

async function summaryOf(deps: SummaryDeps, id: NamespaceId, namespace: string): Promise<Static<typeof Summary>> {
  const { clock, store, backups } = deps;
  const now = clock.now();
  const ids = [id];
  const since = now - DAY;
  const [states, late, trouble, open, byHour, [last]] = await Promise.all([
    store.overview.checks(ids),
    lateIn(deps, id),
    store.overview.trouble(ids, since),
    store.overview.open({ namespaces: ids }, { asksSince: 0, firesSince: 0, limit: MOST_OPEN }),
    store.days.hours(ids, Math.floor(since / HOUR) + 1),
    store.overview.latest(ids, 1),
  ]);
  const messages = [...(byHour.get(id)?.values() ?? [])].reduce(sumOf, NO_MESSAGES);
  const alerts = open.asking.length + open.firing.length;
  const isDown = states.down > 0 || store.trouble() !== undefined;
  const [backup] = backups.list();
  return {
    namespace,
    status: isDown ? "down" : late.all > 0 || alerts > 0 || trouble.failed > 0 ? "warning" : "ok",
    checks: states.new + states.up + states.down + states.paused,
    checks_up: states.up - late.up,
    checks_late: late.all,
    checks_down: states.down,
    checks_paused: states.paused,
    checks_new: states.new - (late.all - late.up),
    incidents_open: trouble.down,
    alerts_open: alerts,
    messages_24h: LEVELS.reduce((sum, level) => sum + messages[level], 0),
    messages_24h_info: messages.info,
    messages_24h_success: messages.success,
    messages_24h_warning: messages.warning,
    messages_24h_error: messages.error,
    pushes_failed_24h: trouble.failed,
    ...(last !== undefined && { last_message_at: rfc3339(last.message.createdAt) }),
    ...(backup !== undefined && { last_backup_at: rfc3339(backup.madeAt) }),
  };
}

/** Late is derived from each check: no index knows it. `up`: those that were up, as opposed to new. */
async function lateIn(deps: SummaryDeps, id: NamespaceId): Promise<{ all: number; up: number }> {
  const late = { all: 0, up: 0 };
  const now = deps.clock.now();
  for await (const { standing } of everyCheck(deps, id))
    if (isLate(standing, now)) {
      late.all++;
      if (standing.state === "up") late.up++;
    }
  return late;
}
