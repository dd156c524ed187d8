/** What the API takes and answers about forwards (API.md §5): it checks bodies and is the source of the OpenAPI document. */
import { type Static, type TUnsafe, Type } from "@sinclair/typebox";
import { KINDS } from "../delivery/forwards/kinds.ts";
import { LastTest } from "../devices/push-state.ts";
import { minPriority, name, quietHours, SubscriptionRecord } from "../devices/schema.ts";
import { TOPICS_PER_DEVICE } from "../devices/device.ts";
import { choice, orNull, text, time } from "../util/schema.ts";

const kind = choice(
  KINDS.map((one) => one.name),
  { description: "The service that messages are handed on to." },
);
/** For the OpenAPI document only; settings.ts checks them by their kind. */
const settings: TUnsafe<Record<string, unknown>> = Type.Unsafe(
  Type.Object(
    {},
    {
      description: "Those of its kind. Secrets are sealed and never returned.",
      anyOf: KINDS.map((one) => ({ title: one.name, ...one.settings })),
    },
  ),
);
const topic = text({ minLength: 1, description: "A topic of the namespace, by its name or its key." });

export const NewForwardBody = Type.Object({
  kind,
  settings,
  name: Type.Optional(name),
  topics: Type.Optional(Type.Array(topic, { maxItems: TOPICS_PER_DEVICE, description: "What it follows." })),
  quiet_hours: Type.Optional(quietHours),
  min_priority: Type.Optional(minPriority),
});
export type NewForwardBody = Static<typeof NewForwardBody>;

export const ForwardPatchBody = Type.Object(
  {
    settings: Type.Optional(settings),
    name: Type.Optional(orNull(name)),
    quiet_hours: Type.Optional(orNull(quietHours)),
    min_priority: Type.Optional(orNull(minPriority)),
  },
  { description: "`null` removes a value, in `settings` too; a setting that is left out stays as it is." },
);
export type ForwardPatchBody = Static<typeof ForwardPatchBody>;

export const TopicBody = Type.Object({ topic });

export const ForwardRecord = Type.Object({
  id: Type.String({ description: "In deliveries it is the device's `ref`." }),
  namespace: Type.String(),
  kind,
  name: Type.Optional(Type.String()),
  host: Type.String({ description: "Where it sends." }),
  settings: Type.Unsafe<Record<string, unknown>>(Type.Object({}, { description: "Without those that are secret." })),
  secrets: Type.Array(Type.String(), { description: "The names of the secret settings that are set." }),
  topics: Type.Array(SubscriptionRecord),
  quiet_hours: Type.Optional(quietHours),
  min_priority: Type.Optional(minPriority),
  created_at: time,
  trouble: Type.Optional(Type.String({ description: "Why nothing is sent now, and what to do about it." })),
  last_success_at: Type.Optional(Type.String({ format: "date-time", description: "A message was accepted." })),
  last_error_at: Type.Optional(time),
  last_error: Type.Optional(Type.String({ description: "What went wrong then, in words." })),
  last_test: Type.Optional(LastTest),
});
export type ForwardRecord = Static<typeof ForwardRecord>;

export const ForwardList = Type.Object({ forwards: Type.Array(ForwardRecord) });
