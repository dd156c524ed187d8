/** @jsxImportSource #jsx */
/** What a reader can do with a message: open links, press buttons, and acknowledge it (WEB.md §4). */
import type { Attachment } from "../../files/file.ts";
import { shownImage } from "../../messages/image.ts";
import { type Action, type Draft, hasUrl } from "../../drafts/draft.ts";
import type { Millis } from "../../util/clock.ts";
import type { Tool } from "../../rewrites/tool.ts";
import { TOOLS } from "../../rewrites/tools/all.ts";
import { isLink } from "../../util/text/markdown.ts";
import { emojiOf } from "../elements/emoji.ts";
import type { Safe } from "../jsx/jsx-runtime.ts";
import { Icon } from "../layout.tsx";
import { BriefTime } from "../elements/times.tsx";
import type { View } from "../view.ts";
import type { Card, OfTopic } from "./cards.ts";
import { Submit } from "../elements/submit.tsx";

export interface CardProps {
  view: View;
  card: Card;
  /** Link to the messages of a tag. */
  tagHref: (tag: string) => string;
  /** Link that shows this message whatever came after it. */
  link: string;
  /** Where its acknowledgement is posted. */
  acknowledgeAt: string;
  /** Where an acknowledgement is undone; absent: not from this page. */
  undoAt?: string;
  /** Hosts whose images may be shown. */
  imageHosts: readonly string[];
  /** The address of a file of the message. */
  fileHref: (file: Attachment) => string;
  now: Millis;
  /** Present if the page shows several topics. */
  of?: OfTopic | undefined;
  /** More of the menu: what only an owner does. */
  own?: Safe;
  /** The label of the key or hook that sent it: only for its owner, because it may name people and machines. */
  sender?: string | undefined;
  /** How it was sent: for its owner alone. */
  came?: Safe | undefined;
}

export const sendsRequest = (action: Action): boolean => action.method !== undefined;

/** What its button sends, and everything there is if no service worker can send it (static/requests.ts). */
export const RequestHint = ({ action }: { action: Action }): Safe => (
  <p class="hint">
    <bdi>{action.label}</bdi>:{" "}
    <code>
      {action.method} {action.url}
    </code>
  </p>
);

export const Rings = ({ view, until, now }: { view: View; until: Millis; now: Millis }): Safe => (
  <>
    <p class="hint">
      {until > now ? view.texts.card.ringsUntil : view.texts.card.rangUntil} <BriefTime view={view} at={until} />.
    </p>
    <p class="hint if-offline">{view.texts.card.needsConnection}</p>
  </>
);

interface AcknowledgeProps {
  view: View;
  to: string;
  /** The id of the message. */
  id: number;
  /** The most prominent button: the message rings. */
  isLoud?: boolean;
}
/** A form, so that it works without a script, and a POST, so that no preview of a link acknowledges. */
export const Acknowledge = ({ view, to, id, isLoud = true }: AcknowledgeProps): Safe => (
  <form method="post" action={to} data-acknowledge={id}>
    <Submit view={view} icon="check" class={isLoud ? "btn risk main" : "btn"} words={view.texts.card.acknowledge} />
    <p class="wrong" role="alert" hidden>
      {view.texts.card.notAcknowledged}
    </p>
  </form>
);

export const Acts = ({ view, card, draft, tagHref, acknowledgeAt, imageHosts }: CardProps & { draft: Draft }): Safe => {
  const links = [
    ...(draft.url === undefined ? [] : [{ label: openWords(view, draft.url), url: draft.url }]),
    ...(draft.actions ?? []).filter(hasUrl).filter((action) => !sendsRequest(action)),
  ].filter(({ url }) => isLink(url)); // others are of apps
  const requests = (draft.actions ?? []).filter(hasUrl).filter(sendsRequest);
  const image = draft.image === undefined ? null : URL.parse(draft.image);
  const tool = toolOf(draft);
  const tags = draft.tags?.filter((tag) => tag !== tool) ?? [];
  const shown = shownImage(draft.image, imageHosts) !== undefined;
  const isWaiting = card.ack !== undefined && card.ack.at === undefined;
  return (
    <>
      {image !== null && shown && (
        <a class="shot" href={image.href} rel="noreferrer">
          <img src={image.href} alt={view.texts.card.image(image.host)} loading="lazy" />
        </a>
      )}
      {(isWaiting || requests.length > 0 || links.length > 0 || tags.length > 0 || (image !== null && !shown)) && (
        <div class="acts">
          {isWaiting && <Acknowledge view={view} to={acknowledgeAt} id={card.message.id} />}
          {image !== null && !shown && (
            <a class="btn" href={image.href} rel="noreferrer">
              <Icon view={view} name="image" />
              <span dir="auto">{view.texts.card.image(image.host)}</span>
            </a>
          )}
          {requests.map(({ label, url, method, headers, body }) => (
            <button class="btn send" type="button" data-request={JSON.stringify({ url, method, headers, body })}>
              <Icon view={view} name="send" />
              <span dir="auto" aria-live="polite">
                {label}
              </span>
            </button>
          ))}
          {links.map(({ label, url }) => (
            <a class="btn" href={url} rel="noreferrer">
              <Icon view={view} name="open" />
              <span dir="auto">{label}</span>
            </a>
          ))}
          {tags.map((tag) => (
            <Tag tag={tag} emoji={tool === undefined ? emojiOf(tag) : undefined} href={tagHref(tag)} />
          ))}
        </div>
      )}
    </>
  );
};

/** A short code of an emoji shows as the emoji, with its word for screen readers. A tool's words are only words. */
const Tag = ({ tag, emoji, href }: { tag: string; emoji: string | undefined; href: string }): Safe => (
  <a class="tag" href={href} dir="auto" title={emoji === undefined ? undefined : tag} aria-label={emoji && tag}>
    {emoji ?? tag}
  </a>
);

/** The names of tools that post, by what the rewrites call them: the same in every language. */
export const TOOL_NAMES: ReadonlyMap<string, string> = new Map(
  TOOLS.filter((tool: Tool) => "fits" in tool || tool.postsAs !== undefined).map(({ name, title }) => [name, title]),
);

/** The tool that posted it: a rewrite names it in a tag, because Grafana posts in Alertmanager's form. */
export const toolOf = ({ source, tags = [] }: Draft): string | undefined =>
  source.startsWith("rewrite:") ? tags.find((tag) => TOOL_NAMES.has(tag)) : undefined;

function openWords({ texts }: View, url: string): string {
  const { protocol, host, pathname } = new URL(url);
  if (protocol === "mailto:") return texts.card.write(pathname);
  if (protocol === "tel:") return texts.card.call(pathname);
  return texts.card.open(host);
}
