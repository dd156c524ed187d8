/** New messages on a WebSocket, as Gotify's clients read them: a text for each, and nothing else. */
import type { Deps } from "../deps.ts";
import { baseUrl } from "../http/urls.ts";
import { hasFiles } from "../messages/message.ts";
import type { Format } from "../messages/events/format.ts";
import { namespacesSource } from "../messages/events/source.ts";
import { messageJson } from "./json.ts";
import { sees, type Reader } from "./reader.ts";

type StreamDeps = Pick<Deps, "config" | "store" | "bus" | "streams">;

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
    ...(reader.kind === "key" ? { key: reader.key } : { key: undefined, personId: reader.person.id }),
  });

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
