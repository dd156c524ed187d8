/** @jsxImportSource #jsx */
/** The feed page over HTTP, and the feeds for other readers (API.md §2, WEB.md §4). */
import { type TSchema, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Deps } from "../../deps.ts";
import type { Made } from "../../http/answers.ts";
import { contextOf } from "../../http/context.ts";
import { operation } from "../../http/operation.ts";
import { problem } from "../../http/problem.ts";
import { integer, queryOf } from "../../http/query.ts";
import { etag, notModified } from "../../http/respond.ts";
import { feedUrl, messageUrl } from "../../http/urls.ts";
import { isNamespaceName } from "../../names/namespace.ts";
import { messageAt } from "../../messages/history.ts";
import { topicAt, type TopicPath } from "../../topics/lookup.ts";
import { draftOf, type Message, storedBytes } from "../../messages/message.ts";
import { canAcknowledge, LEVELS } from "../../drafts/draft.ts";
import { MAX_SEARCH_CHARACTERS } from "../../messages/schema.ts";
import { MAX_TAG_CHARACTERS } from "../../drafts/limits.ts";
import { isTopicKey, isTopicName } from "../../names/topic.ts";
import type { Topic } from "../../topics/topic.ts";
import { choice, text as words } from "../../util/schema.ts";
import { VERSION } from "../../util/version.ts";
import { MANIFEST } from "../manifest.ts";
import { pages, seeOther, type Answering } from "../respond.ts";
import { viewOf } from "../view.ts";
import { PAGE_BYTES, PAGE_SIZE } from "./asked.tsx";
import { askedBy, pageQuery } from "./asking.ts";
import { feedPage } from "./gather.tsx";
import { manifestOf } from "./manifest.ts";
import { atomFeed, jsonFeed, type Syndicated } from "./syndication.ts";

type FeedDeps = Pick<Deps, "config" | "store" | "limits" | "clock" | "answers" | "rendering">;

export const feedRoutes = (deps: FeedDeps) =>
  new Elysia()
    .use(pages)
    .get("/:ns/:key", async ({ request, params, set, html }) => feedOf(deps, request, params, { set, html }), {
      detail: operation({
        tag: "messages",
        summary: "The feed of a topic, as a page",
        description:
          "Also below `/{ns}/{name}/{key}`, the share link; the name is decoration and may be wrong or old. " +
          `${PAGE_EXTENT} The page links to older ones.`,
        parameters: [
          { name: "level", schema: choice(LEVELS) },
          { name: "priority", schema: choice(["urgent"]) },
          { name: "tag", schema: words({ maxLength: MAX_TAG_CHARACTERS }) },
          {
            name: "q",
            schema: words({ maxLength: MAX_SEARCH_CHARACTERS }),
            description: "Words found in title or text.",
          },
          BEFORE,
          {
            name: "since",
            schema: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
            description: "Only the cards of newer messages.",
          },
        ],
        answers: { 200: { description: "The page.", type: "text/html", schema: Type.String() } },
        problems: [400, 404, 405, 429, 503],
      }),
    })
    // `/{ns}/{name}/{topic-key}`; the router wants one name for what stands at one place
    .get("/:ns/:key/:last", async ({ request, params: { ns, key: name, last: key }, set, html }) => {
      if (!isTopicName(name)) throw problem.notFound();
      return feed(deps, request, { ns, key }, { set, html });
    })
    .get("/:ns/:key/feed.atom", async ({ request, params }) => syndicated(deps, request, params, ATOM), {
      detail: syndication("The latest messages as an Atom feed", ATOM),
    })
    .get("/:ns/:key/feed.json", async ({ request, params }) => syndicated(deps, request, params, JSON_FEED), {
      detail: syndication("The latest messages as a JSON Feed", JSON_FEED),
    })
    .get(
      "/:ns/:key/manifest.webmanifest",
      async ({ request, params }) => {
        const topic = await readable(deps, request, params);
        return new Response(JSON.stringify(manifestOf(viewOf(deps, request).base, topic)), {
          headers: { "content-type": MANIFEST, ...HEADERS },
        });
      },
      {
        detail: operation({
          tag: "messages",
          summary: "The feed as an app, for the Home Screen",
          answers: { 200: { description: "The manifest.", type: MANIFEST, schema: Type.Object({}) } },
          problems: [404, 429],
        }),
      },
    )
    // the form of a card, for who has no script: only a POST acknowledges
    .post(
      "/:ns/:name/messages/:id/ack",
      async ({ request, params: { ns, name: key, id: message } }) => acknowledge(deps, request, { ns, key }, message),
      { parse: "none" },
    )
    .post(
      "/:ns/:name/messages/:id/unack",
      async ({ request, params: { ns, name: key, id: message } }) => unacknowledge(deps, request, { ns, key }, message),
      { parse: "none" },
    )
    // a topic key alone leads to its feed
    .get("/:ns", async ({ request, params: { ns: key } }) => {
      deps.limits.take("read", contextOf(request).address);
      const topic = isTopicKey(key) ? await deps.store.topics.byKeyAnywhere(key) : undefined;
      if (topic === undefined) throw isTopicKey(key) ? problem.unknownTopic() : problem.notFound();
      return seeOther(feedUrl(viewOf(deps, request).base, topic));
    });

interface Syndication {
  type: string;
  schema: TSchema;
  /** What in it leads to older messages. */
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
  write: jsonFeed,
};

const PAGE_EXTENT = `At most ${PAGE_SIZE} messages, fewer where they are long: a page ends at ${PAGE_BYTES / 1024} KiB of them.`;
const BEFORE = {
  name: "before",
  schema: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
  description: "Messages with ids less than this one.",
};

function syndication(summary: string, { type, schema, next }: Syndication) {
  return operation({
    tag: "messages",
    summary,
    description: `${PAGE_EXTENT} ${next} leads to older ones.`,
    parameters: [BEFORE],
    answers: { 200: { description: "The feed.", type, schema }, 304: { description: "As it was." } },
    problems: [400, 404, 429, 503],
  });
}

/** Of what programs read. */
const HEADERS = {
  "cache-control": "no-cache",
  "x-robots-tag": "noindex, nofollow",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

const PUBLISHES = ["POST", "PUT", "OPTIONS"];

/** Where a name stands in the key's place, it is the address that takes publishes. */
async function feedOf(deps: FeedDeps, request: Request, path: TopicPath, answering: Answering) {
  const { ns, key } = path;
  if (isNamespaceName(ns) && isTopicName(key) && !isTopicKey(key)) throw problem.publishByPost(PUBLISHES);
  return feed(deps, request, path, answering);
}

async function feed(deps: FeedDeps, request: Request, path: TopicPath, answering: Answering) {
  // a tool that was told to GET: to see its own feed would look like a success (REWRITES.md §2)
  if (queryOf(request).has("rewrite")) throw problem.publishByPost(PUBLISHES);
  const topic = await readable(deps, request, path);
  const asked = askedBy(request);
  const since = integer(queryOf(request), "since", { min: 0, max: Number.MAX_SAFE_INTEGER });
  return deps.answers.send(request, async (fits) =>
    deps.rendering(request, async (mapInTurns) =>
      feedPage({ ...deps, mapInTurns, fits }, request, { topic, asked, since, answering }),
    ),
  );
}

async function acknowledge(deps: FeedDeps, request: Request, path: TopicPath, id: string): Promise<Response> {
  deps.limits.take("read", contextOf(request).address);
  const { topic, message } = await messageAt(deps, path, id);
  if (!canAcknowledge(draftOf(message))) throw problem.ackNotAsked();
  await deps.store.deliveries.acknowledge(topic.id, message);
  return seeOther(await cardUrl(deps, request, topic, message));
}

/** What was tapped by mistake. */
async function unacknowledge(deps: FeedDeps, request: Request, path: TopicPath, id: string): Promise<Response> {
  deps.limits.take("read", contextOf(request).address);
  const { topic, message } = await messageAt(deps, path, id);
  if (!(await deps.store.deliveries.unacknowledge(topic.id, message))) throw problem.ackStays();
  return seeOther(await cardUrl(deps, request, topic, message));
}

/** The card, where the feed still shows it. */
async function cardUrl(deps: FeedDeps, request: Request, topic: Topic, message: Message): Promise<string> {
  const { messages } = await deps.store.messages.page(topic.id, pageQuery({}));
  const feed = feedUrl(viewOf(deps, request).base, topic);
  const isShown = messages.some(({ id }) => id === message.id);
  return isShown ? `${feed}#m${message.id}` : messageUrl(feed, message.id);
}

/** The topic, if these are a namespace and a key that belong together; counts as a read. */
async function readable(deps: FeedDeps, request: Request, path: TopicPath): Promise<Topic> {
  deps.limits.take("read", contextOf(request).address);
  if (!isNamespaceName(path.ns)) throw problem.notFound();
  return topicAt(deps, path);
}

/** The tag is made of what the answer is made of, and before it: messages never change, and rendering them takes long. */
async function syndicated(
  deps: FeedDeps,
  request: Request,
  path: TopicPath,
  { type, write }: Syndication,
): Promise<Response> {
  const topic = await readable(deps, request, path);
  const before = integer(queryOf(request), "before", { min: 1, max: Number.MAX_SAFE_INTEGER });
  const base = viewOf(deps, request).url;
  const { namespace, name, description = "" } = topic;
  return deps.answers.send(request, async (fits) =>
    deps.rendering(request, async (mapInTurns): Promise<Made | Response | undefined> => {
      const { messages, nextBefore } = await deps.store.messages.page(
        topic.id,
        pageQuery({ ...(before !== undefined && { before }) }),
      );
      // a restored backup gives ids again, at another time
      const versions = messages.flatMap(({ id, createdAt }) => [id, createdAt]);
      const tag = etag(VERSION, type, base, namespace, topic.key, name, description, nextBefore ?? 0, ...versions);
      const known = notModified(request, tag);
      if (known !== undefined) return known;
      if (!fits(storedBytes(messages))) return undefined;
      const body = await write({ base, topic, messages, before, nextBefore, mapInTurns });
      return { body, headers: { etag: tag, "content-type": `${type}; charset=utf-8`, ...HEADERS } };
    }),
  );
}
