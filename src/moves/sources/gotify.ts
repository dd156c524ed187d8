/** Gotify's applications and messages (https://gotify.net/api-docs, `model/application.go`, `model/message.go`). Pure. */
import { Type, type Static } from "@sinclair/typebox";
import { gotifyFields } from "../../hooks/dialects/gotify.ts";
import { isGotifyToken } from "../../hooks/token.ts";
import { rfc3339, type Millis } from "../../util/clock.ts";
import { sha256 } from "../../util/ids.ts";
import { cut, oneLine } from "../../util/text/text.ts";
import type { MoveRecord } from "../record.ts";
import { draftOf, idOf } from "./foreign.ts";

export const GotifyApplication = Type.Object({
  ...{ id: Type.Integer(), token: Type.String(), name: Type.String() },
  ...{ description: Type.Optional(Type.String()), defaultPriority: Type.Optional(Type.Integer()) },
});
export type GotifyApplication = Static<typeof GotifyApplication>;

export const GotifyMessage = Type.Object({
  ...{ id: Type.Integer(), message: Type.String(), title: Type.Optional(Type.String()), date: Type.String() },
  ...{ priority: Type.Optional(Type.Integer()), extras: Type.Optional(Type.Unknown()) },
});
export type GotifyMessage = Static<typeof GotifyMessage>;

export interface Application extends GotifyApplication {
  /** The topic that it becomes. */
  topic: string;
}

/** Its topic, and a hook that takes the token that the application has. */
export function recordsOf(
  { id, token, name, description = "", topic, defaultPriority = 0 }: Application,
  namespace: string,
  now: Millis,
): MoveRecord[] {
  const place = { namespace, topic };
  const created = rfc3339(now);
  const title = cut(oneLine(name), 100);
  const settings = {
    ...(title !== "" && { name: title }),
    as: "gotify",
    ...(defaultPriority >= 8 && { defaults: { priority: defaultPriority >= 10 ? "urgent" : "high" } }),
  };
  const line = cut(oneLine(description), 200);
  return [
    { kind: "topic", ...place, created_at: created, ...(line !== "" && { description: line }) },
    {
      ...{
        kind: "hook",
        id: idOf(16, "gotify", namespace, id, sha256(token)),
        ...place,
        created_at: created,
        settings,
      },
      ...(isGotifyToken(token) && { gotify: { hash: sha256(token) } }),
    },
  ];
}

export function messageOf({ date, id: _id, ...message }: GotifyMessage, namespace: string, topic: string): MoveRecord {
  return {
    ...{ kind: "message", namespace, topic, created_at: rfc3339(Date.parse(date)) },
    draft: draftOf(gotifyFields(message), "hook"),
  };
}
