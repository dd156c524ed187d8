/** The part of the port that keeps devices and what they subscribed to. Each method is one transaction. */
import type { Device, Platform, Subscription } from "../devices/device.ts";
import type { NamespaceId } from "../keys/namespace.ts";
import type { TopicId } from "../topics/topic.ts";
import type { Erasable } from "../util/defined.ts";
import type { Millis } from "../util/clock.ts";

/** A topic as a device names it: by its namespace and its key, which is the capability. */
export interface TopicRef {
  namespace: string;
  key: string;
}

/** What an owner may set and take away. */
type Settings = "name" | "locale" | "quietHours" | "minPriority";

export interface NewDevice extends Pick<Device, "platform" | "token" | "keys" | "base" | Settings> {
  topics: readonly TopicRef[];
}

/** `null` takes the value away. A new token brings a lost device back. */
export type DevicePatch = Partial<Pick<Device, "token" | "keys">> & Erasable<Pick<Device, Settings>>;
export type SubscriptionPatch = Erasable<Pick<Subscription, "mutedUntil" | "minPriority">>;

/** A device with its subscriptions, the oldest first. */
export interface Registered {
  device: Device;
  subscriptions: Subscription[];
}

/** What takes no more devices, or the device no more topics. */
type Full = "topic_full" | "namespace_full" | "too_many_subscriptions";

/** What is looked for. Absent: any. */
export interface DeviceFilter {
  /** Has subscribed to a topic in one of these. */
  namespaces?: readonly NamespaceId[];
  platform?: Platform;
  /** Its push service said that it is gone. */
  isLost: boolean;
}

export interface DeviceStore {
  /**
   * A device of this platform and token: made, or found and brought up to date, with the topics added to those it has. An
   * unknown topic refuses all of it. `unknown`: their places in `topics`. `token_taken`: the device that has it has other
   * keys; a subscription of a browser keeps its keys, so that whoever knows only its endpoint is somebody else. `madeRoom`: the one
   * that has followed nothing for longest had to go for it. `server_full`: there are as many as may be, and all follow something.
   */
  register(
    device: NewDevice,
  ): Promise<
    | ({ kind: "made" | "known"; madeRoom: boolean } & Registered)
    | { kind: "unknown_topics"; unknown: number[] }
    | { kind: "token_taken" | "server_full" | Full }
  >;
  find(id: string): Promise<Registered | undefined>;
  /** By its ref (devices/ref.ts). */
  byRef(ref: string): Promise<Registered | undefined>;
  /**
   * The latest first; `after`: a ref, the last of the page before; behind one that is gone there is nothing. `topics`: that
   * it has subscribed to, in the namespaces that were asked for. `next`: there may be more; it looks at so many at most.
   */
  list(
    filter: DeviceFilter,
    options: { after?: string; limit: number },
  ): Promise<{ devices: { device: Device; topics: number }[]; next?: string }>;
  /** `token_taken`: another device has it. */
  patch(id: string, patch: DevicePatch): Promise<Registered | "token_taken" | undefined>;
  /** With all that it waits for. False: it was gone already. */
  remove(id: string): Promise<boolean>;
  subscribe(
    id: string,
    topic: TopicRef,
  ): Promise<
    { kind: "made" | "known"; subscription: Subscription } | { kind: "unknown_device" | "unknown_topic" | Full }
  >;
  patchSubscription(id: string, topic: TopicRef, patch: SubscriptionPatch): Promise<Subscription | undefined>;
  /** Also when it was not there. */
  unsubscribe(id: string, topic: TopicRef): Promise<void>;
  /** Those that subscribed to a topic, by row; `after`: the last row of the page before. */
  ofTopic(topicId: TopicId, options: { after?: number; limit: number }): Promise<Device[]>;
  /** The one that subscribed to a topic last, of those that are not lost, and when it did. */
  latestOf(topicId: TopicId): Promise<{ device: Device; subscribedAt: Millis } | undefined>;
  /** How many there are, for metrics. */
  counts(): Promise<{ platform: Platform; isLost: boolean; count: number }[]>;
  /** The namespaces that have a subscriber on one of these platforms: whose operators have to hear of its trouble. */
  namespacesOf(platform: Platform): Promise<NamespaceId[]>;
}
