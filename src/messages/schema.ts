/** What a publisher may send (API.md §3): the source of the check, of the types and of the OpenAPI document. */
import { type Static, type TUnsafe, Type } from "@sinclair/typebox";
import { choice, text } from "../util/schema.ts";
import { MAX_FILES } from "../files/file.ts";
import * as limits from "../drafts/limits.ts";
import { LEVELS, PRIORITIES } from "../drafts/draft.ts";

/** The longest search. */
export const MAX_SEARCH_CHARACTERS = 200;
/** The most messages of a namespace that may wait for their time. */
export const SCHEDULED_PER_NAMESPACE = 10_000;
/** How many bytes of plain text are read; up to `MAX_MESSAGE_BYTES` are kept. */
export const MAX_PLAIN_BYTES = 1_048_576;

export const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"] as const;

const url = (description: string) => text({ format: "uri", description: `${description} At most 2,048 characters.` });
const time = (description: string) => text({ format: "date-time", description });
const data = Type.Object({}, { description: "Passed through unchanged; at most 4 KiB of JSON." });

const Action = Type.Object({
  label: text({ minLength: 1, maxLength: limits.MAX_LABEL_CHARACTERS }),
  url: Type.Optional(
    url(
      "Absolute http or https URL; without `method` also mailto, tel or an app's. Needed without `copy` and `broadcast`.",
    ),
  ),
  method: Type.Optional(choice(METHODS, { description: "Send a request instead of opening a link." })),
  headers: Type.Optional(
    Type.Record(
      Type.String({ pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$" }),
      Type.String({ pattern: "^[\\t -~]*$", maxLength: limits.MAX_HEADER_CHARACTERS }),
      {
        additionalProperties: false,
        maxProperties: limits.MAX_HEADERS,
        description: "Headers of the request. Whoever reads the message sees them.",
      },
    ),
  ),
  body: Type.Optional(
    text({ maxLength: limits.MAX_BODY_CHARACTERS, description: "Body of the request; not with GET and HEAD." }),
  ),
  copy: Type.Optional(
    text({
      minLength: 1,
      maxLength: limits.MAX_BODY_CHARACTERS,
      description: "Copy this text; shown on pages and in ntfy's app.",
    }),
  ),
  broadcast: Type.Optional(
    Type.Object(
      {
        intent: Type.Optional(text({ minLength: 1, maxLength: limits.MAX_INTENT_CHARACTERS })),
        extras: Type.Optional(
          Type.Record(Type.String({ pattern: "^.{1,64}$" }), text({ maxLength: limits.MAX_HEADER_CHARACTERS }), {
            additionalProperties: false,
            maxProperties: limits.MAX_HEADERS,
          }),
        ),
      },
      { description: "Send an Android intent; only in ntfy's app." },
    ),
  ),
  clear: Type.Optional(Type.Boolean({ description: "The notification goes once the button is tapped." })),
});

const optional = {
  title: Type.Optional(text({ maxLength: limits.MAX_TITLE_CHARACTERS })),
  level: Type.Optional(choice(LEVELS, { description: "Colours the card. Default `info`." })),
  priority: Type.Optional(
    choice(PRIORITIES, { description: "Default `normal`. `urgent` breaks through Do Not Disturb." }),
  ),
  tags: Type.Optional(Type.Array(text({ maxLength: limits.MAX_TAG_CHARACTERS }), { maxItems: limits.MAX_TAGS })),
  url: Type.Optional(url("Opened by a tap: absolute http, https, mailto or tel URL, or an app's.")),
  image: Type.Optional(url("Shown on the card: absolute https or http URL.")),
  icon: Type.Optional(
    url("A small picture for ntfy's apps, and the image if there is no other: absolute https or http URL."),
  ),
  actions: Type.Optional(Type.Array(Action, { maxItems: limits.MAX_ACTIONS, description: "Buttons." })),
  format: Type.Optional(choice(["text", "markdown"], { description: "How `message` is shown. Default `text`." })),
  dedup_key: Type.Optional(
    text({
      maxLength: limits.MAX_KEY_CHARACTERS,
      description: "A later message of the topic with the same key updates the alert.",
    }),
  ),
  status: Type.Optional(
    choice(["firing", "resolved"], { description: "With `dedup_key`: `resolved` closes the alert." }),
  ),
  ttl: Type.Optional(
    Type.Integer({
      minimum: limits.MIN_TTL_SECONDS,
      maximum: limits.MAX_DELAY_SECONDS,
      description: "Seconds after which a push expires.",
    }),
  ),
  ack: Type.Optional(Type.Boolean({ description: "With `urgent`: the push is repeated until somebody acknowledges." })),
  timestamp: Type.Optional(time("When it happened, if that is not now.")),
  data: Type.Optional(data as unknown as TUnsafe<Record<string, unknown>>),
};

export const PublishBody = Type.Object(
  {
    message: text({
      minLength: 1,
      maxBytes: limits.MAX_MESSAGE_BYTES,
      description: "The text: 1 to 32,768 bytes of UTF-8.",
    }),
    ...optional,
    delay: Type.Optional(
      Type.Integer({ minimum: 0, maximum: limits.MAX_DELAY_SECONDS, description: "Deliver this many seconds later." }),
    ),
    at: Type.Optional(time("Deliver at this time, at most 30 days ahead. Not together with `delay`.")),
  },
  {
    description: "Unknown fields are ignored.",
    // for the OpenAPI document only: draft.ts checks rules between two fields
    dependentRequired: { status: ["dedup_key"] },
    not: { required: ["delay", "at"] },
    if: { properties: { ack: { const: true } }, required: ["ack"] },
    then: { properties: { priority: { const: "urgent" } }, required: ["priority"] },
  },
);
export type PublishBody = Static<typeof PublishBody>;

const Attached = Type.Object({
  name: Type.String(),
  type: Type.String({ description: "Of pictures that browsers show as their bytes say it, else as the sender does." }),
  size: Type.Integer({ minimum: 0, description: "Bytes." }),
  url: Type.String({ format: "uri", description: "The topic's key is in it: another one after a rotation." }),
  width: Type.Optional(Type.Integer({ minimum: 1, description: "Pixels, as it is shown." })),
  height: Type.Optional(Type.Integer({ minimum: 1 })),
  expires_at: Type.String({ format: "date-time", description: "From then on the URL answers 404." }),
});

const stored = {
  namespace: Type.String(),
  topic: Type.String({ description: "The topic's key." }),
  topic_name: Type.String(),
  created_at: Type.String({ format: "date-time" }),
  message: Type.String(),
  ...optional,
  level: choice(LEVELS),
  priority: choice(PRIORITIES),
  format: choice(["text", "markdown"]),
  attachments: Type.Optional(Type.Array(Attached, { maxItems: MAX_FILES, description: "Files that came with it." })),
  via: Type.Optional(
    Type.Array(Type.String(), { description: "Ids of the servers whose forwards brought it here, the latest last." }),
  ),
  source: Type.String({
    description:
      "api, ntfy (ntfy:delete, ntfy:clear: its sender took a message back), hook, rewrite:<name>, check, dashboard, schedule or system",
  }),
};
const id = Type.Integer({ minimum: 1, description: "Counted per topic: 1, 2, 3 … in commit order." });

/** A message as every answer has it (API.md §4). */
export const StoredMessage = Type.Object({ id, ...stored });

/** A message that waits for its time: it has no id yet. */
export const ScheduledMessage = Type.Object({
  scheduled: Type.Object({ id: Type.String(), deliver_at: Type.String({ format: "date-time" }) }),
  ...stored,
});

const publication = {
  topic_url: Type.String({ description: "The topic's share link." }),
  created_topic: Type.Boolean(),
  ignored: Type.Optional(
    Type.Array(
      Type.Object({
        path: Type.String({ description: "JSON pointer into the body, or the name of a parameter or header." }),
        message: Type.String(),
      }),
      { description: "What could not be used." },
    ),
  ),
};
export const PublishedMessage = Type.Union([
  Type.Object({ id, ...stored, ...publication }),
  Type.Object({ ...ScheduledMessage.properties, ...publication }),
]);

export const MessagePage = Type.Object({
  messages: Type.Array(StoredMessage),
  has_more: Type.Boolean(),
  last_id: Type.Integer({ minimum: 0, description: "The topic's newest id." }),
  truncated: Type.Optional(Type.Boolean({ description: "Retention has deleted messages after `since`." })),
  reset: Type.Optional(
    Type.Boolean({ description: "`since` is not of this database, as after a restore: read all of it again." }),
  ),
  next_before: Type.Optional(Type.Integer({ description: "Pass as `before` for the next page." })),
  next_since: Type.Optional(Type.Integer({ description: "Pass as `since` for the next page." })),
});

export const ScheduledList = Type.Object({
  scheduled: Type.Array(ScheduledMessage),
  has_more: Type.Boolean(),
  next_after: Type.Optional(Type.String({ description: "Pass as `after` for the next page." })),
});
