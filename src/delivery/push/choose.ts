/** What is sent next to one device of all that waits for it (docs/design/DELIVERY.md §2). Pure. */
import { draftOf } from "../../messages/message.ts";
import type { Millis } from "../../util/clock.ts";
import type { Pending } from "../delivery.ts";

/** So many may come one after the other; a phone that was away for longer is told how many it missed. */
const SINGLY = 5;
/** What waited for less came in a burst, not in an outage. */
const WAITED_MS = 60_000;

/** `superseded`: older pushes of the same alert, which would take the place of this one on the screen. */
export interface Choice {
  chosen: readonly [Pending, ...Pending[]];
  superseded: readonly Pending[];
}

/**
 * Of what may be sent to a device, also what is not due yet: urgent ones singly and first, then what has been due the longest.
 * Of an alert its newest push goes in the place of the oldest. More than five that waited go as one digest, which is all that
 * are chosen together, the newest message first.
 */
export function choose(pending: readonly Pending[], now: Millis): Choice | undefined {
  const due = pending.filter(({ dueAt }) => dueAt <= now).sort(byTurn);
  const [next] = due;
  if (next === undefined) return undefined;
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
/** The newest message first: rows are made in the order of messages. */
const byAge = (a: Pending, b: Pending): number => b.row - a.row;

const hasWaited = ({ isUrgent, createdAt }: Pending, now: Millis) => !isUrgent && now - createdAt >= WAITED_MS;

/** What a message is about, where others may be about the same. Most name nothing, and need not be parsed. */
function alertOf({ message, topic }: Pending): string | undefined {
  if (message?.json.includes('"dedup_key":') !== true || topic === undefined) return undefined;
  const { dedup_key } = draftOf(message);
  return dedup_key === undefined ? undefined : `${topic.id} ${dedup_key}`;
}
