/** Publishing: stores the request's draft, and answers once it is durable (API.md §3). The hot path. */
import type { Deps } from "../deps.ts";
import { type StoredFile } from "../files/file.ts";
import { noRoom } from "../files/write.ts";
import { authorize, requireStill, type Principal } from "../keys/auth.ts";
import { rareHeader } from "../http/context.ts";
import { rawTarget } from "../http/path.ts";
import { problem, type FieldError } from "../http/problem.ts";
import { JSON_HEADERS } from "../http/respond.ts";
import { baseUrl, topicUrl } from "../http/urls.ts";
import type { Use } from "../store/hooks.ts";
import type { Publication, Published } from "../store/messages.ts";
import { VIA_HEADER } from "../drafts/draft.ts";
import { isTopicKey, isTopicName } from "../names/topic.ts";
import { type TopicOfMessage, TOPICS_PER_NAMESPACE } from "../topics/topic.ts";
import { sha256 } from "../util/ids.ts";
import { forLatest } from "./latest.ts";
import { shortBody, type Body } from "./body/body.ts";
import type { Hooked } from "./reading/hooked.ts";
import { askedOf, readBody } from "./reading/input.ts";
import { madeOf, madeOfFields, type Reading } from "./reading/made.ts";
import type { Fields } from "./reading/ntfy.ts";
import { intakeOf, MAX_TOLD } from "./intake.ts";
import { scheduledJson } from "./json.ts";
import { messageJson } from "./message.ts";
import { headerFields, type HeaderFields } from "./reading/asides.ts";
import { SCHEDULED_PER_NAMESPACE } from "./schema.ts";

export type PublishDeps = Pick<
  Deps,
  "config" | "clock" | "store" | "files" | "uploads" | "limits" | "keyUse" | "log" | "metrics"
>;

/** Publishes to a topic of the namespace. @throws Problem: every refusal of API.md §3 */
// eslint-disable-next-line @typescript-eslint/promise-function-async -- every publish would pay for one more promise
export function publish(
  deps: PublishDeps,
  request: Request,
  namespace: string | null,
  to: Publication["to"],
): Promise<Response> {
  const publisher = authorize(deps, request, namespace, "publish");
  return publisher instanceof Promise
    ? publisher.then(async (operator) => publishAs(deps, request, operator, to))
    : publishAs(deps, request, publisher, to);
}

// eslint-disable-next-line @typescript-eslint/promise-function-async -- as `publish`
function publishAs(
  deps: PublishDeps,
  request: Request,
  publisher: Principal,
  to: Publication["to"],
): Promise<Response> {
  if ("key" in to && !isTopicKey(to.key)) throw problem.unknownTopic();
  if ("name" in to && !isTopicName(to.name)) throw problem.notFound(NAME_RULE);
  if (publisher.keyId !== undefined) deps.limits.take("publish", publisher.keyId);
  const handling = handlingOf(rareHeader(request, "prefer"));
  const { namespaceId } = publisher;
  const accepting = { namespaceId, to, publisher, now: deps.clock.now(), isStrict: handling === "strict" };
  return accept(deps, request, accepting, (taken) => answer(taken, baseUrl(deps, request), handling));
}

/** Reads a body that names its topic itself, and holds nothing but fields. */
interface Addressing {
  /** @throws Problem */
  read: (body: Body) => { to: Publication["to"]; fields: Fields };
}

interface Accepting extends Pick<Publication, "namespaceId">, Reading {
  to: Publication["to"] | Addressing;
  /** Present if not all of the request's query is about the message. */
  query?: URLSearchParams;
  /** The same for its headers. */
  said?: HeaderFields;
  /** Present if it came by a hook: what the hook knows, and what it keeps. */
  hooked?: Hooked & { id: string; use: (body: Body) => Use };
  /** Present if it came with a key, which is looked at again once the body has come. */
  publisher?: Principal;
}

export interface Taken {
  published: Extract<Published, { kind: "stored" | "scheduled" }>;
  ignored: readonly FieldError[];
}

/** Stores the message of a request, and resolves to its answer. @throws Problem: every refusal of API.md §3 but those of a key */
export async function accept<T>(
  deps: Pick<PublishDeps, "clock" | "store" | "files" | "uploads" | "metrics" | "log">,
  request: Request,
  accepting: Accepting,
  answered: (taken: Taken) => T,
): Promise<T> {
  const { namespaceId, isStrict, hooked, asNtfy, publisher } = accepting;
  let { to } = accepting;
  const asked = askedOf(request, accepting);
  if ("read" in to) asked.way = "plain";
  const sent = await readBody(deps, request, asked);
  const short = sent instanceof Uint8Array ? shortBody(deps, sent) : sent;
  const body = short instanceof Promise ? await short : short;
  try {
    let making: ReturnType<typeof madeOf>;
    if ("read" in to) {
      const addressed = to.read(body);
      ({ to } = addressed);
      making = madeOfFields(addressed.fields, asked, accepting);
    } else making = madeOf(body, asked, accepting);
    const { draft, deliverAt, delayMs, ignored, came } = making instanceof Promise ? await making : making;
    const via = viaOf(rareHeader(request, VIA_HEADER));
    if (via !== undefined) draft.via = via;
    if (isStrict && ignored.length > 0) throw problem.validationFailed(ignored);
    if (publisher !== undefined) requireStill(deps, request, publisher);
    const publication: Publication = { namespaceId, to, draft };
    if (publisher?.keyRow !== undefined) publication.key = publisher.keyRow;
    if (deliverAt !== undefined) publication.deliverAt = deliverAt;
    if (asNtfy !== undefined && draft.dedup_key !== undefined) publication.replaces = true;
    if (delayMs !== undefined) publication.delayMs = delayMs;
    if (body.files.length > 0) publication.files = body.files;
    // a hook keeps the request itself, or is set not to keep any
    const intake = intakeOf(ignored, hooked === undefined ? came?.() : undefined);
    if (intake !== undefined) publication.intake = intake;
    const key = rareHeader(request, "idempotency-key") ?? "";
    if (key !== "")
      publication.idempotency = {
        key: hooked === undefined ? idempotencyKey(key) : `hook/${hooked.id}/${idempotencyKey(key)}`,
        hash: fingerprint(request, body.identity, hooked?.id),
      };
    if (hooked !== undefined) publication.by = hooked.use(body);
    deps.store.requireSound();
    const published = requireTaken(await deps.store.messages.publish(publication));
    if (published.leftOut !== undefined) ignored.push(...withoutRoom(deps, published.leftOut));
    if (ignored.length > 0) deps.metrics.leftOut.inc();
    return answered({ published, ignored });
  } finally {
    if (body.files.length > 0) void deps.files.letGo(body.files);
  }
}

/** Where it has been before another server's forward brought it here (DELIVERY.md §11). */
const viaOf = (header: string | null): string[] | undefined =>
  header !== null && /^[0-9a-f]{12}(?:, ?[0-9a-f]{12}){0,7}$/.test(header) ? header.split(/, ?/) : undefined;

/** The files came whole, but others had taken the last of the room meanwhile. */
const withoutRoom = ({ files: { limits } }: Pick<Deps, "files">, leftOut: readonly StoredFile[]): FieldError[] =>
  limits === undefined ? [] : leftOut.map(({ name }) => ({ path: `/${name}`, message: noRoom(limits) }));

type Handling = "strict" | "lenient";

/** How unusable values are handled (RFC 7240 §4.4). */
const handlingOf = (prefer: string | null): Handling | undefined =>
  prefer === null
    ? undefined
    : (/(?:^|[,;])\s*handling\s*=\s*"?(strict|lenient)\b/i.exec(prefer)?.[1]?.toLowerCase() as Handling | undefined);

const NAME_RULE = "A topic name is 1 to 64 characters of A-Z a-z 0-9 . _ - and doesn't start with a dot.";
/** Made once: headers that are made of an object for each answer cost 1.7 µs more (measured). */
const created = (more: Record<string, string> = {}) => ({
  status: 201,
  headers: new Headers({ ...JSON_HEADERS, ...more }),
});
const CREATED = created();
const REPLAYED = { "idempotent-replay": "true" };

/** The result of a publish that was stored. @throws Problem 404, 409, 422 if it was not */
export function requireTaken(published: Published): Extract<Published, { kind: "stored" | "scheduled" }> {
  switch (published.kind) {
    case "unknown_topic":
      throw problem.unknownTopic();
    case "unknown_hook":
      throw problem.unknownHook();
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

const topicPath = forLatest((topic: TopicOfMessage) => topicUrl("", topic));

/** The stored JSON with the answer's fields at its end: nothing is serialized twice. */
function answer(
  { published, ignored }: Taken,
  base: string,
  handling = ignored.length > 0 ? "lenient" : undefined,
): Response {
  const { topic, createdTopic, replayed } = published;
  // nothing in an origin, in a path of PEAL_BASE_URL, or in a name has to be escaped in JSON
  const more = `,"topic_url":"${base}${topicPath(topic)}","created_topic":${createdTopic}${toldIn(ignored)}`;
  const json =
    published.kind === "stored"
      ? messageJson(topic, published.message, base, more)
      : `${scheduledJson(published.scheduled, base).slice(0, -1)}${more}}`;
  if (!replayed && handling === undefined) return new Response(json, CREATED);
  const applied = handling === undefined ? {} : { "preference-applied": `handling=${handling}` };
  return new Response(json, created({ ...(replayed && REPLAYED), ...applied }));
}

/** A text that is not a valid key, for example one that is too long, tells retries apart as well. */
const idempotencyKey = (given: string): string =>
  /^[\x20-\x7e]{1,128}$/.test(given) ? given : `sha256:${sha256(given)}`;

/** What could not be used, as the end of an answer's JSON. */
export const toldIn = (ignored: readonly FieldError[]): string =>
  ignored.length > 0 ? `,"ignored":${JSON.stringify(ignored.slice(0, MAX_TOLD))}` : "";

const rawQuery = (url: string): string => (url.includes("?") ? url.slice(url.indexOf("?") + 1) : "");
const TOKEN = /(?:^|&)token=[^&]*/;

/** A hash of all that makes a retry the same request: method, path, query, content type, ntfy's headers, body. */
function fingerprint({ method, url, headers }: Request, identity: Uint8Array, hook?: string): string {
  const fields = JSON.stringify(headerFields(headers).fields);
  // each try has another boundary between the parts
  const type = (headers.get("content-type") ?? "").replace(/;\s*boundary=.*$/i, "");
  // the token in a hook's path may be replaced between two tries, and so may the one in its query
  const target = hook === undefined ? rawTarget(url) : `hook ${hook}?${rawQuery(url).replace(TOKEN, "")}`;
  const head = `${method} ${target}\n${type}\n${fields}\n`;
  return sha256(Buffer.concat([Buffer.from(head), identity]));
}
