/** A phone, tablet or browser that is shown notifications, and what it subscribed to (API.md §5). */
import type { Priority } from "../drafts/draft.ts";
import type { Topic } from "../topics/topic.ts";
import type { Millis } from "../util/clock.ts";

/** Row of a device in the store, never given twice; never leaves the server. */
export type DeviceRow = number & { readonly __brand: "DeviceRow" };

export const PLATFORMS = ["ios", "android", "web"] as const;
export type Platform = (typeof PLATFORMS)[number];

/** Of a push subscription, base64url (RFC 8291 §2.1): its public key, 65 bytes, and its secret, 16 bytes or more. */
export interface PushKeys {
  p256dh: string;
  auth: string;
}

/** Nothing is shown in these hours but what is urgent. `from` and `to`: `HH:MM` in the zone; may go over midnight. */
export interface QuietHours {
  from: string;
  to: string;
  timezone: string;
}

/** Why a delivery waits in them. */
export const IN_QUIET_HOURS = "quiet hours";

/** One of Apple's: an app that Xcode installed is known to `sandbox` alone. */
export type ApnsEnvironment = "production" | "sandbox";

export interface Device {
  row: DeviceRow;
  /** 26 characters of the key alphabet: who holds it may read, change and remove the device. To others it is named
   * by its ref (ref.ts). */
  id: string;
  platform: Platform;
  /** What its push service knows it by; of `web` the endpoint's URL. Never answered, never logged. */
  token: string;
  /** Of `web`. */
  keys?: PushKeys;
  name?: string;
  /** BCP 47. */
  locale?: string;
  quietHours?: QuietHours;
  /** Below it nothing is shown. */
  minPriority?: Priority;
  /** The server's address as the device reached it, without a trailing slash: what links in its pushes begin with. */
  base: string;
  createdAt: Millis;
  /** When its token was last sent to us: Apple's word that a token is dead counts only for what was registered before. */
  registeredAt: Millis;
  /** Of `ios`: where its token is tried. */
  environment: ApnsEnvironment;
  /** The token was refused in the other environment. */
  wasMoved: boolean;
  lastSuccessAt?: Millis;
  lastError?: { at: Millis; text: string };
  /** Its push service said that it is gone. */
  lost?: { at: Millis; reason: string };
}

export interface Subscription {
  topic: Pick<Topic, "id" | "namespace" | "key" | "name">;
  subscribedAt: Millis;
  /** Nothing of the topic is shown until then. */
  mutedUntil?: Millis;
  /** In place of the device's own. */
  minPriority?: Priority;
}

/** So many devices may subscribe to a topic, and a device to so many topics. */
export const DEVICES_PER_TOPIC = 20_000;
export const TOPICS_PER_DEVICE = 1_000;
/** So many may follow topics of one namespace: more than whoever found the link of one topic can register. */
export const DEVICES_PER_NAMESPACE = 100_000;
/** So many there may be: then the one that has followed nothing for longest goes, and one more is refused when all follow something. */
export const DEVICES_IN_ALL = 200_000;
/** Anybody may register them: of those that follow nothing so many are kept, at 4 kB each. */
export const IDLE_DEVICES = 10_000;
/** A lost device is listed for so long. */
export const LOST_DAYS = 30;
/** One that follows no topic is kept for so long after its last sign of life. */
export const IDLE_DAYS = 30;
