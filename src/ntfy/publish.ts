/** Publishing at an address of ntfy: who and where, then as everywhere (messages/publish.ts), and ntfy's answer (NTFY.md §2). */
import type { Deps } from "../deps.ts";
import { problem } from "../http/problem.ts";
import { json } from "../http/respond.ts";
import { baseUrl } from "../http/urls.ts";
import type { Principal } from "../keys/auth.ts";
import type { NamespaceId } from "../keys/namespace.ts";
import type { Body } from "../messages/body/body.ts";
import { accept, type PublishDeps, type Taken } from "../messages/publish.ts";
import { isTopicKey } from "../names/topic.ts";
import type { Publication } from "../store/messages.ts";
import type { Topic, TopicId } from "../topics/topic.ts";
import { SECOND } from "../util/clock.ts";
import { destinationAt, publisherAt, type Base } from "./address.ts";
import { idOfWaiting, named, newId } from "./id.ts";
import { jsonMessage, saidAt } from "./said.ts";
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

/** Publishes what a request says to the topic of its path. @throws Problem: every refusal of API.md §3 */
export async function publishTo(deps: PublishDeps, request: Request, place: Place): Promise<Response> {
  return publishAs(deps, request, place, { publisher: await admitted(deps, request, place), source: "ntfy", said: {} });
}

interface As {
  publisher: Principal;
  source: string;
  /** What the method says, which counts before the query. */
  said: Readonly<Record<string, string>>;
}

async function publishAs(
  deps: PublishDeps,
  request: Request,
  place: Place,
  { publisher, source, said }: As,
): Promise<Response> {
  const { topics, seq } = place;
  const to = destinationAt(place, topics);
  const told = saidAt(request, { ...said, ...(seq ? { dedup_key: seq } : {}) });
  const accepting = { ...by(deps, publisher), to, ...told, asNtfy: source };
  return accept(deps, request, accepting, (taken) => answer(deps, request, taken, topics ?? ""));
}

/** Publishes JSON that names its topic. @throws as `publishTo` */
export async function publishJson(deps: PublishDeps, request: Request, base: Base): Promise<Response> {
  const publisher = await admitted(deps, request, base);
  let asked = "";
  const read = ({ bytes }: Pick<Body, "bytes">) => {
    const { topic, fields } = jsonMessage(bytes);
    asked = topic;
    return { to: destinationAt(base, topic), fields };
  };
  const accepting = { ...by(deps, publisher), to: { read }, ...saidAt(request), asNtfy: "ntfy" };
  return accept(deps, request, accepting, (taken) => answer(deps, request, taken, asked));
}

/** Told in the feed, whose readers see that it was done; ntfy's apps are only told what to do. */
const TAKEN_BACK = { message_delete: "Deleted by its sender", message_clear: "Marked as read by its sender" } as const;

/**
 * Deletes a message on phones, or marks it as read there. The feed keeps it, as resolved, and nothing rings. What waits is
 * cancelled; if there is nothing else, nothing is stored.
 * @throws as `publishTo`
 */
export async function takeBack(
  deps: PublishDeps,
  request: Request,
  place: Place,
  event: Exclude<MessageEvent, "message">,
): Promise<Response> {
  const publisher = await admitted(deps, request, place);
  const to = destinationAt(place, place.topics);
  const topic = await topicOf(deps, publisher.namespaceId, to);
  if (topic === undefined && "key" in to) throw problem.unknownTopic();
  const seq = place.seq ?? "";
  if (topic !== undefined && (await isTold(deps, topic.id, seq)))
    return publishAs(deps, request, place, {
      ...{ publisher, source: sourceOfEvent(event) },
      said: { message: TAKEN_BACK[event], status: "resolved", priority: "low" },
    });
  if (topic !== undefined) await deps.store.scheduled.cancelAlike(topic.id, seq);
  const time = Math.floor(deps.clock.now() / SECOND);
  return json({ id: newId(), time, event, topic: place.topics, sequence_id: seq });
}

async function topicOf(
  { store: { topics } }: Pick<Deps, "store">,
  namespaceId: NamespaceId,
  to: Exclude<Publication["to"], { id: unknown }>,
): Promise<Topic | undefined> {
  const key = "key" in to ? to.key : to.name;
  if (!isTopicKey(key)) return topics.byName(namespaceId, key);
  const topic = await topics.byKeyAnywhere(key);
  return topic?.namespaceId === namespaceId ? topic : undefined;
}

/** Whether somebody was told of a message that a client calls so: by its sequence, or by the id of a message without one. */
async function isTold({ store: { messages } }: Pick<Deps, "store">, topicId: TopicId, seq: string): Promise<boolean> {
  const found = named(seq);
  if (found?.topicId === topicId && (await messages.find(topicId, found.messageId)) !== undefined) return true;
  const { isNewest: isNone } = await messages.alert(topicId, seq, 0, { limit: 0, bytes: 0, characters: 0 });
  return !isNone;
}

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
