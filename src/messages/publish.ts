/** Publishing: the request's draft to the store, and the answer once it is durable (API.md §3). The hot path. */
import type { Deps } from "../deps.ts";
import { authorize, requireStill } from "../http/auth.ts";
import { rawTarget } from "../http/path.ts";
import { problem } from "../http/problem.ts";
import { baseUrl, topicUrl } from "../http/urls.ts";
import type { Publication, Published } from "../store/store.ts";
import { isTopicKey, isTopicName } from "../topics/names.ts";
import { TOPICS_PER_NAMESPACE } from "../topics/topic.ts";
import { sha256 } from "../util/ids.ts";
import { readInput } from "./input.ts";
import { scheduledJson } from "./json.ts";
import { messageJson } from "./message.ts";
import { headerFields } from "./ntfy.ts";
import { readRewritten, rewriteAsked } from "./rewritten.ts";
import { SCHEDULED_PER_NAMESPACE } from "./schema.ts";

export type PublishDeps = Pick<Deps, "config" | "clock" | "store" | "limits" | "keyUse" | "log">;

/** Publishes to a topic of the namespace. @throws Problem: every refusal of API.md §3 */
export async function publish(
  deps: PublishDeps,
  request: Request,
  namespace: string,
  to: Publication["to"],
): Promise<Response> {
  const publisher = await authorize(deps, request, namespace, "publish");
  if ("key" in to && !isTopicKey(to.key)) throw problem.unknownTopic();
  if ("name" in to && !isTopicName(to.name)) throw problem.notFound(NAME_RULE);
  if (publisher.keyId !== undefined) deps.limits.take("publish", publisher.keyId);
  const asked = request.url.includes("?") ? rewriteAsked(request) : undefined;
  const now = deps.clock.now();
  const { bytes, ...drafted } = await (asked ? readRewritten(request, asked, now) : readInput(request, now));
  requireStill(deps, request, publisher);
  const publication: Publication = { namespaceId: publisher.namespaceId, to, ...drafted };
  const key = request.headers.get("idempotency-key");
  if (key !== null) publication.idempotency = { key: checked(key), hash: fingerprint(request, bytes) };
  deps.store.requireSound();
  return answer(await deps.store.messages.publish(publication), baseUrl(deps, request));
}

const NAME_RULE = "A topic's name is 1 to 64 of A-Z a-z 0-9 . _ - and does not begin with a dot.";
const HEADERS = { "content-type": "application/json", "x-content-type-options": "nosniff" };
const REPLAYED = { ...HEADERS, "idempotent-replay": "true" };

/** What the store took. @throws Problem 404, 409, 422: what it did not */
export function requireTaken(published: Published): Extract<Published, { kind: "stored" | "scheduled" }> {
  switch (published.kind) {
    case "unknown_topic":
      throw problem.unknownTopic();
    case "too_many_topics":
      throw problem.tooManyTopics(TOPICS_PER_NAMESPACE);
    case "too_many_scheduled":
      throw problem.tooManyScheduled(SCHEDULED_PER_NAMESPACE);
    case "idempotency_mismatch":
      throw problem.idempotencyMismatch();
    case "stored":
    case "scheduled":
      return published;
  }
}

/** The stored JSON with the answer's two fields at its end: nothing is serialized twice. */
function answer(asked: Published, base: string): Response {
  const published = requireTaken(asked);
  const { topic, createdTopic, replayed } = published;
  const json = published.kind === "stored" ? messageJson(topic, published.message) : scheduledJson(published.scheduled);
  const url = JSON.stringify(topicUrl(base, topic));
  return new Response(`${json.slice(0, -1)},"topic_url":${url},"created_topic":${createdTopic}}`, {
    status: 201,
    headers: replayed ? REPLAYED : HEADERS,
  });
}

function checked(key: string): string {
  if (/^[\x20-\x7e]{1,128}$/.test(key)) return key;
  throw problem.invalidParameter("idempotency_key", "Idempotency-Key takes 1 to 128 printable ASCII characters.");
}

/** Of all that makes a retry the same request: method, path, query, content type, what ntfy's headers say, body. */
function fingerprint({ method, url, headers }: Request, bytes: Uint8Array): string {
  const fields = JSON.stringify(headerFields(headers));
  const head = `${method} ${rawTarget(url)}\n${headers.get("content-type") ?? ""}\n${fields}\n`;
  return sha256(Buffer.concat([Buffer.from(head), bytes]));
}
