/** New messages on a WebSocket, as Gotify's clients read them: one text for each, and nothing else. */
import type { Deps } from "../deps.ts";
import { baseUrl } from "../http/urls.ts";
import { hasFiles } from "../messages/message.ts";
import type { Opening } from "../messages/events/connection.ts";
import type { Format } from "../messages/events/format.ts";
import { namespacesSource } from "../messages/events/source.ts";
import { messageJson } from "./json.ts";
import { namespacesOf, sees, type Reader } from "./reader.ts";

type StreamDeps = Pick<Deps, "config" | "store" | "bus" | "streams">;

/** From now on: the app asks for what it missed by itself (MissedMessageUtil). Bun's pings keep a silent connection open. */
export function openStream(deps: StreamDeps, request: Request, reader: Reader): Response {
  const source = namespacesSource(deps, {
    about: { namespace: "" },
    ids: async () => (await namespacesOf(deps, reader)).map(({ id }) => id),
    listen: (listener) =>
      deps.bus.onAll((events) => {
        for (const event of events)
          if (event.kind === "message" && sees(reader, event.topic.namespaceId)) listener(event);
      }),
  });
  return deps.streams.open(request, {
    feed: feedOf(reader),
    source,
    ...{ since: undefined, matches: undefined, asked: "" },
    base: baseUrl(deps, request),
    format: MESSAGES,
    ...holderOf(deps, reader),
  });
}

const MESSAGES: Format = {
  opening: () => undefined,
  message: ({ topic, message, draft }, base) => JSON.stringify(messageJson(topic, message, draft, base)),
  isOfBase: hasFiles,
  heartbeat: () => undefined,
};

/** Readers of the same topics share a feed. A blank is in no namespace's name and in no topic key. */
function feedOf(reader: Reader): string {
  if (reader.kind === "key") return `gotify ${reader.key.namespaceId}`;
  const { isAdmin, namespaces } = reader.person;
  return `gotify ${isAdmin || namespaces === undefined ? "all" : [...namespaces].sort((a, b) => a - b).join(" ")}`;
}

function holderOf({ store }: Pick<Deps, "store">, reader: Reader): Pick<Opening, "key" | "person"> {
  if (reader.kind === "key") return { key: reader.key };
  const { person, session } = reader;
  // by a password alone it ends with every change, as that may be the password
  const isStill = async () => {
    const sessions = await store.accounts.sessions(person.id);
    const now = await store.accounts.person(person.id);
    return (
      now !== undefined &&
      sessions.some(({ id }) => id === session?.id) &&
      feedOf({ kind: "person", person: now }) === feedOf(reader)
    );
  };
  return { key: undefined, person: { id: person.id, isStill } };
}
