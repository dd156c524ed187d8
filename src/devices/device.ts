/** A device: a phone, tablet or browser that shows notifications, and the topics it follows (API.md §5). */
import type { Priority } from "../drafts/draft.ts";
import type { NamespaceId } from "../keys/namespace.ts";
import type { Topic } from "../topics/topic.ts";
import type { Millis } from "../util/clock.ts";

/** The row of a device in the store. It is never used twice and never leaves the server. */
export type DeviceRow = number & { readonly __brand: "DeviceRow" };

/** `forward`: another service, which messages are handed on to. Only holders of a key make those. */
export const PLATFORMS = ["ios", "android", "web", "forward"] as const;
export type Platform = (typeof PLATFORMS)[number];
/** What anybody may register. */
export const REGISTERED = ["ios", "android", "web"] as const satisfies readonly Platform[];

/** Whose the built-in forward is: no namespace has this number. */
export const OF_SERVER = 0 as NamespaceId;

/** Where a forward sends (DELIVERY.md §11). */
export interface Forwarding {
  /** Its owner. It follows topics of this namespace alone. */
  namespaceId: NamespaceId;
  /** The name of its kind (delivery/forwards/kinds.ts). */
  kind: string;
  /** Where it sends: `host`, or `host:port` if that is not the usual one. */
  host: string;
  /** Forwards to a host with the same account pause and rest together: 8 hex digits. */
  account: string;
  /** The settings that may be shown. */
  settings: Readonly<Record<string, unknown>>;
  /** The names of the others, and these sealed; absent if it has none. */
  secrets: readonly string[];
  sealed?: string;
}

/** The keys of a push subscription in base64url (RFC 8291 §2.1): its public key, 65 bytes, and its secret, 16 bytes or more. */
export interface PushKeys {
  p256dh: string;
  auth: string;
}

/** Quiet hours, in which only urgent messages are shown. `from` and `to`: `HH:MM` in the zone; they may span midnight. */
export interface QuietHours {
  from: string;
  to: string;
  timezone: string;
}

/** The reason of a delivery that waits for the end of quiet hours. */
export const IN_QUIET_HOURS = "quiet hours";

/** Apple's environments: an app that Xcode installed is known to `sandbox` only. */
export type ApnsEnvironment = "production" | "sandbox";

export interface Device {
  row: DeviceRow;
  /**
   * 26 characters of the key alphabet. A client that has it may read, change and remove the device; others have the ref. That of
   * a forward opens nothing.
   */
  id: string;
  platform: Platform;
  /**
   * The token by which its push service knows it; for `web` the endpoint's URL, and for `forward` its own id. It is never returned
   * and never logged.
   */
  token: string;
  /** Set for `web` only. */
  keys?: PushKeys;
  /** Set for `forward` only. */
  forward?: Forwarding;
  name?: string;
  /** A language tag (BCP 47). */
  locale?: string;
  quietHours?: QuietHours;
  /** Messages below this priority are not shown. */
  minPriority?: Priority;
  /** The server's address as the device reached it, without a trailing slash. Links in its pushes begin with it. */
  base: string;
  createdAt: Millis;
  /** When its token was last registered. Apple's word that a token is dead counts only if the token was registered before. */
  registeredAt: Millis;
  /** The environment in which an `ios` token is tried. */
  environment: ApnsEnvironment;
  /** The token was refused in the other environment. */
  wasMoved: boolean;
  lastSuccessAt?: Millis;
  lastError?: { at: Millis; text: string };
  /** Set once its push service said that the device is gone. */
  lost?: { at: Millis; reason: string };
}

export interface Subscription {
  topic: Pick<Topic, "id" | "namespace" | "key" | "name">;
  subscribedAt: Millis;
  /** Messages of the topic are not shown until then. */
  mutedUntil?: Millis;
  /** Overrides the device's own. */
  minPriority?: Priority;
}

/** The most devices that may follow a topic, and the most topics that a device may follow. */
export const DEVICES_PER_TOPIC = 20_000;
export const TOPICS_PER_DEVICE = 1_000;
/** The most devices that may follow topics of one namespace: more than somebody with the link of one topic can register. */
export const DEVICES_PER_NAMESPACE = 100_000;
/** The most devices in all. One more replaces the one that has followed nothing for longest, or is refused. */
export const DEVICES_IN_ALL = 200_000;
/** The most devices that follow nothing, since anybody may register them. Each takes 4 kB. */
export const IDLE_DEVICES = 10_000;
/** The most forwards of a namespace. */
export const FORWARDS_PER_NAMESPACE = 100;
/** The number of days for which a lost device is listed. */
export const LOST_DAYS = 30;
/** The number of days for which a device that follows no topic is kept after its last sign of life. */
export const IDLE_DAYS = 30;
