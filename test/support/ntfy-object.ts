/**
 * A strict reader of what ntfy's clients decode: the fields of ntfy 2.27's model/model.go with their types, and no others. The
 * apps' own classes (Message.kt, aiontfy's types.py) need no more.
 */
import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

const strict = { additionalProperties: false };
const text = Type.String({ minLength: 1 });
const url = Type.String({ pattern: "^[a-z]+:" });
const time = Type.Integer({ minimum: 1_000_000_000, maximum: 9_999_999_999 });

const button = { id: Type.String({ pattern: "^[0-9A-Za-z]{10}$" }), label: text, clear: Type.Boolean() };
const extras = Type.Optional(Type.Record(text, Type.String()));
const Action = Type.Union([
  Type.Object({ ...button, action: Type.Literal("view"), url }, strict),
  Type.Object(
    {
      ...{ ...button, action: Type.Literal("http"), url, headers: extras, body: Type.Optional(text) },
      method: Type.Optional(Type.String({ pattern: "^[A-Z]+$" })),
    },
    strict,
  ),
  Type.Object({ ...button, action: Type.Literal("copy"), value: text }, strict),
  Type.Object({ ...button, action: Type.Literal("broadcast"), intent: Type.Optional(text), extras }, strict),
]);

const Attachment = Type.Object(
  {
    name: text,
    type: Type.Optional(text),
    size: Type.Optional(Type.Integer({ minimum: 0 })),
    expires: Type.Optional(time),
    url,
  },
  strict,
);

export const NtfyObject = Type.Object(
  {
    id: Type.String({ pattern: "^[0-9A-Za-z]{12}$" }),
    time,
    expires: Type.Optional(time),
    event: Type.Union(
      ["open", "keepalive", "message", "message_delete", "message_clear", "poll_request"].map((event) =>
        Type.Literal(event),
      ),
    ),
    topic: Type.String({ pattern: "^[-_.A-Za-z0-9]{1,64}(,[-_.A-Za-z0-9]{1,64})*$" }),
    sequence_id: Type.Optional(text),
    title: Type.Optional(text),
    message: Type.Optional(text),
    priority: Type.Optional(Type.Integer({ minimum: 1, maximum: 5 })),
    tags: Type.Optional(Type.Array(text, { minItems: 1 })),
    click: Type.Optional(url),
    icon: Type.Optional(url),
    actions: Type.Optional(Type.Array(Action, { minItems: 1, maxItems: 3 })),
    attachment: Type.Optional(Attachment),
    content_type: Type.Optional(Type.Literal("text/markdown")),
  },
  strict,
);
export type NtfyObject = Static<typeof NtfyObject>;

/** The object that a line or an answer is. @throws Error if a client could not decode it */
export function ntfyObject(json: string): NtfyObject {
  const value: unknown = JSON.parse(json);
  for (const { path, message } of Value.Errors(NtfyObject, value)) throw new Error(`${path}: ${message} in ${json}`);
  return value as NtfyObject;
}

const NtfyError = Type.Object(
  { code: Type.Integer(), http: Type.Integer(), error: text, link: Type.Optional(url) },
  strict,
);
export type NtfyError = Static<typeof NtfyError>;

/** A refusal: Home Assistant's library takes these fields and no other. @throws Error if it is none */
export async function ntfyError(response: Response): Promise<NtfyError> {
  const value: unknown = await response.json();
  for (const { path, message } of Value.Errors(NtfyError, value))
    throw new Error(`${path}: ${message} in ${JSON.stringify(value)}`);
  const error = value as NtfyError;
  if (error.http !== response.status) throw new Error(`${error.http} in an answer of ${response.status}`);
  return error;
}
