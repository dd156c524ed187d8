/** New messages on a WebSocket, as Gotify's clients read them: a text for each, and nothing else. */
import type { Deps } from "../deps.ts";
import { baseUrl } from "../http/urls.ts";
import type { Opening } from "../messages/events/connection.ts";
import type { Format } from "../messages/events/format.ts";
import { namespacesSource } from "../messages/events/source.ts";
import { hasFiles } from "../messages/message.ts";
import { SESSION_IDLE_MS } from "../store/accounts.ts";
import { messageJson } from "./json.ts";
import { sees, type Reader } from "./reader.ts";

type StreamDeps = Pick<Deps, "config" | "store" | "clock" | "bus" | "streams">;

/**
 * From now on: after a break the app asks for what it missed by itself. It ends with the key, and whenever something about the
 * person changes, be it the end of another session: the app is back in a minute, if it still may.
 */
export const openStream = (deps: StreamDeps, request: Request, reader: Reader): Response =>
  deps.streams.open(request, {
    feed: feedOf(reader),
    source: namespacesSource(deps, (id) => sees(reader, id)),
    format: MESSAGES,
    base: baseUrl(deps, request),
    ...{ since: undefined, matches: undefined, asked: "" },
    ...(reader.kind === "key" ? { key: reader.key } : { key: keyOf(deps, reader), personId: reader.person.id }),
  });

/**
 * A session counts as used when a request comes, and this one may be the last for months: its stream ends while the session still
 * has time, and the app, which comes back, has used it.
 */
const keyOf = ({ clock }: Pick<Deps, "clock">, { session }: Extract<Reader, { kind: "person" }>): Opening["key"] =>
  session && { id: session.id, expiresAt: clock.now() + SESSION_IDLE_MS / 2 };

/** Bun's pings keep a silent connection open. */
const MESSAGES: Format = {
  opening: () => undefined,
  message: ({ topic, message, draft }, base) => JSON.stringify(messageJson(topic, message, draft, base)),
  isOfBase: hasFiles,
  heartbeat: () => undefined,
};

/** Readers of the same namespaces share a feed. No topic key and no namespace has a blank in its name. */
function feedOf(reader: Reader): string {
  if (reader.kind === "key") return `gotify ${reader.key.namespaceId}`;
  const { isAdmin, namespaces } = reader.person;
  return `gotify ${isAdmin || namespaces === undefined ? "all" : [...namespaces].sort((a, b) => a - b).join(" ")}`;
}
