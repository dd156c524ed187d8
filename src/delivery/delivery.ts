/** A delivery: one message on its way to one device (DELIVERY.md §2). */
import type { Device, Subscription } from "../devices/device.ts";
import type { PushState } from "../devices/push-state.ts";
import type { Message } from "../messages/message.ts";
import type { Topic } from "../topics/topic.ts";
import type { Millis } from "../util/clock.ts";

export type DeliveryRow = number & { readonly __brand: "DeliveryRow" };

/**
 * A route whose pushes fail and recover together: `apns:production`, `apns:sandbox`, `fcm`, `webpush:` and an origin, or
 * `forward:`, a kind, a host, and behind `#` the namespace and the account.
 */
export type Lane = `apns:${"production" | "sandbox"}` | "fcm" | `webpush:${string}` | `forward:${string}`;

export type DeliveryState = PushState;

/** A delivery as the store keeps it, for those who ask what became of a message. */
export interface Delivery {
  row: DeliveryRow;
  state: DeliveryState;
  lane: Lane;
  /** The number of tries, answered or timed out. */
  attempts: number;
  createdAt: Millis;
  /** While pending, it is not tried before this time. */
  dueAt: Millis;
  expiresAt: Millis;
  /** When the push service first accepted it. If it is still pending, it is repeated until somebody acknowledges. */
  acceptedAt?: Millis;
  /** When it stopped being pending. */
  settledAt?: Millis;
  /** When the device reported that it was shown. */
  shownAt?: Millis;
  /** The id that the push service gave it. */
  providerId?: string;
  lastStatus?: number;
  lastReason?: string;
  /** Absent if the device was removed. */
  device?: Pick<Device, "row" | "id" | "platform" | "name">;
}

/** A delivery that is pending, with all that is needed to send it. */
export interface Pending extends Pick<
  Delivery,
  "row" | "lane" | "attempts" | "createdAt" | "dueAt" | "expiresAt" | "acceptedAt" | "providerId"
> {
  /** `test`: nobody published it. */
  kind: "message" | "test";
  isUrgent: boolean;
  device: Device;
  /** Absent for a test, or if the message was deleted. */
  message?: Message;
  topic?: Topic;
  /** Absent for a test, or if the device has unsubscribed since. */
  subscription?: Pick<Subscription, "mutedUntil" | "minPriority">;
  /** The mute of the topic's namespace. */
  namespaceMutedUntil?: Millis;
}

/** The reason of a delivery that waits because its push service wants fewer for the device. */
export const TOO_MANY = "too many for the device";

/** What becomes of a delivery that was tried or looked at. */
export type Outcome =
  /** `repeatAt`: it stays pending and is sent again at this time, unless somebody acknowledges. */
  | { kind: "accepted"; providerId?: string; status?: number; repeatAt?: Millis }
  /** It stays pending. `isAttempt` is false if it was not tried, or failed through no fault of its own. */
  | { kind: "later"; dueAt: Millis; isAttempt: boolean; status?: number; reason: string }
  | { kind: "failed" | "expired" | "cancelled"; status?: number; reason: string };
