/** The JSON of checks, their log and their incidents (CHECKINS.md §3). */
import type { LoggedEvent, PastIncident } from "../store/checks.ts";
import { type Millis, rfc3339 } from "../util/clock.ts";
import { sha256 } from "../util/ids.ts";
import type { BadgeState } from "./badge.ts";
import { type Check, isLate, isRunning, looksLikeWrongZone, type Standing } from "./check.ts";
import { marginsNow } from "./schedule/schedule.ts";
import type { CheckRecord, EventRecord, IncidentRecord } from "./schema.ts";
import type { Tokens } from "../tokens/tokens.ts";

/** What the record of a check needs besides the check. */
export interface Shown {
  now: Millis;
  /** The server's address, as this request reached it: absolute URLs begin with it. */
  base: string;
  tokens: Tokens;
}

export const pingUrl = (base: string, token: string): string => `${base}/v1/ping/${token}`;

export const badgeState = (standing: Standing, now: Millis): BadgeState =>
  isLate(standing, now) ? "late" : standing.state;

export function checkJson(check: Check, { now, base, tokens }: Shown): CheckRecord {
  const { id, namespace, topic, badgeToken, createdAt, standing } = check;
  const { settings, state, slotAt, deadlineAt, incident } = standing;
  const { schedule, level, priority } = settings;
  const { graceMs, earlyMs, maxRunMs } = marginsNow(standing, now);
  const token = tokens.ofCheck(id, check.tokenGeneration);
  return {
    id,
    namespace,
    name: settings.name,
    ...(settings.slug !== undefined && { slug: settings.slug }),
    topic: topic.key,
    topic_name: topic.name,
    tags: [...settings.tags],
    ...(schedule.kind === "every" && { every: seconds(schedule.everyMs) }),
    ...(schedule.kind === "cron" && { cron: schedule.expression, timezone: schedule.timezone }),
    ...{ grace: seconds(graceMs), early: seconds(earlyMs), max_run: seconds(maxRunMs) },
    ...{ fail_after: settings.failAfter, recover_after: settings.recoverAfter },
    remind_every: seconds(settings.remindEveryMs),
    ...(settings.remindMax !== undefined && { remind_max: settings.remindMax }),
    ...{ notify_late: settings.notifyLate, notify_success: settings.notifySuccess },
    ...{ post_only: settings.postOnly, armed: settings.armed },
    ...(level !== undefined && { level }),
    ...(priority !== undefined && { priority }),
    paused: state === "paused",
    ...at("paused_at", standing.paused?.at),
    ...(standing.paused?.by !== undefined && { paused_by: standing.paused.by }),
    ...at("muted_until", standing.mutedUntil),
    state,
    late: isLate(standing, now),
    running: isRunning(standing),
    ...(sha256(token) === check.tokenHash && { ping_url: pingUrl(base, token) }),
    badge_url: `${base}/v1/${namespace}/badges/${badgeToken}.svg`,
    pings: standing.events,
    ...at("last_ok_at", standing.lastOkAt),
    ...at("last_event_at", standing.lastEventAt),
    ...(standing.lastDurationMs !== undefined && { last_duration: standing.lastDurationMs / 1000 }),
    ...at("next_slot_at", slotAt),
    ...at("deadline_at", deadlineAt),
    ...(incident !== undefined && { incident: incidentJson(incident) }),
    ...(looksLikeWrongZone(standing) && { hint: "looks like a time zone mismatch" }),
    created_at: rfc3339(createdAt),
  };
}

export function incidentJson(incident: PastIncident): IncidentRecord {
  const { n, reason, missed, exit, reminders } = incident;
  return {
    ...{ n, reason, opened_at: rfc3339(incident.openedAt) },
    ...at("closed_at", incident.closedAt),
    ...at("expected_at", incident.expectedAt),
    ...at("deadline_at", incident.deadlineAt),
    missed,
    ...(exit !== undefined && { exit }),
    server_gap: incident.gap !== undefined,
    ...at("acked_at", incident.ackedAt),
    ...(incident.ackedBy !== undefined && { acked_by: incident.ackedBy }),
    reminders,
  };
}

export function eventJson({
  n,
  kind,
  at: when,
  rid,
  exit,
  durationMs,
  reason,
  by,
  ...source
}: LoggedEvent): EventRecord {
  const { method, address, userAgent, bodyBytes } = source;
  return {
    ...{ n, kind, at: rfc3339(when) },
    ...(rid !== undefined && { rid }),
    ...(exit !== undefined && { exit }),
    ...(durationMs !== undefined && { duration: durationMs / 1000 }),
    ...(reason !== undefined && { reason }),
    ...(by !== undefined && { by }),
    ...(method !== undefined && { method }),
    ...(address !== undefined && { address }),
    ...(userAgent !== undefined && { user_agent: userAgent }),
    ...(bodyBytes !== undefined && { body_bytes: bodyBytes }),
  };
}

const seconds = (ms: number): number => Math.round(ms / 1000);

/** A field with a time, left out if it is unknown. */
const at = <Name extends string>(name: Name, when: Millis | undefined) =>
  (when === undefined ? {} : { [name]: rfc3339(when) }) as { [Key in Name]?: string };
