/** What the API answers about deliveries (DELIVERY.md §6): the source of the OpenAPI document. */
import { type Static, Type } from "@sinclair/typebox";
import { PLATFORMS } from "../devices/device.ts";
import { pushState, waitsFor } from "../devices/push-state.ts";
import { named } from "../devices/ref.ts";
import { choice, text } from "../util/schema.ts";

const time = (description: string) => Type.String({ format: "date-time", description });

const DeliveryRecord = Type.Object({
  device: Type.Optional(
    Type.Object(
      { ...named, platform: choice(PLATFORMS), name: Type.Optional(Type.String()) },
      { description: "Left out when it was removed." },
    ),
  ),
  state: pushState,
  lane: Type.String({
    description:
      "Where it is sent: `apns:production`, `fcm:` and a project, `webpush:` and an origin, `forward:`, a kind and a host.",
  }),
  waits_for: Type.Optional(waitsFor),
  attempts: Type.Integer({ minimum: 0 }),
  created_at: time("When the device was found among the topic's."),
  due_at: Type.Optional(time("Not sent, or not sent again, before.")),
  expires_at: time("When it expires."),
  accepted_at: Type.Optional(time("First accepted; it may be sent again until someone acknowledges it.")),
  settled_at: Type.Optional(time("Nothing more happens since then.")),
  shown_at: Type.Optional(time("As reported by the device.")),
  provider_id: Type.Optional(Type.String({ description: "What the push service calls it." })),
  last_status: Type.Optional(Type.Integer({ description: "Of the push service's last answer." })),
  last_reason: Type.Optional(Type.String({ description: "What it said, or what went wrong." })),
});
export type DeliveryRecord = Static<typeof DeliveryRecord>;

const count = Type.Integer({ minimum: 0 });

export const DeliveryList = Type.Object({
  counts: Type.Object(
    { pending: count, accepted: count, failed: count, expired: count, cancelled: count },
    { description: "Of all, including those no longer listed: each is listed for 7 days." },
  ),
  acknowledged_at: Type.Optional(time("When someone acknowledged it.")),
  deliveries: Type.Array(DeliveryRecord),
  has_more: Type.Boolean(),
  next_after: Type.Optional(Type.Integer({ description: "Pass as `after` for the next page." })),
});

export const RetryBody = Type.Object({
  device: Type.Optional(text({ description: "The `ref` of the one device that is meant. Left out: all." })),
});

export const Retried = Type.Object({
  retried: Type.Integer({ minimum: 0, description: "Deliveries that wait again." }),
  left: Type.Integer({
    minimum: 0,
    description: "Not retried: the device is lost or no longer follows the topic, or someone acknowledged the message.",
  }),
});
export type Retried = Static<typeof Retried>;

export const Acknowledged = Type.Object({ acknowledged_at: time("When the first one acknowledged it.") });
