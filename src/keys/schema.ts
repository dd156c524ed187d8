/** What the API takes and answers about keys (API.md §3): it checks bodies and is the source of the OpenAPI document. */
import { type Static, Type } from "@sinclair/typebox";
import { choice, text, time } from "../util/schema.ts";
import { SCOPES } from "./key.ts";

export const NewKeyBody = Type.Object({
  name: Type.Optional(text({ maxLength: 100, description: "One line, without invisible characters." })),
  scope: Type.Optional(
    choice(SCOPES, {
      description:
        "`publish` publishes and nothing else; `read` reads checks, topics and messages and changes nothing; `full` (default) " +
        "does both and manages topics and checks; `admin` also keys.",
    }),
  ),
  expires_at: Type.Optional(text({ format: "date-time", description: "A time in the future. Absent: never." })),
});

export const KeyRecord = Type.Object({
  id: Type.String(),
  name: Type.Optional(Type.String()),
  prefix: Type.String({ description: "The first 12 characters of the key." }),
  namespace: Type.String(),
  scope: choice(SCOPES),
  created_at: time,
  expires_at: Type.Optional(time),
  last_used_at: Type.Optional(time),
  last_used_from: Type.Optional(Type.String({ description: "Address of the client that used it last." })),
});
export type KeyRecord = Static<typeof KeyRecord>;

export const MintedKey = Type.Object({
  ...KeyRecord.properties,
  key: Type.String({ description: "The key itself: shown only here." }),
});

export const KeyList = Type.Object({ keys: Type.Array(KeyRecord) });
