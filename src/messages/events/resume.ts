/** A reader's place in a feed, and whether it belongs to the past of this database (API.md §4). Pure. */
import { problem } from "../../http/problem.ts";
import type { Parameter } from "../../http/query.ts";
import type { Epochs } from "../../store/epochs.ts";
import type { Store } from "../../store/store.ts";
import type { Nearest } from "../../store/messages.ts";
import type { Millis } from "../../util/clock.ts";
import { text as textOf } from "../../util/schema.ts";

/**
 * The last id that a reader was given. A restored server gives the same ids again, and only the time and the epoch tell the two
 * apart. They are absent if a client of another kind sent a plain number.
 */
export interface Position {
  id: number;
  /** When that message was stored, or the one before it if that is gone; 0: there was none. */
  at?: Millis;
  /** The epoch of that message; if it is gone, of the latest message in the database at that time. */
  epoch?: string;
}

/** The form of `id:`: `120-mk8k3z9c-4h2k9x0q`, with the time in base 36; a plain number stays one. */
export const positionText = ({ id, at, epoch }: Required<Position>): string => `${id}-${at.toString(36)}-${epoch}`;

/** The form of `Last-Event-ID` and `since`: a plain number is taken too. */
export const POSITION = /^([0-9]{1,16})(?:-([0-9a-z]{1,10})(?:-([0-9a-z]{1,10}))?)?$/;

/** The parameter `since` of a query. */
export const since: Parameter<Position | undefined> = {
  schema: textOf({ pattern: POSITION.source }),
  description: "Ids greater than this one; the id of an event is taken as well.",
  read: ([given, ...more]) => {
    if (more.length > 0)
      throw problem.invalidParameter("since", `\`since\` is given ${more.length + 1} times; give it once.`);
    return given === undefined ? undefined : positionOf(given);
  },
};

/** The same for a stream, where the header `Last-Event-ID` beats it. */
export const resumed: Parameter<Position | undefined> = {
  ...since,
  description: "First sends everything after it: the id of an event, or the number of a message alone.",
  read: (values, name, request) => {
    const lastEventId = request?.headers.get("last-event-id") ?? "";
    return lastEventId === "" ? since.read(values, name) : positionOf(lastEventId);
  },
};

/** @throws Problem 400 `invalid_since` */
export function positionOf(text: string): Position {
  const [, id, at, epoch] = POSITION.exec(text) ?? [];
  if (!Number.isSafeInteger(Number(id ?? NaN)))
    throw problem.invalidParameter("since", "`since` must be a message or event id, or 0.");
  return { id: Number(id), ...(at !== undefined && { at: parseInt(at, 36) }), ...(epoch !== undefined && { epoch }) };
}

/** The place of a reader who has everything that is kept up to `id`. `nearest`: the newest of that, read before. */
export async function placeAt(
  { messages, epochs }: Pick<Store, "messages" | "epochs">,
  id: number,
  nearest: Nearest | undefined,
): Promise<Required<Position>> {
  const seq = nearest?.id === id ? nearest.seq : await messages.lastSeq();
  return { id, at: nearest?.at ?? 0, epoch: epochs.of(seq) };
}

/** The feed of a reader who resumes. */
interface Feed {
  /** Its newest id. */
  lastId: number;
  /** The newest message that is kept up to the reader's id. */
  nearest: Nearest | undefined;
  epochs: Pick<Epochs, "endOf">;
}

/**
 * Whether the reader may lack something up to its id, because the database was restored. With a clock that is right the times
 * alone would tell most of it; they are compared as well for a virtual machine that is set back together with its memory,
 * which no epoch notices.
 */
export function isOfAnotherPast({ id, at, epoch }: Position, { lastId, nearest, epochs }: Feed): boolean {
  if (id > lastId) return true;
  if (nearest === undefined) return false;
  if (at !== undefined && nearest.id === id && nearest.at !== at) return true;
  return epoch !== undefined && nearest.seq > epochs.endOf(epoch);
}
