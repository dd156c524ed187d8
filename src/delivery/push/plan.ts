/** Plans when a push is tried, and for how long (DELIVERY.md §2, §3). Pure: time and chance are passed in. */
import type { Device, Forwarding, Platform } from "../../devices/device.ts";
import type { NamespaceId } from "../../keys/namespace.ts";
import { draftOf, type Message } from "../../messages/message.ts";
import type { Plan } from "../../store/deliveries.ts";
import { HOUR, type Millis, MINUTE, SECOND } from "../../util/clock.ts";
import type { Delivery, Lane } from "../delivery.ts";

/** After this long, people who look at the phone find the message in the feed. */
const TTL_MS = { info: 12 * HOUR, success: 12 * HOUR, warning: 24 * HOUR, error: 48 * HOUR, urgent: 72 * HOUR };
const TEST_TTL_MS = 5 * MINUTE;

/** Until when a message is worth a push: its own `ttl` decides, else its level. */
export function expiryOf(message: Message): Millis {
  // most messages have none; they need not be parsed, once for each device
  const ttl = message.json.includes('"ttl":') ? draftOf(message).ttl : undefined;
  const ms = ttl === undefined ? TTL_MS[message.priority === "urgent" ? "urgent" : message.level] : ttl * SECOND;
  return message.createdAt + ms;
}

/** The lane of a forward. The namespace is in it: its operators hear of trouble even after the forward was changed. */
export const laneOfForward = ({ namespaceId, kind, host, account }: LaneParts): Lane =>
  `forward:${kind}:${host}#${namespaceId}.${account}`;
type LaneParts = Pick<Forwarding, "namespaceId" | "kind" | "host" | "account">;

/** Whose a lane of forwards is; undefined: it is none. */
export function ownerOf(lane: Lane): NamespaceId | undefined {
  const [, id] = /^forward:[^#]+#(\d+)\./.exec(lane) ?? [];
  return id === undefined ? undefined : (Number(id) as NamespaceId);
}

/** The lane of a device's pushes. @throws Error if a forward has lost its settings */
export function laneOf({
  platform,
  environment,
  token,
  forward,
}: Pick<Device, "platform" | "environment" | "token" | "forward">): Lane {
  switch (platform) {
    case "ios":
      return `apns:${environment}`;
    case "android":
      return "fcm";
    case "web":
      return `webpush:${new URL(token).origin}`;
    case "forward":
      if (forward === undefined) throw new Error("a forward has no settings");
      return laneOfForward(forward);
  }
}

/** The platform that a lane belongs to. */
export function platformOf(lane: Lane): Platform {
  if (lane === "fcm") return "android";
  if (lane.startsWith("forward:")) return "forward";
  return lane.startsWith("apns:") ? "ios" : "web";
}

/** Plans the delivery of a message to a device. */
export const planOf: Plan = ({ message, device }) => ({
  lane: laneOf(device),
  isUrgent: message.priority === "urgent",
  expiresAt: expiryOf(message),
});

/** Plans a test, which counts as urgent since somebody is looking at the device. */
export const planTest =
  (now: Millis) =>
  (device: Device): ReturnType<Plan> => ({ lane: laneOf(device), isUrgent: true, expiresAt: now + TEST_TTL_MS });

const FIRST_MS = SECOND;
const LONGEST_MS = 15 * MINUTE;

/** A try that failed and may be repeated. */
export interface Failure {
  lane: Lane;
  isUrgent: boolean;
  /** The number of tries before this one. */
  attempts: number;
  /** Absent if there was no answer. */
  status?: number | undefined;
  /** The wait that the push service asks for. */
  afterMs?: number | undefined;
}

/**
 * When it is tried again: full jitter over 1 s × 4ⁿ, at most 15 min, but not in the first sixteenth, so that chance
 * makes no flood either. If the push service asks for a time, after that and never before. `random`: from 0 up to 1.
 */
export function retryAt(failure: Failure, now: Millis, random: number): Millis {
  const longest = Math.min(FIRST_MS * 4 ** failure.attempts, LONGEST_MS);
  const shortest = longest / 16;
  const asked = failure.afterMs ?? leastOf(failure);
  const wait =
    asked === undefined ? shortest + random * (longest - shortest) : Math.max(asked, shortest) + random * shortest;
  return Math.ceil(now + wait);
}

/**
 * The wait that a push service's rules ask for if its answer names none. Sources: Apple, "Handling notification
 * responses from APNs"; Google, "FCM error codes" and "Best practices when sending FCM messages at scale".
 */
function leastOf({ lane, isUrgent, status }: Failure): number | undefined {
  if (status === 429) return MINUTE;
  if (lane === "fcm") return 10 * SECOND;
  if (lane.startsWith("apns:") && status !== undefined && status >= 500) return isUrgent ? MINUTE / 2 : 15 * MINUTE;
  return undefined;
}

/** The time between two pushes of a message that somebody has to acknowledge. */
const REPEAT_MS = MINUTE;

/** A message that somebody has to acknowledge is repeated until then, counted from when it, or its delivery, was made. */
export const repeatedUntil = ({ createdAt }: Pick<Message | Delivery, "createdAt">): Millis => createdAt + HOUR;

/** When a message that somebody has to acknowledge is shown again; undefined if it is not. */
export function repeatAt(
  message: Message,
  delivery: Pick<Delivery, "createdAt" | "expiresAt">,
  now: Millis,
): Millis | undefined {
  if (message.priority !== "urgent" || draftOf(message).ack !== true) return undefined;
  const at = now + REPEAT_MS;
  return at < Math.min(delivery.expiresAt, repeatedUntil(delivery)) ? at : undefined;
}
