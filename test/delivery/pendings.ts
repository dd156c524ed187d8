/** Deliveries as the delivery rules get them. */
import type { Pending } from "../../src/delivery/delivery.ts";
import type { Device } from "../../src/devices/device.ts";
import type { NamespaceId } from "../../src/keys/namespace.ts";
import type { Message } from "../../src/messages/message.ts";
import type { Draft } from "../../src/drafts/draft.ts";
import type { Topic, TopicId } from "../../src/topics/topic.ts";
import { defined } from "../../src/util/defined.ts";

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const NOW = Date.UTC(2026, 0, 15, 12);

export const aTopic: Topic = {
  ...{ id: 1 as TopicId, namespaceId: 1 as NamespaceId, namespace: "home", key: "nas-0", name: "nas" },
  ...{ lastId: 9, prunedTo: 0, createdAt: NOW - HOUR },
};

export const aDevice: Device = {
  ...{ row: 1 as Device["row"], id: "d", platform: "ios", token: "ab".repeat(32), base: "https://peal.example" },
  ...{ createdAt: NOW - HOUR, registeredAt: NOW - HOUR, environment: "production", wasMoved: false },
};

/** A message that was stored a second ago. */
export function aMessage(seq: number, draft: Partial<Draft> = {}): Message {
  const whole: Draft = {
    message: "disk full",
    level: "info",
    priority: "normal",
    format: "text",
    source: "api",
    ...draft,
  };
  const { level, priority } = whole;
  return { id: seq, seq, createdAt: NOW - SECOND, level, priority, json: JSON.stringify(whole) };
}

export type Other = { [Key in keyof Pending]?: Pending[Key] | undefined };

/** A delivery of that message that has been due for a second. */
export function aPending(seq: number, draft: Partial<Draft> = {}, other: Other = {}): Pending {
  const message = aMessage(seq, draft);
  return defined<Pending>({
    ...{
      row: seq as Pending["row"],
      kind: "message",
      lane: "apns:production",
      isUrgent: message.priority === "urgent",
    },
    ...{ attempts: 0, createdAt: message.createdAt, dueAt: message.createdAt, expiresAt: NOW + HOUR },
    ...{ device: aDevice, message, topic: aTopic, subscription: {} },
    ...(other as Partial<Pending>),
  });
}
