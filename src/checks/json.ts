/** The JSON of checks, their log and their incidents (CHECKINS.md §3). */
import type { LoggedEvent, PastIncident } from "../store/checks.ts";
import { type Millis, optionalRfc3339, rfc3339 } from "../util/clock.ts";
import { defined } from "../util/defined.ts";
import { sha256 } from "../util/ids.ts";
import type { BadgeState } from "./badge.ts";
import { type Check, isLate, isRunning, looksLikeWrongZone, type Standing } from "./check.ts";
import { marginsNow } from "./schedule/schedule.ts";
import type { CheckRecord, EventRecord, IncidentRecord } from "./schema.ts";
import type { Shown } from "../tokens/shown.ts";

export const pingUrl = (base: string, token: string): string => `${base}/v1/ping/${token}`;

export const badgeState = (standing: Standing, now: Millis): BadgeState =>
  isLate(standing, now) ? "late" : standing.state;

/** Without tokens: who asks may not see the URL that pings it. */
export type Seen = Omit<Shown, "tokens"> & Partial<Pick<Shown, "tokens">>;

/** The URL that pings a check; undefined if it cannot be made, or is not for whoever asks. */
export function pingUrlOf({ id, tokenGeneration, tokenHash }: Check, { base, tokens }: Seen): string | undefined {
  const token = tokens?.ofCheck(id, tokenGeneration);
  return token !== undefined && sha256(token) === tokenHash ? pingUrl(base, token) : undefined;
}

export function checkJson(check: Check, about: Seen): CheckRecord {
  const { now, base } = about;
  const { id, namespace, topic, badgeToken, createdAt, standing } = check;
  const { settings, state, slotAt, deadlineAt, incident } = standing;
  const { schedule, level, priority } = settings;
  const { graceMs, earlyMs, maxRunMs } = marginsNow(standing, now);
  return defined<CheckRecord>({
    ...{ id, namespace, name: settings.name, slug: settings.slug, topic: topic.key, topic_name: topic.name },
    tags: [...settings.tags],
    ...(schedule.kind === "every" && { every: seconds(schedule.everyMs) }),
    ...(schedule.kind === "cron" && { cron: schedule.expression, timezone: schedule.timezone }),
    ...{ grace: seconds(graceMs), early: seconds(earlyMs), max_run: seconds(maxRunMs) },
    ...{ fail_after: settings.failAfter, recover_after: settings.recoverAfter },
    remind_every: seconds(settings.remindEveryMs),
    remind_max: settings.remindMax,
    ...{ notify_late: settings.notifyLate, notify_success: settings.notifySuccess },
    ...{ post_only: settings.postOnly, armed: settings.armed },
    ...{ level, priority, paused: state === "paused" },
    paused_at: optionalRfc3339(standing.paused?.at),
    paused_by: standing.paused?.by,
    muted_until: optionalRfc3339(standing.mutedUntil),
    ...{ state, late: isLate(standing, now), running: isRunning(standing) },
    ping_url: pingUrlOf(check, about),
    badge_url: `${base}/v1/${namespace}/badges/${badgeToken}.svg`,
    pings: standing.events,
    last_ok_at: optionalRfc3339(standing.lastOkAt),
    last_event_at: optionalRfc3339(standing.lastEventAt),
    last_duration: inSeconds(standing.lastDurationMs),
    next_slot_at: optionalRfc3339(slotAt),
    deadline_at: optionalRfc3339(deadlineAt),
    incident: incident && incidentJson(incident),
    hint: looksLikeWrongZone(standing) ? "looks like a time zone mismatch" : undefined,
    created_at: rfc3339(createdAt),
  });
}

export function incidentJson(incident: PastIncident): IncidentRecord {
  const { n, reason, missed, exit, reminders } = incident;
  return defined<IncidentRecord>({
    ...{ n, reason, opened_at: rfc3339(incident.openedAt) },
    closed_at: optionalRfc3339(incident.closedAt),
    expected_at: optionalRfc3339(incident.expectedAt),
    deadline_at: optionalRfc3339(incident.deadlineAt),
    ...{ missed, exit, server_gap: incident.gap !== undefined },
    acked_at: optionalRfc3339(incident.ackedAt),
    ...{ acked_by: incident.ackedBy, reminders },
  });
}

export function eventJson(event: LoggedEvent): EventRecord {
  const { n, kind, rid, exit, reason, by, method, address, userAgent, bodyBytes } = event;
  return defined<EventRecord>({
    ...{ n, kind, at: rfc3339(event.at), rid, exit, duration: inSeconds(event.durationMs), reason, by },
    ...{ method, address, user_agent: userAgent, body_bytes: bodyBytes },
  });
}

const seconds = (ms: number): number => Math.round(ms / 1000);
const inSeconds = (ms: number | undefined): number | undefined => (ms === undefined ? undefined : ms / 1000);
