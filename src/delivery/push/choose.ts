/** Chooses what is sent next to a device from all that waits for it (DELIVERY.md §2). Pure. */
import { draftOf } from "../../messages/message.ts";
import type { Millis } from "../../util/clock.ts";
import type { Pending } from "../delivery.ts";
import { mayFold } from "../forwards/kinds.ts";

/** This many pushes may come one after the other. A phone that was away for longer is shown how many it missed. */
const SINGLY = 5;
/** A push that waited less than this came in a burst, not in an outage. */
const WAITED_MS = 60_000;

/** `superseded`: older pushes of the same alert, which this one replaces on the screen. */
export interface Choice {
  chosen: readonly [Pending, ...Pending[]];
  superseded: readonly Pending[];
}

/**
 * `pending`: what may be sent to a device, now or later. Urgent pushes go first and singly, then the one that has been
 * due longest. The newest push of an alert takes the place of its oldest. If more than five have waited they go as one
 * digest; only then are several chosen together, the newest message first. A forward to a program gets every message.
 */
export function choose(pending: readonly Pending[], now: Millis): Choice | undefined {
  const due = pending.filter(({ dueAt }) => dueAt <= now).sort(byTurn);
  const [next] = due;
  if (next === undefined) return undefined;
  if (!mayFold(next.device)) return { chosen: [next], superseded: [] };
  const [first, ...others] = next.isUrgent ? [] : due.filter((one) => hasWaited(one, now)).sort(byAge);
  if (first !== undefined && others.length >= SINGLY) return { chosen: [first, ...others], superseded: [] };
  const alert = alertOf(next);
  if (alert === undefined) return { chosen: [next], superseded: [] };
  const same = pending.filter((one) => alertOf(one) === alert).sort(byAge);
  const newest = same.find(({ isUrgent, dueAt }) => isUrgent === next.isUrgent && dueAt <= now) ?? next;
  return { chosen: [newest], superseded: same.slice(same.indexOf(newest) + 1) };
}

const byTurn = (a: Pending, b: Pending): number =>
  Number(b.isUrgent) - Number(a.isUrgent) || a.dueAt - b.dueAt || a.row - b.row;
/** The newest message first: rows are numbered in the order of messages. */
const byAge = (a: Pending, b: Pending): number => b.row - a.row;

const hasWaited = ({ isUrgent, createdAt }: Pending, now: Millis) => !isUrgent && now - createdAt >= WAITED_MS;

/** Names the alert that a message is about, which others may be about too. Most messages name none and are not parsed. */
function alertOf({ message, topic }: Pending): string | undefined {
  if (message?.json.includes('"dedup_key":') !== true || topic === undefined) return undefined;
  const { dedup_key } = draftOf(message);
  return dedup_key === undefined ? undefined : `${topic.id} ${dedup_key}`;
}
