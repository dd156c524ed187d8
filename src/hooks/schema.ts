/** What the API takes and answers about hooks (API.md §9): it checks bodies and is the source of the OpenAPI document. */
import { type Static, type TUnsafe, Type } from "@sinclair/typebox";
import { choice, orNull, text, time } from "../util/schema.ts";
import { DIALECTS } from "./hook.ts";
import { HookMap } from "./map.ts";

const MAX_NAME_CHARACTERS = 100;

const name = text({
  minLength: 1,
  maxLength: MAX_NAME_CHARACTERS,
  description: "Shown in lists: the tool that uses it.",
});
const dialect = choice(DIALECTS, {
  description:
    "The service whose webhook the tool thinks it posts to: decides how its body is read and what it gets as an answer.",
});
/** For the OpenAPI document only; spec.ts checks them. */
const map: TUnsafe<unknown> = Type.Unsafe(Type.Any({ ...HookMap, description: "What is taken from the body." }));
const defaults: TUnsafe<unknown> = Type.Unsafe(
  Type.Any({ type: "object", description: "Default values for fields that the request does not set." }),
);
const get = Type.Boolean({
  description:
    "GET publishes too, from the query: anything that opens the link, except what identifies itself as a link preview.",
});
const keep = Type.Boolean({
  description: "The latest 20 requests are kept for 7 days. Default true; false deletes them.",
});

export const NewHookBody = Type.Object({
  topic: text({
    minLength: 1,
    description: "Where its messages go: the name of a topic, which is created if it is new, or a topic key.",
  }),
  name: Type.Optional(name),
  as: Type.Optional(dialect),
  map: Type.Optional(map),
  defaults: Type.Optional(defaults),
  get: Type.Optional(get),
  keep_requests: Type.Optional(keep),
});
export type NewHookBody = Static<typeof NewHookBody>;

export const HookPatchBody = Type.Object(
  {
    name: Type.Optional(orNull(name)),
    as: Type.Optional(orNull(dialect)),
    map: Type.Optional(orNull(map)),
    defaults: Type.Optional(orNull(defaults)),
    get: Type.Optional(get),
    keep_requests: Type.Optional(keep),
  },
  { description: "`null` removes a value. The topic can't change: create another hook for another topic." },
);
export type HookPatchBody = Static<typeof HookPatchBody>;

export const RotateHookBody = Type.Object({
  now: Type.Optional(Type.Boolean({ description: "The old URL stops immediately, instead of 24 hours later." })),
});

export const HookRecord = Type.Object({
  id: Type.String(),
  namespace: Type.String(),
  name: Type.Optional(Type.String()),
  topic: Type.String({ description: "The key of its topic." }),
  topic_name: Type.String(),
  url: Type.Optional(
    Type.String({
      description:
        "Takes any POST or PUT; `/slack`, `/discord`, `/github`, `/gotify`, `/apprise` behind it name the dialect. It is the " +
        "capability to publish. Left out, with the next three, when the server has lost its secret: rotate to get a new one.",
    }),
  ),
  discord_url: Type.Optional(Type.String({ description: "The same in the form of Discord's webhooks." })),
  apprise_url: Type.Optional(Type.String({ description: "The same as Apprise API's `/notify/{key}`." })),
  gotify_token: Type.Optional(
    Type.String({ description: "The token of an application at this server, for Gotify's clients." }),
  ),
  old_url_until: Type.Optional(time),
  as: Type.Optional(choice(DIALECTS)),
  map: Type.Optional(HookMap),
  defaults: Type.Optional(Type.Object({})),
  get: Type.Boolean(),
  keep_requests: Type.Boolean(),
  requests: Type.Integer({ minimum: 0, description: "Taken so far." }),
  last_used_at: Type.Optional(time),
  last_used_from: Type.Optional(Type.String({ description: "The client's address then." })),
  last_source: Type.Optional(Type.String({ description: "`source` of the latest message." })),
  created_at: time,
});
export type HookRecord = Static<typeof HookRecord>;

export const HookList = Type.Object({ hooks: Type.Array(HookRecord) });

const RequestRecord = Type.Object({
  n: Type.Integer({ minimum: 1, description: "Counted per hook: 1, 2, 3 …" }),
  at: time,
  method: Type.String(),
  from: Type.String({ description: "The client's address." }),
  content_type: Type.Optional(Type.String()),
  user_agent: Type.Optional(Type.String()),
  query: Type.Optional(Type.String({ description: "Without what could be a secret." })),
  headers: Type.Optional(Type.Record(Type.String(), Type.String(), { description: "Those that may mean something." })),
  source: Type.String({ description: "`source` of the message." }),
  message_id: Type.Optional(Type.Integer({ minimum: 1, description: "Left out: the message waits for its time." })),
  body_bytes: Type.Integer({ minimum: 0, description: "As they were sent, decompressed." }),
  body: Type.Optional(Type.String({ description: "Its first 64 KiB, where they are text." })),
  body_base64: Type.Optional(Type.String({ description: "Its first 64 KiB, where they are not." })),
  body_cut: Type.Optional(Type.Boolean({ description: "There was more." })),
  files: Type.Optional(
    Type.Array(Type.String(), { description: "Names of the files; `body` is what was sent beside them." }),
  ),
});
export type RequestRecord = Static<typeof RequestRecord>;

export const RequestList = Type.Object({ requests: Type.Array(RequestRecord, { description: "Newest first." }) });
