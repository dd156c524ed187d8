/** A device as a visitor may see it: with the topics of their namespaces. */
import type { Deps } from "../../../deps.ts";
import { type Device, OF_SERVER, type Subscription } from "../../../devices/device.ts";
import { deviceRef } from "../../../util/ids.ts";
import type { Topic } from "../../../topics/topic.ts";
import type { Desk } from "../signed-in.ts";
import { seenTopic as topicOfKey } from "../seen-topic.ts";

export interface SeenDevice {
  device: Device;
  /** Those of its subscriptions that the visitor sees. */
  subscriptions: readonly Subscription[];
  /** Topics that they do not. Then what is the device's as a whole is not theirs to change. */
  others: number;
}

/** The page of all devices, below the base path. */
export const PATH = "/-/devices";
/** Where a forward is made. */
export const NEW_FORWARD = `${PATH}/new`;
/** The page of one device. */
export const pathOf = ({ device }: { device: Pick<Device, "id"> }): string => `${PATH}/${deviceRef(device.id)}`;

/** Whether the server made it, to wake ntfy's app on iPhones (delivery/upstream.ts): it is to be seen, and nobody's to change. */
export const isServers = ({ forward }: Pick<Device, "forward">): boolean => forward?.namespaceId === OF_SERVER;

/** Finds it by its ref. Undefined if there is none, or the visitor may not know of it. */
export async function seenDevice(
  { store }: Pick<Deps, "store">,
  desk: Desk,
  ref: string,
): Promise<SeenDevice | undefined> {
  const found = await store.devices.byRef(ref);
  if (found === undefined) return undefined;
  const forward = isServers(found.device) ? undefined : found.device.forward;
  // a forward is its namespace's, also while it follows nothing
  if (forward !== undefined && !desk.namespaces.some(({ id }) => id === forward.namespaceId)) return undefined;
  const own = new Set(desk.namespaces.map(({ name }) => name));
  const subscriptions = found.subscriptions.filter(({ topic }) => own.has(topic.namespace));
  const others = found.subscriptions.length - subscriptions.length;
  const { isAdmin, namespaces } = desk.visitor.person;
  if (forward === undefined && !isAdmin && namespaces !== undefined && subscriptions.length === 0) return undefined;
  return { device: found.device, subscriptions, others };
}

/** The topic of a key, or of a share link, which ends in it. */
export async function seenTopic(deps: Pick<Deps, "store">, desk: Desk, typed: string): Promise<Topic | undefined> {
  const [path = ""] = typed.trim().split(/[?#]/, 1);
  return topicOfKey(deps, desk, path.split("/").at(-1) ?? "");
}
