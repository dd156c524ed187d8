/**
 * The lines of an export, which are also what every import is made of (docs/moving.md): the readers of other servers turn their
 * rows into these. A field that is marked as a secret is only in an export `--with-secrets`.
 */
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { TypeCompiler } from "@sinclair/typebox/compiler";
import { LEVELS, PRIORITIES } from "../drafts/draft.ts";
import { MAX_MESSAGE_BYTES } from "../drafts/limits.ts";
import { MAX_FILES } from "../files/file.ts";
import { SCOPES } from "../keys/key.ts";
import { isNamespaceName } from "../names/namespace.ts";
import { isTopicName } from "../names/topic.ts";
import { isObject, jsonIn } from "../util/json.ts";
import { choice } from "../util/schema.ts";
import { parseTime } from "../util/time.ts";

/** Raised when an older peal could not read the lines. */
export const FORMAT = 1;

const text = Type.String({ minLength: 1 });
const time = Type.String();
const count = Type.Integer({ minimum: 0 });
const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);
const place = { namespace: text, topic: text };
const some = Type.Record(Type.String(), Type.Unknown());

const hash = Type.String({ pattern: "^[0-9a-f]{64}$" });
/** `sha256`: of the bytes, if they are there; their pieces are before the message in an export `--with-files`. */
const NamedFile = Type.Object({
  ...{ name: text, type: text, size: count, width: optional(count), height: optional(count), sha256: optional(hash) },
});

const Draft = Type.Object({
  attachments: optional(Type.Array(NamedFile, { maxItems: MAX_FILES })),
  message: Type.String({ minLength: 1, maxLength: MAX_MESSAGE_BYTES }),
  level: choice(LEVELS),
  priority: choice(PRIORITIES),
  format: choice(["text", "markdown"]),
  source: text,
  dedup_key: optional(text),
  title: optional(Type.String()),
});

const Header = Type.Object({
  kind: Type.Literal("peal-export"),
  format: Type.Integer({ minimum: 1 }),
  version: text,
  exported_at: time,
  with_secrets: Type.Boolean(),
});
export type Header = Static<typeof Header>;

const Namespace = Type.Object({
  ...{ kind: Type.Literal("namespace"), name: text, created_at: time, muted_until: optional(time) },
  /** Secret: SHA-256 of the ping key. */
  ping_key: optional(Type.Object({ hash: text, generation: count })),
});
const Topic = Type.Object({
  ...{ kind: Type.Literal("topic"), ...place, created_at: time, description: optional(Type.String()) },
  ...{ retention_days: optional(count), retention_messages: optional(count) },
  ...{ archived_at: optional(time), muted_until: optional(time) },
  /** Secret: whoever has it reads the topic. */
  key: optional(text),
});
const Message = Type.Object({
  ...{ kind: Type.Literal("message"), ...place, created_at: time, draft: Draft },
  /** Kept where the topic has given none as high. */
  id: optional(Type.Integer({ minimum: 1 })),
  acknowledged: optional(Type.Object({ at: time, by: optional(text) })),
});
/** Behind the messages of a topic: the ids that it has given. */
const TopicIds = Type.Object({ kind: Type.Literal("topic_ids"), ...place, last_id: count, pruned_to: count });
/** A piece of a file, before the first message that names the file. Pieces come in order; the last one ends at `size`. */
const FilePiece = Type.Object({
  ...{ kind: Type.Literal("file"), sha256: hash, size: count, at: count },
  /** Base64. */
  data: Type.String(),
});
const Scheduled = Type.Object({
  ...{ kind: Type.Literal("scheduled"), id: text, ...place, created_at: time, deliver_at: time },
  ...{ delay_ms: optional(count), draft: Draft },
});
const Tokens = Type.Object({ hash: text, generation: count, old_hash: optional(text), old_until: optional(time) });
const Check = Type.Object({
  ...{ kind: Type.Literal("check"), id: text, ...place, created_at: time },
  /** `Standing`: its settings, and what pings have made of it. */
  standing: Type.Object({
    settings: Type.Object({ name: text, slug: optional(text), schedule: some, tags: Type.Array(text) }),
    state: choice(["new", "up", "down", "paused"]),
    ...{ events: count, incidents: count, runs: Type.Array(some), offsets: Type.Array(Type.Number()) },
  }),
  counted_to: optional(time),
  /** Secret: SHA-256 of the token in its ping URL. */
  token: optional(Tokens),
  /** Secret: whoever has it sees the state. */
  badge_token: optional(text),
});
/** A check of another server, described as a body of the API. */
const NewCheck = Type.Object({
  ...{ kind: Type.Literal("new_check"), id: text, namespace: text, body: some },
});
const CheckEvent = Type.Object({
  ...{ kind: Type.Literal("check_event"), check: text, n: count, event: some },
  /** Base64 of the beginning and the end of what the job said. */
  ...{ head: optional(Type.String()), tail: optional(Type.String()) },
});
const Told = Type.Object({ topic: text, id: count });
const CheckIncident = Type.Object({
  ...{ kind: Type.Literal("check_incident"), check: text, n: count, incident: some, closed_at: optional(time) },
  /** The messages that reported its begin and end. */
  ...{ down: optional(Told), up: optional(Told) },
});
const CheckDay = Type.Object({
  ...{ kind: Type.Literal("check_day"), check: text, day: count, up_ms: count, down_ms: count, quiet_ms: count },
  ...{ away_ms: count, has_ok: Type.Boolean(), usual_ms: optional(count) },
});
const Hook = Type.Object({
  ...{ kind: Type.Literal("hook"), id: text, ...place, created_at: time, settings: some },
  ...{ requests: optional(count), last_used_at: optional(time) },
  /** Secret: SHA-256 of the token in its URL, and of that for Gotify's clients. */
  token: optional(Tokens),
  gotify: optional(Type.Object({ hash: text, old_hash: optional(text) })),
});
const Device = Type.Object({
  ...{ kind: Type.Literal("device"), ref: text, platform: text, name: optional(text), created_at: time },
  subscriptions: Type.Array(
    Type.Object({ ...place, at: time, muted_until: optional(time), min_priority: optional(text) }),
  ),
  /** Of a forward: whose it is. */
  namespace: optional(text),
  /** Since when it follows nothing. */
  idle_since: optional(time),
  /** Secret: its id, with which it is changed, and where its pushes go. */
  row: optional(some),
});
const Person = Type.Object({
  ...{ kind: Type.Literal("person"), id: text, name: text, is_admin: Type.Boolean(), created_at: time },
  /** Absent: all. */
  namespaces: optional(Type.Array(text)),
  last_seen_at: optional(time),
  /** Secret: argon2id. */
  password_hash: optional(text),
});
const Key = Type.Object({
  ...{ kind: Type.Literal("key"), id: text, namespace: text, scope: choice(SCOPES), name: optional(text) },
  ...{ created_at: time, expires_at: optional(time), last_used_at: optional(time) },
  /** Secret: SHA-256 of the key, and its first characters. */
  secret: optional(Type.Object({ hash: text, prefix: text })),
});
/** Secret: the key pair by which browsers know the server (VAPID), and what URLs are made of so that pages can show them. */
const ServerSecret = Type.Object({ kind: Type.Literal("server_secret"), name: choice(["vapid", "urls"]), value: text });
/** The last line: without it the file is cut off. */
const End = Type.Object({ kind: Type.Literal("end"), records: count });

export type MessageRecord = Static<typeof Message>;
export type TopicRecord = Static<typeof Topic>;
export type NewCheckRecord = Static<typeof NewCheck>;
export type HookRecord = Static<typeof Hook>;
export type CheckRecord = Static<typeof Check>;
export type FilePiece = Static<typeof FilePiece>;
export type ServerSecretRecord = Static<typeof ServerSecret>;

const KINDS = {
  namespace: Namespace,
  topic: Topic,
  message: Message,
  topic_ids: TopicIds,
  file: FilePiece,
  scheduled: Scheduled,
  check: Check,
  new_check: NewCheck,
  check_event: CheckEvent,
  check_incident: CheckIncident,
  check_day: CheckDay,
  hook: Hook,
  device: Device,
  person: Person,
  key: Key,
  server_secret: ServerSecret,
};
export type MoveRecord = { [Kind in keyof typeof KINDS]: Static<(typeof KINDS)[Kind]> }[keyof typeof KINDS];
export type RecordKind = MoveRecord["kind"];
export type Line = MoveRecord | Header | Static<typeof End>;

const compiled = new Map(
  Object.entries({ ...KINDS, "peal-export": Header, end: End }).map(([kind, schema]) => [
    kind,
    TypeCompiler.Compile(schema),
  ]),
);

/** A line of an export; or what is wrong with it, in words. */
export const readLine = (line: string): Line | string => lineOf(jsonIn(line));

/** The same from its JSON. */
export function lineOf(value: unknown): Line | string {
  if (!isObject(value) || typeof value["kind"] !== "string") return "is no record of an export";
  const schema = compiled.get(value["kind"]);
  if (schema === undefined) return `has the unknown kind ${value["kind"].slice(0, 40)}`;
  const error = schema.Errors(value).First();
  if (error !== undefined) return `${value["kind"]}${error.path}: ${error.message}`;
  return wrongWith(value) ?? (value as unknown as Line);
}

/** What a schema cannot say: forms of times and names. */
function wrongWith(value: Readonly<Record<string, unknown>>): string | undefined {
  for (const [field, found] of Object.entries(value)) {
    if (/_(?:at|until|to)$/.test(field) && typeof found === "string" && parseTime(found) === undefined)
      return `${String(value["kind"])}/${field}: is no RFC 3339 time`;
  }
  const { topic, namespace } = value;
  if (typeof topic === "string" && !isTopicName(topic)) return `${topic.slice(0, 70)} can't be the name of a topic`;
  const named = value["kind"] === "namespace" ? value["name"] : namespace;
  if (typeof named === "string" && !isNamespaceName(named))
    return `${named.slice(0, 40)} can't be the name of a namespace`;
  return undefined;
}
