/** A topic for feed readers: Atom (RFC 4287) and JSON Feed 1.1 (https://www.jsonfeed.org/version/1.1/). */
import { fileUrl, pictureOf } from "../../files/file.ts";
import { feedUrl, messageUrl } from "../../http/urls.ts";
import { draftOf, type Message } from "../../messages/message.ts";
import type { Draft } from "../../drafts/draft.ts";
import type { Topic } from "../../topics/topic.ts";
import { rfc3339 } from "../../util/clock.ts";
import { isLink } from "../../util/text/markdown.ts";
import type { MapInTurns } from "../../util/turns.ts";
import { assetPath } from "../assets.ts";
import { markdown } from "../elements/markdown.tsx";
import { textsOf } from "../texts/languages.ts";

/** Feed readers have no language: what few words there are in a feed are English. */
const texts = textsOf("en");

export interface Syndicated {
  /** Absolute, without a trailing slash. */
  base: string;
  topic: Topic;
  /** Newest first. */
  messages: readonly Message[];
  /** The `before` of a page of older messages. */
  before: number | undefined;
  /** The `before` of the next page of older messages. */
  nextBefore: number | undefined;
  mapInTurns: MapInTurns;
}

interface Place extends Pick<Syndicated, "base" | "topic"> {
  /** The topic's. */
  feed: string;
}

export async function atomFeed(what: Syndicated): Promise<string> {
  const { base, topic, messages, before, nextBefore, mapInTurns } = what;
  const feed = feedUrl(base, topic);
  const page = (id?: number) => `${feed}/feed.atom${id === undefined ? "" : `?before=${id}`}`;
  const children = [
    element("id", {}, feed),
    element("title", {}, topic.name),
    element("updated", {}, rfc3339(messages[0]?.createdAt ?? topic.createdAt)),
    element("link", { rel: "self", type: "application/atom+xml", href: page(before) }),
    // RFC 5005 §3
    ...(before === undefined ? [] : [element("link", { rel: "first", href: page() })]),
    ...(nextBefore === undefined ? [] : [element("link", { rel: "next", href: page(nextBefore) })]),
    element("link", { rel: "alternate", type: "text/html", href: feed }),
    element("icon", {}, base + assetPath("", "favicon.svg")),
    element("author", {}, { xml: element("name", {}, `${topic.namespace}, peal`) }),
    ...(await mapInTurns(messages, (message) => entry({ base, topic, feed }, message))),
  ];
  const root = element("feed", { xmlns: "http://www.w3.org/2005/Atom", "xml:lang": "und" }, { xml: children.join("") });
  return `<?xml version="1.0" encoding="utf-8"?>\n${root}\n`;
}

function entry({ base, topic, feed }: Place, message: Message): string {
  const draft = draftOf(message);
  const at = rfc3339(message.createdAt);
  const children = [
    element("id", {}, messageUrl(feed, message.id)),
    element("title", {}, titleOf(draft)),
    element("published", {}, at),
    element("updated", {}, at),
    element("link", { rel: "alternate", type: "text/html", href: messageUrl(feed, message.id) }),
    ...(draft.url === undefined || !isLink(draft.url) ? [] : [element("link", { rel: "related", href: draft.url })]),
    ...(draft.image === undefined ? [] : [element("link", { rel: "enclosure", href: draft.image })]),
    ...(draft.attachments ?? []).map((file) => {
      const { type, name: title, size } = file;
      return element("link", { rel: "enclosure", type, title, length: String(size), href: fileUrl(base, topic, file) });
    }),
    ...[draft.level, ...(draft.tags ?? [])].map((term) => element("category", { term })),
    draft.format === "markdown"
      ? element("content", { type: "html" }, markdown(draft.message, texts).html)
      : element("content", { type: "text" }, draft.message),
  ];
  return element("entry", {}, { xml: children.join("") });
}

export async function jsonFeed(what: Syndicated): Promise<string> {
  const { base, topic, messages, before, nextBefore, mapInTurns } = what;
  const feed = feedUrl(base, topic);
  const page = (id?: number) => `${feed}/feed.json${id === undefined ? "" : `?before=${id}`}`;
  const items = await mapInTurns(messages, (message) => JSON.stringify(item({ base, topic, feed }, message)));
  const head = JSON.stringify({
    version: "https://jsonfeed.org/version/1.1",
    title: topic.name,
    ...(topic.description !== undefined && { description: topic.description }),
    home_page_url: feed,
    feed_url: page(before),
    ...(nextBefore !== undefined && { next_url: page(nextBefore) }),
    icon: base + assetPath("", "app-icon.svg"),
    favicon: base + assetPath("", "favicon.svg"),
  });
  return `${head.slice(0, -1)},"items":[${items.join()}]}`;
}

function item({ base, topic, feed }: Place, message: Message): object {
  const draft = draftOf(message);
  const picture = pictureOf(draft.attachments);
  const image = draft.image ?? (picture && fileUrl(base, topic, picture));
  return {
    id: messageUrl(feed, message.id),
    url: messageUrl(feed, message.id),
    ...(draft.url !== undefined && isLink(draft.url) && { external_url: draft.url }),
    title: titleOf(draft),
    ...(draft.format === "markdown"
      ? { content_html: markdown(draft.message, texts).html }
      : { content_text: draft.message }),
    ...(image !== undefined && { image }),
    ...(draft.attachments !== undefined && {
      attachments: draft.attachments.map((file) => ({
        url: fileUrl(base, topic, file),
        mime_type: file.type,
        title: file.name,
        size_in_bytes: file.size,
      })),
    }),
    date_published: rfc3339(message.createdAt),
    ...(draft.tags !== undefined && { tags: draft.tags }),
    _peal: {
      id: message.id,
      level: draft.level,
      priority: draft.priority,
      ...(draft.status !== undefined && { status: draft.status }),
    },
  };
}

const TITLE_CHARACTERS = 120;

/** Atom demands a title for every entry: without one, it is the beginning of the text. */
function titleOf({ title, message, level }: Draft): string {
  const line = title ?? message.trim().split("\n", 1)[0] ?? "";
  if (line === "") return texts.level[level];
  return line.length > TITLE_CHARACTERS ? `${line.slice(0, TITLE_CHARACTERS).replace(/[\ud800-\udbff]$/, "")}…` : line;
}

/** Not in XML 1.0's `Char`, like half surrogate pairs: a parser would refuse the whole feed. */
const ILLEGAL = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const xmlText = (text: string): string => Bun.escapeHTML(text.replace(ILLEGAL, "")).replaceAll("\r", "&#13;");

/** `content`: text, which is escaped, or XML that `element` made. */
function element(name: string, attributes: Record<string, string>, content: string | { xml: string } = ""): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${xmlText(value)}"`);
  return `<${name}${written.join("")}>${typeof content === "string" ? xmlText(content) : content.xml}</${name}>`;
}
