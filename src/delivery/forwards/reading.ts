/** What people read of a push in a chat or a mail: its title, its text and where it leads. Pure. */
import type { Level } from "../../drafts/draft.ts";
import { ELEMENTS, isLink, linked, rendered } from "../../util/text/markdown.ts";
import type { Notification } from "../push/push.ts";
import type { ForwardPush } from "./kind.ts";

export interface Link {
  label: string;
  url: string;
}

/** Stands before the title, so that a list of messages shows at a glance what went wrong. */
const MARKS: Readonly<Record<Level, string>> = { info: "", success: "✅ ", warning: "⚠️ ", error: "🚨 " };

export const markedTitle = ({ level, title }: Notification): string => `${MARKS[level]}${title}`;

/** Where the message is from; undefined for a test and for a digest of several topics. */
export const originOf = ({ topic }: Notification): string | undefined => topic && `${topic.namespace}/${topic.name}`;

/** Buttons that open something, the message's own link, its image, and its card in the feed, which has all buttons. */
export function linksOf({ actions = [], url, image, feedUrl }: Notification): Link[] {
  const buttons = actions.flatMap(({ label, url: opens, method }) =>
    method === undefined ? [{ label, url: opens }] : [],
  );
  const named = new Set(buttons.map((button) => button.url));
  const more = (label: string, opens: string | undefined): Link[] =>
    opens === undefined || named.has(opens) ? [] : [{ label, url: opens }];
  const links = [
    ...buttons,
    ...(url === feedUrl ? [] : more("Open", url)),
    ...more("Image", image),
    ...more("Details", feedUrl),
  ];
  return links.filter(({ url: opens }) => isLink(opens));
}

/** One line a link, for text that is not formatted. */
export const linkLines = (notification: Notification): string[] =>
  linksOf(notification).map(({ label, url }) => `${label}: ${url}`);

/** Its links, in HTML that Telegram knows too. */
export const linksHtml = (notification: Notification): string =>
  linksOf(notification)
    .map(({ label, url }) => linked(escaped(label), url))
    .join(" · ");

/** What stands below the text of a chat: where the message is from, and its links. */
export const footHtml = (notification: Notification): string =>
  [escaped(originOf(notification) ?? ""), linksHtml(notification)].filter((part) => part !== "").join(" · ");

export const isMarkdown = ({ message }: Pick<ForwardPush, "message">): boolean => message?.draft.format === "markdown";

/** The text as HTML, as mail programs and Matrix show it. */
export function htmlOf(push: ForwardPush): string {
  const { body } = push.notification;
  return (
    (isMarkdown(push) ? rendered(body, ELEMENTS) : undefined) ?? `<p>${escaped(body).replaceAll("\n", "<br>")}</p>`
  );
}

/** Nothing in it can be read as HTML. */
export const escaped = (text: string): string => Bun.escapeHTML(text);
