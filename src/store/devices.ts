/** The part of the port for devices and their subscriptions. Each method is one transaction. */
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

/** Settings that an owner may give and take away. */
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

/** What has no room: for more devices, or in the device for more topics. */
type Full = "topic_full" | "namespace_full" | "too_many_subscriptions";

/** Which devices to list. Absent: any. */
export interface DeviceFilter {
  /** It subscribes to a topic in one of these. */
  namespaces?: readonly NamespaceId[];
  platform?: Platform;
  /** Its push service said that it is gone. */
  isLost: boolean;
}

export interface DeviceStore {
  /**
   * Makes the device of this platform and token, or brings it up to date, and adds the topics to its own. An unknown topic
   * refuses all of it. `unknown`: their indices in `topics`. `token_taken`: the device with this token has other keys; a
   * browser's subscription keeps its keys, so somebody who knows only its endpoint is somebody else. `madeRoom`: the device that
   * has followed nothing for longest was dropped for it. `server_full`: there are as many as may be, and all follow something.
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
   * The latest first; `after`: a ref, the last of the page before; behind one that is gone there is nothing. `topics`: those that
   * it follows, in the namespaces that were asked for. `next`: there may be more; it looks at a limited number.
   */
  list(
    filter: DeviceFilter,
    options: { after?: string; limit: number },
  ): Promise<{ devices: { device: Device; topics: number }[]; next?: string }>;
  /** `token_taken`: another device has the token. */
  patch(id: string, patch: DevicePatch): Promise<Registered | "token_taken" | undefined>;
  /** Deletes it with its deliveries. False: it was already gone. */
  remove(id: string): Promise<boolean>;
  subscribe(
    id: string,
    topic: TopicRef,
  ): Promise<
    { kind: "made" | "known"; subscription: Subscription } | { kind: "unknown_device" | "unknown_topic" | Full }
  >;
  patchSubscription(id: string, topic: TopicRef, patch: SubscriptionPatch): Promise<Subscription | undefined>;
  /** Resolves even if there was none. */
  unsubscribe(id: string, topic: TopicRef): Promise<void>;
  /** Subscribers of a topic, by row; `after`: the last row of the page before. */
  ofTopic(topicId: TopicId, options: { after?: number; limit: number }): Promise<Device[]>;
  /** The latest subscriber of a topic that is neither lost nor a forward, and when it subscribed. */
  latestOf(topicId: TopicId): Promise<{ device: Device; subscribedAt: Millis } | undefined>;
  /** How many devices there are, for metrics. */
  counts(): Promise<{ platform: Platform; isLost: boolean; count: number }[]>;
  /** The namespaces that have a subscriber on this platform: their operators hear of its trouble. */
  namespacesOf(platform: Platform): Promise<NamespaceId[]>;
}
