/** What is sent next to one device of all that waits for it (docs/design/DELIVERY.md §2). Pure. */
import { draftOf } from "../messages/message.ts";
import type { Millis } from "../util/clock.ts";
import type { Pending } from "./delivery.ts";

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
 * Of what may be sent to a device, the newest message first, also what is not due yet. Urgent ones go singly and first,
 * then the newest; more than five that waited go as one digest, which is all that are chosen together.
 */
export function choose(pending: readonly Pending[], now: Millis): Choice | undefined {
  const due = pending.filter(({ dueAt }) => dueAt <= now);
  const next = due.find(({ isUrgent }) => isUrgent) ?? due[0];
  if (next === undefined) return undefined;
  const [first, ...others] = next.isUrgent ? [] : due.filter((one) => hasWaited(one, now));
  if (first !== undefined && others.length >= SINGLY) return { chosen: [first, ...others], superseded: [] };
  return { chosen: [next], superseded: supersededBy(next, pending) };
}

const hasWaited = ({ isUrgent, createdAt }: Pending, now: Millis) => !isUrgent && now - createdAt >= WAITED_MS;

function supersededBy(next: Pending, pending: readonly Pending[]): readonly Pending[] {
  const alert = alertOf(next);
  if (alert === undefined) return [];
  return pending.slice(pending.indexOf(next) + 1).filter((one) => alertOf(one) === alert);
}

/** What a message is about, where others may be about the same. Most name nothing, and need not be parsed. */
function alertOf({ message, topic }: Pending): string | undefined {
  if (message?.json.includes('"dedup_key":') !== true || topic === undefined) return undefined;
  const { dedup_key } = draftOf(message);
  return dedup_key === undefined ? undefined : `${topic.id} ${dedup_key}`;
}
