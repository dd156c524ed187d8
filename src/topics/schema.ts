/** What the API takes and answers about topics (API.md §2): it checks bodies and is the source of the OpenAPI document. */
import { type Static, Type } from "@sinclair/typebox";
import { orNull, text, time } from "../util/schema.ts";

const prefix = text({
  minLength: 1,
  maxLength: 32,
  pattern: "^[a-z0-9_-]+$",
  description: "The topic is named after it, with a short random tail when that name is taken.",
});
const name = text({
  minLength: 1,
  maxLength: 64,
  pattern: "^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$",
  description: "Unique in its namespace; can't look like a topic key.",
});
const description = text({ maxLength: 1_000 });
const retentionDays = Type.Integer({ minimum: 0, maximum: 36_500, description: "0: no limit." });
const mutedUntil = text({ format: "date-time", description: "Nothing is sent to devices until then." });
const retentionMessages = Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: "0: no limit." });

export const NewTopicBody = Type.Object(
  {
    prefix: Type.Optional(prefix),
    name: Type.Optional(name),
    description: Type.Optional(description),
    retention_days: Type.Optional(retentionDays),
    retention_messages: Type.Optional(retentionMessages),
  },
  { not: { required: ["prefix", "name"] } }, // for the document; spec.ts checks it
);
export type NewTopicBody = Static<typeof NewTopicBody>;

export const TopicPatchBody = Type.Object(
  {
    name: Type.Optional(name),
    description: Type.Optional(orNull(description)),
    retention_days: Type.Optional(orNull(retentionDays)),
    retention_messages: Type.Optional(orNull(retentionMessages)),
    archived: Type.Optional(Type.Boolean()),
    muted_until: Type.Optional(orNull(mutedUntil)),
  },
  { description: "`null` removes a value: the server's default applies again." },
);
export type TopicPatchBody = Static<typeof TopicPatchBody>;

export const RotateBody = Type.Object({
  keep_devices: Type.Optional(
    Type.Array(text(), {
      maxItems: 1_000,
      description: "Refs or ids of devices that stay subscribed, under the new key.",
    }),
  ),
});

export const TopicRecord = Type.Object({
  namespace: Type.String(),
  topic: Type.String({ description: "The topic's key: anyone who has it can read the topic." }),
  key: Type.String({ description: "The same as `topic`." }),
  name: Type.String(),
  url: Type.String({ description: "The share link." }),
  description: Type.Optional(Type.String()),
  last_id: Type.Integer({ minimum: 0 }),
  last_message_at: Type.Optional(time),
  retention_days: Type.Optional(retentionDays),
  retention_messages: Type.Optional(retentionMessages),
  archived: Type.Boolean(),
  muted_until: Type.Optional(mutedUntil),
  created_at: time,
});
export type TopicRecord = Static<typeof TopicRecord>;

export const RotatedTopic = Type.Object({
  ...TopicRecord.properties,
  kept_devices: Type.Array(Type.String(), { description: "Refs." }),
  dropped_devices: Type.Array(Type.String(), { description: "Refs." }),
});

export const TopicList = Type.Object({
  topics: Type.Array(TopicRecord),
  has_more: Type.Boolean(),
  next_after: Type.Optional(Type.String({ description: "Pass as `after` for the next page." })),
});
