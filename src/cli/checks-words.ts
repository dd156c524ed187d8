/** Checks in words, as `peal checks` shows them. */
import type { CheckRecord, IncidentRecord } from "../checks/schema.ts";
import { duration } from "../rewrites/times.ts";
import type { Millis } from "../util/clock.ts";

const REASONS = { missed: "missed its check-in", failed: "failed", overrun: "is running too long" } as const;

export const reasonOf = ({ reason, exit }: Pick<IncidentRecord, "reason" | "exit">): string =>
  `${REASONS[reason]}${exit === undefined ? "" : ` (exit ${exit})`}`;

/** `down for 2 h: failed (exit 1); running`. */
export function stateOf(check: CheckRecord, now: Millis): string {
  const { incident, muted_until: mutedUntil } = check;
  const words = [
    incident === undefined
      ? plainState(check, now)
      : `down for ${since(incident.opened_at, now)}: ${reasonOf(incident)}${incident.acked_at === undefined ? "" : ", acknowledged"}`,
    check.running ? "running" : "",
    mutedUntil === undefined ? "" : `no alerts for ${duration(Date.parse(mutedUntil) - now)}`,
  ];
  return words.filter((word) => word !== "").join("; ");
}

function plainState({ state, late, next_slot_at: slot }: CheckRecord, now: Millis): string {
  if (late && slot !== undefined) return `late for ${since(slot, now)}`;
  return state === "new" ? "new, no success yet" : state;
}

/** `every 1 d`, `30 2 * * * Europe/Berlin`. */
export function scheduleOf({ every, cron, timezone }: CheckRecord): string {
  if (every !== undefined) return `every ${duration(every * 1000)}`;
  return cron === undefined ? "none: alerts on failure only" : `${cron} ${timezone ?? ""}`;
}

/** `3 h ago`, `in 20 min`. */
export function relative(time: string | undefined, now: Millis): string {
  if (time === undefined) return "–";
  const ms = Date.parse(time) - now;
  return ms > 0 ? `in ${duration(ms)}` : `${duration(-ms)} ago`;
}

const since = (time: string, now: Millis): string => duration(Math.max(0, now - Date.parse(time)));
const seconds = (count: number, zero: string): string => (count === 0 ? zero : duration(count * 1000));
const inARow = (count: number, one: string, many: string): string =>
  count === 1 ? `the first ${one}` : `${count} ${many} in a row`;
const yes = (is: boolean, text: string): string[] => (is ? [text] : []);

/** Everything that people ask about a check, as labels and values. */
export function factsOf(check: CheckRecord, now: Millis): [label: string, value: string][] {
  const { slug, tags, last_duration: took, level, priority, hint } = check;
  const at = (time: string | undefined) => (time === undefined ? [] : [`${time} (${relative(time, now)})`]);
  const tells = [
    ...yes(check.armed, "if it never checks in"),
    ...yes(check.notify_late, "when it's late"),
    ...yes(check.notify_success, "on each success"),
  ];
  const rows: [string, string[]][] = [
    ["name", [check.name]],
    ["about", check.description === undefined ? [] : [check.description]],
    ["state", [stateOf(check, now)]],
    ["hint", hint === undefined ? [] : [hint]],
    [
      "ping url",
      [
        check.ping_url ??
          "not shown: the key only reads, or the server has lost its secret (`peal checks rotate` creates a new one)",
      ],
    ],
    ["schedule", [scheduleOf(check)]],
    ["expected", at(check.next_slot_at)],
    ["alert", at(check.deadline_at)],
    ["last success", at(check.last_ok_at)],
    ["last took", took === undefined ? [] : [duration(took * 1000)]],
    ["grace", [seconds(check.grace, "none")]],
    ["early", [seconds(check.early, "none")]],
    ["longest run", [seconds(check.max_run, "any")]],
    ["down after", [inARow(check.fail_after, "failure", "failures")]],
    ["up after", [inARow(check.recover_after, "success", "successes")]],
    ["reminders", [remindersOf(check)]],
    ["also alerts", tells],
    ["counts", yes(check.post_only, "POST only")],
    ["a pause ends", yes(check.resume_by_ping, "with the next ping")],
    ["alerts as", [level, priority].filter((word) => word !== undefined)],
    ["topic", [check.topic_name]],
    ["slug", slug === undefined ? [] : [slug]],
    ["tags", tags],
    ["badge", [check.badge_url]],
    ["id", [check.id]],
  ];
  return rows.filter(([, values]) => values.length > 0).map(([label, values]) => [label, values.join(", ")]);
}

function remindersOf({ remind_every: every, remind_max: most }: CheckRecord): string {
  if (every === 0 || most === 0) return "none";
  return `every ${duration(every * 1000)}${most === undefined ? "" : `, ${most} at most`}`;
}
