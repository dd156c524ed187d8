/** Which deliveries a page asks for, and links that ask for others. */
import type { Deps } from "../../../deps.ts";
import { IN_QUIET_HOURS, PLATFORMS, type Platform } from "../../../devices/device.ts";
import { type DeliveryState } from "../../../delivery/delivery.ts";
import { platformOf } from "../../../delivery/push/plan.ts";
import { queryOf, readQuery, whole, word } from "../../../http/query.ts";
import type { NamespaceId } from "../../../keys/namespace.ts";
import type { Message } from "../../../messages/message.ts";
import type { DeliveryFilter, DeliveryPlace } from "../../../store/deliveries.ts";
import type { Registered } from "../../../store/devices.ts";
import type { Topic } from "../../../topics/topic.ts";
import type { Desk } from "../signed-in.ts";
import { deskLink } from "../frame/filter.ts";
import { seenDevice } from "../devices/seen-device.ts";
import { seenTopic } from "../seen-topic.ts";
import { PATH } from "./links.ts";
import { SHOWN_STATES, type ShownState } from "./outcome-words.tsx";

export interface Wanted {
  state?: ShownState;
  platform?: Platform;
  device?: Registered["device"];
  topic?: Topic;
  message?: Message;
  from?: DeliveryPlace;
  /** As it was asked for: links change parts of it. */
  query: URLSearchParams;
}

const PLACE = { from: whole(0, Number.MAX_SAFE_INTEGER), after: whole(0, Number.MAX_SAFE_INTEGER, 0) };

/** Undefined: something of it is not there, or not for the visitor. @throws Problem 400 */
export async function wantedOf(
  { store }: Pick<Deps, "store">,
  desk: Desk,
  request: Request,
): Promise<Wanted | undefined> {
  const query = queryOf(request);
  const wanted: Wanted = { query, ...readQuery(query, { state: word(SHOWN_STATES), platform: word(PLATFORMS) }) };
  const [ref, key] = [query.get("device"), query.get("topic")];
  if (ref !== null) {
    const seen = await seenDevice({ store }, desk, ref);
    if (seen === undefined) return undefined;
    wanted.device = seen.device;
  }
  if (key !== null) {
    const topic = await seenTopic({ store }, desk, key);
    if (topic === undefined) return undefined;
    wanted.topic = topic;
    const { message: id } = readQuery(query, { message: whole(1, Number.MAX_SAFE_INTEGER) });
    const message = id === undefined ? undefined : await store.messages.find(topic.id, id);
    if (id !== undefined && message === undefined) return undefined;
    if (message !== undefined) wanted.message = message;
  }
  const { from: seq, after } = readQuery(query, PLACE);
  if (seq !== undefined) wanted.from = { seq, after };
  return wanted;
}

/** The namespaces that are asked for; undefined: all, including deliveries of messages that are gone. */
export function among({
  chosen,
  visitor: { person },
}: Pick<Desk, "chosen" | "visitor">): readonly NamespaceId[] | undefined {
  if (chosen !== undefined) return [chosen.id];
  return person.isAdmin ? undefined : person.namespaces;
}

export function filterOf(desk: Desk, { state, platform, device, topic, message }: Wanted): DeliveryFilter {
  const namespaces = among(desk);
  const isHeld = state === "held" ? true : state === "waiting" ? false : undefined;
  return {
    ...(state !== undefined && { state: STORED[state] }),
    ...(device !== undefined && { device: device.row }),
    ...(topic !== undefined && { topicId: topic.id }),
    ...(message !== undefined && { seq: message.seq }),
    ...(namespaces !== undefined && { namespaces }),
    is: ({ lane, lastReason }) =>
      (platform === undefined || platformOf(lane) === platform) &&
      (isHeld === undefined || isHeld === (lastReason === IN_QUIET_HOURS)),
  };
}
const STORED: Record<ShownState, DeliveryState> = {
  ...{ waiting: "pending", held: "pending", accepted: "accepted" },
  ...{ failed: "failed", expired: "expired", cancelled: "cancelled" },
};

/** Whether it asks for only some deliveries of the chosen namespaces. */
export const isFiltered = ({ state, platform, device, topic }: Wanted): boolean =>
  [state, platform, device, topic].some((one) => one !== undefined);

/** The same page with another query; the first page, unless it says where to continue. */
export const linkOf = (
  desk: Desk,
  { query }: Pick<Wanted, "query">,
  change: Readonly<Record<string, string | undefined>>,
): string => deskLink(desk, `${PATH}?${query.toString()}`, { from: undefined, after: undefined, ...change });
