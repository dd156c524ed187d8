/** Publishing at an address of ntfy: who and where, then as everywhere (messages/publish.ts), and ntfy's answer (NTFY.md §2). */
import type { Deps } from "../deps.ts";
import { json } from "../http/respond.ts";
import { baseUrl } from "../http/urls.ts";
import type { Principal } from "../keys/auth.ts";
import type { Body } from "../messages/body/body.ts";
import { accept, type PublishDeps, type Taken } from "../messages/publish.ts";
import { destinationAt, publisherAt, type Base } from "./address.ts";
import { idOfWaiting } from "./id.ts";
import { jsonMessage, queryAt } from "./said.ts";
import {
  MAX_ANSWER_BYTES,
  objectOf,
  objectOfScheduled,
  sourceOfEvent,
  type MessageEvent,
  wholeUrl,
  written,
} from "./object.ts";

/** The path of a topic, and of a message in it. A value is null if its escapes are broken. */
interface Place extends Base {
  topics: string | null;
  /** The message that this one updates, in its sender's words: our `dedup_key`. */
  seq?: string | null;
}

/**
 * Publishes what a request says to the topic of its path. `said`: what its method says, which counts before its query.
 * @throws Problem: every refusal of API.md §3
 */
export async function publishTo(
  deps: PublishDeps,
  request: Request,
  place: Place,
  source = "ntfy",
  said: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const publisher = await admitted(deps, request, place);
  const { topics, seq } = place;
  const to = destinationAt(place, topics);
  const query = queryAt(request, { ...said, ...(seq ? { dedup_key: seq } : {}) });
  const accepting = { ...by(deps, publisher), to, query, asNtfy: source };
  return accept(deps, request, accepting, (taken) => answer(deps, request, taken, topics ?? ""));
}

/** Publishes JSON that names its topic. @throws as `publishTo` */
export async function publishJson(deps: PublishDeps, request: Request, base: Base): Promise<Response> {
  const publisher = await admitted(deps, request, base);
  let asked = "";
  const to = ({ bytes }: Pick<Body, "bytes">) => {
    const { topic, fields } = jsonMessage(bytes);
    asked = topic;
    return { to: destinationAt(base, topic), fields };
  };
  const accepting = { ...by(deps, publisher), to, query: queryAt(request), asNtfy: "ntfy" };
  return accept(deps, request, accepting, (taken) => answer(deps, request, taken, asked));
}

/** Told in the feed, whose readers see that it was done; ntfy's apps are only told what to do. */
const TAKEN_BACK = { message_delete: "Deleted by its sender", message_clear: "Marked as read by its sender" } as const;

/** Deletes a message on phones, or marks it as read there. The feed keeps it, as resolved, and nothing rings. */
export const takeBack = async (
  deps: PublishDeps,
  request: Request,
  place: Place,
  event: Exclude<MessageEvent, "message">,
): Promise<Response> =>
  publishTo(deps, request, place, sourceOfEvent(event), {
    ...{ message: TAKEN_BACK[event], status: "resolved", priority: "low" },
  });

async function admitted(deps: PublishDeps, request: Request, base: Base): Promise<Principal> {
  const publisher = await publisherAt(deps, request, base);
  if (publisher.keyId !== undefined) deps.limits.take("publish", publisher.keyId);
  return publisher;
}

const by = ({ clock }: Pick<Deps, "clock">, publisher: Principal) => ({
  ...{ namespaceId: publisher.namespaceId, publisher, now: clock.now(), isStrict: false },
});

/** Its own command takes no other success than 200. */
function answer(deps: Pick<Deps, "config" | "store">, request: Request, { published }: Taken, asked: string): Response {
  const { topic, replayed } = published;
  const base = baseUrl(deps, request);
  const telling = { topic, asked, base, epochs: deps.store.epochs, days: deps.config.retention.days };
  const isStored = published.kind === "stored";
  const object = isStored
    ? objectOf(published.message, telling)
    : objectOfScheduled(published.scheduled, idOfWaiting(published.scheduled), telling);
  const whole = wholeUrl(base, topic, isStored ? published.message.id : undefined);
  return json(written(object, MAX_ANSWER_BYTES, whole), 200, replayed ? { "idempotent-replay": "true" } : {});
}
