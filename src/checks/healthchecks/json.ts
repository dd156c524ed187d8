/**
 * Checks, pings and flips as Healthchecks shows them (https://github.com/healthchecks/healthchecks, `to_dict` in hc/api/models.py;
 * CHECKINS.md §10). Pure.
 */
import type { LoggedEvent, PastIncident } from "../../store/checks.ts";
import type { TopicId } from "../../topics/topic.ts";
import type { Millis } from "../../util/clock.ts";
import { sha1, sha256 } from "../../util/ids.ts";
import { uuidOf, uuidOfHash } from "../../util/uuid.ts";
import { type Check, isLate, isRunning, type Standing } from "../check.ts";
import { pingUrlOf, type Seen } from "../json.ts";
import { marginsNow } from "../schedule/schedule.ts";

/** Of `/api/v1/…`; what differs between them is said where it does. */
export type Version = 1 | 2 | 3;

/** How Healthchecks names a check to keys that only read: half of the UUID, hashed. */
export const uniqueKey = (id: string): string => sha1(uuidOf(id).replaceAll("-", "").slice(0, 16));

/** A topic is a channel. Its id stays when it is renamed or gets another key. */
export const channelId = (topicId: TopicId): string => uuidOfHash(sha256(`channel/${topicId}`));

/** ISO 8601 without fractions, in the form of Python's `isoformat`. */
const iso = (at: Millis): string => new Date(at).toISOString().replace(/\.\d+Z$/, "+00:00");
/** The same with microseconds. */
const isoMicros = (at: Millis): string => new Date(at).toISOString().replace("Z", "000+00:00");

interface About extends Seen {
  version: Version;
  /** The key may change the check: then it has a UUID and URLs, else a `unique_key`. */
  mayChange: boolean;
  /** When it last failed, if it did after its last success. */
  failedAt: Millis | undefined;
}

export function checkDict(check: Check, about: About): Record<string, unknown> {
  const { version, mayChange, now, base, failedAt } = about;
  const { id, namespace, standing, topic, badgeToken } = check;
  const { settings, lastOkAt, lastDurationMs } = standing;
  const { schedule, resumeByPing } = settings;
  const [uuid, lastAt] = [uuidOf(id), Math.max(lastOkAt ?? 0, failedAt ?? 0)];
  const url = `${base}/api/v${version}/checks/${uuid}`;
  return {
    ...{ name: settings.name, slug: settings.slug ?? "", tags: settings.tags.join(" ") },
    ...{ desc: settings.description ?? "", grace: wholeSeconds(marginsNow(standing, now).graceMs) },
    ...{ n_pings: standing.events, status: statusOf(standing, now, version), started: isRunning(standing) },
    ...{ last_ping: lastAt === 0 ? null : iso(lastAt), next_ping: nextPing(standing) },
    ...{ manual_resume: resumeByPing !== true, methods: settings.postOnly ? "POST" : "" },
    // peal takes no pings by mail and looks for no words in what a job sends
    ...{ subject: "", subject_fail: "", start_kw: "", success_kw: "", failure_kw: "" },
    ...{ filter_subject: false, filter_body: false, filter_http_body: false, filter_default_fail: false },
    badge_url: `${base}/v1/${namespace}/badges/${badgeToken}.svg`,
    ...(lastDurationMs !== undefined && { last_duration: Math.floor(lastDurationMs / 1000) }),
    ...(mayChange
      ? {
          ...{ uuid, ping_url: pingUrlOf(check, about) },
          ...{ update_url: url, pause_url: `${url}/pause`, resume_url: `${url}/resume`, channels: channelId(topic.id) },
        }
      : { unique_key: uniqueKey(id) }),
    ...(schedule.kind === "every" && { timeout: wholeSeconds(schedule.everyMs) }),
    ...(schedule.kind === "cron" && { schedule: schedule.expression, tz: schedule.timezone }),
  };
}

const wholeSeconds = (ms: number): number => Math.round(ms / 1000);

/** Version 1 has a word for a check whose job runs; the later ones have only `started` for it. */
function statusOf(standing: Standing, now: Millis, version: Version): string {
  if (version === 1 && standing.runs.some(({ hasOverrun }) => !hasOverrun)) return "started";
  return isLate(standing, now) ? "grace" : standing.state;
}

const nextPing = ({ state, slotAt }: Standing): string | null =>
  slotAt === undefined || state === "down" || state === "paused" ? null : iso(slotAt);

const TYPES: ReadonlyMap<string, string> = new Map([
  ["ok", "success"],
  ["fail", "fail"],
  ["start", "start"],
  ["log", "log"],
  ["ignored", "ign"],
]);
/** Clients expect a UUID; runs of peal may have other names. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The pings of a log, in its order. `url`: of the check, absent if the key may not read what a job sent. */
export const pingDicts = (
  events: readonly LoggedEvent[],
  { url, scheme }: { url: string | undefined; scheme: string },
): object[] =>
  events.flatMap(
    ({ kind, n, at, method = "", address = null, userAgent = "", rid = "", durationMs, bodyBytes = 0 }) => {
      const type = TYPES.get(kind);
      if (type === undefined) return [];
      return [
        {
          ...{ type, date: isoMicros(at), n, scheme, remote_addr: address, method, ua: userAgent },
          ...{ rid: UUID.test(rid) ? rid.toLowerCase() : null },
          body_url: url === undefined || bodyBytes === 0 ? null : `${url}/pings/${n}/body`,
          ...(durationMs !== undefined && { duration: Math.round(durationMs / 10) / 100 }),
        },
      ];
    },
  );

interface Flip {
  at: Millis;
  up: 0 | 1;
}

/**
 * The changes between up and not up, the newest first: of incidents, and as far as the log goes back of pauses and of the first
 * success. `events`: the whole log.
 */
export function flipsOf(incidents: readonly PastIncident[], events: readonly LoggedEvent[]): Flip[] {
  const ofLog = loggedFlips(events, (at) =>
    incidents.some(({ openedAt, closedAt = Infinity }) => openedAt <= at && at <= closedAt),
  );
  const isPause = (at: Millis) => events.some((event) => event.kind === "paused" && event.at === at);
  const flips: Flip[] = [
    ...incidents.map(({ openedAt }): Flip => ({ at: openedAt, up: 0 })),
    // a pause ends an incident too
    ...incidents.flatMap(({ closedAt }): Flip[] =>
      closedAt === undefined || isPause(closedAt) ? [] : [{ at: closedAt, up: 1 }],
    ),
    ...ofLog,
  ];
  const inOrder = flips.sort((a, b) => a.at - b.at);
  return inOrder.filter(({ up }, n) => inOrder[n - 1]?.up !== up).reverse();
}

/** A check that has never succeeded is new after a pause. While it is down, or paused, its first success does not make it up. */
function loggedFlips(events: readonly LoggedEvent[], isDown: (at: Millis) => boolean): Flip[] {
  const flips: Flip[] = [];
  // what a log does not go back to is no news
  let hasSucceeded = !events.some(({ n }) => n === 1);
  let isPaused = false;
  for (const { kind, at } of events.toSorted((a, b) => a.n - b.n)) {
    if (kind === "paused") flips.push({ at, up: 0 });
    if (kind === "resumed" && hasSucceeded) flips.push({ at, up: 1 });
    if (kind === "ok" && !hasSucceeded && !isPaused && !isDown(at)) flips.push({ at, up: 1 });
    if (kind === "paused" || kind === "resumed") isPaused = kind === "paused";
    hasSucceeded ||= kind === "ok";
  }
  return flips;
}

export const flipDict = ({ at, up }: Flip): object => ({ timestamp: iso(at), up });
