/** Applies the rules of a device's owner when a push is about to be sent: priority, mutes, quiet hours (DELIVERY.md §2). Pure. */
import { PRIORITIES } from "../../drafts/draft.ts";
import type { Millis } from "../../util/clock.ts";
import type { Pending } from "../delivery.ts";
import { isSkipped } from "../forwards/kinds.ts";
import { heldInQuietHours, type Hold } from "./quiet-hours.ts";

export type Ruling = { kind: "send" } | Hold | { kind: "drop"; reason: string };

const SEND: Ruling = { kind: "send" };

/** Decides whether a delivery is sent now. A test always is, since its owner is looking at the device. */
export function ruleOf(
  {
    kind,
    isUrgent,
    message,
    topic,
    subscription,
    namespaceMutedUntil,
    device,
  }: Pick<Pending, "kind" | "isUrgent" | "message" | "topic" | "subscription" | "namespaceMutedUntil" | "device">,
  now: Millis,
): Ruling {
  if (kind === "test") return SEND;
  if (message === undefined) return { kind: "drop", reason: "the message was deleted" };
  if (subscription === undefined) return { kind: "drop", reason: "unsubscribed" };
  if (isSkipped(device, message)) return { kind: "drop", reason: "takes another message back" };
  const least = subscription.minPriority ?? device.minPriority ?? "low";
  if (PRIORITIES.indexOf(message.priority) < PRIORITIES.indexOf(least))
    return { kind: "drop", reason: "below the priority it shows" };
  const mutes = [subscription.mutedUntil, topic?.mutedUntil, namespaceMutedUntil];
  if (mutes.some((until = -Infinity) => until > now)) return { kind: "drop", reason: "muted" };
  return heldInQuietHours({ isUrgent, device }, now) ?? SEND;
}
