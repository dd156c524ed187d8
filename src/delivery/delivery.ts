/** One message on its way to one device (docs/design/DELIVERY.md §2). */
import type { Device, Subscription } from "../devices/device.ts";
import type { PushState } from "../devices/push-state.ts";
import type { Message } from "../messages/message.ts";
import type { Topic } from "../topics/topic.ts";
import type { Millis } from "../util/clock.ts";

export type DeliveryRow = number & { readonly __brand: "DeliveryRow" };

/**
 * Where a push is sent: what is sent there fails and recovers together. `apns:production`, `apns:sandbox`, `fcm`, or
 * `webpush:` and an origin.
 */
export type Lane = `apns:${"production" | "sandbox"}` | "fcm" | `webpush:${string}`;

export type DeliveryState = PushState;

/** What the store keeps of a delivery, for those who ask what became of a message. */
export interface Delivery {
  row: DeliveryRow;
  state: DeliveryState;
  lane: Lane;
  /** Tries that were answered, or not in time. */
  attempts: number;
  createdAt: Millis;
  /** While pending: not tried before. */
  dueAt: Millis;
  expiresAt: Millis;
  /** First taken by the push service. Still pending: it is repeated until somebody acknowledges. */
  acceptedAt?: Millis;
  /** No longer pending. */
  settledAt?: Millis;
  /** The device told that it was shown. */
  shownAt?: Millis;
  /** Of the push service. */
  providerId?: string;
  lastStatus?: number;
  lastReason?: string;
  /** Absent: it was removed. */
  device?: Pick<Device, "row" | "id" | "platform" | "name">;
}

/** A delivery that is pending, with all that is needed to send it. */
export interface Pending {
  row: DeliveryRow;
  /** `test`: nobody published it. */
  kind: "message" | "test";
  lane: Lane;
  isUrgent: boolean;
  attempts: number;
  createdAt: Millis;
  /** Not tried before. */
  dueAt: Millis;
  expiresAt: Millis;
  acceptedAt?: Millis;
  device: Device;
  /** Absent: a test, or the message was deleted. */
  message?: Message;
  topic?: Topic;
  /** Absent: a test, or it was unsubscribed since. */
  subscription?: Pick<Subscription, "mutedUntil" | "minPriority">;
  /** Of the topic's namespace. */
  namespaceMutedUntil?: Millis;
}

/** Why it waits: the push service wants fewer for its device. */
export const TOO_MANY = "too many for the device";

/** What becomes of a delivery that was tried or looked at. */
export type Outcome =
  /** `repeatAt`: it stays pending, and is sent again then unless somebody acknowledges. */
  | { kind: "accepted"; providerId?: string; status?: number; repeatAt?: Millis }
  /** Stays pending. `isAttempt` false: it was not tried, or not by its own fault. */
  | { kind: "later"; dueAt: Millis; isAttempt: boolean; status?: number; reason: string }
  | { kind: "failed" | "expired" | "cancelled"; status?: number; reason: string };
