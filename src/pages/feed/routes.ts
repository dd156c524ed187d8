/** The feed page over HTTP, and the feeds for other readers (API.md §2, WEB.md §4). */
import { type TSchema, Type } from "@sinclair/typebox";
import type { Deps } from "../../deps.ts";
import type { Made } from "../../http/answers.ts";
import { contextOf } from "../../http/context.ts";
import { problem } from "../../http/problem.ts";
import { queryOf, type QueryOf, whole } from "../../http/query.ts";
import { etag, notModified } from "../../http/respond.ts";
import { feedUrl, messageUrl } from "../../http/urls.ts";
import { endpointsOf, routesOf } from "../../keys/endpoint.ts";
import { isNamespaceName } from "../../names/namespace.ts";
import { messageAt } from "../../messages/history.ts";
import { topicAt } from "../../topics/lookup.ts";
import { draftOf, type Message, storedBytes } from "../../messages/message.ts";
import { canAcknowledge } from "../../drafts/draft.ts";
import { isTopicKey, isTopicName } from "../../names/topic.ts";
import type { Topic } from "../../topics/topic.ts";
import { VERSION } from "../../util/version.ts";
import { MANIFEST } from "../manifest.ts";
import { type Answering, pageRoutesOf, seeOther } from "../respond.ts";
import { viewOf } from "../view.ts";
import { PAGE_BYTES, PAGE_SIZE } from "./asked.tsx";
import { askedOf, FEED, pageQuery } from "./asking.ts";
import { feedPage } from "./gather.tsx";
import { manifestOf } from "./manifest.ts";
import { atomFeed, jsonFeed as jsonFeedOf, type Syndicated } from "./syndication.ts";

type FeedDeps = Pick<Deps, "config" | "store" | "keyUse" | "limits" | "log" | "clock" | "answers" | "rendering">;

interface Syndication {
  type: string;
  schema: TSchema;
  /** Its link to older messages. */
  next: string;
  write: (what: Syndicated) => Promise<string>;
}
const ATOM: Syndication = {
  type: "application/atom+xml",
  schema: Type.String(),
  next: "The link with `rel=next` (RFC 5005)",
  write: atomFeed,
};
const JSON_FEED: Syndication = {
  type: "application/feed+json",
  schema: Type.Object({}),
  next: "`next_url`",
  write: jsonFeedOf,
};

const PAGE_EXTENT = `At most ${PAGE_SIZE} messages, fewer where they are long: a page ends at ${PAGE_BYTES / 1024} KiB of them.`;
/** Headers of answers that programs read. */
const HEADERS = {
  "cache-control": "no-cache",
  "x-robots-tag": "noindex, nofollow",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

const PUBLISHES = ["POST", "PUT", "OPTIONS"];

type Path<Names extends string> = { deps: FeedDeps; request: Request; params: Readonly<Record<Names, string>> };

/** A name whose escapes are broken, which comes as an empty one, is refused as one that is unknown. */
const mayBe = (is: (name: string) => boolean, name: string): boolean => name === "" || is(name);

/** The topic, if these are a namespace and a key that belong together; counts as a read. */
async function readable({ deps, request, params }: Path<"ns" | "key">): Promise<Topic> {
  deps.limits.take("read", contextOf(request).address);
  if (!mayBe(isNamespaceName, params.ns)) throw problem.notFound();
  return topicAt(deps, params);
}

async function readablePage(path: Path<"ns" | "key">): Promise<Topic> {
  // for a tool that is set to GET, a page with its feed would look like a success (REWRITES.md §2)
  if (queryOf(path.request).has("rewrite")) throw problem.publishByPost(PUBLISHES);
  return readable(path);
}

const query = { ...FEED, since: whole(0, Number.MAX_SAFE_INTEGER, "Only the cards of newer messages.") };
type FeedQuery = { deps: FeedDeps; request: Request; found: Topic; query: QueryOf<typeof query>; answering: Answering };

const feed = async ({ deps, request, found: topic, query: { since, ...asked }, answering }: FeedQuery) =>
  deps.answers.send(request, async (fits) =>
    deps.rendering(request, async (mapInTurns) =>
      feedPage({ ...deps, mapInTurns, fits }, request, { topic, asked: askedOf(asked), since, answering }),
    ),
  );

const page = endpointsOf<FeedDeps, Answering>("messages")("GET /:ns/:key", {
  summary: "The feed of a topic, as a page",
  description:
    "Also below `/{ns}/{name}/{key}`, the share link; the name is decoration and may be wrong or old. " +
    `${PAGE_EXTENT} The page links to older ones.`,
  scope: "topic key",
  find: async (asked) => {
    const { ns, key } = asked.params;
    // with a name instead of the key it is the address that takes publishes
    if (mayBe(isNamespaceName, ns) && mayBe(isTopicName, key) && !isTopicKey(key))
      throw problem.publishByPost(PUBLISHES);
    return readablePage(asked);
  },
  query,
  answers: { 200: { description: "The page.", type: "text/html", schema: Type.String() } },
  problems: [404, 405, 429, 503],
  handle: async (asked) => feed(asked),
});

/** `/{ns}/{name}/{topic-key}`; the router wants the same name for the same place in all paths. */
const shared = endpointsOf<FeedDeps, Answering>()("GET /:ns/:key/:last", {
  scope: "topic key",
  find: async ({ deps, request, params: { ns, key: name, last: key } }) => {
    if (!mayBe(isTopicName, name)) throw problem.notFound();
    return readablePage({ deps, request, params: { ns, key } });
  },
  query,
  handle: async (asked) => feed(asked),
});

const endpoint = endpointsOf<FeedDeps>("messages");

const manifest = endpoint("GET /:ns/:key/manifest.webmanifest", {
  summary: "The feed as an app, for the Home Screen",
  scope: "topic key",
  find: readable,
  answers: { 200: { description: "The manifest.", type: MANIFEST, schema: Type.Object({}) } },
  problems: [404, 429],
  handle: ({ deps, request, found: topic }) =>
    new Response(JSON.stringify(manifestOf(viewOf(deps, request).base, topic)), {
      headers: { "content-type": MANIFEST, ...HEADERS },
    }),
});

/** The forms of a card, for readers without a script: only a POST acknowledges. */
const form = endpointsOf<FeedDeps>();
const ofCard = {
  scope: "topic key",
  limit: ["read"],
  find: async ({ deps, params: { ns, name: key, id } }: Path<"ns" | "name" | "id">) => messageAt(deps, { ns, key }, id),
} as const;

const acknowledge = form("POST /:ns/:name/messages/:id/ack", {
  ...ofCard,
  handle: async ({ deps, request, found: { topic, message } }) => {
    if (!canAcknowledge(draftOf(message))) throw problem.ackNotAsked();
    await deps.store.deliveries.acknowledge(topic.id, message);
    return seeOther(await cardUrl(deps, request, topic, message));
  },
});

/** Undoes a tap that was a mistake. */
const unacknowledge = form("POST /:ns/:name/messages/:id/unack", {
  ...ofCard,
  handle: async ({ deps, request, found: { topic, message } }) => {
    if (!(await deps.store.deliveries.unacknowledge(topic.id, message))) throw problem.ackStays();
    return seeOther(await cardUrl(deps, request, topic, message));
  },
});

/** A topic key alone leads to its feed. */
const byKeyAlone = form(["GET /:topics", "GET /:ns"], {
  scope: "topic key",
  limit: ["read"],
  handle: async ({ deps, request, params }) => {
    const key = params.topics || params.ns;
    const topic = isTopicKey(key) ? await deps.store.topics.byKeyAnywhere(key) : undefined;
    if (topic === undefined) throw isTopicKey(key) ? problem.unknownTopic() : problem.notFound();
    return seeOther(feedUrl(viewOf(deps, request).base, topic));
  },
});

/** The address of the card, if the feed still shows it. */
async function cardUrl(deps: FeedDeps, request: Request, topic: Topic, message: Message): Promise<string> {
  const { messages } = await deps.store.messages.page(topic.id, pageQuery({}));
  const feed = feedUrl(viewOf(deps, request).base, topic);
  const isShown = messages.some(({ id }) => id === message.id);
  return isShown ? `${feed}#m${message.id}` : messageUrl(feed, message.id);
}

/** The tag is made of the answer's ingredients, and before it: messages never change, and rendering them takes long. */
const syndication = (
  path: `GET /:ns/:key/feed.${"atom" | "json"}`,
  summary: string,
  { type, schema, next, write }: Syndication,
) =>
  endpoint(path, {
    summary,
    description: `${PAGE_EXTENT} ${next} leads to older ones.`,
    scope: "topic key",
    find: readable,
    query: { before: FEED.before },
    answers: { 200: { description: "The feed.", type, schema }, 304: { description: "As it was." } },
    problems: [404, 429, 503],
    handle: async ({ deps, request, found: topic, query }) => {
      const base = viewOf(deps, request).url;
      const { namespace, name, description = "" } = topic;
      return deps.answers.send(request, async (fits) =>
        deps.rendering(request, async (mapInTurns): Promise<Made | Response | undefined> => {
          const { messages, nextBefore } = await deps.store.messages.page(topic.id, pageQuery(query));
          // a restored backup gives ids again, at another time
          const versions = messages.flatMap(({ id, createdAt }) => [id, createdAt]);
          const tag = etag(VERSION, type, base, namespace, topic.key, name, description, nextBefore ?? 0, ...versions);
          const known = notModified(request, tag);
          if (known !== undefined) return known;
          if (!fits(storedBytes(messages))) return undefined;
          const body = await write({ base, topic, messages, before: query.before, nextBefore, mapInTurns });
          return { body, headers: { etag: tag, "content-type": `${type}; charset=utf-8`, ...HEADERS } };
        }),
      );
    },
  });

const atom = syndication("GET /:ns/:key/feed.atom", "The latest messages as an Atom feed", ATOM);
const jsonFeed = syndication("GET /:ns/:key/feed.json", "The latest messages as a JSON Feed", JSON_FEED);

export const feedRoutes = (deps: FeedDeps) =>
  routesOf(deps, [atom, jsonFeed, manifest, acknowledge, unacknowledge, byKeyAlone]).concat(
    pageRoutesOf(deps, [page, shared]),
  );
