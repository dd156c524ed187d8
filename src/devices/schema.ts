/** What the API takes and answers about devices (API.md §5): it checks bodies and is the source of the OpenAPI document. */
import { type Static, Type } from "@sinclair/typebox";
import { PRIORITIES } from "../drafts/draft.ts";
import { choice, orNull, text, time } from "../util/schema.ts";
import { LOST_DAYS, PLATFORMS, REGISTERED, TOPICS_PER_DEVICE } from "./device.ts";
import { LastTest } from "./push-state.ts";
import { named, ref } from "./ref.ts";

const MAX_TOKEN_CHARACTERS = 4_096;

const token = text({
  minLength: 1,
  maxLength: MAX_TOKEN_CHARACTERS,
  description:
    "iOS: the device token in hex. Android: the registration token of Firebase. Web: the endpoint of the push subscription. Never returned.",
});
const keys = Type.Object(
  {
    p256dh: text({ minLength: 1, maxLength: 200, description: "base64url, 65 bytes." }),
    auth: text({ minLength: 1, maxLength: 200, description: "base64url, 16 bytes or more." }),
  },
  { description: "Of the push subscription; with `web` only." },
);
export const name = text({ minLength: 1, maxLength: 100, description: "The name its owner gave it." });
const locale = text({ minLength: 2, maxLength: 64, description: "A language tag: `de-AT`." });
const CLOCK = "^(?:[01][0-9]|2[0-3]):[0-5][0-9]$";
export const quietHours = Type.Object(
  {
    from: text({ pattern: CLOCK, description: "`22:00`" }),
    to: text({ pattern: CLOCK, description: "`07:00`; before `from`: on the next day." }),
    timezone: text({ minLength: 1, maxLength: 64, description: "For example Europe/Berlin." }),
  },
  { description: "Messages that aren't urgent wait until they end." },
);
export const minPriority = choice(PRIORITIES, { description: "Messages below it are not sent." });

const topicRef = { namespace: text(), topic: text({ description: "The topic's key." }) };
export const TopicRefBody = Type.Object(topicRef);

export const NewDeviceBody = Type.Object({
  platform: choice(REGISTERED),
  token,
  keys: Type.Optional(keys),
  topics: Type.Optional(
    Type.Array(TopicRefBody, { maxItems: TOPICS_PER_DEVICE, description: "Added to those it already has." }),
  ),
  name: Type.Optional(name),
  locale: Type.Optional(locale),
  quiet_hours: Type.Optional(quietHours),
  min_priority: Type.Optional(minPriority),
});
export type NewDeviceBody = Static<typeof NewDeviceBody>;

export const DevicePatchBody = Type.Object(
  {
    token: Type.Optional(token),
    keys: Type.Optional(keys),
    name: Type.Optional(orNull(name)),
    locale: Type.Optional(orNull(locale)),
    quiet_hours: Type.Optional(orNull(quietHours)),
    min_priority: Type.Optional(orNull(minPriority)),
  },
  { description: "`null` removes a value. A new token makes an expired device active again." },
);
export type DevicePatchBody = Static<typeof DevicePatchBody>;

export const SubscriptionPatchBody = Type.Object(
  {
    muted_until: Type.Optional(orNull(text({ format: "date-time", description: "Nothing is sent until then." }))),
    min_priority: Type.Optional(orNull(minPriority)),
  },
  { description: "`null` removes a value: the device's own applies again." },
);
export type SubscriptionPatchBody = Static<typeof SubscriptionPatchBody>;

export const ShownBody = Type.Object({
  ...topicRef,
  id: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: "Of the message." }),
});

export const SubscriptionRecord = Type.Object({
  namespace: Type.String(),
  topic: Type.String({ description: "The topic's key." }),
  name: Type.String(),
  url: Type.String({ description: "The share link." }),
  subscribed_at: time,
  muted_until: Type.Optional(time),
  min_priority: Type.Optional(choice(PRIORITIES)),
});
export type SubscriptionRecord = Static<typeof SubscriptionRecord>;

const id = Type.String({ description: "Anyone who has it can read, change and remove the device." });

const DeviceState = Type.Object({
  platform: choice(PLATFORMS),
  name: Type.Optional(Type.String()),
  status: choice(["active", "expired"], { description: "`expired`: its push service says it is gone." }),
  created_at: time,
  last_success_at: Type.Optional(Type.String({ format: "date-time", description: "A push was accepted." })),
  last_error_at: Type.Optional(time),
  last_error: Type.Optional(Type.String({ description: "What went wrong then, in words." })),
  expired: Type.Optional(
    Type.Object({ at: time, reason: Type.String() }, { description: `It is listed for ${LOST_DAYS} days.` }),
  ),
});
export type DeviceState = Static<typeof DeviceState>;

export const DeviceRecord = Type.Object({
  ...{ id, ref, ...DeviceState.properties },
  topics: Type.Array(SubscriptionRecord),
  locale: Type.Optional(Type.String()),
  quiet_hours: Type.Optional(quietHours),
  min_priority: Type.Optional(choice(PRIORITIES)),
  last_test: Type.Optional(LastTest),
});
export type DeviceRecord = Static<typeof DeviceRecord>;

/** The device without its other topics. */
const SubscriberRecord = Type.Object({ ...named, ...DeviceState.properties });
export type SubscriberRecord = Static<typeof SubscriberRecord>;

export const SubscriberList = Type.Object({
  devices: Type.Array(SubscriberRecord),
  has_more: Type.Boolean(),
  next_after: Type.Optional(Type.Integer({ description: "Pass as `after` for the next page." })),
});

export const WebPushRecord = Type.Object({
  vapid_public_key: Type.String({ description: "The `applicationServerKey` that browsers subscribe with." }),
});
