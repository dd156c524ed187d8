/** Composes the alerts of checks into messages of their topic (CHECKINS.md §5, §7). Pure. */
import * as looks from "../../rewrites/looks.ts";
import type { Look } from "../../rewrites/looks.ts";
import { type Draft, highest, LEVELS, PRIORITIES, type Priority } from "../../drafts/draft.ts";
import { MAX_TAGS } from "../../drafts/limits.ts";
import { optionalRfc3339, rfc3339 } from "../../util/clock.ts";
import { defined } from "../../util/defined.ts";
import type { AlertKind, Composed, Told } from "../check.ts";
import type { Telling } from "./text.ts";
import { MOST_NAMED, type Words, wordsOf, wordsOfGap, wordsOfMany } from "./words.ts";

/** From this many on, alerts of one kind that come at once go into one message. */
const MANY = 5;
/** The kinds that time causes, which may come for many checks at once. */
const STORMS = ["down", "changed", "reminder", "late"] as const;
type Storm = (typeof STORMS)[number];

/**
 * The messages for the alerts of one topic, in order: one for each alert. Pings that the server may have missed while
 * it was away are reported in one message, and so are many alerts of a kind that come at once. Such a message is not a card
 * that could be closed: each of its checks gets a card with its next alert, such as its recovery.
 */
export function compose(told: readonly Told[], telling: Telling): Composed[] {
  const storms = STORMS.filter((kind) => told.filter((one) => isOf(kind, one)).length >= MANY);
  const groups = Map.groupBy(told, (one) => (isLost(one) ? "lost" : (storms.find((kind) => isOf(kind, one)) ?? one)));
  return [...groups].map(([of, group]) => ({
    draft: draftOf(group, wordsOfGroup(of, group, telling), telling),
    told: group,
  }));
}

const isOf = (kind: Storm, one: Told) => one.alert.kind === kind && !isLost(one);
/** Whether the check goes down because of a ping that may have been lost. */
const isLost = (one: Told) => one.alert.kind === "down" && isOfGap(one);
const isOfGap = ({ alert }: Told) => alert.incident?.gap !== undefined;

function wordsOfGroup(of: "lost" | Storm | Told, group: readonly Told[], telling: Telling): Words {
  if (typeof of === "object") return wordsOf(of, telling);
  return of === "lost" ? wordsOfGap(group, telling) : wordsOfMany(of, group, telling);
}

function draftOf(group: readonly Told[], { title, lines, tail }: Words, { now }: Telling): Draft {
  const told = group.map(lookOf);
  const [levels, priorities] = [told.map(({ level }) => level), told.map(({ priority }) => priority)];
  const draft: Draft = {
    message: [...lines, tail === undefined ? undefined : `\n${tail}`].filter((part) => part !== undefined).join("\n"),
    level: highest(LEVELS, levels) ?? "error",
    priority: highest(PRIORITIES, priorities) ?? "high",
    format: "text",
    source: "check",
    title,
  };
  const tags = [...new Set(group.flatMap(({ check }) => check.standing.settings.tags))].slice(0, MAX_TAGS);
  if (tags.length > 0) draft.tags = tags;
  const [first, second] = group;
  let at = Math.min(...group.map(({ alert }) => alert.at));
  if (first !== undefined && second === undefined) {
    const { check, alert } = first;
    if (alert.incident !== undefined) {
      draft.dedup_key = `check:${check.id}:${alert.incident.n}`;
      draft.status = alert.kind === "up" ? "resolved" : "firing";
      if (draft.status === "firing") at = alert.incident.openedAt; // the card shows since when it fires
    }
    draft.data = dataOf(first);
  } else
    draft.data = {
      count: group.length,
      checks: group.slice(0, MOST_NAMED).map(brieflyOf),
      server_gap: group.some(isOfGap),
    };
  if (at < now) draft.timestamp = rfc3339(at);
  return draft;
}

/** The level and priority of an alert if its check does not set them. */
export const ALERT_LOOKS: Readonly<Record<AlertKind, Look>> = {
  ...{ down: looks.TROUBLE, changed: looks.TROUBLE, reminder: looks.WARNING, up: looks.GOOD },
  late: { level: "warning", priority: "low" },
  warning: { level: "warning", priority: "low" },
  ...{ success: looks.DONE, test: looks.NOTICE },
};

/** The owner's level and priority are for bad news and for tests. Nothing else is louder than they are. */
function lookOf(one: Told): Look {
  const { settings, state, mutedUntil } = one.check.standing;
  const { kind } = one.alert;
  const { level, priority } = isLost(one) ? ALERT_LOOKS.reminder : ALERT_LOOKS[kind];
  if (kind === "up" && state === "paused") return looks.QUIET;
  if (kind === "up" && mutedUntil !== undefined) return { level, priority: "low" };
  if (kind === "changed" || kind === "test" || (kind === "down" && !isLost(one)))
    return { level: settings.level ?? level, priority: settings.priority ?? priority };
  return { level, priority: quieter(priority, settings.priority ?? priority) };
}

const quieter = (a: Priority, b: Priority): Priority => (PRIORITIES.indexOf(a) < PRIORITIES.indexOf(b) ? a : b);

function dataOf({ check, alert }: Told): Record<string, unknown> {
  const { settings, slotAt, deadlineAt, lastOkAt } = check.standing;
  const { incident, exit } = alert;
  const late = alert.kind === "late" ? { expectedAt: slotAt, deadlineAt } : undefined;
  return defined<Record<string, unknown>>({
    check: check.id,
    slug: settings.slug,
    incident: incident?.n,
    reason: incident?.reason,
    expected_at: optionalRfc3339((incident ?? late)?.expectedAt),
    deadline_at: optionalRfc3339((incident ?? late)?.deadlineAt),
    last_ok_at: optionalRfc3339(lastOkAt),
    missed: incident?.missed,
    exit: exit ?? incident?.exit,
    server_gap: incident && incident.gap !== undefined,
  });
}

const brieflyOf = ({ check, alert }: Told) =>
  defined<Record<string, unknown>>({
    check: check.id,
    slug: check.standing.settings.slug,
    incident: alert.incident?.n,
    reason: alert.incident?.reason,
  });
