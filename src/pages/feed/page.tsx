/** @jsxImportSource #jsx */
/** The feed of a topic as a document (WEB.md §4): whole without a script, made live by `static/feed.ts`. */
import { feedUrl, messageUrl } from "../../http/urls.ts";
import type { Page } from "../../store/store.ts";
import type { Topic } from "../../topics/topic.ts";
import type { Millis } from "../../util/clock.ts";
import { assetPath } from "../assets.ts";
import type { Safe } from "../jsx/jsx-runtime.ts";
import { Document, Icon, ThemeButton } from "../layout.tsx";
import { SnippetTabs, ToolSettings } from "../snippets.tsx";
import { liveTexts, texts } from "../texts.ts";
import { dayWords } from "../times.tsx";
import type { View } from "../view.ts";
import { type Asked, Chips, NoneFound, Older, query, Search } from "./asked.tsx";
import { MessageCard } from "./card.tsx";
import { byDay, type Card, DAY_MS, type RenderedCard, startOfDay } from "./cards.ts";
import { NotifyMe } from "./notify.tsx";

export interface FeedProps {
  view: View;
  topic: Topic;
  asked: Asked;
  page: Page;
  cards: readonly RenderedCard[];
  now: Millis;
  /** 0: no limit. */
  retention: { days: number; messages: number };
}

export const FeedPage = (props: FeedProps): Safe => {
  const { view, topic, asked, page } = props;
  const path = feedUrl(view.base, topic);
  return (
    <Document
      view={view}
      title={`${topic.name} · peal`}
      frame="public"
      script="feed.js"
      words={liveTexts()}
      head={
        <>
          <link rel="manifest" href={`${path}/manifest.webmanifest`} />
          <link rel="alternate" type="application/atom+xml" title={`${topic.name} (Atom)`} href={`${path}/feed.atom`} />
          <link
            rel="alternate"
            type="application/feed+json"
            title={`${topic.name} (JSON Feed)`}
            href={`${path}/feed.json`}
          />
          <meta property="og:title" content={`${topic.name} · peal`} />
          <meta property="og:description" content={texts.feed.description(topic.namespace)} />
          <meta property="og:type" content="website" />
        </>
      }
      end={
        <div class="end">
          <p class="live js" role="status">
            <span class="dot busy"></span>
            <span data-connection>{texts.live.connecting}</span>
          </p>
          <ThemeButton view={view} />
        </div>
      }
    >
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
      <div class="cols">
        <div
          data-feed={path}
          data-last={page.lastId}
          data-follow={asked.before === undefined}
          data-icons={assetPath(view.base, "icons.svg")}
        >
          {page.lastId === 0 ? <Empty view={view} topic={topic} /> : <Messages {...props} />}
        </div>
        <About {...props} path={path} />
      </div>
    </Document>
  );
};

const Messages = (props: FeedProps): Safe => {
  const { asked, page, cards } = props;
  return (
    <>
      <Chips asked={asked} />
      {asked.before !== undefined && (
        <p class="line older">
          <a class="btn" href={query({ ...asked, before: undefined })}>
            {texts.feed.newest}
          </a>
        </p>
      )}
      <section class="feed" aria-label={texts.feed.messages}>
        {cards.length === 0 ? <NoneFound asked={asked} hasMore={page.hasMore} /> : <Days {...props} />}
      </section>
      <Older asked={asked} page={page} shown={cards.length} />
    </>
  );
};

const Days = (props: FeedProps): Safe => (
  <>
    {byDay(props.cards).map(({ day, cards }) => (
      <>
        <h2 class="day">{dayTitle(day, props.now)}</h2>
        <div class="list" role="feed" aria-label={dayWords(day)}>
          {cards.map(({ html }) => html)}
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
  at: card.message.createdAt,
  html: (
    <MessageCard
      view={view}
      card={card}
      imageHosts={imageHosts}
      now={now}
      tagHref={(tag) => query({ tag })}
      link={messageUrl(feedUrl(view.base, topic), card.message.id)}
      acknowledgeAt={`${feedUrl(view.base, topic)}/messages/${card.message.id}/ack`}
    />
  ),
});

function dayTitle(day: Millis, now: Millis): Safe {
  const words = dayWords(day);
  const ago = (startOfDay(now) - day) / DAY_MS;
  if (ago > 1) return <>{words}</>;
  return (
    <>
      {ago === 1 ? texts.feed.yesterday : texts.feed.today} <span>{words}</span>
    </>
  );
}

const Empty = ({ view, topic }: { view: View; topic: Topic }): Safe => {
  const hint = texts.feed.keyHint(topic.namespace);
  const namespace = `${view.url}/${topic.namespace}`;
  return (
    <>
      <section class="panel">
        <div class="empty">
          <h2>{texts.feed.nothingYet}</h2>
          <p class="soft">{texts.feed.sendFirst}</p>
        </div>
        <div class="in">
          <SnippetTabs view={view} target={{ url: `${namespace}/${topic.name}`, text: "It works" }} />
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

const About = ({ view, topic, path, retention }: FeedProps & { path: string }): Safe => (
  <aside class="stack" aria-label={texts.feed.about}>
    <section class="tight">
      <h2>{texts.feed.elsewhere}</h2>
      <p class="line">
        <button class="btn js" type="button" data-copy-url={path} data-done={texts.copy.done}>
          <Icon view={view} name="link" />
          <span>{texts.feed.copyLink}</span>
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
        {texts.feed.whoReads}{" "}
        {texts.feed.staysFor(topic.retentionDays ?? retention.days, topic.retentionMessages ?? retention.messages)}
      </p>
      <noscript>
        <p class="hint">{texts.feed.withoutScript}</p>
      </noscript>
    </section>
  </aside>
);
