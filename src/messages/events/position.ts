/** A reader's place in a feed, and whether it is one in the past of this database (API.md §4). Pure. */
import { problem } from "../../http/problem.ts";
import type { Millis } from "../../util/clock.ts";

/**
 * The last id that a reader was given. `at`: when that message was stored. A restored server gives the same ids once more, and
 * only this tells the two apart; it needs no state, so that copies, snapshots and plain `cp` are all noticed.
 */
export interface Position {
  id: number;
  /** Absent: a client of its own sent a plain number. */
  at?: Millis;
}

/** As `id:` says it: `120-mk8k3z9c`, the time in base 36; without a time the number alone. */
export const positionText = ({ id, at }: Position): string =>
  at === undefined ? String(id) : `${id}-${at.toString(36)}`;

/** What `Last-Event-ID` and `since` may look like: a number is also taken alone. */
export const POSITION = /^([0-9]{1,16})(?:-([0-9a-z]{1,10}))?$/;

/** What a query says in `since`; undefined: nothing. @throws Problem 400 `invalid_since` */
export function sinceOf(query: URLSearchParams): Position | undefined {
  const given = query.getAll("since");
  if (given.length > 1)
    throw problem.invalidParameter("since", `\`since\` is given ${given.length} times; give it once.`);
  return given[0] === undefined ? undefined : positionOf(given[0]);
}

/** @throws Problem 400 `invalid_since` */
export function positionOf(text: string): Position {
  const [, id, at] = POSITION.exec(text) ?? [];
  if (!Number.isSafeInteger(Number(id ?? NaN)))
    throw problem.invalidParameter("since", "`since` must be the id of a message or of an event, or 0.");
  return { id: Number(id), ...(at !== undefined && { at: parseInt(at, 36) }) };
}

/**
 * Whether the reader was given something that this database does not have: then it may also lack what took its place.
 * `last`: the feed's newest id. `nearest`: the newest message up to the reader's id that is kept. Where the message itself was
 * deleted, a later one with a lower id was stored after a restore.
 */
export function isOfAnotherPast({ id, at }: Position, last: number, nearest: Required<Position> | undefined): boolean {
  if (id > last) return true;
  if (at === undefined || nearest === undefined) return false;
  return nearest.id === id ? nearest.at !== at : nearest.at > at;
}
