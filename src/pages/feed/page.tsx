/** @jsxImportSource #jsx */
/** The feed of a topic as a document (WEB.md §4): whole without a script, made live by `static/feed.ts`. */
import { fileUrl } from "../../files/file.ts";
import { feedUrl, messageUrl } from "../../http/urls.ts";
import type { Page } from "../../store/messages.ts";
import type { Topic } from "../../topics/topic.ts";
import type { Millis } from "../../util/clock.ts";
import { assetPath, imagePath } from "../assets.ts";
import { fill } from "../elements/fill.ts";
import { OnPhone } from "../elements/ntfy-app.tsx";
import type { Safe } from "../jsx/jsx-runtime.ts";
import { Document, Icon, ThemeButton } from "../layout.tsx";
import { SnippetTabs } from "../publishing/snippets.tsx";
import { ToolSettings } from "../publishing/tool-settings.tsx";
import { BriefTime, dateOf, dayBefore, dayWords } from "../elements/times.tsx";
import type { View } from "../view.ts";
import { type Asked, Chips, Counted, type Counts, NoneFound, Older, query, Search, Newest } from "./asked.tsx";
import { MessageCard } from "./card.tsx";
import { byDay, type Card, type RenderedCard } from "./cards.ts";
import { Folded } from "./fold.tsx";
import { KeysHint } from "./shortcuts.tsx";
import { NotifyMe, Quiet } from "./notify.tsx";
import { Handled, HandledRow, OpenNow, OpenRow } from "./open.tsx";
import type { OpenCard, Opened } from "./opened.ts";

export interface FeedProps {
  view: View;
  topic: Topic;
  asked: Asked;
  page: Page;
  /** Where its event stream continues. */
  position: string;
  cards: readonly RenderedCard[];
  /** Present on the newest page of everything. */
  counts?: Counts;
  /** Likewise: what is above the messages. */
  band?: Band;
  now: Millis;
  /** 0: no limit. */
  retention: { days: number; messages: number };
  /** PEAL_NTFY_UPSTREAM. */
  upstream: string | undefined;
}

export const FeedPage = (props: FeedProps): Safe => {
  const { view, topic, asked, page, position, counts } = props;
  const path = feedUrl(view.base, topic);
  return (
    <Document
      view={view}
      title={`${topic.name} · peal`}
      frame="public"
      script="feed.js"
      words={JSON.stringify(view.texts.live)}
      head={<HeadLinks view={view} topic={topic} />}
      end={
        <div class="end">
          <p class="live js" role="status" aria-atomic="false">
            {asked.before === undefined && (
              <>
                <span class="dot busy"></span>
                <span data-connection>{view.texts.live.connecting}</span>
              </>
            )}
            <span class="sr" data-said></span>
          </p>
          <ThemeButton view={view} />
        </div>
      }
    >
      <p class="sr" role="alert" data-said-urgent></p>
      <div class="head">
        <div>
          <p class="crumb" dir="auto">
            {topic.namespace}
          </p>
          <h1 dir="auto">{topic.name}</h1>
          {topic.description !== undefined && (
            <p class="soft" dir="auto">
              {topic.description}
            </p>
          )}
        </div>
        <NotifyMe view={view} topic={topic} />
        {page.lastId > 0 && <Search view={view} asked={asked} />}
      </div>
      <p class="note warning" data-offline hidden>
        <Icon view={view} name="offline" large />
        <span></span>
      </p>
      {props.band !== undefined && <Top view={view} topic={topic} band={props.band} />}
      <div class="cols">
        <div
          data-feed={path}
          data-last={page.lastId}
          data-position={position}
          data-follow={asked.before === undefined}
          data-whole={counts !== undefined}
          data-more={page.hasMore}
          data-icons={assetPath(view.base, "icons.svg")}
        >
          {page.lastId === 0 ? <Empty view={view} topic={topic} /> : <Messages {...props} />}
        </div>
        <About {...props} path={path} />
      </div>
    </Document>
  );
};

/** The links in the head of the page for browsers, feed readers and link previews. */
const HeadLinks = ({ view, topic }: Pick<FeedProps, "view" | "topic">): Safe => {
  const path = feedUrl(view.base, topic);
  return (
    <>
      <link rel="manifest" href={`${path}/manifest.webmanifest`} />
      <link rel="alternate" type="application/atom+xml" title={`${topic.name} (Atom)`} href={`${path}/feed.atom`} />
      <link
        rel="alternate"
        type="application/feed+json"
        title={`${topic.name} (JSON Feed)`}
        href={`${path}/feed.json`}
      />
      <link rel="apple-touch-icon" href={imagePath(view.base, "app-icon-180.png")} />
      <meta name="apple-mobile-web-app-title" content={topic.name} />
      <meta property="og:site_name" content="peal" />
      <meta property="og:title" content={`${topic.name} · peal`} />
      <meta property="og:description" content={view.texts.feed.description(topic.namespace)} />
      <meta property="og:type" content="website" />
    </>
  );
};

export interface Band {
  opened: Opened;
  /** Nothing of it is pushed until then: by the topic or its namespace. */
  mutedUntil?: Millis;
  /** Ids of cards that are on the page. */
  onPage: ReadonlySet<number>;
}

/** What is open, and whether it can be heard; the script replaces it (static/feed.ts). */
export const Top = ({ view, topic, band }: Pick<FeedProps, "view" | "topic"> & { band: Band }): Safe => {
  const { opened, mutedUntil, onPage } = band;
  const feed = feedUrl(view.base, topic);
  const link = ({ message: { id } }: OpenCard) => (onPage.has(id) ? `#m${id}` : messageUrl(feed, id));
  const ack = ({ message: { id } }: OpenCard) => `${feed}/messages/${id}/ack`;
  return (
    <div class="top-now stack" id="now">
      {mutedUntil !== undefined && (
        <p class="note warning">
          <Icon view={view} name="mute" large />
          <span>{fill(view.texts.open.muted, <BriefTime view={view} at={mutedUntil} />)}</span>
        </p>
      )}
      <OpenNow
        view={view}
        rows={opened.open.map((card) => (
          <OpenRow view={view} card={card} link={link(card)} acknowledgeAt={ack(card)} />
        ))}
        isMore={opened.moreAsking || opened.moreFiring}
      />
      <Handled
        view={view}
        rows={opened.taken.map((card) => (
          <HandledRow view={view} card={card} link={link(card)} isNamed={false} />
        ))}
      />
    </div>
  );
};

const Messages = (props: FeedProps): Safe => {
  const { view, asked, page, cards, counts } = props;
  return (
    <>
      <Chips view={view} asked={asked} counts={counts} />
      <Counted view={view} counts={counts} />
      {asked.before !== undefined && <Newest view={view} asked={asked} />}
      <section class="feed" aria-label={view.texts.messages.title}>
        {cards.length === 0 ? <NoneFound view={view} asked={asked} hasMore={page.hasMore} /> : <Days {...props} />}
        {/* of what is stored, without a connection (static/filter.ts) */}
        <div class="panel" data-none hidden>
          <p class="empty">{view.texts.feed.noneHere}</p>
        </div>
      </section>
      <Older view={view} asked={asked} page={page} shown={cards.length} />
    </>
  );
};

export const Days = ({ view, cards, now }: Pick<FeedProps, "view" | "cards" | "now">): Safe => (
  <>
    {byDay(cards, (at) => dateOf(view, at)).map(({ date, at, cards: ofDay }) => (
      <>
        <h2 class="day">{dayTitle(view, { date, at }, now)}</h2>
        <div class="list" role="feed" aria-label={dayWords(view, at)}>
          <Folded view={view} cards={ofDay} />
        </div>
      </>
    ))}
  </>
);

interface CardOptions {
  view: View;
  topic: Topic;
  imageHosts: readonly string[];
  now: Millis;
}

/** Takes up to 20 ms: the page is made of cards that are rendered before, in turns. */
export const renderCard = (card: Card, { view, topic, imageHosts, now }: CardOptions): RenderedCard => ({
  card,
  at: card.message.createdAt,
  html: (
    <MessageCard
      view={view}
      card={card}
      imageHosts={imageHosts}
      fileHref={(file) => fileUrl(view.base, topic, file)}
      now={now}
      tagHref={(tag) => query({ tag })}
      link={messageUrl(feedUrl(view.base, topic), card.message.id)}
      acknowledgeAt={`${feedUrl(view.base, topic)}/messages/${card.message.id}/ack`}
      undoAt={`${feedUrl(view.base, topic)}/messages/${card.message.id}/unack`}
    />
  ),
});

function dayTitle(view: View, { date, at }: { date: string; at: Millis }, now: Millis): Safe {
  const { feed } = view.texts;
  const words = dayWords(view, at);
  const today = dateOf(view, now);
  if (date !== today && date !== dayBefore(today)) return <>{words}</>;
  return (
    <>
      {date === today ? feed.today : feed.yesterday} <span>{words}</span>
    </>
  );
}

const Empty = ({ view, topic }: { view: View; topic: Topic }): Safe => {
  const hint = view.texts.feed.keyHint(topic.namespace);
  const namespace = `${view.url}/${topic.namespace}`;
  return (
    <>
      <section class="panel">
        <div class="empty">
          <h2>{view.texts.feed.nothingYet}</h2>
          <p class="soft">{view.texts.feed.sendFirst}</p>
        </div>
        <div class="in">
          <SnippetTabs view={view} target={{ url: `${namespace}/${topic.name}`, text: view.texts.setup.itWorks }} />
          <p class="hint">
            <code>$KEY</code>
            {hint.before}
            <strong>{hint.namespace}</strong>
            {hint.after}
          </p>
        </div>
      </section>
      <ToolSettings view={view} url={namespace} topic={topic.name} />
    </>
  );
};

const About = ({ view, topic, path, retention, upstream }: FeedProps & { path: string }): Safe => (
  <aside class="stack" aria-label={view.texts.feed.about}>
    <Quiet view={view} />
    <OnPhone view={view} topic={topic} upstream={upstream} />
    <section class="tight">
      <h2>{view.texts.feed.elsewhere}</h2>
      <p class="line">
        <button class="btn js" type="button" data-copy-url={path} data-done={view.texts.copy.done}>
          <Icon view={view} name="link" />
          <span>{view.texts.feed.copyLink}</span>
        </button>
        <a class="btn" href={`${path}/feed.atom`}>
          <Icon view={view} name="feed" />
          Atom
        </a>
        <a class="btn" href={`${path}/feed.json`}>
          JSON
        </a>
      </p>
      <p class="hint">
        {view.texts.feed.whoReads}{" "}
        {view.texts.feed.staysFor(topic.retentionDays ?? retention.days, topic.retentionMessages ?? retention.messages)}
      </p>
      <KeysHint view={view} />
      <noscript>
        <p class="hint">{view.texts.feed.withoutScript(view.zone)}</p>
      </noscript>
    </section>
  </aside>
);
